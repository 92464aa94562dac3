// Values of answers, which come as JSON, written as Prolog text. service/prolog_text.py does the same for the command
// line; a test holds the two together.

// SWI-Prolog's own operators; other compounds are written as f(X). Of each its priority, and the most that its
// arguments may have.
const INFIX = new Map([
  ...each([":-", "-->", "=>"], [1200, 1199, 1199]),
  [";", [1100, 1099, 1100]],
  ...each(["->", "*->"], [1050, 1049, 1050]),
  [",", [1000, 999, 1000]],
  [":=", [800, 799, 799]],
  ...each(
    ["=", "\\=", "==", "\\==", "=@=", "\\=@=", "@<", "@=<", "@>", "@>=", "=..", "is", "as",
      "<", "=<", ">", ">=", "=:=", "=\\=", ":<", ">:<"],
    [700, 699, 699],
  ),
  [":", [600, 599, 600]],
  ...each(["+", "-", "/\\", "\\/"], [500, 500, 499]),
  ...each(["*", "/", "//", "<<", ">>", "div", "mod", "rdiv", "rem", "xor"], [400, 400, 399]),
  ["**", [200, 199, 199]],
  ["^", [200, 199, 200]],
]);
const PREFIX = new Map([
  ...each([":-", "?-"], [1200, 1199]),
  ...each(
    ["discontiguous", "dynamic", "initialization", "meta_predicate", "module_transparent", "multifile", "public", "table",
      "thread_initialization", "thread_local", "volatile"],
    [1150, 1149],
  ),
  ["\\+", [900, 900]],
  ...each(["+", "-", "\\"], [200, 200]),
]);
const OTHERS = ["|", ".", "$"]; // never written as operators: what they are read as is not what they look like
const SIGNED = 1201; // numbers with a sign or a fraction: in brackets beside any operator, and nowhere else
const SPECIAL = { inf: "1.0Inf", "-inf": "-1.0Inf", nan: "1.5NaN" };
const PLAIN = /^(?:[a-zß-öø-ÿ][A-Za-z0-9_À-ÖØ-öø-ÿ]*|[!;]|\{\})$/;
const SYMBOL = /^[-+*/\\^<>=~:.?@#&$]/;
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g; // of JSON: a string, or a number
const ESCAPES = { "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r" };

/**
 * A reply as an object, with the floats of its bindings as {"float": "60.0"}: JavaScript's numbers lose the point, and
 * to Prolog 60 is not 60.0.
 */
export function readReply(json) {
  const reply = JSON.parse(json);
  const exact = exactly(json);
  reply.answers.forEach((answer, index) => (answer.bindings = exact.answers[index].bindings));
  return reply;
}

/** JSON with all its floats so. */
export const exactly = (json) =>
  JSON.parse(json.replace(TOKEN, (token) => (/^-?\d.*[.e]/i.test(token) ? `{"float":"${token}"}` : token)));

/** Prolog text of one value: atoms are strings, numbers bare, lists arrays, everything else is tagged. */
export function write(value) {
  return term(value)[0];
}

/** The text and its priority as an argument of an operator. */
function term(value) {
  if (typeof value === "string") return [isOperator(value) ? `(${atom(value)})` : atom(value), 0];
  if (typeof value === "number") return signed(String(value));
  if (Array.isArray(value)) return [`[${items(value)}]`, 0];
  if (value && typeof value === "object") {
    if ("var" in value) return [String(value.var), 0];
    if ("string" in value) return [quote(String(value.string), '"'), 0];
    if ("int" in value) return signed(String(value.int));
    if ("rational" in value) return [value.rational.join("r"), SIGNED];
    if ("float" in value) return signed(float(String(value.float)));
    if ("functor" in value) return compound(value.functor, value.args);
  }
  return [JSON.stringify(value), 0]; // no answer holds any other
}

function compound(name, args) {
  if (Array.isArray(name)) return [`[](${items(args)})`, 0];
  if (name === "[|]" && args.length === 2) return [partialList(args), 0];
  if (args.length === 2 && INFIX.has(name)) {
    const [priority, mostLeft, mostRight] = INFIX.get(name);
    const [left, right] = [operand(args[0], mostLeft), operand(args[1], mostRight)];
    if (name === ",") return [`${left}, ${right}`, priority];
    if (priority >= 700 || /^\w/.test(name)) return [`${left} ${name} ${right}`, priority];
    return [left + name + apart(name, right), priority];
  }
  if (args.length === 1 && PREFIX.has(name)) {
    const [priority, most] = PREFIX.get(name);
    const [text, own] = term(args[0]);
    // Before a bracket the name would be a functor's, before a brace a dict's, and before a digit a sign.
    if (own <= most && !/^[({\d]/.test(text)) return [name + (/^\w/.test(name) ? " " : "") + apart(name, text), priority];
  }
  if (name === "{}" && args.length === 1) return [`{${argument(args[0], 1200)}}`, 0];
  return [`${atom(name)}(${items(args)})`, 0];
}

function partialList(args) {
  const found = [];
  let tail = { functor: "[|]", args };
  while (tail?.functor === "[|]" && tail.args.length === 2) {
    found.push(tail.args[0]);
    tail = tail.args[1];
  }
  return `[${items(found)}|${item(tail)}]`;
}

/** The text behind an operator's name, with a space where the two would be read as one name. */
function apart(name, text) {
  return SYMBOL.test(name.at(-1)) && SYMBOL.test(text) ? ` ${text}` : text;
}

function operand(value, most) {
  const [text, priority] = term(value);
  return priority > most ? `(${text})` : text;
}

/** Numbers and atoms stand bare between commas; operators above `most` go in brackets. */
function argument(value, most) {
  const [text, priority] = term(value);
  return most < priority && priority < SIGNED ? `(${text})` : text;
}

function items(values) {
  return values.map(item).join(", ");
}

/** Between commas stands a name bare even if it is an operator's. */
function item(value) {
  return typeof value === "string" ? atom(value) : argument(value, 999);
}

function signed(text) {
  return [text, text.startsWith("-") ? SIGNED : 0];
}

function float(text) {
  return SPECIAL[text] ?? (text.includes(".") ? text : text.replace(/e/i, ".0e"));
}

function isOperator(name) {
  return INFIX.has(name) || PREFIX.has(name) || OTHERS.includes(name);
}

function atom(name) {
  const bare = PLAIN.test(name) || (name !== "," && INFIX.has(name)) || PREFIX.has(name);
  return bare ? name : quote(name, "'");
}

function quote(text, mark) {
  const escaped = text.replace(/[\\\n\t\r]/g, (character) => ESCAPES[character]).replaceAll(mark, `\\${mark}`);
  return mark + escaped.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (c) => `\\x${c.codePointAt(0).toString(16)}\\`) + mark;
}

function each(names, priorities) {
  return names.map((name) => [name, priorities]);
}
