// The score, the three players with what they said, and what is being played.

import { el, reconcile, setText } from "./dom.js";
import { drawStones } from "./stones.js";
import { P, W } from "./texts.js";

const PLACES = { 1: "right", 2: "top", 3: "left" }; // by how many seats after mine

export function tableView({ score, players, middle }) {
  const [over, main, under] = middle.children;
  return (snapshot) => {
    const { me } = snapshot.practice;
    const mine = snapshot.seats[me - 1].side;
    const sides = [...snapshot.sides].sort((one) => (one.side === mine ? -1 : 1));
    reconcile(score, sides, (side) => side.side, createSide,
      (node, side) => updateSide(node, side, side.side === mine, snapshot.target));
    const others = snapshot.seats.filter((seat) => seat.seat !== me);
    reconcile(players, others, (seat) => seat.seat, createPlayer,
      (node, seat) => updatePlayer(node, seat, snapshot));
    const [above, large] = told(snapshot);
    setText(over, above);
    setText(main, large);
    main.classList.toggle("bet", snapshot.pending !== null);
    main.classList.toggle("all", snapshot.pending?.ordago ?? false);
    // While a bet waits, the bet alone is to be seen.
    const lances = snapshot.pending || snapshot.deal === 0 ? [] : snapshot.lances;
    reconcile(under, lances, (one) => one.lance,
      () => el("li", {}, el("span"), el("span")), updateLance);
  };
}

function createSide(side) {
  const node = el("div", { class: "score-of", "data-side": side.side },
    el("span", { class: "who" }), el("strong"), el("span", { class: "soft" }));
  node.redraw = drawStones(node);
  return node;
}

function updateSide(node, side, ours, target) {
  const [who, count, of] = node.children;
  setText(who, ours ? P.us : P.them);
  setText(count, String(side.stones));
  setText(of, P.of({ target }));
  node.setAttribute("aria-label", `${who.textContent}: ${P.amounts({ amarracos: side.amarracos, piedras: side.piedras })}`);
  node.setAttribute("role", "group");
  node.redraw(side, target);
}

function createPlayer() {
  return el("li", { class: "player" },
    el("span", { class: "name" }), el("span", { class: "soft" }), el("span", { class: "bubble" }));
}

function updatePlayer(node, seat, snapshot) {
  const { me, bubbles } = snapshot.practice;
  const [name, role, bubble] = node.children;
  node.dataset.place = PLACES[(seat.seat - me + 4) % 4];
  node.dataset.side = seat.side;
  // While cards are thrown nobody waits for a turn.
  node.classList.toggle("turn", seat.turn && snapshot.phase !== "discard");
  setText(name, seat.name);
  const ours = seat.side === snapshot.seats[me - 1].side;
  setText(role, [ours ? P.partner : P.rival, seat.mano && P.mano].filter(Boolean).join(" · "));
  const said = bubbles.find((one) => one.seat === seat.seat);
  bubble.classList.toggle("old", !said || said.old);
  bubble.classList.toggle("none", !said);
  setText(bubble, said ? `«${spoken(said)}»` : "…");
}

/** A number alone is how many cards were thrown. */
function spoken({ text }) {
  return /^\d$/.test(text) ? P.cards({ n: Number(text) }) : text;
}

/** What is played for, large; above it whose bet waits. */
function told(snapshot) {
  const bet = snapshot.pending;
  if (bet) {
    const who = { name: snapshot.seats[bet.seat - 1].name, at: P.at[bet.lance] };
    const mine = bet.seat === snapshot.practice.me;
    return bet.ordago
      ? [mine ? P.pendingAllMine(who) : P.pendingAll(who), W.ordago]
      : [mine ? P.pendingMine(who) : P.pending(who), String(bet.stones)];
  }
  return ["", W.phases[snapshot.phase] ?? ""];
}

/** A lance, and in a word how it went. */
function updateLance(node, one) {
  const [name, how] = node.children;
  node.dataset.status = one.status;
  setText(name, W.lances[one.lance]);
  setText(how, one.status === "closed" ? went(one) : "");
}

function went({ how, bet }) {
  return how === "accepted" ? String(bet) : P.how[how];
}
