// The stones of one pair, laid out as a table lays them: amarracos in two rows, piedras below.
// Empty places show how far it is to the target.

import { svg } from "./dom.js";

const AMARRACO = 5;
const WIDE = 82; // room of one amarraco
const HIGH = 66;
const SMALL = 60; // room of one piedra
const SHAPES = 3;

/** Make the drawing; the function that comes back redraws it. */
export function drawStones(parent) {
  const root = svg("svg", { class: "stones", "aria-hidden": "true", preserveAspectRatio: "xMidYMid" });
  const places = svg("g");
  const stones = svg("g");
  root.append(places, stones);
  parent.append(root);
  let shown = "";
  let before = null;

  return ({ stones: count, amarracos, piedras }, target) => {
    const key = `${count}/${target}`;
    if (key === shown) return;
    shown = key;
    const slots = Math.max(Math.ceil(target / AMARRACO), amarracos);
    const columns = slots <= 12 ? Math.ceil(slots / 2) : 10;
    const rows = Math.ceil(slots / columns);
    const width = Math.max(columns * WIDE, (AMARRACO - 1) * SMALL);
    root.setAttribute("viewBox", `0 0 ${width} ${rows * HIGH + SMALL}`);
    places.replaceChildren(...Array.from({ length: slots }, (_, i) => place(at(i, columns))));
    stones.replaceChildren(
      ...Array.from({ length: amarracos }, (_, i) =>
        stone("amarraco", i, at(i, columns), before !== null && i >= before.amarracos)),
      ...Array.from({ length: piedras }, (_, i) =>
        stone("piedra", i, [(i + 0.5) * SMALL + 10, rows * HIGH + SMALL / 2],
          before !== null && count > before.count)),
    );
    before = { count, amarracos };
  };
}

function at(index, columns) {
  return [((index % columns) + 0.5) * WIDE, (Math.floor(index / columns) + 0.5) * HIGH];
}

function place([x, y]) {
  return svg("ellipse", { class: "place", cx: x, cy: y, rx: 34, ry: 25 });
}

// Nobody lays stones in a straight line: each place has its own small turn and shift.
function stone(kind, index, [x, y], fresh) {
  const wobble = (index * 37 + 11) % 17;
  const turn = (wobble - 8) * 3;
  const group = svg("g", {
    transform: `translate(${x + (wobble % 5) - 2} ${y + (wobble % 3) - 1}) rotate(${turn})`,
  });
  group.append(svg("use", {
    href: `#${kind}-${(index * 7 + 1) % SHAPES}`,
    class: fresh ? "drop" : "",
  }));
  return group;
}
