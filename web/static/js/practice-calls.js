// What the person can call now: large buttons, each with a line that tells what it means.

import { el, reconcile, setText } from "./dom.js";
import { P, worded } from "./texts.js";

const MOST = 10; // stones that stand ready; more are said aloud
const BETS = ["bet", "ordago"];

export function callsView(root, send) {
  return (snapshot) => {
    const { offers } = snapshot.practice;
    root.hidden = offers.length === 0;
    reconcile(root, offers, ({ kind }) => kind, create,
      (node, offer) => update(node, offer, snapshot, send));
  };
}

function create({ kind }) {
  return el("div", { class: "offer-of", "data-kind": kind },
    el("button", { type: "button", class: "offer" }, el("strong"), el("span")),
    el("div", { class: "amounts-row", role: "group" }));
}

/** What a call means: `bet` is the one that it answers, if there is one. */
function meaning(kind, lance, stones, bet) {
  const text = P.means[kind === "accept" && bet?.ordago ? "acceptAll" : kind];
  const n = kind === "refuse" ? bet?.deje ?? 1 : stones;
  const words = { at: P.at[lance], the: P.the[lance], stones: P.stones({ n }) };
  return worded(typeof text === "object" ? text[lance === "pares" ? "pares" : "juego"] : text, words);
}

function update(node, offer, snapshot, send) {
  const [button, amounts] = node.children;
  const [label, means] = button.children;
  const bet = snapshot.pending;
  const stones = offer.call.stones ?? bet?.stones ?? 0;
  setText(label, offer.label);
  // Whoever bets while mus is talked of cuts it, and bets at grande (R09).
  const says = meaning(offer.kind, snapshot.lance ?? "grande", stones, bet);
  const cuts = snapshot.lance === null && BETS.includes(offer.kind);
  setText(means, cuts ? `${P.cutting} ${says}` : says);
  button.onclick = () => send.press({ call: offer.call });
  const others = (offer.stones ?? []).filter((n) => n !== offer.call.stones && n <= MOST);
  amounts.hidden = others.length === 0;
  amounts.setAttribute("aria-label", `${offer.label}: ${P.otherAmounts}`);
  reconcile(amounts, others, (n) => n, () => el("button", { type: "button", class: "amount" }),
    (chip, n) => {
      setText(chip, String(n));
      chip.onclick = () => send.press({ call: { ...offer.call, stones: n } });
    });
}
