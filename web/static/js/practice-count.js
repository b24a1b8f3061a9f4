// The end of a deal: all cards, the count in words, and what comes next.

import { el, reconcile, setText } from "./dom.js";
import { picture } from "./practice-hand.js";
import { P } from "./texts.js";

const OVER = ["count", "over"];

export function countView(root, send, another) {
  const won = el("h2", { class: "won" });
  const hands = el("ul", { class: "all-hands" });
  const stones = el("ol", { class: "stones-won" });
  const none = el("p", { class: "soft", textContent: P.noStones, hidden: true });
  const whys = el("ol", { class: "counted" });
  const fold = el("details", {}, el("summary", { textContent: P.counted }), whys);
  const next = el("button", { type: "button", class: "primary next" });
  root.append(won, next, stones, none, hands, fold);
  let told = -1;

  return (snapshot) => {
    const { practice, deal, phase, winner } = snapshot;
    const here = OVER.includes(phase) && practice.hands.length > 0;
    root.hidden = !here;
    if (!here) {
      told = -1;
      return;
    }
    const mine = snapshot.seats[practice.me - 1].side;
      setText(won, winner ? (winner === mine ? P.won : P.lost) : P.ended);
    setText(next, winner ? P.again : P.nextDeal);
    const call = snapshot.actions.find(({ call: { type } }) => type === "NextDeal")?.call;
    next.disabled = !winner && !call;
    next.onclick = winner ? another : () => send.press({ call });
    reconcile(hands, snapshot.seats, (seat) => seat.seat,
      (seat) => el("li", { "data-side": seat.side }, el("span", { class: "name" }), el("span", { class: "row-of" })),
      (node, seat) => {
        setText(node.firstChild, seat.name);
        reconcile(node.lastChild, practice.hands[seat.seat - 1], (card) => card, picture, () => {});
      });
    reconcile(whys, practice.counted, (one) => one.lance,
      () => el("li", {}, el("strong"), el("span")), (node, one) => {
        setText(node.firstChild, one.name);
        setText(node.lastChild, one.text);
      });
    if (told !== snapshot.seq) {
      if (told === -1) {
        fold.open = practice.level === "paciente";
        stones.replaceChildren(); // those of the deal before
        none.hidden = true;
        root.scrollIntoView?.({ block: "nearest" });
      }
      told = snapshot.seq;
      counted(deal, mine, stones, none, winner);
    }
  };
}

/** The count, stone by stone, in the table's own sentences. */
async function counted(deal, mine, stones, none, winner) {
  const answer = await fetch(`/api/history/${deal}`, { signal: AbortSignal.timeout(8000) })
    .catch(() => null);
  const { count } = answer?.ok ? await answer.json() : { count: [] };
  none.hidden = count.length > 0 || winner !== null;
  reconcile(stones, count, (_, i) => i, () => el("li", {}, el("span"), el("strong")),
    (node, one) => {
      node.dataset.side = one.side;
      node.classList.toggle("ours", one.side === mine);
      setText(node.firstChild, one.text);
      setText(node.lastChild, `+${one.stones}`);
    });
}
