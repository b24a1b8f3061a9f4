// The end of a deal: the count lance by lance, as at a table, all cards, why it is counted so, and what
// comes next.

import { el, reconcile, setText } from "./dom.js";
import { gained, heldWords } from "./lances.js";
import { picture } from "./practice-hand.js";
import { finalScore, P, W } from "./texts.js";

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
    setText(won, ended(snapshot, mine));
    setText(next, winner ? P.again : P.nextDeal);
    const call = snapshot.actions.find(({ call: { type } }) => type === "NextDeal")?.call;
    next.disabled = !winner && !call;
    next.onclick = winner ? another : () => send.press({ call });
    reconcile(hands, snapshot.seats, (seat) => seat.seat,
      (seat) => el("li", { "data-side": seat.side }, el("span", { class: "name" }), el("span", { class: "row-of" })),
      (node, seat) => {
        setText(node.firstChild, seat.seat === practice.me ? P.me({ name: seat.name }) : seat.name);
        reconcile(node.lastChild, practice.hands[seat.seat - 1], (card) => card, picture, () => {});
      });
    reconcile(whys, practice.counted, (one) => one.lance,
      () => el("li", {}, el("strong"), el("span")), (node, one) => {
        setText(node.firstChild, one.name);
        setText(node.lastChild, one.text);
      });
    counted(stones, snapshot, mine);
    none.hidden = snapshot.count.some(matters);
    if (told !== deal) { // the count of another deal
      fold.open = practice.level === "paciente";
      root.scrollIntoView?.({ block: "nearest" });
      told = deal;
    }
  };
}

/** How the deal ended: who has won the match, or a juego of it and how many so far, or neither. */
function ended(snapshot, mine) {
  const { winner, juego_won: juego } = snapshot;
  if (winner) return winner === mine ? P.won : P.lost;
  if (juego) return (juego === mine ? P.juegoWon : P.juegoLost)({ score: finalScore(snapshot) });
  return P.ended;
}

/** Whether a lance brought something: stones, or the juego itself. */
const matters = ({ gains, how }) => gains.length > 0 || how === "ordago";

/** The count, lance by lance: with which hands it was won, what the stones are for, and how many. */
function counted(stones, snapshot, mine) {
  const rows = snapshot.count.filter((row, at) => matters(row) && (snapshot.told?.includes(at) ?? true));
  reconcile(stones, rows, (row) => row.lance,
    () => el("li", {}, el("span", {}, el("b"), " ", el("span", { class: "soft" })), el("strong")),
    (node, row) => {
      node.dataset.side = row.side;
      node.classList.toggle("ours", row.side === mine);
      const [what, why] = node.firstChild.children;
      setText(what, [W.lances[row.lance], heldWords(row, snapshot)].filter(Boolean).join(": "));
      setText(why, gained(row));
      setText(node.lastChild, row.stones ? `${row.stones < 0 ? "−" : "+"}${Math.abs(row.stones)}` : "");
    });
}
