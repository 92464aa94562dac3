// Prolog as text: tokens, clauses, and highlighting. Enough for what programs and people write; not a parser.

import { el } from "./dom.js";

const KINDS = [
  ["comment", /%[^\n]*|\/\*[^]*?(?:\*\/|$)/y],
  ["space", /\s+/y],
  ["number", /0'(?:\\.|''|[^])|0[xob][\da-f]+|\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?(?:inf|nan)?/iy],
  ["variable", /[\p{Lu}_][\p{L}\p{N}_]*/uy],
  ["atom", /\p{L}[\p{L}\p{N}_]*/uy],
  ["quoted", /'(?:[^'\\]|\\[^]|'')*'?|"(?:[^"\\]|\\[^]|"")*"?|`(?:[^`\\]|\\[^])*`?/y],
  ["end", /\.(?=\s|%|$)/y],
  ["symbol", /[-+*/\\^<>=~:.?@#&$]+|[!,;|]/y],
  ["bracket", /[()[\]{}]/y],
  ["other", /[^]/uy],
];

/** The tokens of a text, one after the other: {kind, text, start}. Their texts joined are the text again. */
function tokens(text) {
  const found = [];
  for (let start = 0; start < text.length; ) {
    for (const [kind, pattern] of KINDS) {
      pattern.lastIndex = start;
      const match = pattern.exec(text);
      if (!match) continue;
      found.push({ kind, text: match[0], start });
      start += match[0].length;
      break;
    }
  }
  return found;
}

/** Names of predicates that the clauses of a text define, each once: [{name, arity}]. */
export function heads(text) {
  const found = new Map();
  let clause = [];
  for (const token of tokens(text)) {
    if (token.kind === "space" || token.kind === "comment") continue;
    if (token.kind !== "end") {
      clause.push(token);
      continue;
    }
    const head = headOf(clause);
    if (head) found.set(`${head.name}/${head.arity}`, head);
    clause = [];
  }
  return [...found.values()];
}

function headOf([name, open, ...rest]) {
  if (name?.kind !== "atom") return null;
  if (open?.text !== "(") return { name: name.text, arity: 0 };
  let depth = 0;
  let arity = 1;
  for (const { text } of rest) {
    if ("([{".includes(text)) depth += 1;
    else if (depth === 0 && text === ",") arity += 1;
    else if (")]}".includes(text) && (depth -= 1) < 0) break;
  }
  return { name: name.text, arity };
}

const isObject = /^ob_\d+$/;

/**
 * The nodes of a highlighted text. Names of objects carry data-object, by which they light up in the picture; with
 * `reachable` they are buttons, so that the keyboard gets at them too.
 */
export function highlighted(text, { reachable = false, thumbnail = null } = {}) {
  const fragment = document.createDocumentFragment();
  for (const { kind, text: word } of tokens(text)) {
    if (kind === "space" || kind === "bracket") fragment.append(word);
    else if (kind === "atom" && isObject.test(word)) fragment.append(objectName(word, reachable, thumbnail));
    else fragment.append(el("span", { class: `p-${kind}` }, word));
  }
  return fragment;
}

function objectName(name, reachable, thumbnail) {
  if (!reachable) return el("span", { class: "ob", "data-object": name }, name);
  return el("button", { type: "button", class: "ob", "data-object": name }, thumbnail?.(name), name);
}
