// The players round the table: whose turn it is, what they said, the cards they laid open.

import { el, reconcile, setName, setText, svg } from "./dom.js";
import { cardName, W } from "./texts.js";

export function seatsView(root) {
  return (snapshot) => {
    root.parentElement.dataset.players = String(snapshot.seats.length); // the felt has the places
    const telephones = new Map((snapshot.telephones ?? []).map((one) => [one.seat, one]));
    reconcile(root, snapshot.seats, (seat) => seat.seat, create, (node, seat) => {
      update(node, seat, snapshot);
      node.classList.toggle("against", saidOf(seat, snapshot).length > 0);
      withTelephone(node.querySelector(".telephone"), telephones.get(seat.seat));
    });
  };
}

function create(seat) {
  return el("li", { class: "seat", "data-seat": String(seat.seat), "data-side": seat.side },
    el("span", { class: "name" }),
    el("span", { class: "telephone", hidden: true }, svg("svg", { "aria-hidden": "true" }, svg("use", { href: "#telephone-icon" })), el("span", { class: "unseen" })),
    el("span", { class: "tags" }),
    el("span", { class: "cards" }),
    el("span", { class: "mark-of-side", "aria-hidden": "true" }));
}

function update(node, seat, snapshot) {
  const turn = turnOf(seat, snapshot);
  setName(node.querySelector(".name"), seat.name);
  node.classList.toggle("turn", seat.turn);
  node.classList.toggle("may", seat.may_speak);
  node.classList.toggle("out", seat.out);
  node.classList.toggle("wins", Boolean(snapshot.counting?.held.some((hold) => hold.seat === seat.seat)));
  if (seat.turn) node.setAttribute("aria-current", "true");
  else node.removeAttribute("aria-current");
  const tags = node.querySelector(".tags");
  const said = saidOf(seat, snapshot);
  reconcile(tags, [...tagsOf(seat, snapshot), ...said], (tag) => tag,
    () => el("span"),
    (node, tag) => {
      node.className = tag === turn ? "tag now" : said.includes(tag) ? "tag said" : "tag";
      setText(node, tag);
    });
  reconcile(node.querySelector(".cards"), seat.hand ?? [], (card, i) => `${card}${i}`, createCard,
    () => {});
}

/** What a player declared against his cards, beside them. */
const saidOf = ({ seat }, { contradictions }) =>
  contradictions.filter((one) => one.seat === seat).map(({ lance, said }) => holding(lance, said));

/** A mark for the telephone before a player, if there is or was one. */
function withTelephone(mark, telephone) {
  mark.hidden = !telephone;
  if (!telephone) return;
  mark.dataset.state = telephone.state;
  mark.toggleAttribute("data-low", telephone.low);
  setText(mark.querySelector(".unseen"), [W.telephone[telephone.state], telephone.low && W.telephone.low].filter(Boolean).join(", "));
  mark.title = mark.querySelector(".unseen").textContent;
}

/** What is asked of a player whose turn it is. */
const turnOf = (seat, snapshot) => (snapshot.missing.includes(seat.seat) ? W.tags.shows : W.tags.speaks);

/** What stands beside a player's name: whether it is his turn, what he is, what he said. */
export function tagsOf(seat, snapshot) {
  const here = [seat.turn && turnOf(seat, snapshot), snapshot.deal > 0 && seat.mano && W.tags.mano, seat.out && W.tags.out];
  if (seat.hand) return here.filter(Boolean); // the cards say the rest
  return [
    ...here,
    seat.wants_mus && W.tags.mus,
    seat.passed && W.tags.passed,
    seat.refused && W.tags.refused,
    seat.accepted && W.tags.accepted,
    holding("pares", seat.pares),
    holding("juego", seat.juego),
  ].filter(Boolean);
}

function holding(what, holds) {
  if (holds === null) return null;
  return W.tags[holds ? what : `no_${what}`];
}

export function createCard(card) {
  return el("span", { class: "card", "data-rank": card[0] },
    el("span", { textContent: card[0], "aria-hidden": "true" }),
    el("span", { class: "unseen", textContent: cardName(card) }));
}
