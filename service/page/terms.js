// Values of answers, which come as JSON, written as Prolog text.

// Priority of the operators that answers are likely to hold, and the most that their arguments may have.
const INFIX = {
  ":-": [1200, 1199, 1199],
  "=": [700, 699, 699], "<": [700, 699, 699], ">": [700, 699, 699], is: [700, 699, 699],
  "..": [450, 449, 449], ":": [200, 199, 200],
  "-": [500, 500, 499], "+": [500, 500, 499],
  "*": [400, 400, 399], "/": [400, 400, 399], "^": [200, 199, 200],
};
const PLAIN = /^(?:\p{Ll}[\p{L}\p{N}_]*|[-+*/\\^<>=~:.?@#&$]+|[!;]|\[\]|\{\})$/u;
const ESCAPES = { "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r" };

/** Prolog text of one value: atoms are strings, numbers bare, lists arrays, everything else is tagged. */
export function write(value) {
  return term(value)[0];
}

/** The text and its priority as an argument of an operator. */
function term(value) {
  if (typeof value === "string") return [atom(value), 0];
  if (typeof value === "number") return [number(value), 0];
  if (Array.isArray(value)) return [`[${value.map((item) => upTo(item, 999)).join(", ")}]`, 0];
  if (value && typeof value === "object") {
    if ("var" in value) return [String(value.var), 0];
    if ("string" in value) return [quote(String(value.string), '"'), 0];
    if ("int" in value) return [String(value.int), 0];
    if ("rational" in value) return [value.rational.join("r"), 0];
    if ("float" in value) return [String(value.float), 0];
    if ("functor" in value) return compound(String(value.functor), value.args);
  }
  return [JSON.stringify(value), 0]; // no answer holds any other
}

function compound(name, args) {
  if (args.length === 2 && Object.hasOwn(INFIX, name)) {
    const [priority, left, right] = INFIX[name];
    const infix = priority >= 700 ? ` ${name} ` : name;
    return [upTo(args[0], left) + infix + upTo(args[1], right), priority];
  }
  return [`${atom(name)}(${args.map((item) => upTo(item, 999)).join(", ")})`, 0];
}

function upTo(value, most) {
  const [text, priority] = term(value);
  return priority > most ? `(${text})` : text;
}

function number(value) {
  const text = String(value);
  return Math.abs(value) < 1 ? text.replace(/^(-?\d+)e/, "$1.0e") : text;
}

function atom(name) {
  return PLAIN.test(name) ? name : quote(name, "'");
}

function quote(text, mark) {
  const escaped = text.replace(/[\\\n\t\r]/g, (character) => ESCAPES[character]).replaceAll(mark, `\\${mark}`);
  return mark + escaped.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (c) => `\\x${c.codePointAt(0).toString(16)}\\`) + mark;
}
