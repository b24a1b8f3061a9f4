// The count, laid out lance by lance while it is said: a table that is not at the end of its count yet
// is shown to the views. A voice that tells it side by side is followed in its own order. A tap shows
// all at once, and so does whoever wants no motion.

import { gained, heldWords } from "./lances.js";

const LETTER_MS = 70; // a calm voice
const [SHORTEST, LONGEST] = [1300, 2800]; // ms that a lance is told
const TAIL = 14; // letters of the score, which the voice says last
const VOICE_WITHIN = 2500; // ms until the voice must have begun; then the page goes on by itself
const ADENTRO = 5;
const AMARRACO = 5;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** What takes each snapshot and paints it; while a count is told, as it stands by then. */
export function laidOut(root, paint) {
  let now = null;
  let stones = []; // of each side before the count
  let first = 0; // the seq of the snapshot that brought the count
  let told = -1; // how many lances are told; -1 while no count is
  let order = []; // the places of the lances in the count, as they are told
  let timer = 0;
  let waits = false; // for the voice

  function show() {
    root.toggleAttribute("data-counting", told >= 0);
    paint(told < 0 ? now : staged(now, order.slice(0, told), stones));
  }

  function end() {
    clearTimeout(timer);
    told = -1;
    waits = false;
    show();
  }

  function next(paces) {
    waits = false;
    if (told >= now.count.length) return end();
    told += 1;
    show();
    timer = setTimeout(next, paces[told - 1], paces);
  }

  function begin(before) {
    clearTimeout(timer);
    told = 0;
    order = now.count.map((_, at) => at);
    stones = before.sides.map((side) => side.stones);
    first = now.seq;
    waits = "voice" in now;
    if (!waits) return next(ownPaces(now));
    show();
    timer = setTimeout(next, VOICE_WITHIN, ownPaces(now));
    return hear();
  }

  /** Begin once the voice says what belongs to this count, and end with it. */
  function hear() {
    if (!waits || !now.voice || now.voice.seq < first) return;
    clearTimeout(timer);
    const said = inVoiceOrder(now);
    if (said) order = said.order;
    next(said?.paces ?? spread(now, now.voice.seconds * 1000));
  }

  addEventListener("click", ({ target }) => {
    if (told >= 0 && !target.closest("button, a, input, select, dialog")) end();
  });
  addEventListener("keydown", ({ key }) => { if (told >= 0 && key === "Escape") end(); });

  return (before, snapshot) => {
    now = snapshot;
    if (isNew(before, snapshot)) return calm.matches ? end() : begin(before);
    if (told >= 0 && !isSame(before, snapshot)) return end(); // it was undone, or is another count
    show();
    return hear();
  };
}

const isSame = (before, { deal, count }) =>
  before.deal === deal && JSON.stringify(before.count) === JSON.stringify(count);

/** Whether the cards have just been counted: not again after an undo, nor for a page that comes later. */
const isNew = (before, { deal, count, can_redo: undone }) =>
  before?.deal === deal && before.count.length === 0 && count.length > 0 && !undone;

const letters = (row, snapshot) =>
  [row.lance, row.side ?? "", heldWords(row, snapshot), gained(row)].join(" ").length;

const ownPaces = (snapshot) => snapshot.count.map((row) =>
  Math.min(Math.max(letters(row, snapshot) * LETTER_MS, SHORTEST), LONGEST));

function spread(snapshot, whole) {
  const weights = snapshot.count.map((row) => letters(row, snapshot));
  const all = weights.reduce((sum, weight) => sum + weight, TAIL);
  return weights.map((weight) => (whole * weight) / all);
}

/** The lances in the order in which the voice names them, and how long it tells each; null where it does
    not name all. A lance without stones, which it leaves out, shares the time of the one before it. */
function inVoiceOrder({ count, voice }) {
  const at = new Map((voice.lances ?? []).map((one) => [one.lance, one.at]));
  if (!count.every(({ lance, stones }) => stones === 0 || at.has(lance))) return null;
  const times = [];
  for (const { lance, stones } of count) times.push(stones === 0 ? times.at(-1) ?? 0 : at.get(lance));
  const order = count.map((_, place) => place).sort((a, b) => times[a] - times[b] || a - b);
  const named = order.map((place) => times[place]);
  const paces = named.map((time) => {
    const until = named.find((other) => other > time) ?? voice.until;
    const since = time === named[0] ? 0 : time; // the names of the side come before its first lance
    const sharing = named.filter((other) => other === time).length;
    return (Math.max(until - since, 0) / sharing) * voice.seconds * 1000;
  });
  return { order, paces };
}

/** The table when these places of the count are told: what they won is won, and no more. `before`: the
    stones of each side without any of them. */
function staged(snapshot, told, before) {
  const { count, juegos_to_win: toWin, vacas_to_win: vacasToWin, juego_won: won, target } = snapshot;
  const row = told.length > 0 ? count[told.at(-1)] : null;
  const inTurn = told.every((place, k) => place === k);
  const sides = snapshot.sides.map((side, i) => {
    const stones = inTurn && row ? row.totals[i]
      : told.reduce((sum, place) => sum + (count[place].side === side.side ? count[place].stones : 0), before[i]);
    const last = side.side === won; // the juego that this count ends is not won yet
    return {
      ...side,
      stones,
      amarracos: Math.floor(stones / AMARRACO),
      piedras: stones % AMARRACO,
      adentro: target - ADENTRO <= stones && stones < target,
      juegos: side.juegos - (last ? 1 : 0),
      vacas: side.vacas - (last && vacasToWin > 1 && side.juegos >= toWin ? 1 : 0),
    };
  });
  return { ...snapshot, sides, told, inTurn, counting: row, winner: null, juego_won: null, over: false };
}
