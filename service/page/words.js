// Words by showing: somebody ticks objects of the picture that is shown, types a word, and it can be asked for.

import { api, attempt } from "./api.js";
import { pose } from "./ask.js";
import { UNTOUCHED, byId, el } from "./dom.js";
import { thumbnail } from "./picture.js";

const BY = { "": "what they have in common", colour: "their colour", shade: "their very shade", shape: "their shape", look: "shape and colour" };

let scene = ""; // id of the scene shown

/** Offers the objects of another scene. */
export function offerObjects({ id, objects }) {
  scene = id;
  byId("naming").hidden = !objects.length;
  byId("nameable").replaceChildren(...objects.map(({ name }) => el("li", {}, choice(name, thumbnail(name), name))));
  say("");
}

const choice = (value, ...words) => el("label", {}, el("input", { type: "checkbox", value }), ...words);
const boxes = () => [...document.querySelectorAll("#nameable input")];

function build() {
  const allowed = { pattern: "\\s*[A-Za-z][A-Za-z0-9_ ]*", title: "letters, digits and _, a letter first" };
  const word = el("input", { id: "word", required: true, maxlength: 64, placeholder: "ruby", ...allowed, ...UNTOUCHED });
  const options = Object.entries(BY).map(([value, words]) => el("option", { value }, words));
  const form = el(
    "form",
    { onsubmit: name },
    el("p", { class: "quiet" }, "Tick objects, here or in the picture, and say what they are called."),
    el("div", { id: "naming-status", "aria-live": "polite" }),
    el("ul", { id: "nameable", "aria-label": "Objects to name" }),
    choice("", "those that are not ticked are not"),
    el("p", {}, el("label", {}, "Word ", word), el("label", {}, " by ", el("select", { id: "by" }, options)), el("button", {}, "Name it")),
  );
  form.querySelector("#nameable + label input").id = "others";
  byId("inspector").before(el("details", { id: "naming" }, el("summary", {}, "Name things"), form));
  byId("picture").addEventListener("click", ({ target }) => {
    const named = target.closest("[data-object]")?.dataset.object;
    const box = byId("naming").open && boxes().find(({ value }) => value === named);
    if (box) box.checked = !box.checked;
    mark();
  });
  byId("nameable").addEventListener("change", mark);
}

/** Shows in the picture what is ticked. */
function mark() {
  for (const { value, checked } of boxes()) byId("picture").querySelector(`[data-object="${value}"]`).classList.toggle("ticked", checked);
}

function say(words) {
  byId("naming-status").replaceChildren(...(words ? [el("p", { class: "problem" }, words)] : []));
}

async function name(event) {
  event.preventDefault();
  const names = (wanted) => boxes().filter(({ checked }) => checked === wanted).map(({ value }) => value);
  const objects = names(true);
  if (!objects.length) return say("Tick an object first.");
  const word = byId("word").value.trim().toLowerCase().replace(/\s+/g, "_");
  const naming = { word, scene, objects, by: byId("by").value || null, rules: byId("rules").value };
  if (byId("others").checked) naming.others = names(false);
  say("");
  const reply = await attempt(() => api.name(naming), ({ message }) => say(message));
  if (!reply) return undefined;
  const wrong = naming.others?.filter((object) => reply.objects.includes(object)) ?? [];
  if (wrong.length) say(`${wrong.join(", ")}: ${word} as well. Nothing was found that tells them apart.`);
  byId("rules-box").open = true;
  pose(reply.goal, reply.rules);
  return byId("ask").scrollIntoView({ block: "nearest" });
}

build();
