// The program: its sections folded, its lines searched.

import { byId, copy, count, el } from "./dom.js";
import { heads, highlighted } from "./prolog.js";

const MOST_LINES = 300;
const LONG = 60; // lines

let whole = "";
let brief = "";
let sections = []; // of the whole program: [{title, detail, lines, rules}], in its order
let text = ""; // the one of both that is shown

/** Wires the buttons and the search; once. */
export function prepareProgram() {
  byId("copy-program").addEventListener("click", ({ target }) => copy(text, target));
  byId("filter").addEventListener("input", draw);
  byId("brief").addEventListener("change", showText);
}

/** Shows a program's text, or that of the same in brief where this is wanted. */
export function showProgram(program, inBrief) {
  [whole, brief, sections] = [program, inBrief, sectionsOf(program)];
  byId("filter").value = "";
  showText();
}

function showText() {
  text = byId("brief").checked ? brief : whole;
  const link = byId("download");
  URL.revokeObjectURL(link.href);
  link.href = URL.createObjectURL(new Blob([text], { type: "text/x-prolog" }));
  byId("program-size").textContent = count(text.split("\n").length - 1, "line");
  draw();
}

/** The facts that name an object: [{title, lines}], those that say it in words first. */
export function factsAbout(name) {
  const named = new RegExp(`\\b${name}\\b`);
  const groups = sections
    .filter(({ rules }) => !rules)
    .map(({ title, lines, numbers }) => ({ title, numbers, lines: lines.filter((line) => named.test(line)) }))
    .filter(({ lines }) => lines.length > 0);
  const short = groups.filter(({ lines }) => lines.length === 1);
  const plain = short.length ? [{ title: "facts", lines: short.flatMap(({ lines }) => lines) }] : [];
  return [...plain, ...groups.filter(({ lines }) => lines.length > 1)];
}

/** Blocks between empty lines; neighbours that differ by a number only (r0, r1, …) are one. */
function sectionsOf(program) {
  const found = [];
  for (const block of program.trimEnd().split(/\n{2,}/)) {
    const defined = heads(block);
    const lines = block.split("\n");
    const rules = /:-/.test(block.replace(/%.*/g, ""));
    const family = !rules && defined.length === 1 && /\d$/.test(defined[0].name) ? defined[0].name.replace(/\d+$/, "") : "";
    const last = found.at(-1);
    if (family && last?.family === family) {
      last.lines.push(...lines);
      last.last = defined[0];
    } else {
      found.push({ family, defined, lines, rules, last: defined.at(-1) });
    }
  }
  return found.map(titled);
}

function titled(section) {
  const { family, defined, lines, rules, last } = section;
  const names = [...new Set(defined.map(({ name, arity }) => `${name}/${arity}`))];
  if (names.length === 0) return { title: "About this program", detail: "", lines, rules };
  if (family && last.name !== defined[0].name) {
    return { title: `${names[0]} … ${last.name}/${last.arity}`, detail: count(lines.length, "fact"), lines, rules };
  }
  const title = names.length > 6 ? `${names.slice(0, 5).join(", ")} … ${names.at(-1)}` : names.join(", ");
  return { title, detail: rules ? "rules" : count(lines.length, "fact"), lines, rules };
}

function draw() {
  const wanted = byId("filter").value.trim();
  const shown = text === whole ? sections : sectionsOf(text);
  byId("listing").replaceChildren(...(wanted ? [matches(wanted, shown)] : shown.map(folded)));
}

function folded({ title, detail, lines, rules }) {
  const summary = el("summary", {}, el("span", {}, title), el("span", { class: "quiet" }, detail));
  const box = el("details", { open: rules && lines.length > 1 && title.includes("same/2") }, summary);
  const unfold = () => box.open && box.children.length === 1 && box.append(code(lines, title));
  box.addEventListener("toggle", unfold);
  unfold();
  return box;
}

function matches(wanted, shown) {
  const lines = shown.flatMap((section) => section.lines).filter((line) => line.toLowerCase().includes(wanted.toLowerCase()));
  const first = lines.length > MOST_LINES ? `, the first ${MOST_LINES} shown` : "";
  const summary = el("p", { class: "quiet", role: "status" }, `${count(lines.length, "line")} with “${wanted}”${first}`);
  return el("div", {}, summary, lines.length > 0 && code(lines.slice(0, MOST_LINES), "Lines found"));
}

// Long listings scroll inside themselves; a stop for the keyboard lets it scroll them.
function code(lines, title) {
  return el("pre", { class: lines.length > LONG ? "long" : null, tabindex: 0, "aria-label": title }, highlighted(lines.join("\n")));
}
