// A bracket on the big screen, in parts that are read from the other end of a hall: boxes and lines.

import { el, reconcile, setText, svg } from "./dom.js";
import { H, tableName } from "./texts.js";
import { partOf, roundsOf } from "./tournament-shown.js";

/** Matches of a column that are read, and columns: on a wide screen, the same with long names, on a telephone. */
const BRACKET = { wide: [8, 3], named: [8, 2], narrow: [4, 2] };
const NAMED = 22; // letters of a name from which on a third column would make it too small to be read
const STAGES = ["knockout", "winners", "losers", "final"]; // those in which winners go on to a match
const OVER = ["over", "void"]; // states of a match that holds nobody up
const LEAST = 4; // places in a column, so that the last matches are no larger than the screen
const HIGH = 0.86; // of its place is a box
const GAP = 3; // % of the width between two columns, as in the style sheet
const STEPS = ["", "tight", "long", "small", "longer"]; // smaller letters, for a name that is too long

/** How much of a bracket there is room for, on a wide screen or not: so many columns that the names are read. */
export function bracketRoom(shown, wide) {
  if (!wide) return BRACKET.narrow;
  const open = new Set(shown.matches.filter(({ state }) => !OVER.includes(state)).flatMap(({ slots }) => slots.map(({ pair }) => pair)));
  return shown.pairs.some(({ pair, name }) => open.has(pair) && name.length > NAMED) ? BRACKET.named : BRACKET.wide;
}

/**
 * The brackets of a tournament in parts: [{title, places, columns: [{title, boxes: [{match, y}]}], lines}].
 *
 * Each begins with the first round that is still played: `rows` of its matches, and where their winners go on,
 * in `columns` columns. The last rounds follow, once somebody has reached them.
 */
export function bracketParts(shown, rows, columns) {
  const key = `${rows} ${columns}`;
  if (made.shown !== shown || made.key !== key) made = { shown, key, parts: partsOf(shown, rows, columns) };
  return made.parts;
}

let made = {}; // the big screen asks at each call at a table

function partsOf(shown, rows, columns) {
  const next = new Map(); // by match: the one to which its winner goes on
  for (const match of shown.matches) for (const { source: [how, one] } of match.slots) if (how === "winner") next.set(one, match);
  const titles = new Map(roundsOf(shown).flatMap(({ title, matches }) => matches.map(({ match }) => [match, title])));
  return chains(shown).flatMap(({ name, rounds }) => {
    const last = rounds.length - 1;
    const open = rounds.findIndex((round) => round.some(({ state }) => !OVER.includes(state)));
    const end = Math.max(0, last - columns + 1);
    const begin = open < 0 ? end : Math.min(open, end);
    const parts = chunks(rounds[begin], rows);
    const drawn = parts.map((base) => part(base, shown, columns, titles, next));
    // What lies behind the first columns.
    if (begin + columns - 1 < last && rounds[end].length <= rows && rounds[end].some(known)) drawn.push(part(rounds[end], shown, columns, titles, next));
    return drawn.map((one, i) => ({
      ...one,
      title: drawn.length > 1 ? `${name} · ${i + 1}/${drawn.length}` : name,
    }));
  });
}

const known = ({ slots }) => slots.some(({ pair }) => pair !== null);

/** Each bracket with its rounds; one in which nobody has a place yet is left out. */
function chains({ matches, stages }) {
  const found = new Map();
  for (const match of matches.filter(({ stage }) => STAGES.includes(stage))) {
    const { stage, phase, group, round } = match;
    const key = `${phase} ${group} ${stage}`;
    const parts = [partOf(stages, phase, group), H.t.stages[stage] ?? H.t.slides.bracket];
    if (!found.has(key)) found.set(key, { name: parts.filter(Boolean).join(" · "), rounds: [] });
    (found.get(key).rounds[round - 1] ??= []).push(match);
  }
  return [...found.values()].map(({ name, rounds }) => ({ name, rounds: rounds.filter(Boolean) }))
    .filter(({ rounds }) => rounds.some((round) => round.some(known)));
}

const chunks = (list, size) =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size));

/** One part: each match stands in the middle of those whose winners meet in it. */
function part(base, { matches }, columns, titles, next) {
  const places = Math.max(LEAST, base.length);
  const space = places / base.length;
  const drawn = [base.map((match, i) => ({ match, y: (i + 0.5) * space, from: [] }))];
  while (drawn.length < columns) {
    const met = new Map();
    for (const box of drawn.at(-1)) {
      const match = next.get(box.match.match);
      if (match) met.set(match, [...met.get(match) ?? [], box]);
    }
    if (met.size === 0) break;
    drawn.push([...met].map(([match, from]) => ({ match, from, y: from.reduce((sum, { y }) => sum + y, 0) / from.length })));
  }
  const final = drawn.at(-1);
  // The match for the third place is fed by losers; it stands below the final.
  const { phase, group } = final[0].match;
  const third = matches.find((match) => match.stage === "bronze" && match.phase === phase && match.group === group);
  if (third && final.length === 1 && !next.has(final[0].match.match)) final.push({ match: third, from: [], y: Math.max(places - 0.5, final[0].y + 1), own: titles.get(third.match) });
  const lines = drawn.flatMap((boxes, column) => boxes.flatMap(({ y, from }) => from.map((one) => ({ column, from: one.y, to: y }))));
  return {
    places,
    lines,
    columns: drawn.map((boxes) => ({ title: titles.get(boxes[0].match.match), boxes })),
  };
}

/** Lay a part out; `live` tells how a match at its table stands, or null. */
export function bracketView(root, { places, columns, lines }, named, live = () => null) {
  const across = columns.length;
  root.style.setProperty("--across", across);
  root.style.setProperty("--places", places);
  root.toggleAttribute("data-few", places <= LEAST);
  const [titles, boxes, drawing] = areas(root);
  reconcile(titles, columns, (_, i) => i, () => el("h3"), (node, { title }) => setText(node, title));
  const all = columns.flatMap(({ boxes: list }, column) => list.map((box) => ({ ...box, column })));
  reconcile(boxes, all, ({ match }) => match.match, create, (node, { match, y, column, own }) => {
    node.dataset.state = match.state;
    node.style.left = `calc(${column} * (var(--wide) + var(--between)))`;
    node.style.top = `${((y - HIGH / 2) / places) * 100}%`;
    node.style.height = `${(HIGH / places) * 100}%`;
    const { table, lines: sides } = boxed(match, named, live);
    setText(node.firstChild, own ?? "");
    setText(node.lastChild, table);
    sides.forEach(({ text, score, won, lost }, i) => {
      const row = node.children[i + 1];
      setText(row.firstChild, text);
      setText(row.lastChild, score);
      row.classList.toggle("winner", won);
      row.classList.toggle("loser", lost);
    });
  });
  drawing.setAttribute("viewBox", `0 0 100 ${places}`);
  reconcile(drawing, lines, (_, i) => i, () => svg("path"), (node, line) => node.setAttribute("d", pathOf(line, across)));
  for (const name of boxes.querySelectorAll("span")) fit(name);
}

/** What a box tells of a match. Where its pairs come from is drawn, but for losers. */
function boxed(match, named, live) {
  const { slots, state, table, winner, result } = match;
  const scores = result && !result.walkover ? result.juegos.map(String) : state === "playing" ? live(match) : null;
  return {
    table: state === "playing" ? tableName(table) : "",
    lines: slots.map((slot, i) => ({
      text: slot.pair === null && slot.source[0] === "winner" ? "" : named.who(slot),
      score: scores?.[i] ?? "",
      won: winner !== null && slot.pair === winner,
      lost: winner !== null && slot.pair !== winner,
    })),
  };
}

/** From the right edge of one box over the middle of the gap to the left edge of the next. */
function pathOf({ column, from, to }, across) {
  const wide = (100 - GAP * (across - 1)) / across;
  const right = column * (wide + GAP);
  return `M${right - GAP} ${from}H${right - GAP / 2}V${to}H${right}`;
}

function areas(root) {
  if (!root.firstChild) {
    root.append(el("div", { class: "titles" }), el("div", { class: "drawn" },
      svg("svg", { preserveAspectRatio: "none", "aria-hidden": "true" }), el("ol", { class: "boxes" })));
  }
  const [drawing, boxes] = root.lastChild.children;
  return [root.firstChild, boxes, drawing];
}

const create = ({ match }) => el("li", { "data-box": match.match }, el("b", { class: "own" }),
  ...[0, 1].map(() => el("p", {}, el("span"), el("strong"))), el("b", { class: "at" }));

/** The largest letters with which a name is on its line; the smallest have two lines. */
function fit(name) {
  const key = `${name.textContent} ${name.clientWidth} ${innerHeight}`;
  if (name.dataset.fits === key) return;
  for (const step of STEPS) {
    name.className = step;
    if (name.scrollWidth <= name.clientWidth + 1) break;
  }
  name.dataset.fits = `${name.textContent} ${name.clientWidth} ${innerHeight}`;
}
