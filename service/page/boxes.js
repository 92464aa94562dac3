// Boxes over the picture, to be moved, resized, drawn and deleted by mouse, touch and keys. A box is [left, top, right,
// bottom] in pixels of the picture.

import { svg } from "./dom.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const CORNERS = [[0, 1], [2, 1], [2, 3], [0, 3]]; // which numbers of a box are a corner's x and y
const LAST = CORNERS[2];
const LEAST = 2; // pixels of the picture: no side of a box is shorter
const CLICK = 5; // pixels of the screen: what is drawn over less was a click
const GRIP = 10; // pixels of the screen; it lies outside of its box, so that a small one can be taken by its middle

const within = (value, most) => Math.min(Math.max(value, 0), most);
const rounded = (box) => box.map((value) => Math.round(value * 10) / 10);
const area = ([left, top, right, bottom]) => (right - left) * (bottom - top);
const thin = ([left, top, right, bottom]) => Math.min(right - left, bottom - top) < LEAST;

/** An editor of `boxes`, with its `element`. onchange() is told of whatever somebody changed. */
export function editBoxes({ width, height }, boxes, onchange) {
  const size = [width, height];
  let all = [];
  let groups = [];
  let chosen = -1;
  let objects = []; // that were seen in the boxes
  let drag = null;
  const layer = svg("g");
  const grips = CORNERS.map((_, corner) => svg("rect", { "data-corner": corner }));
  const label = { role: "group", "aria-label": "Boxes", "aria-describedby": "tools-help" };
  const element = svg("svg", { id: "editor", viewBox: `0 0 ${width} ${height}`, ...label }, layer, grips);

  /** Shows other boxes. Nobody is told, for nobody changed them. */
  function replace(others) {
    all = [...others];
    groups = all.map(group);
    layer.replaceChildren(...groups);
    choose(-1);
  }

  function insert(box) {
    layer.append(groups[groups.push(group()) - 1]);
    choose(all.push(box) - 1);
    groups[chosen].focus();
  }

  function remove() {
    if (chosen < 0) return;
    all.splice(chosen, 1);
    groups.splice(chosen, 1)[0].remove();
    choose(Math.min(chosen, all.length - 1));
    groups[chosen]?.focus();
    onchange();
  }

  function choose(index) {
    chosen = index;
    draw();
  }

  /** Pixels of the picture to one of the screen. */
  const unit = () => width / (element.getBoundingClientRect().width || width);

  function draw() {
    const pixel = unit();
    all.forEach(([left, top, right, bottom], index) => {
      const place = { x: left, y: top, width: right - left, height: bottom - top };
      const [casing, frame, text] = groups[index].children;
      for (const rect of [casing, frame]) set(rect, place);
      set(text, { x: left, y: top - 3 * pixel, "font-size": 12.5 * pixel });
      const name = objects.find((each) => same(each, place))?.name;
      text.textContent = name ?? "";
      const [x, y, across, down] = Object.values(place).map(Math.round);
      set(groups[index], { "aria-label": `${name ?? "New box"}, ${across} by ${down} pixels at ${x}, ${y}` });
      groups[index].classList.toggle("kept", index === chosen);
    });
    grips.forEach((grip, index) => {
      grip.classList.toggle("none", chosen < 0);
      const [x, y] = CORNERS[index].map((at) => (all[chosen]?.[at] ?? 0) - (at < 2 ? GRIP * pixel : 0));
      set(grip, { x, y, width: GRIP * pixel, height: GRIP * pixel });
    });
  }

  function shifted(box, by) {
    const [dx, dy] = by.map((value, axis) => within(box[axis] + value, size[axis] - box[axis + 2] + box[axis]) - box[axis]);
    return rounded([box[0] + dx, box[1] + dy, box[2] + dx, box[3] + dy]);
  }

  function resized(box, corner, by) {
    const moved = [...box];
    corner.forEach((at, axis) => (moved[at] = within(box[at] + by[axis], size[axis])));
    const [left, top, right, bottom] = rounded(moved);
    return [Math.min(left, right), Math.min(top, bottom), Math.max(left, right), Math.max(top, bottom)];
  }

  function at({ clientX, clientY }) {
    const place = element.getBoundingClientRect();
    return [(clientX - place.left) * unit(), (clientY - place.top) * unit()];
  }

  /** The smallest box at a place, so that those inside others are reached; -1 for none. */
  function hit([x, y]) {
    const slack = 3 * unit();
    const there = all.filter((box) => x > box[0] - slack && x < box[2] + slack && y > box[1] - slack && y < box[3] + slack);
    return all.indexOf(there.sort((one, other) => area(one) - area(other))[0]);
  }

  /** Ends a drag as if nobody had begun it. */
  function forget() {
    if (drag.moved) replace(drag.before);
    drag = null;
  }

  const listeners = {
    pointerdown(event) {
      if (drag || event.button) return;
      event.preventDefault();
      const from = at(event);
      const corner = CORNERS[event.target.dataset.corner];
      if (!corner) choose(hit(from));
      groups[chosen]?.focus();
      drag = { id: event.pointerId, from, corner, box: all[chosen], before: [...all] };
      element.setPointerCapture(event.pointerId);
    },
    pointermove(event) {
      if (event.pointerId !== drag?.id) return;
      const by = at(event).map((value, axis) => value - drag.from[axis]);
      if (!drag.box) {
        if (Math.hypot(...by) < CLICK * unit()) return;
        // From here on it is a box, drawn by its last corner.
        const start = drag.from.map((value, axis) => within(value, size[axis]));
        Object.assign(drag, { box: [...start, ...start], corner: LAST });
        insert(drag.box);
      }
      drag.moved = true;
      all[chosen] = drag.corner ? resized(drag.box, drag.corner, by) : shifted(drag.box, by);
      draw();
    },
    pointerup({ pointerId }) {
      if (pointerId !== drag?.id) return;
      if (!drag.moved || thin(all[chosen])) return forget();
      drag = null;
      onchange();
    },
    pointercancel: ({ pointerId }) => pointerId === drag?.id && forget(),
    keydown(event) {
      const { key, shiftKey } = event;
      const by = ARROWS[key]?.map((value) => value * Math.max(1, Math.round(unit())));
      if (chosen < 0 || !(by || key === "Delete" || key === "Backspace")) return;
      event.preventDefault();
      if (!by) return remove();
      const box = shiftKey ? resized(all[chosen], LAST, by) : shifted(all[chosen], by);
      if (thin(box)) return;
      all[chosen] = box;
      draw();
      onchange();
    },
    focusin: ({ target }) => choose(groups.indexOf(target)),
  };
  for (const [type, listener] of Object.entries(listeners)) element.addEventListener(type, listener);
  new ResizeObserver(draw).observe(element);
  replace(boxes);

  return {
    element,
    replace,
    remove,
    /** The boxes as they are now. */
    boxes: () => [...all],
    /** A new box in the middle, to be moved from there. */
    add() {
      const side = Math.min(...size) / 5;
      const [x, y] = size.map((length) => (length - side) / 2);
      insert(rounded([x, y, x + side, y + side]));
      onchange();
    },
    /** Calls the boxes as the objects that were seen in them: [{name, left, top, width, height}]. */
    call(seen) {
      objects = seen;
      draw();
    },
  };
}

function group() {
  const attributes = { class: "symbol box", tabindex: 0, role: "button", "aria-roledescription": "box" };
  return svg("g", attributes, svg("rect", { class: "casing" }), svg("rect", { class: "area" }), svg("text"));
}

/** Whether an object lies where a box is; the service writes fewer digits. */
function same(object, { x, y, width, height }) {
  return Math.max(...[object.left - x, object.top - y, object.width - width, object.height - height].map(Math.abs)) < 0.2;
}

function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}
