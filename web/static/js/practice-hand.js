// The person's own cards: drawn, and tapped where some are to be thrown.

import { el, reconcile, setText } from "./dom.js";
import { post } from "./practice-send.js";
import { cardName, P, RANKS } from "./texts.js";

export function picture(card) {
  return el("img", {
    class: "drawn", src: `/practice/cards/${card}.svg`, alt: cardName(card), draggable: false,
  });
}

export function handView({ prompt, mano, hand, calls }, report) {
  const throwing = el("button", { type: "button", class: "offer primary throwing", hidden: true },
    el("strong"), el("span"));
  calls.before(throwing);
  let chosen = new Set();
  let before = "";
  let view = null;
  let sent = false; // a throw that the table has not answered yet

  function show() {
    const sorted = view.hand.map((card, place) => ({ card, place }))
      .sort((one, other) => RANKS.indexOf(one.card[0]) - RANKS.indexOf(other.card[0]));
    reconcile(hand, sorted, ({ card }) => card, ({ card }) =>
      el("button", { type: "button", class: "own-card" }, picture(card)),
      (node, { place }) => {
        node.disabled = !view.throws;
        node.setAttribute("aria-pressed", String(chosen.has(place)));
        node.classList.toggle("advised", view.throws && (view.hint?.places.includes(place) ?? false));
        node.onclick = () => {
          if (!chosen.delete(place)) chosen.add(place);
          show();
        };
      });
    throwing.hidden = !view.throws || sent;
    throwing.disabled = chosen.size === 0;
    const [label, means] = throwing.children;
    setText(label, P.throwThem({ n: chosen.size }));
    setText(means, P.throwMeans);
  }

  throwing.onclick = async () => {
    sent = true;
    show();
    sent = await post("/api/practice/throw", { places: [...chosen] }, report);
    show();
  };

  return (snapshot) => {
    view = snapshot.practice;
    const cards = view.hand.join(" ");
    if (cards !== before || !view.throws) {
      chosen = new Set();
      sent = false;
    }
    before = cards;
    hand.setAttribute("aria-label", P.myCards);
    setText(prompt, asks(snapshot));
    setText(mano, manoSays(snapshot));
    prompt.classList.toggle("yours", view.throws || view.offers.length > 0);
    show();
  };
}

function manoSays({ seats, practice, phase, deal }) {
  if (deal === 0 || ["count", "over"].includes(phase)) return "";
  const first = seats.find((seat) => seat.mano);
  return first.seat === practice.me ? P.manoMine : P.manoOf({ name: first.name });
}

function asks(snapshot) {
  const { practice, phase, seats, to_speak: turn } = snapshot;
  if (practice.throws) return P.throwing;
  if (practice.offers.length > 0) return P.yours({ name: seats[practice.me - 1].name });
  if (phase === "over") return "";
  if (phase === "count") return P.ended;
  if (phase === "showdown") return P.showing;
  if (phase === "discard" && turn === practice.me) return P.waiting;
  return turn ? P.speaks({ name: seats[turn - 1].name }) : "";
}
