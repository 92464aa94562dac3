// Completion of predicates and object names in a text area, by keyboard or pointer.

import { el } from "./dom.js";
import { highlighted } from "./prolog.js";

const MOST = 8;
const BUILT_INS = [
  "aggregate_all/3 aggregate_all(count, Goal, Count)", "append/3 append(Xs, Ys, XsYs)", "between/3 between(Low, High, X)",
  "bagof/3 bagof(X, Goal, Xs)", "distinct/1 distinct(Goal)", "findall/3 findall(X, Goal, Xs)", "forall/2 forall(Condition, Action)",
  "last/2 last(Xs, X)", "length/2 length(Xs, Length)", "limit/2 limit(Count, Goal)", "max_list/2 max_list(Xs, Max)",
  "member/2 member(X, Xs)", "min_list/2 min_list(Xs, Min)", "msort/2 msort(Xs, Sorted)", "nth0/3 nth0(Index, Xs, X)",
  "nth1/3 nth1(Index, Xs, X)", "once/1 once(Goal)", "order_by/2 order_by([asc(X)], Goal)", "permutation/2 permutation(Xs, Ys)",
  "setof/3 setof(X, Goal, Xs)", "sort/2 sort(Xs, Sorted)", "sum_list/2 sum_list(Xs, Sum)",
].map((line) => {
  const [indicator, ...template] = line.split(" ");
  return entry(indicator, template.join(" "), "built in");
});

/** What completion offers for a predicate: its name, how it is written, and words about it. */
export function entry(indicator, template = "", words = "") {
  const slash = indicator.lastIndexOf("/");
  return { name: indicator.slice(0, slash), arity: Number(indicator.slice(slash + 1)), template: template || indicator, words };
}

// The table of the vocabulary, by indicator, fetched with the first scene. Without it, completion offers bare names.
let table;
const vocabulary = () => table ??= fetch(new URL("vocabulary.json", import.meta.url))
  .then((reply) => reply.json())
  .then((words) => new Map(Object.keys(words).map((template) => [indicatorOf(template), { template, words: words[template] }])))
  .catch(() => new Map());

/** Promises the entries of predicates that a program has, with what the vocabulary says of them. */
export async function explained(indicators) {
  const known = await vocabulary();
  return indicators.map((indicator) => {
    // rI stands for r0, r1, …, and same_A for same_shape and what else can be the same.
    const [, family, one] = /^(r(?=\d)|same_)(\w+)\/\d$/.exec(indicator) ?? [];
    const { template, words } = known.get(indicator) ?? known.get({ r: "rI/3", same_: "same_A/2" }[family]) ?? {};
    const own = template?.replace(/^(rI|same_A)\(/, `${family}${one}(`);
    return entry(indicator, own, known.has(indicator) ? words : words?.replace(/\b[AI]\b/, one));
  });
}

function indicatorOf(template) {
  const [name, variables] = template.split("(");
  return `${name}/${variables.split(",").length}`;
}

export class Completion {
  #area;
  #list;
  #vocabulary;
  #found = [];
  #active = -1;
  #id = 0;

  /** vocabulary(): the entries that the program has at the moment. */
  constructor(area, list, vocabulary) {
    this.#area = area;
    this.#list = list;
    this.#vocabulary = vocabulary;
    area.addEventListener("input", () => this.#look());
    area.addEventListener("blur", () => this.close());
    // A press would take the focus from the text area, and with it the list away.
    list.addEventListener("pointerdown", (event) => event.preventDefault());
  }

  /** Handles a key of the text area while the list is open; whether it did. */
  key(event) {
    if (this.#list.hidden || event.isComposing) return false;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") this.#move(event.key === "ArrowDown" ? 1 : -1);
    else if (event.key === "Escape") this.close();
    else if (event.key === "Tab" && !event.shiftKey) this.#take(Math.max(0, this.#active));
    // Enter asks the question as it stands, unless an entry was gone to.
    else if (event.key === "Enter" && !event.shiftKey && this.#active >= 0) this.#take(this.#active);
    else return false;
    event.preventDefault();
    return true;
  }

  close() {
    this.#list.hidden = true;
    this.#area.removeAttribute("aria-activedescendant");
  }

  #prefix() {
    const before = this.#area.value.slice(0, this.#area.selectionStart);
    return /(?:^|[^\p{L}\p{N}_'"])(\p{Ll}[\p{L}\p{N}_]*)$/u.exec(before)?.[1] ?? "";
  }

  #look() {
    const prefix = this.#prefix();
    const all = [...this.#vocabulary(), ...BUILT_INS];
    this.#found = prefix ? all.filter(({ name }) => name.startsWith(prefix)).slice(0, MOST) : [];
    this.#active = -1;
    if (this.#found.length === 0 || (this.#found.length === 1 && this.#found[0].name === prefix)) this.close();
    else this.#draw();
  }

  #draw() {
    this.#id += 1;
    const option = ({ template, words }, index) => {
      const attributes = { role: "option", id: `completion-${this.#id}-${index}`, "aria-selected": "false" };
      const onclick = () => this.#take(index);
      return el("li", { ...attributes, onclick }, el("code", {}, highlighted(template)), el("span", {}, words));
    };
    this.#list.replaceChildren(...this.#found.map(option));
    this.#list.hidden = false;
    this.#area.removeAttribute("aria-activedescendant");
  }

  #move(step) {
    const size = this.#found.length;
    this.#active = this.#active < 0 ? (step > 0 ? 0 : size - 1) : (this.#active + step + size) % size;
    [...this.#list.children].forEach((item, index) => item.setAttribute("aria-selected", String(index === this.#active)));
    const item = this.#list.children[this.#active];
    item.scrollIntoView({ block: "nearest" });
    this.#area.setAttribute("aria-activedescendant", item.id);
  }

  #take(index) {
    const { name, arity } = this.#found[index];
    const area = this.#area;
    const end = area.selectionStart;
    const opened = area.value[end] === "(";
    area.setRangeText(name + (arity > 0 && !opened ? "(" : ""), end - this.#prefix().length, end, "end");
    this.close();
    area.focus();
    // Whoever listens to the text area learns of the new text; nothing is left to complete.
    area.dispatchEvent(new Event("change"));
  }
}
