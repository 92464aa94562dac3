// The picture with its objects outlined and named, and the network's attention over it.

import { byId, svg } from "./dom.js";

const STEP = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

let scene = null; // details of the scene shown
let source = ""; // address of its picture
let shapes = new Map(); // name of a symbol: its group in the overlay
let over = null; // where masks are drawn

/** Shows a scene: its picture, and its objects over it. `onlook(name)` hears of the object pointed at, null for none. */
export function showObjects(details, address, { onlook, onchoose }) {
  scene = details;
  source = address;
  shapes = new Map();
  const { width, height } = details.image;
  over = svg("g", { class: "masks" });
  byId("desk").style.setProperty("--aspect", width / height);
  const objects = details.objects.map((symbol, index) => outline(symbol, index, { onlook, onchoose }));
  const background = details.background.map((symbol) => frame(symbol, "background"));
  const label = "Objects of the picture; arrow keys go from one to the next";
  const attributes = { viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": label };
  byId("picture").replaceChildren(svg("svg", attributes, image(), over, background, objects));
}

/** The picture of one symbol alone, cut out. */
export function thumbnail(name) {
  const symbol = scene && [...scene.objects, ...scene.background].find((each) => each.name === name);
  if (!symbol) return null;
  const { left, top, width, height } = symbol;
  return svg("svg", { class: "thumb", viewBox: `${left} ${top} ${width} ${height}`, "aria-hidden": "true" }, image());
}

/** Where things lie in boxes that fit, the picture is any, and its pixels are not to be seen. */
function image() {
  const { width, height } = scene.image;
  return svg("image", { href: source, width, height, preserveAspectRatio: "none", "image-rendering": scene.boxes ? null : "pixelated" });
}

/** Lights up the symbols of `marks` ([{name, label, hue, strong}]) and puts out the others. */
export function lightUp(marks) {
  for (const [name, group] of shapes) {
    const mark = marks.find((each) => each.name === name);
    group.classList.toggle("lit", Boolean(mark));
    group.classList.toggle("strong", Boolean(mark?.strong));
    if (mark?.hue) group.dataset.hue = mark.hue;
    else delete group.dataset.hue;
    group.querySelector(".variable").textContent = mark?.label ?? "";
  }
}

/** Marks the object that the inspector keeps. */
export function keep(name) {
  for (const [each, group] of shapes) group.classList.toggle("kept", each === name);
}

/** Draws attention masks over the picture: [{mask, hue}], each (size, size) of shares that sum to 1. */
export function showMasks(masks) {
  over?.replaceChildren(...masks.map(({ mask, hue }) => heat(mask, scene.image, hue)));
}

/** A small picture of a mask alone. */
export function maskThumbnail(mask, hue) {
  const { width, height } = scene.image;
  return svg("svg", { class: "thumb mask", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, heat(mask, scene.image, hue, false));
}

function heat(mask, { width, height }, hue, numbers = true) {
  // The network's windows lie half a window apart. Each share is drawn where its window has its centre.
  const across = width / (mask.length + 1);
  const down = height / (mask.length + 1);
  const cells = mask.flatMap((row, y) =>
    row.flatMap((share, x) => {
      const left = (x + 0.5) * across;
      const top = (y + 0.5) * down;
      const cell = svg("rect", { x: left, y: top, width: across, height: down, class: "cell", "fill-opacity": 0.72 * Math.min(1, share) });
      if (!numbers || share < 0.05) return [cell];
      const text = svg("text", { x: left + across / 2, y: top + down / 2, "font-size": across * 0.34 }, `${Math.round(share * 100)}%`);
      return [cell, text];
    }),
  );
  return svg("g", { class: "heat", "data-hue": hue }, cells);
}

function outline(symbol, index, { onlook, onchoose }) {
  const { name, x, y } = symbol;
  const at = `column ${Math.round(x)}, row ${Math.round(y)} of ${scene.image.width} by ${scene.image.height} pixels`;
  const [pointed, left] = [() => onlook(name), () => onlook(null)];
  const onkeydown = (event) => {
    if (event.key === "Enter" || event.key === " ") onchoose(name);
    else if (STEP[event.key]) walk(symbol, STEP[event.key]);
    else return;
    event.preventDefault();
  };
  const heard = { onpointerenter: pointed, onfocus: pointed, onpointerleave: left, onblur: left, onkeydown };
  return frame(symbol, "object", { tabindex: index ? -1 : 0, role: "button", "aria-description": `at ${at}`, ...heard });
}

/** Goes to the nearest object in a direction; only one object is a stop of the Tab key. */
function walk(from, [dx, dy]) {
  const far = (to) => {
    const along = (to.x - from.x) * dx + (to.y - from.y) * dy;
    const aside = Math.abs((to.x - from.x) * dy) + Math.abs((to.y - from.y) * dx);
    return along > 0 ? along + 3 * aside : Infinity;
  };
  const nearest = scene.objects.reduce((best, each) => (far(each) < far(best) ? each : best), from);
  for (const { name } of scene.objects) shapes.get(name).setAttribute("tabindex", name === nearest.name ? 0 : -1);
  shapes.get(nearest.name).focus();
}

function frame(symbol, kind, more) {
  const { name, left, top, width, height } = symbol;
  const free = Boolean(scene.boxes);
  const unit = scene.image.width / (free ? byId("picture").clientWidth : 360);
  const gap = free ? 0 : 2.5 * unit; // neighbours' windows stand side by side, not on each other
  const box = { x: left + gap, y: top + gap, width: width - 2 * gap, height: height - 2 * gap };
  const corner = Math.min(box.width, box.height) * 0.16;
  const right = box.x + box.width;
  const bottom = box.y + box.height;
  const corners = [[box.x, box.y, 1, 1], [right, box.y, -1, 1], [right, bottom, -1, -1], [box.x, bottom, 1, -1]];
  const brackets = corners.map(([x, y, across, down]) => `M${x + across * corner} ${y}H${x}V${y + down * corner}`);
  // Inside of windows; over and under boxes, which may be small.
  const [indent, low, high] = free ? [0, box.y - 3 * unit, bottom + 15 * unit] : [4 * unit, bottom - 5 * unit, box.y + 17 * unit];
  const group = svg(
    "g",
    { class: `symbol ${kind}`, "data-object": name, ...more },
    svg("rect", { ...box, class: "area" }),
    svg("path", { d: brackets.join(""), class: "casing" }),
    svg("path", { d: brackets.join(""), class: "brackets" }),
    svg("text", { x: box.x + indent, y: low, "font-size": 12.5 * unit, class: "name" }, name),
    svg("text", { x: right - indent, y: high, "font-size": 16 * unit, class: "variable" }),
  );
  shapes.set(name, group);
  return group;
}
