// What is known of one object: its picture, questions about it, the heads that picked it, and its facts.

import { button, byId, chip, count, el } from "./dom.js";
import { maskThumbnail, showMasks, thumbnail } from "./picture.js";
import { highlighted } from "./prolog.js";
import { factsAbout } from "./program.js";

const MOST_HEADS = 12;
const QUESTIONS = [
  ["same/2", (name) => `same(${name}, X)`],
  ["same_colour/2", (name) => `same_colour(${name}, X)`],
  ["same_shape/2", (name) => `same_shape(${name}, X)`],
  ["closest/2", (name) => `closest(${name}, X)`],
  ["left_of/2", (name) => `left_of(X, ${name})`],
  ["above/2", (name) => `above(X, ${name})`],
];

const unfolded = new Set(["facts"]); // sections stay as they are from one object to the next

let shown = ""; // what the inspector shows, so that it is not drawn again under somebody's hands

/** Says what will be here, as long as no object was pointed at. */
export function showHint() {
  shown = "";
  showMasks([]);
  byId("inspector").replaceChildren(el("p", { class: "hint" }, "Point at an object, or tap it, to see what the network saw there."));
}

/** Shows the object `name`. masks: as the service gives them, or null while they are on their way. */
export function inspect(name, { details, masks, kept, onask, onclose }) {
  const symbol = [...details.objects, ...details.background].find((each) => each.name === name);
  if (!symbol) return;
  const mask = masks?.symbols[name];
  const rest = () => showMasks(mask && kept ? [{ mask, hue: "mask" }] : []);
  showMasks(mask ? [{ mask, hue: "mask" }] : []);
  const state = JSON.stringify([details.id, name, kept, Boolean(masks)]);
  if (state === shown) return;
  shown = state;
  const title = [thumbnail(name), el("h2", {}, name), el("p", {}, place(symbol)), kept && button("Let go", onclose)];
  byId("inspector").replaceChildren(
    el("div", { class: "title" }, title),
    questions(name, details, onask),
    ...facts(name),
    masks?.heads.length ? heads(name, masks, rest) : "",
  );
}

const place = ({ x, y, look }) => `at ${Math.round(x)}, ${Math.round(y)}${look ? ` · look ${look}` : ""}`;

function questions(name, { predicates }, onask) {
  const goals = QUESTIONS.filter(([predicate]) => predicates.includes(predicate)).map(([, goal]) => goal(name));
  const chips = goals.map((goal) => chip(highlighted(goal), () => onask(goal)));
  return el("ul", { class: "chips", "aria-label": `Questions about ${name}` }, chips);
}

function facts(name) {
  return factsAbout(name).map(({ title, lines }) =>
    section(title, count(lines.length, "fact"), el("pre", { tabindex: 0, "aria-label": `${title} of ${name}` }, highlighted(lines.join("\n")))),
  );
}

function section(title, size, ...content) {
  const box = el("details", { open: unfolded.has(title) }, el("summary", {}, el("span", {}, title), el("span", { class: "quiet" }, size)), content);
  box.addEventListener("toggle", () => (box.open ? unfolded.add(title) : unfolded.delete(title)));
  return box;
}

function heads(name, { heads: all }, rest) {
  const mine = all.filter((head) => head.first === name || head.second === name);
  const rows = mine.slice(0, MOST_HEADS).map((head) => {
    const show = () => showMasks(head.masks.map((mask, index) => ({ mask, hue: String(index) })));
    const heard = { onpointerenter: show, onfocus: show, onpointerleave: rest, onblur: rest };
    const title = el("span", { class: "quiet" }, head.look > 1 ? `${head.head}, look ${head.look}` : head.head);
    const pictures = head.masks.map((mask, index) => maskThumbnail(mask, String(index)));
    const pair = el("span", {}, head.first, " → ", head.second);
    return el("li", {}, el("button", { type: "button", class: "head", ...heard }, title, pictures, pair));
  });
  const further = mine.length - rows.length;
  const more = further > 0 && el("p", { class: "quiet" }, `and ${further} more: head(H, X, Y) in the program`);
  return section("heads that picked it", count(mine.length, "head"), el("ul", { class: "heads" }, rows), more);
}
