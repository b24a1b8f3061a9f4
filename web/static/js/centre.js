// The middle of the table: the bet that waits, or what is being played.

import { el, reconcile, setText } from "./dom.js";
import { PHASES, SAY } from "./texts.js";

export function centreView(root, send) {
  const over = el("p", { class: "over" });
  const main = el("p", { class: "main" });
  const under = el("p", { class: "under" });
  const buttons = el("div", { class: "options" });
  root.append(over, main, under, buttons);

  return (snapshot) => {
    const [above, large, below] = words(snapshot);
    setText(over, above);
    setText(main, large);
    setText(under, below);
    main.classList.toggle("sentence", large.length > 12);
    main.classList.toggle("bet", snapshot.pending !== null && !snapshot.pending.ordago);
    main.classList.toggle("ordago", snapshot.pending?.ordago ?? false);
    root.classList.toggle("pending", snapshot.pending !== null);
    const everybodys = snapshot.actions.filter((action) => action.seat === null)
      .map(({ label, call }) => ({ label, what: { call } }));
    if (snapshot.over) everybodys.push({ label: SAY.newGame, what: { command: "new_game" } });
    reconcile(buttons, everybodys, (button) => button.label,
      () => el("button", { type: "button", class: "primary" }),
      (node, button) => {
        setText(node, button.label);
        node.onclick = () => send.press(button.what);
      });
  };
}

function words(snapshot) {
  const name = (seat) => snapshot.seats[seat - 1]?.name ?? "";
  const names = (letter) => snapshot.sides.find((side) => side.side === letter)?.names ?? [];
  const bet = snapshot.pending;
  if (bet) {
    return [
      bet.ordago ? SAY.ordago(name(bet.seat), bet.lance) : SAY.bet(name(bet.seat), bet.lance),
      bet.ordago ? "¡Órdago!" : String(bet.stones),
      SAY.deje(bet.deje),
    ];
  }
  if (snapshot.winner) return [PHASES.over, SAY.match(names(snapshot.winner)), ""];
  if (snapshot.juego_won) return ["", SAY.juego(names(snapshot.juego_won)), ""];
  const below = snapshot.missing.length > 0
    ? SAY.missing(snapshot.missing.map(name))
    : snapshot.to_speak ? SAY.speaks(name(snapshot.to_speak)) : "";
  return ["", PHASES[snapshot.phase] ?? snapshot.phase, below];
}

