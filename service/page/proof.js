// Why a goal holds, as a tree that folds; and why it does not: of all the ways that were tried, the one that came furthest.

import { el } from "./dom.js";
import { thumbnail } from "./picture.js";
import { highlighted } from "./prolog.js";

const HOLDS = {
  conjunction: "all of it", clause: "by a rule", fact: "a fact", default: "no rule before it holds", builtin: "built in", comparison: "", axes: "",
  negation: "nothing shows it", forall: "in every case", findall: "each solution", too_deep: "not told any deeper",
  cut_off: "and so on",
};
const FAILS = {
  conjunction: "not all of it", clause: "by a rule that fails", no_clause: "nothing says so", builtin: "not so", comparison: "", axes: "",
  negation: "there is one", too_deep: "not told any deeper", cut_off: "and so on", too_much_to_say: "too much to tell",
};

/** The tree of a proof: {goal, by, source?, clause?, confidence?, because?, nearest?, tells?, …}; see symbolic/reasons.py. */
export function proofTree(proof, open = true) {
  const because = proof.because ?? [];
  // Of a query of several goals the first glance is a list, unless only one of them has more to tell.
  const steps = because.filter(({ clause }) => clause).length;
  const parts = because.map((each) => proofTree(each, open && proof.by === "conjunction" && steps === 1));
  if (proof.by !== "axes") parts.unshift(...compared(proof.goal, because));
  if (proof.nearest) parts.push(el("p", { class: "by" }, "What came nearest:"), missTree(proof.nearest));
  return step(proof, "holds", parts, open);
}

/** A probability in two decimals, and in all there are near 0 and 1. */
export function likelihood(confidence) {
  return confidence >= 0.01 && confidence <= 0.99 ? confidence.toFixed(2) : String(confidence);
}

/** The tree of a miss: {goal, by, proved?, because?: [misses], miss?, …}. It stays open down to what failed. */
export function missTree(miss) {
  const proved = (miss.proved ?? []).map((each) => proofTree(each, false));
  const because = miss.because ?? [];
  return step(miss, "fails", [...compared(miss.goal, because), ...proved, ...because.map(missTree)], miss.by !== "axes");
}

/** The two things side by side, where one line sums up how they compare. */
function compared(goal, because) {
  if (!because.some(({ by }) => by === "axes")) return [];
  return [el("p", { class: "compared" }, (goal.match(/\bob_\d+\b/g) ?? []).map(thumbnail))];
}

function step(why, outcome, parts, open) {
  const { goal, clause } = why;
  const line = [
    el("span", { class: outcome, role: "img", "aria-label": outcome }, outcome === "holds" ? "✓" : "✗"),
    why.by === "axes" ? el("span", {}, goal) : el("code", {}, highlighted(goal, { reachable: parts.length === 0 && !clause })),
    el("span", { class: "by" }, reason(why, outcome)),
  ];
  if (parts.length === 0 && !clause) return el("div", { class: "leaf", "data-lights": true }, line);
  const rule = clause && el("pre", { class: "clause" }, highlighted(`${clause}.`));
  return el("details", { open, class: "step" }, el("summary", { "data-lights": true }, line), rule, el("div", { class: "because" }, parts));
}

function reason({ by, source, confidence, expression, miss, found, tells, because }, outcome) {
  const kind = by === "findall" && !because ? "no solution" : (outcome === "holds" ? HOLDS : FAILS)[by] ?? String(by).replaceAll("_", " ");
  const whose = source === "rules" ? "yours" : source;
  const words = [source && source !== "program" ? `${kind} of ${whose}` : kind];
  if (tells) words.push(tells);
  if (miss !== undefined) words.push(`missed by ${miss}`);
  if (expression) words.push(`from ${expression}`);
  if (found !== undefined) words.push(`found ${found}`);
  if (confidence !== undefined) words.push(`confidence ${likelihood(confidence)}${outcome === "holds" ? "" : " that it holds"}`);
  return words.filter(Boolean).join(", ");
}
