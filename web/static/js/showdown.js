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
    const button = el("button", { type: "button", class: "rank", "data-rank": rank },
      el("span", { textContent: rank }), el("small", { textContent: name }));
    button.onclick = () => take(rank);
    ranks.append(button);
  }
  clear.onclick = () => choose(seatShown());
  put.onclick = async () => {
    const seat = seatShown();
    if (await send.cards(seat, cards)) choose(null);
  };

  function seatShown() {
    const may = (seat) => snapshot.seats[seat - 1]?.may_show;
    const first = snapshot.missing[0] ?? snapshot.seats.find((other) => other.may_show)?.seat;
    return may(chosen) ? chosen : first ?? null;
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
    root.hidden = seat === null;
    root.dataset.needed = String(snapshot.missing.length > 0);
    if (root.hidden) return;
    const { name } = snapshot.seats[seat - 1];
    setText(title, snapshot.missing.length > 0 ? SAY.cards(name) : SAY.moreCards(name));
    reconcile(tabs, snapshot.seats.filter((other) => other.may_show), (other) => other.seat,
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
    if (next.deal !== snapshot?.deal || next.phase !== snapshot.phase) {
      chosen = null;
      cards = [];
    }
    snapshot = next;
    show();
  };
}
