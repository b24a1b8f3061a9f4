// The few things that every view does with the document.

/** Make an element. `props` are properties; "class", "aria-*", "data-*" and "role" attributes. */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (name === "class") node.className = value;
    else if (name.includes("-") || name === "role") node.setAttribute(name, value);
    else node[name] = value;
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

const SVG = "http://www.w3.org/2000/svg";

/** Make an SVG element with attributes. */
export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** Change text only where it differs: a live region must not repeat itself. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** The length of a name's longest word, or 4, as short names are all of one size. */
export const lettersOf = (name) => Math.max(4, ...name.split(/\s|,|(?<=-)/).map((word) => word.length));

/** Write a name, which is sized by its `--letters`. */
export function setName(node, name) {
  if (node.textContent === name) return;
  node.textContent = node.title = name;
  for (const one of [node, node.closest(".tab")]) one?.style.setProperty("--letters", lettersOf(name));
}

/**
 * Make `parent` hold one element for each item, in order. An element stays the same one while its
 * key stays, so that whoever has the focus on it keeps it.
 */
export function reconcile(parent, items, keyOf, create, update) {
  const old = new Map([...parent.children].map((node) => [node.dataset.key, node]));
  const wanted = items.map((item, index) => {
    const key = String(keyOf(item, index));
    const node = old.get(key) ?? create(item);
    old.delete(key);
    node.dataset.key = key;
    update(node, item);
    return node;
  });
  for (const node of old.values()) node.remove();
  wanted.forEach((node, index) => {
    if (parent.children[index] !== node) parent.insertBefore(node, parent.children[index] ?? null);
  });
}
