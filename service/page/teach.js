// The tray: pictures that were looked at, what somebody says of each, and the rules that are learned from it.

import { api, attempt } from "./api.js";
import { pose } from "./ask.js";
import { button, byId, copy, count, el, svg } from "./dom.js";
import { highlighted } from "./prolog.js";
import { offerSuppositions } from "./suppose.js";
import { offerObjects } from "./words.js";

const KEPT = "taught"; // the name of the labels in the tab's own storage, for a reload
const THUMB = "M1 7h3v7H1zM5 13V7l3-6c1.7 0 2.1 1.4 1.6 2.7L9 6h5c1.3 0 1.7 1.1 1.3 2.3l-1.5 4.4c-.3.9-.9 1.3-1.8 1.3H7z";

const tray = []; // [{id, sha256, source, pixelated, label, image}]; source: address of the picture, null where it is to be fetched
let shown = ""; // id of the scene shown
let learned = null; // the service's reply
let said = new Map(); // what its rules say, by id
let taught = ""; // the labels that it was learned from
let used = ""; // the rules that were put into the box

const labelled = () => tray.filter(({ label }) => label);
const labels = () => JSON.stringify(labelled().map(({ id, label }) => [id, label]));
const named = () => byId("named").checked;

/** Puts the scene shown into the tray, or in the place of the one with the id `before`, whose boxes were corrected. */
export function collect(details, source, before) {
  shown = details.id;
  offerObjects(details);
  offerSuppositions(details);
  put(details, source, before);
}

/** A picture lies in the tray once. */
function put({ id, boxes, image: { sha256 } }, source, before) {
  const there = tray.find((one) => one.id === id || one.id === before || one.sha256 === sha256);
  if (there) Object.assign(there, { id, sha256 });
  else tray.push({ id, sha256, source, pixelated: !boxes, label: "" });
  draw();
}

/** Looks at more pictures, one after the other; none of them is shown. */
export async function addFiles(files) {
  const refused = [];
  for (const [index, file] of files.entries()) {
    say(`Looking at ${count(files.length - index, "picture")}…`);
    const details = await attempt(() => api.look(file), ({ message }) => refused.push(message));
    if (details) put(details, URL.createObjectURL(file));
  }
  if (files.length) say(refused.join("; "), "problem");
}

function say(words, kind = "quiet") {
  byId("lesson-status").replaceChildren(...(words ? [el("p", { class: kind }, words)] : []));
}

// --- the tray ---

function build() {
  const files = el("input", { type: "file", accept: "image/*", multiple: true, hidden: true, "aria-label": "Pictures" });
  files.addEventListener("change", () => {
    addFiles([...files.files]);
    files.value = "";
  });
  const choice = (id, words, onchange) => el("label", {}, el("input", { type: "checkbox", id, onchange }), ` ${words}`);
  const title = el("h2", { id: "teach-title" }, "Teach it a rule");
  const bar = [title, el("p", { id: "tray-state" }), button("Add pictures…", () => files.click()), files];
  const side = [
    el("p", { class: "quiet" }, "Say yes to some pictures and no to others. The simplest rule that agrees with you is learned."),
    el("ul", { id: "tray", "aria-label": "Pictures to learn from" }),
    el("datalist", { id: "classes" }),
    el("p", { id: "teach-options" }, choice("named", "names of my own for yes and no", rename), choice("noisy", "some of what I say may be wrong")),
    el("button", { type: "button", id: "learn", onclick: learn }, "Learn"),
  ];
  const lesson = [el("div", { id: "lesson-status" }), el("div", { id: "learned" })];
  const parts = [el("div", { class: "bar" }, bar), el("div", { id: "tray-side" }, side), el("div", { id: "lesson", "aria-live": "polite" }, lesson)];
  byId("program").before(el("section", { id: "teach", "aria-labelledby": "teach-title" }, parts));
  document.head.append(el("link", { rel: "stylesheet", href: "static/teach.css" }));
}

function draw() {
  const focus = document.activeElement?.closest("#tray [id]")?.id;
  byId("tray").replaceChildren(...tray.map(card));
  if (focus) byId(focus)?.focus();
  const classes = new Set(labelled().map(({ label }) => label));
  byId("classes").replaceChildren(...[...classes].map((value) => el("option", { value })));
  byId("tray-state").textContent = `${labelled().length} of ${tray.length} labelled`;
  byId("learn").disabled = classes.size < 2;
  sessionStorage.setItem(KEPT, labels());
  if (!labelled().length) sessionStorage.removeItem(KEPT);
  byId("learned").classList.toggle("stale", Boolean(learned) && taught !== labels());
}

function card(picture, index) {
  const name = `Picture ${index + 1}`;
  const mark = judged(picture);
  const next = learned?.next[0]?.scene === picture.id && !picture.label;
  return el(
    "li",
    { class: [mark?.[0], next && "next"].filter(Boolean).join(" "), "aria-label": name, "aria-current": picture.id === shown ? "true" : null },
    el("a", { href: `#scene=${picture.id}`, id: `see-${index}`, "aria-label": `Show ${name.toLowerCase()}` }, (picture.image ??= drawn(picture))),
    button("×", () => (tray.splice(index, 1), draw()), { class: "out", "aria-label": `Leave out ${name.toLowerCase()}` }),
    named() ? field(picture, index, name) : el("span", { class: "thumbs" }, ["yes", "no"].map((label) => thumb(picture, index, name, label))),
    el("span", { class: "mark" }, next ? "label this one next" : mark?.[1] ?? ""),
  );
}

/** Whether the rules say of a picture what somebody says: [class, words]; null if nothing is known. */
function judged({ id, label }) {
  const rules = said.get(id);
  if (!rules) return null;
  if (!label) return ["", `the rule says ${rules}`];
  return rules === label ? ["right", `✓ the rule says ${rules}`] : ["wrong", `✗ the rule says ${rules}`];
}

function drawn(picture) {
  const image = el("img", { alt: "", src: picture.source, class: picture.pixelated && "pixelated" });
  const fetched = async () => {
    try {
      image.src = picture.source = URL.createObjectURL(await api.image(picture.id));
    } catch ({ status }) {
      if (status !== 404) return;
      tray.splice(tray.indexOf(picture), 1); // it has expired
      draw();
    }
  };
  if (picture.source) image.addEventListener("error", fetched, { once: true }); // what no browser draws
  else fetched();
  return image;
}

function thumb(picture, index, name, label) {
  const path = svg("path", { d: THUMB, transform: label === "no" ? "rotate(180 8 8)" : null });
  const attributes = { id: `${label}-${index}`, "aria-pressed": String(picture.label === label), "aria-label": `${name}: ${label}`, title: label };
  return button(svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, path), () => call(picture, picture.label === label ? "" : label), attributes);
}

function field(picture, index, name) {
  const input = el("input", { id: `class-${index}`, list: "classes", maxlength: 100, value: picture.label, "aria-label": `${name} is`, placeholder: "class" });
  input.addEventListener("change", () => call(picture, input.value.trim()));
  return input;
}

function call(picture, label) {
  picture.label = label;
  draw();
}

/** Between thumbs and names; a name that is neither yes nor no has no thumb. */
function rename() {
  for (const picture of tray) if (!named() && !/^(yes|no)$/.test(picture.label)) picture.label = "";
  draw();
}

// --- the rules ---

async function learn() {
  const lesson = {
    examples: labelled().map(({ id, label }) => ({ scene: id, label })),
    unlabelled: tray.filter(({ label }) => !label).map(({ id }) => id),
    options: { noisy: byId("noisy").checked || null },
    rules: own(),
  };
  const asked = labels();
  byId("learn").disabled = true;
  say("Looking for the simplest rule…");
  const reply = await attempt(() => api.learn(lesson), ({ line }) => say(line, "problem"));
  byId("learn").disabled = false;
  if (!reply) return;
  [learned, taught] = [reply, asked];
  said = new Map([...reply.pictures, ...reply.unlabelled].map((one) => [one.scene, one.said]));
  const { length } = reply.pictures;
  say(reply.errors ? `Right about ${length - reply.errors} of ${count(length, "picture")}` : `Right about all ${count(length, "picture")}`);
  byId("learned").replaceChildren(...rules(reply), chosen(reply, lesson.options), ...doubtful(reply), ...following(reply), ...others(reply));
  draw();
}

/** A case of the rules as people say it. */
const told = (label, body) => [el("strong", {}, label), ...(body ? [" if ", el("code", {}, highlighted(body))] : [" otherwise"])];

function rules({ rules, clauses, default: otherwise }) {
  const rows = clauses.map(({ label, clause, right, wrong }) => {
    const counted = `right about ${count(right, "picture")}${wrong ? `, wrong about ${wrong}` : ""}`;
    return el("li", {}, told(label, clause.replace(/^.*? :- ([^]*)\.$/, "$1")), el("p", { class: "quiet" }, counted));
  });
  return [
    el("ol", { class: "clauses", "aria-label": "Rules learned" }, rows, el("li", {}, told(otherwise))),
    el("p", { class: "after" }, button("Use as my rules", () => use(rules)), button("Copy", ({ target }) => copy(rules, target)), el("span", { class: "changed" }, "What you say has changed: learn again.")),
  ];
}

function others({ rivals }) {
  if (!rivals.length) return [];
  const cases = (text) => [...text.matchAll(/^case\((.*?)\)(?: :- (.*))?\.$/gm)].map(([, label, body]) => el("p", {}, told(label, body)));
  const each = rivals.map((text) => el("li", {}, cases(text), button("Use this one", () => use(text))));
  return [el("details", {}, el("summary", {}, `Also fits: ${count(rivals.length, "other rule")}`), el("ul", {}, each))];
}

function following({ next }) {
  if (!next.length) return [];
  const number = tray.findIndex(({ id }) => id === next[0].scene);
  const go = () => document.querySelectorAll("#tray > li")[number]?.querySelector(".thumbs button, input").focus();
  return [el("p", { class: "after" }, "To tell them apart, label ", button(`picture ${number + 1}`, go), " next.")];
}

/** Whether what somebody says was taken to be right, and why. */
function chosen({ mode, held_back }, { noisy }) {
  const tried = held_back ? `that did best on ${count(held_back.n, "picture")} held back` : "there are too few pictures to hold some back";
  const taken = mode === "strict" ? "all that you say is right" : "some of what you say may be wrong";
  return el("p", { class: "quiet" }, `It was learned as if ${taken}: ${noisy ? "you said so" : tried}.`);
}

function doubtful({ again }) {
  const number = (scene) => tray.findIndex(({ id }) => id === scene) + 1;
  const why = ({ against }) => (against.length ? `a rule cannot tell it from picture ${against.map(number).join(", ")}` : "only an exception explains what you say of it");
  return again.map((picture) => el("p", { class: "after" }, `Look again at picture ${number(picture.scene)}: ${why(picture)}.`));
}

/** What the box has beside the rules that were put there. */
const own = () => byId("rules").value.replace(used, "").trimEnd();

/** Puts rules into the box, in the place of those put there before, and asks them about the picture shown. */
function use(text) {
  const others = own();
  used = text;
  byId("rules-box").open = true;
  pose("label(L)", others ? `${others}\n\n${text}` : text);
  byId("ask").scrollIntoView({ block: "center" });
}

build();
for (const [id, label] of JSON.parse(sessionStorage.getItem(KEPT) ?? "[]")) {
  tray.push({ id, source: null, pixelated: true, label });
}
