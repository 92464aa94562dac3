// Boxes over the picture, to be moved, resized, drawn and deleted by mouse, touch and keys. A box is [left, top, right,
// bottom] in pixels of the picture.

import { svg } from "./dom.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const CORNERS = [[0, 1], [2, 1], [2, 3], [0, 3]]; // which numbers of a box are a corner's x and y
const LEAST = 2; // pixels of the picture: no side of a box is shorter
const CLICK = 5; // pixels of the screen: what is drawn over less was a click
const REACH = 26; // pixels of the screen that take hold of a corner

const within = (value, most) => Math.min(Math.max(value, 0), most);
const rounded = (box) => box.map((value) => Math.round(value * 10) / 10);
const area = ([left, top, right, bottom]) => (right - left) * (bottom - top);
const thin = ([left, top, right, bottom]) => Math.min(right - left, bottom - top) < LEAST;

export class Boxes {
  /** single: there is one box, and a new one takes its place. onchange() is told of what somebody changed. */
  constructor({ width, height }, boxes, { single = false, onchange = () => {} }) {
    Object.assign(this, { size: [width, height], single, onchange, objects: [], drag: null });
    this.layer = svg("g");
    this.corners = CORNERS.map((_, corner) => svg("g", { "data-corner": corner }, svg("rect"), svg("rect", { class: "grip" })));
    this.element = svg(
      "svg",
      { id: "editor", viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": single ? "What to keep" : "Boxes", "aria-describedby": "tools-help" },
      this.layer,
      this.corners,
    );
    for (const type of ["pointerdown", "pointermove", "pointerup", "pointercancel", "keydown"]) {
      this.element.addEventListener(type, (event) => this[type](event));
    }
    this.element.addEventListener("focusin", ({ target }) => this.choose(this.groups.indexOf(target)));
    new ResizeObserver(() => this.draw()).observe(this.element);
    this.replace(boxes);
  }

  /** Shows other boxes. Nobody is told, for nobody changed them. */
  replace(boxes) {
    this.all = boxes.map((box) => [...box]);
    this.groups = boxes.map(group);
    this.layer.replaceChildren(...this.groups);
    this.choose(this.single ? 0 : -1);
  }

  /** Calls the boxes as the objects that were seen in them: [{name, left, top, width, height}]. */
  call(objects) {
    this.objects = objects;
    this.draw();
  }

  /** A new box in the middle, to be moved from there. */
  add() {
    const side = Math.min(...this.size) / 5;
    const [x, y] = this.size.map((length) => (length - side) / 2);
    this.insert(rounded([x, y, x + side, y + side]));
    this.onchange();
  }

  /** Deletes the box that is chosen. */
  remove() {
    if (this.single || this.chosen < 0) return;
    this.all.splice(this.chosen, 1);
    this.groups.splice(this.chosen, 1)[0].remove();
    this.choose(Math.min(this.chosen, this.all.length - 1));
    this.groups[this.chosen]?.focus();
    this.onchange();
  }

  insert(box) {
    if (this.single) this.all = [];
    else this.layer.append(this.groups[this.groups.push(group()) - 1]);
    this.choose(this.all.push(box) - 1);
    this.groups[this.chosen].focus();
  }

  choose(index) {
    this.chosen = index;
    this.draw();
  }

  /** Pixels of the picture to one of the screen. */
  get unit() {
    return this.size[0] / (this.element.getBoundingClientRect().width || this.size[0]);
  }

  draw() {
    const { unit, objects, single } = this;
    this.all.forEach((box, index) => {
      const [left, top, right, bottom] = box;
      const [casing, frame, text] = this.groups[index].children;
      const place = { x: left, y: top, width: right - left, height: bottom - top };
      for (const rect of [casing, frame]) set(rect, place);
      set(text, { x: left + 3 * unit, y: bottom - 4 * unit, "font-size": 13 * unit });
      const name = single ? "What to keep" : (objects.find((each) => same(each, place))?.name ?? "New box");
      text.textContent = single ? "" : name;
      const [x, y, width, height] = Object.values(place).map(Math.round);
      set(this.groups[index], { "aria-label": `${name}, ${width} by ${height} pixels at ${x}, ${y}` });
      this.groups[index].classList.toggle("chosen", index === this.chosen);
    });
    const box = this.all[this.chosen];
    this.corners.forEach((corner, index) => {
      corner.classList.toggle("none", !box);
      if (!box) return;
      const [x, y] = CORNERS[index].map((at) => box[at]);
      // The hold lies outwards: a small box can still be taken by its middle.
      const [holdX, holdY] = CORNERS[index].map((at) => box[at] + (at < 2 ? -6 : 6) * unit);
      set(corner.firstChild, square(holdX, holdY, REACH * unit));
      set(corner.lastChild, square(x, y, 9 * unit));
    });
  }

  // --- by mouse and touch ---

  at({ clientX, clientY }) {
    const { left, top, width, height } = this.element.getBoundingClientRect();
    return [((clientX - left) / width) * this.size[0], ((clientY - top) / height) * this.size[1]];
  }

  /** The smallest box at a place, so that those inside others are reached; -1 for none. */
  hit([x, y]) {
    const slack = 3 * this.unit;
    const there = this.all.filter((box) => x > box[0] - slack && x < box[2] + slack && y > box[1] - slack && y < box[3] + slack);
    return this.all.indexOf(there.sort((one, other) => area(one) - area(other))[0]);
  }

  pointerdown(event) {
    if (this.drag || event.button) return;
    event.preventDefault();
    const from = this.at(event);
    const corner = event.target.closest("[data-corner]")?.dataset.corner;
    const hit = corner === undefined ? this.hit(from) : this.chosen;
    this.drag = { id: event.pointerId, from, corner, box: this.all[hit], before: [...this.all], moved: false };
    this.choose(hit < 0 && this.single ? 0 : hit);
    this.groups[hit]?.focus();
    this.element.setPointerCapture(event.pointerId);
  }

  pointermove(event) {
    const { drag } = this;
    if (event.pointerId !== drag?.id) return;
    const by = this.at(event).map((value, axis) => value - drag.from[axis]);
    if (!drag.box) {
      if (Math.hypot(...by) < CLICK * this.unit) return;
      // From here on it is a box, drawn by its last corner.
      const start = drag.from.map((value, axis) => within(value, this.size[axis]));
      Object.assign(drag, { box: [...start, ...start], corner: 2 });
      this.insert(drag.box);
    }
    drag.moved = true;
    this.all[this.chosen] = drag.corner === undefined ? this.shifted(drag.box, by) : this.resized(drag.box, CORNERS[drag.corner], by);
    this.draw();
  }

  pointerup(event) {
    const { drag } = this;
    if (event.pointerId !== drag?.id) return;
    if (!drag.moved || thin(this.all[this.chosen])) return this.pointercancel(event);
    this.drag = null;
    this.onchange();
  }

  /** As if nobody had touched it. */
  pointercancel({ pointerId }) {
    const { drag } = this;
    if (pointerId !== drag?.id) return;
    this.drag = null;
    if (drag.moved) this.replace(drag.before);
  }

  shifted(box, by) {
    const [dx, dy] = by.map((value, axis) => within(box[axis] + value, this.size[axis] - box[axis + 2] + box[axis]) - box[axis]);
    return rounded([box[0] + dx, box[1] + dy, box[2] + dx, box[3] + dy]);
  }

  resized(box, corner, by) {
    const moved = [...box];
    corner.forEach((at, axis) => (moved[at] = within(box[at] + by[axis], this.size[axis])));
    const [left, top, right, bottom] = rounded(moved);
    return [Math.min(left, right), Math.min(top, bottom), Math.max(left, right), Math.max(top, bottom)];
  }

  // --- by keys ---

  keydown(event) {
    const box = this.all[this.groups.indexOf(event.target)];
    if (!box) return;
    if (event.key === "Delete" || event.key === "Backspace") this.remove();
    else if (ARROWS[event.key]) {
      const by = ARROWS[event.key].map((value) => value * Math.max(1, Math.round(this.unit)));
      const next = event.shiftKey ? this.resized(box, CORNERS[2], by) : this.shifted(box, by);
      if (!thin(next)) {
        this.all[this.chosen] = next;
        this.draw();
        this.onchange();
      }
    } else return;
    event.preventDefault();
  }
}

function group() {
  const attributes = { class: "box", tabindex: 0, role: "button", "aria-roledescription": "box" };
  return svg("g", attributes, svg("rect", { class: "casing" }), svg("rect", { class: "area" }), svg("text"));
}

/** Whether an object lies where a box is; the service writes fewer digits. */
function same(object, { x, y, width, height }) {
  return Math.max(...[object.left - x, object.top - y, object.width - width, object.height - height].map(Math.abs)) < 0.2;
}

const square = (x, y, side) => ({ x: x - side / 2, y: y - side / 2, width: side, height: side });

function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}
