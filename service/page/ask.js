// The question: its box, its rules, questions to try, and the way to its answers.

import { showAnswers, showProblem, showVocabulary } from "./answers.js";
import { api, attempt } from "./api.js";
import { Completion, entry, explained } from "./complete.js";
import { byId, chip } from "./dom.js";
import { stand } from "./lights.js";
import { heads, highlighted } from "./prolog.js";

const FIRST_ANSWERS = 50;
const STEPS = { ArrowUp: 1, ArrowDown: -1 }; // to earlier questions, and forth
const FIRST_ROWS = 160; // pixels that the first answers take
const ENGLISH = /^[^=(]*\?$|^(?![A-Z]\w* is [-\dA-Z])[\w']+( [\w',-]+){2,}\.?$/; // no goal ends so, or is three words, but X is 7 mod Y
const TELLING = /^(object|position|same\w*|left_of|above|in_line|lies_between|larger|inside|touches|closest)\(/;

let scene = null;
let vocabulary = [];
let turn = 0; // answers that a later question has overtaken are dropped
let opened = 0; // the turn in which the scene came; while it lasts, nothing has been asked
let onasked;
const earlier = []; // questions, the last ones last
let back = 0; // how many of them the arrow keys went back

/** Wires the form; once. `asked` is called with every question, {query, rules}, that is asked. */
export function prepareAsking(asked) {
  onasked = asked;
  const query = byId("query");
  const rules = () => defined().map((indicator) => entry(indicator, "", "your rule"));
  const completion = new Completion(query, byId("completions"), () => [...vocabulary, ...rules()]);
  query.addEventListener("keydown", (event) => {
    if (completion.key(event)) return;
    if (STEPS[event.key] && earlier.length && !query.value.includes("\n")) {
      event.preventDefault();
      back = Math.min(Math.max(back + STEPS[event.key], 0), earlier.length);
      fill(back ? earlier.at(-back) : "", byId("rules").value);
      return;
    }
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    completion.close();
    ask();
  });
  for (const type of ["input", "change"]) query.addEventListener(type, grow);
  addEventListener("resize", grow);
  byId("rules").addEventListener("input", tellRules);
  byId("rules").addEventListener("scroll", ({ target }) => (byId("rules-shown").scrollTop = target.scrollTop));
  byId("ask").addEventListener("submit", (event) => {
    event.preventDefault();
    ask();
  });
}

/** Takes up another scene; `questions` are [{words, query, rules?}] to try. */
export function askAbout(details, questions) {
  stand(null);
  scene = details;
  opened = turn += 1;
  busy(false);
  learn();
  byId("chips").replaceChildren(...questions.map(({ words, query, rules }) => chip(words, () => pose(query, rules), query)));
}

/** Learns how the scene's predicates are written and what they mean. */
async function learn() {
  const { predicates, objects } = scene;
  const entries = await explained(predicates);
  if (predicates !== scene.predicates) return;
  vocabulary = [...entries, ...objects.map(({ name }) => entry(`${name}/0`, name, "an object"))];
  if (turn === opened) showVocabulary(vocabulary.filter(({ template, words }) => words && TELLING.test(template)), pose);
}

/** Puts a question into the box and asks it. Its rules replace those that are there, unless it needs none. */
export function pose(query, rules) {
  fill(query, rules || byId("rules").value);
  return ask();
}

/** Asks what was asked before, with the very rules of then. It is not told to `asked` again. follow: proofs that are
 * unfolded are so again. */
export function askAgain(query, rules, { follow = false } = {}) {
  fill(query, rules);
  return ask({ again: true, follow });
}

function fill(query, rules) {
  byId("query").value = query;
  byId("rules").value = rules;
  tellRules();
  grow();
}

async function ask({ limit = FIRST_ANSWERS, again = false, follow = false } = {}) {
  const question = { query: byId("query").value.trim(), rules: byId("rules").value };
  if (!scene || !question.query) return byId("query").focus();
  const { query, rules } = question;
  const put = ENGLISH.test(query) ? { question: query, rules } : question;
  const mine = (turn += 1);
  const { id } = scene;
  back = 1;
  if (earlier.at(-1) !== question.query) earlier.push(question.query);
  if (!again) onasked(question);
  busy(true);
  const start = performance.now();
  const json = await attempt(
    () => api.query(id, { ...put, limit, text: true }),
    (problem) => mine === turn && showProblem(problem, question),
  );
  if (mine !== turn) return;
  busy(false);
  if (json !== undefined) {
    showAnswers(JSON.parse(json), {
      json,
      milliseconds: performance.now() - start,
      onmore: limit === null ? null : () => ask({ limit: null }),
      onwhy: async () => JSON.parse(await api.query(id, { ...put, limit, why: true })),
      follow,
    });
  }
  if (!again) reveal();
}

/** Where answers would lie below the screen, as on a phone, the question goes to its top and they stand under it. */
function reveal() {
  const { top } = byId("answers").getBoundingClientRect();
  if (top > innerHeight - FIRST_ROWS) byId("asking").scrollIntoView();
}

function busy(asking) {
  byId("submit").disabled = asking;
  byId("asking").setAttribute("aria-busy", String(asking));
}

/** What the rules define, without the name of the theory that may stand above them. */
const defined = () =>
  heads(byId("rules").value.replace(/^\s*\w+\s*(\n|$)/, "")).map(({ name, arity }) => `${name}/${arity}`);

function tellRules() {
  byId("rules-state").textContent = defined().length ? `: ${defined().join(", ")}` : "";
  byId("rules-shown").replaceChildren(highlighted(`${byId("rules").value}\n`));
}

/** The box is as high as its text. */
function grow() {
  const { style } = byId("query");
  style.height = "auto";
  style.height = `${byId("query").scrollHeight}px`;
}
