// Tapping in the cards that lie open: four a hand, or fewer after a misdeal; ranks alone.

import { el, reconcile, setText } from "./dom.js";
import { createCard } from "./seats.js";
import { RANKS, W } from "./texts.js";

export function showdownView(root, send, claim) {
  const title = el("h2");
  const tabs = el("div", { class: "tabs", role: "group", "aria-label": W.whoseCards });
  const hand = el("p", { class: "hand", "aria-live": "polite" });
  const ranks = el("div", { class: "ranks", role: "group", "aria-label": W.cardsOnly });
  const clear = el("button", { type: "button", textContent: W.clear });
  const put = el("button", { type: "button", class: "primary", textContent: W.put });
  const claims = el("button", { type: "button", textContent: W.claim });
  root.append(title, tabs, hand, ranks, el("div", { class: "options" }, clear, put, claims));
  let snapshot = null;
  let chosen = null;
  let cards = [];

  for (const rank of RANKS) {
    const button = el("button", { type: "button", class: "rank", "data-rank": rank },
      el("span", { textContent: rank }), el("small", { textContent: W.ranks[rank] }));
    button.onclick = () => take(rank);
    ranks.append(button);
  }
  claims.onclick = claim;
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

  function size() {
    return snapshot.seats[seatShown() - 1].cards;
  }

  function choose(seat) {
    chosen = seat;
    cards = [];
    show();
  }

  function take(rank) {
    if (cards.length < size()) cards = [...cards, rank];
    show();
    if (cards.length === size()) put.focus();
  }

  function show() {
    const seat = seatShown();
    root.hidden = seat === null;
    root.dataset.needed = String(snapshot.missing.length > 0);
    if (root.hidden) return;
    claims.hidden = snapshot.incidents.claims.length === 0;
    const { name } = snapshot.seats[seat - 1];
    setText(title, snapshot.missing.length > 0 ? W.cards({ name }) : W.moreCards({ name }));
    reconcile(tabs, snapshot.seats.filter((other) => other.may_show), (other) => other.seat,
      (other) => el("button", { type: "button", class: "tab", "data-side": other.side }),
      (node, other) => {
        setText(node, other.name);
        node.classList.toggle("missing", snapshot.missing.includes(other.seat));
        node.setAttribute("aria-pressed", String(other.seat === seat));
        node.onclick = () => choose(other.seat);
      });
    const places = Array.from({ length: size() }, (_, i) => cards[i] ?? "");
    reconcile(hand, places, (card, i) => `${i}${card}`,
      (card) => (card ? createCard(card) : el("span", { class: "card none" })), () => {});
    for (const button of ranks.children) button.disabled = cards.length === size();
    put.disabled = cards.length < size();
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
