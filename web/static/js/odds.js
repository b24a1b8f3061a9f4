// The odds of any hand, out of a table that was counted beforehand: no question to the machine.

import { el, reconcile, setText } from "./dom.js";
import { createCard } from "./seats.js";
import { follow } from "./stream.js";
import { L, RANKS, W } from "./texts.js";

const HAND = 4;
const COPIES = 4;
const JUEGO_FROM = 31;
const OVER = ["count", "over"];
const $ = (id) => document.getElementById(id);

let table = null;
let cards = [];
let mano = 0; // 0: I am; then to my right, my partner, to my left
let playing = false;

function show() {
  reconcile($("hand"), cards, (card, i) => `${card}${i}`, createCard, () => {});
  setText($("clear"), W.clear);
  $("clear").disabled = cards.length === 0;
  for (const button of $("ranks").children) {
    const { rank } = button.dataset;
    const out = cards.filter((card) => card === rank).length === COPIES;
    button.disabled = playing || cards.length === HAND || out;
  }
  reconcile($("manos"), L.odds.manos, (_, i) => i, () => el("button", { type: "button" }),
    (node, name) => {
      const at = L.odds.manos.indexOf(name);
      setText(node, name);
      node.setAttribute("aria-pressed", String(at === mano));
      node.onclick = () => { mano = at; show(); };
    });
  $("playing").hidden = !playing;
  $("found").hidden = playing || cards.length < HAND || table === null;
  if (!$("found").hidden) found();
}

/** Whether the cards are juego: then this hand plays no punto, whatever the others have. */
function holdsJuego() {
  const worth = (card) => (/\d/.test(card) ? Number(card) : 10);
  return cards.reduce((sum, card) => sum + worth(table.same[card] ?? card), 0) >= JUEGO_FROM;
}

/** The numbers of a hand, by lance: what the pair wins and what my hand alone does, 0 to 1. */
function numbers() {
  const { lances, fields, unit, same } = table;
  const order = (card) => RANKS.indexOf(card);
  const hand = cards.map((card) => same[card] ?? card).sort((one, other) => order(one) - order(other));
  const from = mano * lances.length * fields.length;
  const mine = table.hands[hand.join("")].slice(from);
  return lances.map((lance, i) => ({
    lance,
    pair: mine[i * fields.length + fields.indexOf("side")] / unit,
    alone: mine[i * fields.length + fields.indexOf("best")] / unit,
  }));
}

function found() {
  setText($("found").querySelector("h2"), L.odds.title({ mano: L.odds.manos[mano] }));
  reconcile($("found").querySelector(".had"), numbers(), ({ lance }) => lance,
    () => el("li", {}, el("b"), el("div", { class: "both", "aria-hidden": "true" }, el("i"), el("i")), el("span")),
    (node, { lance, pair, alone }) => {
      const [name, bars, told] = node.children;
      setText(name, W.lances[lance]);
      bars.firstChild.style.width = `${100 * pair}%`;
      bars.lastChild.style.width = `${100 * alone}%`;
      const none = lance === "punto" && holdsJuego();
      setText(told, none ? "—" : L.odds.percent({ pair: Math.round(100 * pair), alone: Math.round(100 * alone) }));
    });
}

function begin(language) {
  reconcile($("ranks"), RANKS, (rank) => rank,
    (rank) => el("button", { type: "button", class: "rank", "data-rank": rank }, el("span", { textContent: rank }), el("small")),
    (node, rank) => {
      setText(node.lastChild, W.ranks[rank]);
      node.onclick = () => { cards = [...cards, rank]; show(); };
    });
  show();
}

$("clear").onclick = () => { cards = []; show(); };
begin(navigator.language);
fetch("/odds.json").then((answer) => answer.json()).then((told) => {
  table = told;
  show();
  $("page").setAttribute("aria-busy", "false");
});
follow("/events", {
  onLink: () => {}, // it counts without the table, too
  onSnapshot: (snapshot) => {
    playing = snapshot.deal > 0 && !OVER.includes(snapshot.phase) && !snapshot.practice;
    begin(snapshot.language);
  },
});
