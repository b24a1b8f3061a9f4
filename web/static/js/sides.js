// The score: a large number, the stones, the juegos and vacas won.

import { el, reconcile, setName, setText } from "./dom.js";
import { drawStones } from "./stones.js";
import { inAmarracos, join, W } from "./texts.js";

/** `fix`: what a tap on a score opens, for whoever may touch. */
export function sidesView(root, fix) {
  return (snapshot) =>
    reconcile(root, snapshot.sides, (side) => side.side, (side) => create(side, fix), (node, side) => {
      const more = snapshot.match?.more[snapshot.sides.indexOf(side)] ?? 0; // by a referee's decision
      if (fix) touchable(node, side, snapshot.incidents.stones.some((offer) => offer.side === side.side));
      setName(node.querySelector(".names"), join(side.names));
      const count = node.querySelector(".count");
      setText(count, String(side.stones));
      count.classList.toggle("long", side.stones > 99);
      setText(node.querySelector(".amounts"), inAmarracos(side.amarracos, side.piedras));
      node.querySelector(".adentro").hidden = !side.adentro;
      node.classList.toggle("winner", [snapshot.winner, snapshot.juego_won].includes(side.side));
      node.draw(side, snapshot.target);
      const { juegos_to_win: juegos, vacas_to_win: vacas } = snapshot;
      const has = side.juegos + more;
      pips(node.querySelector(".juegos"), has, juegos, W.juegos({ won: has, n: juegos }), more);
      const won = node.querySelector(".vacas");
      won.hidden = vacas < 2;
      pips(won, side.vacas, vacas, W.vacas({ n: side.vacas, of: vacas }));
    });
}

function touchable(node, { names }, may) {
  const button = node.querySelector(".fix");
  button.disabled = !may;
  button.setAttribute("aria-label", W.repair.score({ names }));
}

function create(side, fix) {
  const node = el("article", { class: "side", "data-side": side.side },
    el("span", { class: "mark-of-side", "aria-hidden": "true" }),
    el("h2", {},
      el("span", { class: "letter", "aria-hidden": "true", textContent: side.side }),
      el("span", { class: "names" })),
    el("p", { class: "score" },
      el("strong", { class: "count" }),
      el("span", { class: "adentro", textContent: W.adentro })),
    el("p", { class: "amounts" }));
  node.draw = drawStones(node);
  if (fix) {
    // It lies behind the score, whose taps come up to the whole side.
    node.prepend(el("button", { type: "button", class: "fix" }));
    node.onclick = () => { if (!node.querySelector(".fix").disabled) fix(side.side); };
  }
  node.append(el("div", { class: "prizes" },
    el("p", { class: "juegos" }), el("p", { class: "juegos vacas" })));
  return node;
}

/** `given`: so many of those won, the last ones, were given. */
function pips(node, won, needed, text, given = 0) {
  const shown = `${text} ${given}`;
  if (node.dataset.shown === shown) return;
  node.dataset.shown = shown;
  const row = Array.from({ length: needed }, (_, i) =>
    el("span", { class: `pip${i < won ? " full" : ""}${i < won && i >= won - given ? " given" : ""}`, "aria-hidden": "true" }));
  node.replaceChildren(...row, el("span", { class: "told", textContent: text }));
}
