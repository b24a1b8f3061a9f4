// What the person can call now: large buttons, each with a line that tells what it means.

import { el, reconcile, setText } from "./dom.js";
import { words } from "./practice-texts.js";

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

function update(node, offer, snapshot, send) {
  const [button, amounts] = node.children;
  const [label, means] = button.children;
  const bet = snapshot.pending;
  const stones = offer.call.stones ?? bet?.stones ?? 0;
  setText(label, offer.label);
  // Whoever bets while mus is talked of cuts it, and bets at grande (R09).
  const says = words().means[offer.kind](snapshot.lance ?? "grande", stones, bet?.ordago ?? false, bet?.deje ?? 1);
  const cuts = snapshot.lance === null && BETS.includes(offer.kind);
  setText(means, cuts ? `${words().cutting} ${says}` : says);
  button.onclick = () => send.press({ call: offer.call });
  const others = (offer.stones ?? []).filter((n) => n !== offer.call.stones && n <= MOST);
  amounts.hidden = others.length === 0;
  amounts.setAttribute("aria-label", `${offer.label}: ${words().otherAmounts}`);
  reconcile(amounts, others, (n) => n, () => el("button", { type: "button", class: "amount" }),
    (chip, n) => {
      setText(chip, String(n));
      chip.onclick = () => send.press({ call: { ...offer.call, stones: n } });
    });
}
