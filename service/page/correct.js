// What somebody does to a picture that is shown: its boxes are corrected, and the program follows; or a part is cut out.

import { editBoxes } from "./boxes.js";
import { byId, el } from "./dom.js";

const PAUSE = 300; // milliseconds without a change, after which the boxes are sent
const CUT = 1024; // pixels: the service looks at no longer side

let shown = null; // {details, picture, onboxes, oncut}
let editor = null;
let past = []; // boxes as they were sent, the last ones last; null stands for those found
let timer = 0; // of a change that is not sent yet

/** Offers the tools for another scene. onboxes(boxes): it is to be seen by these, null: by those found; oncut(file). */
export function offerTools(scene) {
  shown = scene;
  leave();
}

/** What is not sent yet will not be: another picture comes. */
export function forgetUnsent() {
  timer = clearTimeout(timer);
}

/** Takes up what was seen by the boxes sent. */
export function corrected(details) {
  shown.details = details;
  if (!past.at(-1)) editor?.replace(boxesOf(details));
  editor?.call(details.objects);
}

const boxesOf = ({ objects }) => objects.map(({ left, top, width, height }) => [left, top, left + width, top + height]);
const button = (words, onclick) => el("button", { type: "button", class: "plain", onclick }, words);

function leave() {
  if (timer) send();
  const edited = editor;
  editor?.element.remove();
  editor = null;
  document.body.classList.remove("editing");
  byId("tools").replaceChildren(...(shown.details.boxes ? [button("Correct", correct)] : []), button("Crop", crop));
  if (edited) byId("tools").firstChild.focus();
}

function enter(boxes, onchange, help, ...buttons) {
  editor = editBoxes(shown.details.image, boxes, onchange);
  byId("frame").append(editor.element);
  document.body.classList.add("editing");
  byId("tools").replaceChildren(...buttons, el("p", { id: "tools-help", role: "status" }, help));
  buttons[0].focus();
  const keys = (event) => {
    if (event.key === "Escape") buttons.at(-1).click();
    else if (event.key === "Enter" && event.currentTarget === editor.element) buttons[0].click();
    else return;
    event.preventDefault();
  };
  for (const place of [editor.element, ...buttons]) place.addEventListener("keydown", keys);
}

function correct() {
  past = [shown.details.boxes === "found" ? null : boxesOf(shown.details)];
  enter(
    boxesOf(shown.details),
    () => (clearTimeout(timer), (timer = setTimeout(send, PAUSE))),
    "Drag a box or a corner; draw a new one. Keys: arrows move, with Shift they resize, Delete deletes.",
    button("Add a box", () => editor.add()),
    button("Delete", () => editor.remove()),
    button("Undo", undo),
    button("As found", () => turnTo(null)),
    button("Done", leave),
  );
  editor.call(shown.details.objects);
}

function send() {
  timer = clearTimeout(timer);
  if (editor.boxes().length) turnTo(editor.boxes());
  else byId("tools-help").textContent = "No box is left: draw one, or go back.";
}

function turnTo(boxes) {
  past.push(boxes);
  shown.onboxes(boxes);
}

function undo() {
  // What is not sent yet is undone without the service.
  if (timer || !editor.boxes().length) timer = clearTimeout(timer);
  else if (past.length > 1) past.pop();
  else return;
  const boxes = past.at(-1);
  editor.replace(boxes ?? boxesOf(shown.details));
  shown.onboxes(boxes);
}

function crop() {
  enter(
    [],
    () => editor.boxes().length > 1 && editor.replace(editor.boxes().slice(-1)),
    "Drag a rectangle round what to keep.",
    button("Crop to it", cut),
    button("Add a box", () => editor.add()),
    button("Cancel", leave),
  );
}

function cut() {
  const [box] = editor.boxes();
  if (!box) return;
  const { picture, details, oncut } = shown;
  const scale = picture.naturalWidth / details.image.width; // what is drawn may be the smaller one that is stored
  const [left, top, right, bottom] = box.map((value) => value * scale);
  const [width, height] = [right - left, bottom - top];
  const less = Math.min(1, CUT / Math.max(width, height));
  const canvas = el("canvas", { width: Math.round(width * less), height: Math.round(height * less) });
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, left, top, width, height, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => oncut(new File([blob], "crop.png", { type: blob.type })));
  leave();
}
