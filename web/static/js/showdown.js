// Tapping in the cards that lie open: four a hand, or fewer after a misdeal; ranks alone. A hand that
// was photographed is put in here, too: one tap says yes, or a card is tapped and another one chosen.

import { el, reconcile, setText } from "./dom.js";
import { cardName, RANKS, W } from "./texts.js";

/** Make the view, and `fill(seat, cards)`: cards as texts, null for one that is to be tapped. */
export function showdownPad(root, send, claim) {
  const title = el("h2");
  const tabs = el("div", { class: "tabs", role: "group", "aria-label": W.whoseCards });
  const hand = el("div", { class: "hand", role: "group", "aria-live": "polite" });
  const ranks = el("div", { class: "ranks", role: "group", "aria-label": W.cardsOnly });
  const clear = el("button", { type: "button", textContent: W.clear });
  const put = el("button", { type: "button", class: "primary" });
  const claims = el("button", { type: "button", textContent: W.claim });
  root.append(title, tabs, hand, ranks, el("div", { class: "options" }, clear, put, claims));
  let snapshot = null;
  let chosen = null;
  let cards = []; // one for each place; null where none is yet
  let place = null; // where the next rank goes, if that is not the first free place
  let read = false; // the cards were photographed

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

  const places = () => Array.from({ length: snapshot.seats[seatShown() - 1].cards }, (_, i) => cards[i] ?? null);

  function choose(seat, filled = []) {
    chosen = seat;
    cards = filled;
    place = null;
    read = filled.length > 0;
    show();
  }

  function take(rank) {
    cards = places();
    const at = place ?? cards.indexOf(null);
    if (at < 0) return;
    cards[at] = rank;
    place = null;
    show();
    if (!cards.includes(null)) put.focus();
  }

  function show() {
    const seat = seatShown();
    root.hidden = seat === null;
    root.dataset.needed = String(snapshot.missing.length > 0);
    if (root.hidden) return;
    claims.hidden = snapshot.incidents.claims.length === 0;
    const { name } = snapshot.seats[seat - 1];
    setText(title, snapshot.missing.length > 0 ? W.cards({ name }) : W.moreCards({ name }));
    hand.setAttribute("aria-label", W.cards({ name }));
    reconcile(tabs, snapshot.seats.filter((other) => other.may_show), (other) => other.seat,
      (other) => el("button", { type: "button", class: "tab", "data-side": other.side }),
      (node, other) => {
        setText(node, other.name);
        node.classList.toggle("missing", snapshot.missing.includes(other.seat));
        node.setAttribute("aria-pressed", String(other.seat === seat));
        node.onclick = () => choose(other.seat);
      });
    tabs.hidden = read; // whose they are is known
    const now = places();
    const full = !now.includes(null);
    reconcile(hand, now, (card, i) => `${i}${card ?? ""}`, cardButton, (node, card) => {
      const at = Number(node.dataset.key[0]);
      node.setAttribute("aria-pressed", String(place === at));
      node.disabled = card === null && !read;
      node.onclick = () => { place = place === at ? null : at; show(); };
    });
    for (const button of ranks.children) button.disabled = full && place === null;
    put.disabled = !full;
    setText(put, read ? W.photo.these : W.put);
    clear.disabled = now.every((card) => card === null);
  }

  const view = (next) => {
    if (next.deal !== snapshot?.deal || next.phase !== snapshot.phase) {
      chosen = null;
      cards = [];
      place = null;
      read = false;
    }
    snapshot = next;
    show();
  };
  const fill = (seat, filled) => {
    choose(seat, filled);
    root.scrollIntoView({ block: "start" });
    if (!places().includes(null)) put.focus({ preventScroll: true });
  };
  return { view, fill };
}

/** A card that is tapped to choose another one in its place. */
function cardButton(card) {
  if (!card) return el("button", { type: "button", class: "card none", "aria-label": W.photo.none });
  const button = el("button", { type: "button", class: "card", "data-rank": card[0], "aria-label": cardName(card) },
    el("span", { textContent: card[0] }));
  if (card[1]) button.append(el("small", { textContent: W.photo.suits[card[1]] }));
  return button;
}
