// The señas of a practice game: each stands a moment at its player's seat, and may be missed. After the
// deal the page asks what it was. What is right, only the table knows.

import { el, reconcile, setText } from "./dom.js";
import { post } from "./practice-send.js";
import { P } from "./texts.js";

const SHOWN = 1700; // ms that a seña stands: time to catch it, and to miss it
const STILL = 3000; // the same for whoever wants no motion: it neither fades in nor out
const MISSED = -1;

const drawing = (draw) => el("img", { class: "sena", src: `/static/senas/${draw}.svg`, alt: "", width: 200, height: 200 });

export function senasView(players, root, report) {
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const title = el("h2", { textContent: P.senas.title });
  const list = el("ol", { class: "asked-senas" });
  const score = el("p", { class: "soft", role: "status" });
  root.append(title, list, score);
  let last = null; // the number of the last seña that was shown, or was there before the page was

  function flash({ n, seat, draw }) {
    last = n;
    const at = players.querySelector(`[data-key="${seat}"]`);
    at?.querySelector(".sena")?.remove();
    const shown = drawing(draw);
    at?.append(shown);
    setTimeout(() => shown.remove(), still.matches ? STILL : SHOWN);
  }

  return ({ seats, practice: { senas } }) => {
    if (last === null) last = senas.made?.n ?? 0;
    else if (senas.made && senas.made.n > last) flash(senas.made);
    root.hidden = !senas.on || senas.asked.length === 0;
    reconcile(list, senas.asked, ({ n }) => n, create, (node, one) => update(node, one, seats[one.seat - 1].name, report));
    setText(score, senas.of ? P.senas.score({ read: senas.read, of: senas.of }) : "");
  };
}

const create = () => el("li", {}, el("p", { class: "asks" }), el("div", { class: "options" }));

function update(node, { n, choices, chosen, right, draw, holds, gesture }, name, report) {
  const asks = node.querySelector(".asks");
  const options = node.querySelector(".options");
  const told = right !== null;
  setText(asks, told ? P.senas.told({ name, holds, gesture }) : P.senas.asks({ name }));
  asks.className = told ? `asks told ${chosen === right ? "fine" : "wrong"}` : "asks";
  if (told && !node.querySelector(".sena")) node.prepend(drawing(draw));
  const answers = told ? [] : [...choices.map((text, at) => [at, text]), [MISSED, P.senas.missed]];
  reconcile(options, answers, ([at]) => at, () => el("button", { type: "button" }), (button, [at, text]) => {
    setText(button, text);
    button.onclick = () => post("/api/practice/sena", { n, choice: at }, report);
  });
}
