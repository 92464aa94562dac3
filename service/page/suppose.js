// What if: the question, asked of a scene that looks otherwise; or what would turn it.

import { api, attempt } from "./api.js";
import { UNTOUCHED, byId, el } from "./dom.js";
import { highlighted } from "./prolog.js";
import { missTree, proofTree } from "./proof.js";

let scene = ""; // id of the scene shown

/** Of another scene. */
export function offerSuppositions({ id, objects }) {
  scene = id;
  byId("what-if").hidden = objects.length < 2;
  tell();
}

const tell = (...parts) => byId("supposed").replaceChildren(...parts);
const goals = (texts) => texts.map((text) => el("p", {}, highlighted(text, { reachable: true })));
const andMore = (more) => (more ? [el("p", { class: "quiet" }, "and more")] : []);
const inWords = ({ object, attribute, like }) => (like ? `${object} takes the ${attribute} of ${like}` : `${object} gets a ${attribute} of its own`);

function build() {
  const fact = el("input", { id: "fact", maxlength: 4096, placeholder: "same_colour(ob_0, ob_1)", ...UNTOUCHED });
  const supposed = (event) => (event.preventDefault(), fact.value.trim() ? ask(fact.value) : fact.focus());
  const label = el("label", { for: "fact", class: "quiet" }, "The question above, if things looked otherwise:");
  const turned = el("button", { type: "button", onclick: () => ask("") }, "What would have to change?");
  const form = el("form", { onsubmit: supposed }, label, el("button", {}, "Suppose that …"), fact, turned);
  const box = el("details", { id: "what-if" }, el("summary", {}, "What if?"), form, el("div", { id: "supposed", "aria-live": "polite" }));
  byId("rules-box").after(box);
}

async function ask(fact) {
  const query = byId("query").value.trim();
  if (!query) return byId("query").focus();
  const asked = scene;
  const question = { query, rules: byId("rules").value, fact, limit: 10, text: true };
  const refused = ({ message }) => tell(el("p", { class: "problem", role: "alert" }, message));
  const reply = await attempt(() => api.suppose(scene, question), refused);
  if (reply && asked === scene) tell(...(reply.least ? leastChanges(reply) : difference(reply)));
}

function difference({ changes, before, after, ...facts }) {
  const { answers: [first], why_not: miss } = after;
  return [
    ...(changes.length ? goals(changes.map(inWords)) : [el("p", {}, "Nothing changes: so it was seen.")]),
    ...goals(facts.true.map((fact) => `${fact}.`)),
    ...goals(facts.false.map((fact) => `\\+ ${fact}.`)),
    ...listed("Before", before),
    ...listed("After", after),
    ...(first?.why ? [proofTree(first.why)] : miss ? [missTree(miss)] : []),
  ];
}

function leastChanges({ before, wanted, least, more }) {
  const turned = wanted ? "It has an answer if" : "It has none if";
  return [
    ...listed("Now", before),
    el("p", {}, el("strong", {}, least.length ? turned : "No change of looks, and no two together, would change that.")),
    ...goals(least.map((changes) => changes.map(inWords).join(" and "))),
    ...andMore(more),
  ];
}

function listed(when, { answers, more }) {
  const texts = answers.map(({ text }) => Object.entries(text).map(([name, value]) => `${name} = ${value}`).join(", ") || "true");
  return [el("p", {}, el("strong", {}, when)), ...goals(texts.length ? texts : ["false"]), ...andMore(more)];
}

build();
