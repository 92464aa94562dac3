// Which objects are lit, and which one is looked at. Every element with data-object lights its object while it is hovered
// or focused; an element with data-lights lights all the objects named in it, each with its variable's name and colour.

let standing = []; // what is lit while nothing is pointed at
let light = () => {};

/** Lights what the element does, until another stands: as long as nothing is pointed at. null: nothing. */
export function stand(element) {
  standing = element ? marksAt(element) : [];
  light(standing);
}

/** Listens to the whole page. onlight([{name, label, hue, strong}, …]) hears whenever other objects light up,
 * onchoose(name) when an object's name is clicked. */
export function watch(root, { onlight, onchoose }) {
  light = onlight;
  for (const type of ["pointerover", "focusin"]) {
    root.addEventListener(type, ({ target }) => {
      const marks = marksAt(target);
      light(marks.length ? marks : standing);
    });
  }
  for (const type of ["pointerout", "focusout"]) root.addEventListener(type, () => light(standing));
  root.addEventListener("click", ({ target }) => {
    const name = target.closest?.("[data-object]")?.dataset.object;
    if (name) onchoose(name);
  });
}

function marksAt(target) {
  const own = target.closest("[data-object]");
  const group = target.closest("[data-lights]");
  const elements = group ? [...group.querySelectorAll("[data-object]")] : own ? [own] : [];
  const marks = new Map();
  for (const element of elements) {
    const { object: name, label = "", hue = "" } = element.dataset;
    const before = marks.get(name);
    const labels = before?.label && label && before.label !== label ? `${before.label} = ${label}` : before?.label || label;
    marks.set(name, { name, label: labels, hue: before?.hue || hue, strong: element === own || Boolean(before?.strong) });
  }
  return [...marks.values()];
}
