// Tapping in the cards that lie open: four a hand, ranks alone.

import { el, reconcile, setText } from "./dom.js";
import { createCard } from "./seats.js";
import { RANKS, SAY } from "./texts.js";

const HAND = 4;

export function showdownView(root, send) {
  const title = el("h2");
  const tabs = el("div", { class: "tabs", role: "group", "aria-label": "De quién son" });
  const hand = el("p", { class: "hand", "aria-live": "polite" });
  const ranks = el("div", { class: "ranks", role: "group", "aria-label": "Cartas" });
  const clear = el("button", { type: "button", textContent: SAY.clear });
  const put = el("button", { type: "button", class: "primary", textContent: SAY.put });
  root.append(title, tabs, hand, ranks, el("div", { class: "options" }, clear, put));
  let snapshot = null;
  let chosen = null;
  let cards = [];

  for (const [rank, name] of RANKS) {
    const face = el("span", { textContent: rank, "aria-hidden": "true" });
    const button = el("button", { type: "button", class: "rank", "data-rank": rank,
      "aria-label": name }, face, el("small", { textContent: name, "aria-hidden": "true" }));
    button.onclick = () => take(rank);
    ranks.append(button);
  }
  clear.onclick = () => choose(seatShown());
  put.onclick = async () => {
    const seat = seatShown();
    if (await send.cards(seat, cards)) choose(null);
  };

  function seatShown() {
    return chosen ?? snapshot.missing[0] ?? null;
  }

  function choose(seat) {
    chosen = seat;
    cards = [];
    show();
  }

  function take(rank) {
    if (cards.length < HAND) cards = [...cards, rank];
    show();
    if (cards.length === HAND) put.focus();
  }

  function show() {
    const seat = seatShown();
    const player = snapshot.seats[seat - 1];
    root.hidden = snapshot.missing.length === 0;
    if (root.hidden) return;
    setText(title, SAY.cards(player.name));
    reconcile(tabs, snapshot.seats, (other) => other.seat,
      (other) => el("button", { type: "button", class: "tab", "data-side": other.side }),
      (node, other) => {
        setText(node, other.name);
        node.classList.toggle("missing", snapshot.missing.includes(other.seat));
        node.setAttribute("aria-pressed", String(other.seat === seat));
        node.onclick = () => choose(other.seat);
      });
    const places = Array.from({ length: HAND }, (_, i) => cards[i] ?? "");
    reconcile(hand, places, (card, i) => `${i}${card}`,
      (card) => (card ? createCard(card) : el("span", { class: "card none" })), () => {});
    for (const button of ranks.children) button.disabled = cards.length === HAND;
    put.disabled = cards.length < HAND;
    clear.disabled = cards.length === 0;
  }

  return (next) => {
    if (next.deal !== snapshot?.deal || next.missing.length === 0) {
      chosen = null;
      cards = [];
    }
    snapshot = next;
    show();
  };
}
