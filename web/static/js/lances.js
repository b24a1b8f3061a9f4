// The four lances in their order, and how each was closed. After the count also what each brought.

import { el, reconcile, setText } from "./dom.js";
import { createCard } from "./seats.js";
import { join, W } from "./texts.js";

/** `counts`: whether the lances become the count once there is one. */
export function lancesView(root, counts = false) {
  return (snapshot) => {
    const rows = counts ? snapshot.count : [];
    root.classList.toggle("tally", rows.length > 1); // one alone is told in the middle
    reconcile(root, snapshot.lances, (_, place) => place, create, (node, lance) => {
      node.dataset.status = lance.status;
      if (lance.status === "now") node.setAttribute("aria-current", "step");
      else node.removeAttribute("aria-current");
      if (lance.side) node.dataset.side = lance.side;
      else delete node.dataset.side;
      const names = snapshot.sides.find((side) => side.side === lance.side)?.names ?? [];
      setText(node.querySelector(".lance"), W.lances[lance.lance]);
      setText(node.querySelector(".how"), how(lance, names));
      setText(node.querySelector(".letter"), lance.side ?? "");
      setText(node.querySelector(".names"), leads(lance, names));
      setText(node.querySelector(".why"), why(lance));
      setText(node.querySelector(".won"), lance.won ? `+${lance.won}` : "");
      counted(node, rows, lance.lance, snapshot);
    });
  };
}

function create() {
  return el("li", {},
    el("span", { class: "lance" }),
    el("span", { class: "won" }),
    el("span", { class: "how" }),
    el("span", { class: "who" },
      el("span", { class: "letter", "aria-hidden": "true" }),
      el("span", { class: "names" }),
      el("span", { class: "why" })),
    el("span", { class: "held" }),
    el("span", { class: "gains" }),
    el("span", { class: "sum" }));
}

function how(lance, names) {
  if (lance.status !== "closed") return lance.status === "now" ? W.now : "";
  if (lance.how === "accepted") return W.agreed({ n: lance.bet });
  if (lance.how === "uncontested") return W.only({ names });
  return W.how[lance.how] ?? lance.how;
}

/** Who leads a closed lance: whoever has won stones in it, claims it, or won it with the cards. */
function leads({ side, won, claimed, how: closed }, names) {
  if (!side || (closed === "uncontested" && !won)) return ""; // "only these" stands above
  return claimed && !won ? W.claimed({ names }) : join(names);
}

function why(lance) {
  return lance.won ? join([...new Set(lance.why.map((one) => W.why[one] ?? one))]) : "";
}

/** One lance of the count: the hands that won it, its stones, the score after it. */
function counted(node, rows, lance, snapshot) {
  const at = rows.findIndex((row) => row.lance === lance);
  const row = rows[at];
  const told = row && (snapshot.told?.includes(at) ?? true);
  node.dataset.counted = row ? (told ? "told" : "ahead") : "";
  node.toggleAttribute("data-telling", Boolean(row) && row === snapshot.counting);
  reconcile(node.querySelector(".held"), told ? row.held : [], ({ seat, text }) => `${seat}${text}`,
    ({ text }) => el("span", { class: "hold" }, el("b"), " ", el("span", { class: text ? "worth" : "cards" })),
    (hold, { seat, text }) => {
      const { name, hand } = snapshot.seats[seat - 1];
      setText(hold.firstChild, text ? `${name}:` : name);
      if (text) setText(hold.lastChild, text);
      else reconcile(hold.lastChild, hand, (card, i) => `${card}${i}`, createCard, () => {});
    });
  setText(node.querySelector(".gains"), told && needsTelling(row) ? gained(row) : "");
  const sums = told && row.stones && snapshot.inTurn !== false; // a sum holds for the order of the count
  setText(node.querySelector(".sum"), sums ? score(row, snapshot) : "");
  if (row) setText(node.querySelector(".won"), told && row.stones ? signed(row.stones) : "");
}

/** Whether it is not plain from how the lance was closed what its stones are for. */
const needsTelling = ({ how: closed, gains }) =>
  gains.length > 1 || gains.some(({ why: what, paid }) => paid || what === "penalty") || closed === "refused";

/** The score after a lance; of more than two sides, the winner's. */
const score = ({ totals, side: winner }, { sides }) =>
  (totals.length > 2 ? String(totals[sides.findIndex(({ side }) => side === winner)]) : totals.join(" – "));

const signed = (stones) => (stones < 0 ? `−${-stones}` : `+${stones}`);

/** What the winners' stones are for: "5 del envite y 3 de pares". */
export const gained = ({ gains, side: winner }) => join(gains.filter(({ side }) => side === winner).map(({ why: what, stones, paid }) =>
  W.gain[paid ? "paid" : what]({ n: stones })));

/** "Ana: duples de reyes; Luis: pareja de ases". */
export const heldWords = ({ held }, { seats }) => held.map(({ seat, text }) =>
  (text ? W.held({ name: seats[seat - 1].name, text }) : seats[seat - 1].name)).join("; ");
