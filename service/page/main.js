// The page: an image goes in, its scene is shown, questions are asked about it. What is shown stands in the address
// (#scene=…&query=…), so that a link or a reload brings it back.

import { api, attempt } from "./api.js";
import { askAbout, askAgain, pose, prepareAsking } from "./ask.js";
import { byId, el } from "./dom.js";
import { inspect, showHint } from "./inspector.js";
import { watch } from "./lights.js";
import { keep, lightUp, showMasks, showObjects } from "./picture.js";
import { prepareProgram, showProgram } from "./program.js";

const TELLING = /\.(json|txt|xml|csv|ya?ml|names)$/i; // files of detections, and of what classes are called
const NAMES = /(\.ya?ml|\.names|classes\.txt)$/i;

let catalogue = { anywhere: [], examples: [] };
let current = null; // {details, masks, file, picture} of the scene shown; picture: as the browser draws it
let kept = null; // name of the object that the inspector keeps
const known = new Map(); // questions to try, by scene id, for the way back
let tools = null; // correct.js and teach.js, which come with the first scene
let teacher = null;
let turn = 0; // images that a later one has overtaken are dropped

async function start() {
  prepareProgram();
  prepareAsking(remember);
  watch(document, { onlight: lightUp, onchoose: choose });
  acceptImages();
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault(); // the address says what is shown
    byId("query").focus();
  });
  addEventListener("popstate", restore);
  addEventListener("keydown", ({ key, defaultPrevented }) => {
    if (key !== "Escape" || defaultPrevented) return;
    if (byId("help").open) byId("help").open = false;
    else letGo();
  });
  await guarded(async () => {
    catalogue = await api.own("examples.json", "json");
    byId("theory").textContent = catalogue.theory;
    byId("examples").replaceChildren(...catalogue.examples.map(exampleButton));
  });
  await restore();
}

/** Runs a step; what goes wrong is said at the top. */
const guarded = (step) => attempt(step, ({ line }) => say(line));

function say(words) {
  byId("messages").replaceChildren(...(words ? [el("p", {}, words)] : []));
}

// --- images come in ---

function acceptImages() {
  const file = byId("file");
  byId("choose").addEventListener("click", () => file.click());
  file.addEventListener("change", () => {
    take(file);
    file.value = ""; // the same file may be chosen again
  });
  addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("dragging");
  });
  addEventListener("dragleave", ({ relatedTarget }) => relatedTarget || document.body.classList.remove("dragging"));
  addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dragging");
    take(event.dataTransfer, "What you dropped is not a picture.");
  });
  addEventListener("paste", (event) => {
    const [first] = event.clipboardData?.files ?? [];
    if (!first) return; // text, for the box that has the focus
    event.preventDefault();
    openFile(first);
  });
}

/** Shows the first picture of some files, with what a file beside it tells of its things; others go to the tray. What
 * is told without a picture is of the one that is shown. */
async function take({ files }, complaint) {
  const telling = [...files].filter(({ name }) => TELLING.test(name));
  const [first, ...others] = [...files].filter((file) => !telling.includes(file));
  const classes = telling.find(({ name }) => NAMES.test(name));
  const detections = telling.find((file) => file !== classes);
  const told = detections ? { detections, classes } : {};
  if (first) {
    await openFile(first, undefined, undefined, told);
    teacher?.addFiles(others);
  } else if (detections && current) {
    const { details, file, picture } = current;
    await open(() => api.look(file, told), { file, picture }, known.get(details.id), true);
  } else say(telling.length ? "Drop a picture first, or with what is told of it." : complaint);
}

function exampleButton(example) {
  const open = async () => {
    const file = await guarded(() => api.own(`examples/${example.file}`, "blob"));
    if (file) await openFile(new File([file], example.file, { type: file.type }), example.queries, example.model);
  };
  const picture = el("img", { src: `static/examples/${example.file}`, alt: "" });
  const [first] = example.queries;
  const told = example.answer ? [el("span", {}, `${first.words} `, el("code", {}, example.answer))] : [];
  return el("li", {}, el("button", { type: "button", onclick: open }, picture, el("span", {}, example.name), ...told));
}

async function openFile(file, questions = catalogue.anywhere, model, told = {}) {
  await open(() => api.look(file, { model, ...told }), { file }, questions);
}

/** Has the picture seen by `boxes`, or null: by those found. What was asked is asked again. */
async function amend(boxes) {
  const { details, file, picture } = current;
  // Of a scene that was brought back there is only the picture that is stored, which may be smaller.
  const scale = file instanceof File ? 1 : picture.naturalWidth / details.image.width;
  const given = boxes ? JSON.stringify(boxes.map((box) => box.map((value) => value * scale))) : undefined;
  await open(() => api.look(file, { model: details.model, boxes: given }), { file, picture }, known.get(details.id), true);
}

/** Shows the scene that `look` finds; until then, and if it finds none, what was shown before stays. */
async function open(look, source, questions, amended = false) {
  const mine = (turn += 1);
  if (!amended) tools?.forgetUnsent();
  say("");
  document.body.classList.add("looking");
  byId("progress").textContent = "Looking at the picture…";
  const details = await attempt(look, ({ line }) => say(current ? `${line} Below is the picture from before.` : line));
  if (mine !== turn) return;
  document.body.classList.remove("looking");
  byId("progress").textContent = "";
  if (details) await show(details, source, questions, amended);
}

// --- a scene is shown ---

async function show(details, { file, picture }, questions, amended) {
  const mine = turn;
  picture ??= await drawable(file, details.id);
  [tools, teacher] = await Promise.all([import("./correct.js"), import("./teach.js")]);
  if (mine !== turn) return;
  const before = amended && current.details.id;
  current = { details, masks: null, file, picture };
  known.set(details.id, questions);
  kept = null;
  if (byId("scene").hidden) scrollTo(0, 0); // the examples were further down, on a phone
  document.body.dataset.state = "scene";
  byId("scene").hidden = false;
  showObjects(details, picture.src, { onlook: look, onchoose: choose });
  if (amended) tools.corrected(details);
  else tools.offerTools({ details, onboxes: amend });
  teacher.collect(details, picture.src, before);
  tellNotes(details);
  showHint();
  askAbout(details, questions);
  const state = addressed();
  if (amended) {
    state.set("scene", details.id);
    history.replaceState(null, "", `#${state}`);
    if (state.get("query")) askAgain(state.get("query"), state.get("rules") ?? "", { follow: true });
  } else if (state.get("scene") !== details.id) remember({ query: "", rules: "" });
  await guarded(async () => {
    const parts = [api.program, api.brief, api.masks].map((part) => part(details.id));
    const [program, brief, masks] = await Promise.all(parts);
    if (mine !== turn) return;
    current.masks = masks;
    showProgram(program, brief);
  });
}

/** The picture if the browser can draw it, else the one that the network saw. */
async function drawable(file, id) {
  const image = new Image();
  const draw = (picture) => ((image.src = URL.createObjectURL(picture)), image.decode());
  await draw(file).catch(async () => draw(await api.image(id)));
  return image;
}

function tellNotes({ objects, notes, model, boxes, warnings = [] }) {
  const seen = objects.length === 1 ? "1 object" : `${objects.length || "No"} objects`;
  const how = ` ${boxes === "given" ? "in the boxes given, " : ""}seen by ${model}`;
  byId("notes").replaceChildren(el("strong", {}, seen), how, ...notes.map((note) => el("span", {}, ` · ${note}`)));
  const warned = warnings.map((warning) => el("p", {}, el("strong", {}, "This may mean nothing: "), `${warning}.`));
  byId("warnings").replaceChildren(...warned);
}

/** Shows what is pointed at in the inspector, where it stays: people go there next. null: nothing any more. */
function look(name) {
  const wanted = name ?? kept;
  if (wanted) inspect(wanted, { ...current, kept: wanted === kept, onask: pose, onclose: letGo });
  else showMasks([]);
}

function choose(name) {
  kept = name;
  keep(name);
  look(name);
}

function letGo() {
  if (!current || !kept) return;
  kept = null;
  keep(null);
  showHint();
}

// --- the address ---

const addressed = () => new URLSearchParams(location.hash.slice(1));

function remember({ query, rules }) {
  const state = new URLSearchParams({ scene: current.details.id });
  if (query) state.set("query", query);
  if (query && rules.trim()) state.set("rules", rules);
  const hash = `#${state}`;
  if (hash !== location.hash) history.pushState(null, "", hash);
}

/** Brings back what the address says. */
async function restore() {
  const state = addressed();
  const id = state.get("scene") ?? "";
  if (!/^[0-9a-f]{32}$/.test(id)) return;
  if (current?.details.id !== id) {
    const file = await guarded(() => api.image(id));
    if (file) await open(() => api.scene(id), { file }, known.get(id) ?? catalogue.anywhere);
  }
  if (state.get("query") && current?.details.id === id) askAgain(state.get("query"), state.get("rules") ?? "");
}

start();
