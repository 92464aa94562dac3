// What a question gets: a table of answers, true or false, or the mistake at its place; and proofs where there are any.

import { button, byId, copy, count, el } from "./dom.js";
import { stand } from "./lights.js";
import { thumbnail } from "./picture.js";
import { highlighted } from "./prolog.js";
import { likelihood, missTree, proofTree } from "./proof.js";

const HUES = 6;

/** Shows what may be asked, [{template, words}], as long as nothing was. */
export function showVocabulary(entries, onask) {
  const goals = new Map(); // by their words: what means alike stands together
  for (const one of entries) goals.set(one.words, [...(goals.get(one.words) ?? []), one]);
  const goal = ({ template }) => el("button", { type: "button", class: "goal", onclick: () => onask(template) }, highlighted(template));
  const rows = [...goals].map(([words, alike]) => el("tr", {}, el("th", { scope: "row" }, alike.map(goal)), el("td", {}, words)));
  byId("status").textContent = entries.length ? "What this program can tell" : "";
  byId("answers").replaceChildren(el("table", { class: "vocabulary" }, el("tbody", {}, rows)));
}

/**
 * Shows a reply. json: its text as it came; onmore() asks for more answers, null where no more can be had;
 * onwhy() promises the reply to the same question with proofs; follow: proofs that are unfolded are so again.
 */
export function showAnswers(reply, { json, milliseconds, onmore, onwhy, follow }) {
  const { answers, more, hints = [], goal, answer } = reply;
  const unfolded = whys().map((why) => follow && why.ariaExpanded === "true");
  byId("status").textContent = `${summary(reply)} · ${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`;
  const proofs = lazily(onwhy);
  const further = more && (onmore ? button("Show more", onmore) : "The service gives no more than these at once.");
  byId("answers").replaceChildren(
    ...(goal ? [el("p", { class: "meaning" }, el("strong", {}, answer), " ", highlighted(goal))] : []),
    ...hints.map((hint) => el("p", { class: "hint", role: "note" }, hint)),
    verdict(answers) ?? table(answers, proofs),
    ...(verdict(answers) ? [explanation(answers, proofs)] : []),
    el("p", { class: "after" }, further, button("Copy as JSON", ({ target }) => copy(json, target))),
  );
  stand(byId("answers").querySelector("[data-lights]"));
  whys().forEach((why, index) => unfolded[index] && why.click());
}

const whys = () => [...document.querySelectorAll("button.why")];

function summary({ answers, more }) {
  if (answers.length === 0) return "No answer";
  if (more) return `The first ${count(answers.length, "answer")}; there are more`;
  return count(answers.length, "answer");
}

/** "false." or "true."; null where there is a table to show. */
function verdict(answers) {
  if (answers.length === 0) return el("p", { class: "verdict" }, "false.");
  if (bound(answers).length || answers.some(({ constraints }) => constraints?.length)) return null;
  return el("p", { class: "verdict" }, "true.", answers.length > 1 && el("span", { class: "quiet" }, ` ${answers.length} times`));
}

/** The variables that some answer has a value for. */
const bound = ([first, ...rest]) =>
  Object.keys(first.bindings).filter((name) => [first, ...rest].some(({ bindings }) => bindings[name]?.var !== name));

function table(answers, proofs) {
  const variables = bound(answers);
  const constrained = answers.some(({ constraints }) => constraints?.length);
  const body = el("tbody");
  const columns = variables.length + (constrained ? 1 : 0) + 1;
  const heading = (words, hue) => el("th", { scope: "col", "data-hue": hue }, words);
  answers.forEach((answer, index) => {
    const under = el("tr", { class: "proof", hidden: true }, el("td", { colspan: columns }));
    const why = whyButton("why?", `Why answer ${index + 1}?`, under, under.firstChild, proofs, index);
    const values = variables.map((variable, column) => cell(answer, variable, column % HUES));
    const constraints = (answer.constraints ?? []).map((text) => el("div", {}, highlighted(text, { reachable: true })));
    const row = [values, constrained && el("td", {}, constraints), el("td", { class: "act" }, why)].flat();
    body.append(el("tr", { "data-lights": true }, row), under);
  });
  const headings = variables.map((name, column) => heading(name, String(column % HUES)));
  const head = el("thead", {}, el("tr", {}, headings, constrained && heading("such that"), el("td")));
  const caption = el("caption", { class: "hidden" }, "Answers, one a row");
  return el("div", { class: "scroller" }, el("table", {}, caption, head, body));
}

function cell({ bindings, text }, variable, hue) {
  const content = highlighted(text[variable], { reachable: true, thumbnail: bindings[variable]?.functor ? null : thumbnail });
  for (const name of content.querySelectorAll("[data-object]")) Object.assign(name.dataset, { label: variable, hue: String(hue) });
  return el("td", {}, content);
}

/** For true and false: one button below. */
function explanation(answers, proofs) {
  const place = el("div", { class: "proof", hidden: true });
  return el("div", {}, whyButton(answers.length ? "why?" : "why not?", null, place, place, proofs, 0), place);
}

/** Unfolds the `row`, with the answer's proof in its `place`. */
function whyButton(words, label, row, place, proofs, index) {
  const onclick = ({ target }) => unfold(target, row, place, proofs, index);
  return button(words, onclick, { class: "plain why", "aria-expanded": "false", "aria-label": label });
}

async function unfold(button, row, place, proofs, index) {
  const open = row.hidden;
  button.setAttribute("aria-expanded", String(open));
  row.hidden = !open;
  if (!open || place.hasChildNodes()) return;
  place.append(el("p", { class: "quiet" }, "Looking for the reason…"));
  try {
    const reply = await proofs();
    const answer = reply.answers[index];
    if (answer?.why) return place.replaceChildren(...weakest(answer), proofTree(answer.why));
    if (reply.why_not) return place.replaceChildren(missTree(reply.why_not));
    // A service that gives no proofs: nothing to ask for again.
    for (const why of whys()) why.hidden = true;
    place.replaceChildren(el("p", { class: "quiet" }, "This service gives no reasons."));
  } catch (problem) {
    place.replaceChildren(el("p", { class: "quiet" }, problem.message));
  }
}

/** How sure the answer is, where its proof does not begin with saying it. */
function weakest({ confidence, why }) {
  if (confidence === undefined || why.confidence !== undefined) return [];
  return [el("p", { class: "by" }, `Confidence ${likelihood(confidence)}: that of its weakest step.`)];
}

/** Asks once, however many rows are unfolded; again after a failure. */
function lazily(ask) {
  let reply = null;
  return () => (reply ??= ask().catch((problem) => {
    reply = null;
    throw problem;
  }));
}

/** Shows what is wrong with a question, at its place if that is known. */
export function showProblem(problem, question) {
  const { title, detail, position, name, line, retryAfter } = problem.details;
  byId("status").textContent = "";
  const inRules = Number.isInteger(line) && name !== "program" && markedLine(question.rules, line);
  const place = Number.isInteger(position) && line === undefined ? marked(question.query, position) : inRules;
  const told = [detail || problem.message, retryAfter && `Try again in ${count(retryAfter, "second")}.`].filter(Boolean).map((words) => el("p", {}, words));
  byId("answers").replaceChildren(el("div", { class: "problem", role: "alert" }, el("h2", {}, title || "Something went wrong"), place, told));
}

/** The question with the character at `position` marked; positions count whole characters, not UTF-16 units. */
function marked(query, position) {
  const characters = [...query];
  const [before, at, after] = [characters.slice(0, position), characters[position] ?? " ", characters.slice(position + 1)];
  const mark = el("mark", {}, at === "\n" ? " \n" : at);
  const attributes = { class: "culprit", "aria-label": `The question, wrong at character ${position + 1}` };
  return el("pre", attributes, before.join(""), mark, after.join(""));
}

function markedLine(rules, line) {
  const text = rules.split("\n")[line - 1];
  if (text === undefined) return null;
  return el("pre", { class: "culprit" }, el("span", { class: "quiet" }, `${line}  `), el("mark", {}, text));
}
