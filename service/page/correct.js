// The boxes of a picture that is shown are corrected, and the program follows.

import { editBoxes } from "./boxes.js";
import { button, byId, el } from "./dom.js";

const PAUSE = 300; // milliseconds without a change, after which the boxes are sent

let shown = null; // {details, onboxes}
let editor = null;
let past = []; // boxes as they were sent, the last ones last; null stands for those found
let timer = 0; // of a change that is not sent yet

/** Offers the tools for another scene. onboxes(boxes): it is to be seen by these, null: by those found. */
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

function leave() {
  if (timer) send();
  const edited = editor;
  editor?.element.remove();
  editor = null;
  document.body.classList.remove("editing");
  byId("tools").replaceChildren(...(shown.details.boxes ? [button("Correct", correct)] : []));
  if (edited) byId("tools").firstChild?.focus();
}

function correct() {
  past = [shown.details.boxes === "found" ? null : boxesOf(shown.details)];
  editor = editBoxes(shown.details.image, boxesOf(shown.details), () => (clearTimeout(timer), (timer = setTimeout(send, PAUSE))));
  byId("frame").append(editor.element);
  document.body.classList.add("editing");
  const buttons = [
    button("Add a box", () => editor.add()),
    button("Delete", () => editor.remove()),
    button("Undo", undo),
    button("As found", () => turnTo(null)),
    button("Done", leave),
  ];
  const help = "Drag a box or a corner; draw a new one. Keys: arrows move, with Shift they resize, Delete deletes.";
  byId("tools").replaceChildren(...buttons, el("p", { id: "tools-help", role: "status" }, help));
  buttons[0].focus();
  const keys = (event) => {
    if (event.key === "Escape") buttons.at(-1).click();
    else if (event.key === "Enter" && event.currentTarget === editor.element) buttons[0].click();
    else return;
    event.preventDefault();
  };
  for (const place of [editor.element, ...buttons]) place.addEventListener("keydown", keys);
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
