// Elements are made here and nowhere else. Text goes in as text nodes only: nothing is ever parsed as HTML.

const SVG = "http://www.w3.org/2000/svg";

/** Attributes of an input whose text a browser should leave as it is typed. */
export const UNTOUCHED = { spellcheck: "false", autocapitalize: "off", autocomplete: "off" };

/** The element of the page with this id. */
export const byId = (id) => document.getElementById(id);

/** el("button", { class: "plain", onclick: ask }, "Ask"): an HTML element. False, null and undefined are left out. */
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** An item of a list of questions to try. */
export const chip = (words, onclick, title) => el("li", {}, el("button", { type: "button", class: "chip", title, onclick }, words));

/** A button of the plain kind; `more`: its other attributes. */
export const button = (words, onclick, more) => el("button", { type: "button", class: "plain", onclick, ...more }, words);

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** "1 answer", "2 answers", "1,024 facts". */
export function count(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

/** Puts text on the clipboard and says so on the button that asked for it. */
export async function copy(text, button) {
  const label = (button.dataset.label ??= button.textContent);
  button.textContent = await writeClipboard(text).then(() => "Copied", () => "Not allowed");
  setTimeout(() => (button.textContent = label), 1500);
}

async function writeClipboard(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  // Over plain HTTP from another machine, browsers give no clipboard object; the old command still works.
  const area = el("textarea", { class: "hidden" });
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  if (!done) throw new Error("the browser refuses");
}
