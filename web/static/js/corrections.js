// The score and the bets, put right by the table.

import { el, reconcile, setText } from "./dom.js";
import { join, W } from "./texts.js";

const STEPS = [-5, -2, -1, 1, 2, 5];
const BETS = [2, 3, 4, 5, 6, 7, 8, 10, 15, 20];

/** Stones more or fewer for a side, with the reason if somebody gives one. */
export function stonesView(parent, press) {
  const tabs = el("div", { class: "tabs", role: "group", "aria-label": W.side });
  const steps = el("div", { class: "options", role: "group", "aria-label": W.stones });
  const reason = el("input", { type: "text", maxLength: 60, autocomplete: "off" });
  const root = el("section", { class: "part stones-part" },
    el("h3", { textContent: W.fixStones }), tabs, steps,
    el("label", {}, el("span", { textContent: W.reason }), reason));
  parent.append(root);
  let snapshot = null;
  let chosen = null;

  function show() {
    const offers = snapshot.incidents.stones;
    // Where claims are closed a reason must be given: a tap on the score asks for it.
    root.hidden = offers.length === 0 || offers[0].needs_reason;
    const offer = offers.find((other) => other.side === chosen);
    reconcile(tabs, offers, (other) => other.side,
      (other) => el("button", { type: "button", class: "tab", "data-side": other.side }),
      (node, other) => {
        setText(node, join(snapshot.sides.find((side) => side.side === other.side).names));
        node.setAttribute("aria-pressed", String(other === offer));
        node.onclick = () => {
          chosen = other.side;
          show();
        };
      });
    reconcile(steps, STEPS, (n) => n, () => el("button", { type: "button", class: "amount" }),
      (node, n) => {
        setText(node, n < 0 ? `−${-n}` : `+${n}`);
        node.disabled = !offer || n < offer.least || n > offer.most;
        node.onclick = () => {
          press({ ...offer.call, stones: n, reason: reason.value.trim() });
          reason.value = "";
          chosen = null;
        };
      });
  }

  return (next) => {
    snapshot = next;
    show();
  };
}

/** What a lance of this deal was really bet: "eran cinco". */
export function betsView(parent, press) {
  const list = el("ul", { class: "bets" });
  const root = el("section", { class: "part bets-part" }, el("h3", { textContent: W.fixBet }), list);
  parent.append(root);
  return (snapshot) => {
    const { bets } = snapshot.incidents;
    root.hidden = bets.length === 0;
    reconcile(list, bets, (bet) => bet.lance,
      () => el("li", {}, el("h4"), el("div", { class: "options" })),
      (node, bet) => {
        setText(node.querySelector("h4"), W.wasBet({ lance: W.lances[bet.lance], n: bet.stones }));
        reconcile(node.querySelector(".options"), BETS.filter((n) => n !== bet.stones), (n) => n,
          () => el("button", { type: "button", class: "amount" }),
          (button, n) => {
            setText(button, String(n));
            button.onclick = () => press({ ...bet.call, stones: n });
          });
      });
  };
}
