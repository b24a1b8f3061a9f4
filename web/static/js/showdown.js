// Tapping in the cards that lie open: four a hand, or fewer after a misdeal; ranks alone. A hand that
// was photographed is put in here, too: one tap says yes, or a card is tapped and another one chosen.
// So is a hand that the table's camera has read: for each of its cards the likeliest others stand ready.

import { el, reconcile, setText } from "./dom.js";
import { cardName, RANKS, W } from "./texts.js";

/** Make the view, and `fill(seat, cards)`: cards as texts, null for one that is to be tapped. */
export function showdownPad(root, send, claim) {
  const title = el("h2");
  const tabs = el("div", { class: "tabs", role: "group", "aria-label": W.whoseCards });
  const say = el("p", { class: "say" });
  const hand = el("div", { class: "hand", role: "group", "aria-live": "polite" });
  const likely = el("div", { class: "hand likely", role: "group", "aria-label": W.read.likely });
  const other = el("button", { type: "button", textContent: W.read.other });
  const ranks = el("div", { class: "ranks", role: "group", "aria-label": W.cardsOnly });
  const clear = el("button", { type: "button", textContent: W.clear });
  const put = el("button", { type: "button", class: "primary" });
  const claims = el("button", { type: "button", textContent: W.claim });
  root.append(title, tabs, say, hand, likely, ranks, el("div", { class: "options" }, other, clear, put, claims));
  let snapshot = null;
  let chosen = null;
  let cards = []; // one for each place; null where none is yet
  let offers = []; // for each place, the cards that the camera takes for likely
  let owner = null; // the seat whose cards these are
  let place = null; // where the next card goes, if that is not the first free place
  let read = ""; // what has read the cards: "photo", "camera", or nothing
  let touched = false; // somebody has tapped a card: what is read from now on changes none
  let all = false; // every rank is offered, and not the likeliest cards alone

  for (const rank of RANKS) {
    const button = el("button", { type: "button", class: "rank", "data-rank": rank },
      el("span", { textContent: rank }), el("small", { textContent: W.ranks[rank] }));
    button.onclick = () => take(rank);
    ranks.append(button);
  }
  claims.onclick = claim;
  clear.onclick = () => {
    choose(seatShown());
    empty(); // what the camera has read does not come back
    touched = true;
    show();
  };
  put.onclick = confirm;
  other.onclick = () => { all = true; show(); };

  async function confirm() {
    if (await send.cards(seatShown(), cards)) choose(null);
  }

  function seatShown() {
    const may = (seat) => snapshot.seats[seat - 1]?.may_show;
    const first = snapshot.missing[0] ?? snapshot.seats.find((other) => other.may_show)?.seat;
    return may(chosen) ? chosen : first ?? null;
  }

  const places = () => Array.from({ length: snapshot.seats[seatShown() - 1].cards }, (_, i) => cards[i] ?? null);

  /** What the table's camera has read before a seat: for each of its places a card and others. */
  const seenBefore = (seat) => snapshot.read?.find((one) => one.seat === seat)?.cards ?? [];

  /** The cards that a place may hold: beside the camera's own card, those it takes for likely. */
  function likeliest(at) {
    if (read !== "camera" || all || at < 0) return [];
    return (offers[at] ?? []).filter((card) => !places().includes(card));
  }

  /** Put in what the camera has read before the seat, as long as nobody has tapped. */
  function asRead(seat) {
    if (touched || read === "photo") return;
    const seen = seenBefore(seat);
    const shown = snapshot.seats[seat - 1].hand;
    if (seen.length === 0 && read !== "camera") return;
    read = seen.length > 0 ? "camera" : "";
    if (!shown) {
      cards = seen.map(({ card }) => card);
      offers = seen.map(({ likely }) => likely);
      return;
    }
    const left = [...seen]; // a hand that was taken may have been corrected
    cards = read ? [...shown] : [];
    offers = cards.map((card) => {
      const at = left.findIndex((one) => one.card === card);
      return at < 0 ? [] : left.splice(at, 1)[0].likely;
    });
  }

  function empty() {
    cards = [];
    offers = [];
    place = null;
    read = "";
    touched = all = false;
  }

  function choose(seat, filled = []) {
    empty();
    chosen = owner = seat;
    cards = filled;
    read = filled.length > 0 ? "photo" : "";
    show();
  }

  /** Where the next card goes. */
  const next = () => place ?? places().indexOf(null);

  function take(card) {
    const at = next();
    if (at < 0) return;
    cards = places();
    cards[at] = card;
    place = null;
    all = false;
    touched = true;
    // All other cards are read or were tapped: this tap was the last that is needed.
    if (read === "camera" && !cards.includes(null)) confirm();
    show();
    if (!cards.includes(null)) put.focus({ preventScroll: true });
  }

  function show() {
    const seat = seatShown();
    root.hidden = seat === null;
    root.dataset.needed = String(snapshot.missing.length > 0);
    if (root.hidden) return;
    if (seat !== owner) empty(); // the next one's turn has come: these were another's cards
    owner = seat;
    asRead(seat);
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
    tabs.hidden = read === "photo"; // whose they are is known
    const now = places();
    const full = !now.includes(null);
    reconcile(hand, now, (card, i) => `${i}${card ?? ""}`, cardButton, (node, card) => {
      const at = Number(node.dataset.key[0]);
      const asked = place === at || (read === "camera" && place === null && at === next());
      node.setAttribute("aria-pressed", String(asked));
      node.disabled = card === null && !read;
      node.onclick = () => {
        place = place === at ? null : at;
        all = false;
        touched = true;
        show();
      };
    });
    const offered = likeliest(next());
    reconcile(likely, offered, (card) => card, cardButton, (node, card) => { node.onclick = () => take(card); });
    likely.hidden = other.hidden = offered.length === 0;
    ranks.hidden = offered.length > 0 || (read === "camera" && full && place === null);
    say.hidden = read !== "camera";
    setText(say, W.read[place !== null || all ? "which" : full ? "check" : offered.length > 0 ? "some" : "lacks"]);
    for (const button of ranks.children) button.disabled = full && place === null;
    put.hidden = read === "camera" && !full;
    put.disabled = !full;
    setText(put, read ? W.photo.these : W.put);
    clear.disabled = now.every((card) => card === null);
  }

  const view = (now) => {
    if (now.deal !== snapshot?.deal || now.phase !== snapshot.phase) {
      chosen = null;
      empty();
    }
    snapshot = now;
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
