// The middle of the table: the bet that waits, or what is being played.

import { el, reconcile, setText } from "./dom.js";
import { gained, heldWords } from "./lances.js";
import { finalScore, join, W } from "./texts.js";

/** `send`: null where the page may only look on, which then has no buttons. */
export function centreView(root, send) {
  const over = el("p", { class: "over" });
  const main = el("p", { class: "main" });
  const under = el("p", { class: "under" });
  const buttons = el("div", { class: "options" });
  root.append(over, main, under);
  if (send) root.append(buttons);

  return (snapshot) => {
    const [above, large, below] = words(snapshot);
    setText(over, above);
    setText(main, large);
    setText(under, below);
    const bet = snapshot.pending;
    main.classList.toggle("sentence", large.length > 12);
    main.classList.toggle("bet", bet !== null && !bet.ordago);
    main.classList.toggle("long", bet !== null && large.length > 2);
    main.classList.toggle("ordago", bet?.ordago ?? false);
    root.classList.toggle("pending", bet !== null);
    root.classList.toggle("ended", snapshot.juego_won !== null);
    if (!send) return;
    const everybodys = snapshot.actions.filter((action) => action.seat === null)
      .map(({ label, call }) => ({ label: manoNamed(snapshot, call) ?? label, what: { call } }));
    reconcile(buttons, everybodys, (button) => button.label,
      () => el("button", { type: "button", class: "primary" }),
      (node, button) => {
        setText(node, button.label);
        node.onclick = () => send.press(button.what);
      });
  };
}

/** Who is mano is asked before the first deal; each player is an answer (R04). */
function manoNamed({ seats }, call) {
  return call.mano ? seats[call.mano - 1].name : null;
}

function words(snapshot) {
  if (snapshot.deal === 0) return ["", W.whoIsMano, ""];
  const name = (seat) => snapshot.seats[seat - 1]?.name ?? "";
  const names = (letter) => snapshot.sides.find((side) => side.side === letter)?.names ?? [];
  const some = (names) => ({ names, n: names.length });
  const bet = snapshot.pending;
  if (bet) {
    const who = { name: name(bet.seat), lance: W.toLance[bet.lance] };
    return [
      bet.ordago ? W.ordagoBy(who) : W.bet(who),
      bet.ordago ? W.ordago : bet.choices.length > 1 ? bet.choices.join(W.or) : String(bet.stones),
      W.deje({ n: bet.deje }),
    ];
  }
  if (snapshot.told !== undefined) return counting(snapshot, name, names);
  if (snapshot.winner) return [W.phases.over, W.match(some(names(snapshot.winner))), finalScore(snapshot)];
  if (snapshot.juego_won) return ["", W.juego(some(names(snapshot.juego_won))), finalScore(snapshot)];
  const below = snapshot.missing.length > 0
    ? W.missing(some(snapshot.missing.map(name)))
    : snapshot.to_speak ? W.speaks({ name: name(snapshot.to_speak) }) : "";
  return ["", W.phases[snapshot.phase] ?? snapshot.phase, below];
}

/** The lance that is being told: who won it, with what, and what for. */
function counting(snapshot, name, names) {
  const { counting: row } = snapshot;
  if (!row) return ["", W.page.count, ""];
  const who = row.seat ? name(row.seat) : row.side ? join(names(row.side)) : W.how[row.how] ?? "";
  const best = row.seat ? row.held[0]?.text : heldWords(row, snapshot);
  return [W.lances[row.lance], who, [best, gained(row)].filter(Boolean).join(" · ")];
}
