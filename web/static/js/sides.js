// The score: a large number, the stones, the juegos won.

import { el, reconcile, setText } from "./dom.js";
import { drawStones } from "./stones.js";
import { inAmarracos, pair, SAY } from "./texts.js";

export function sidesView(root) {
  return (snapshot) =>
    reconcile(root, snapshot.sides, (side) => side.side, create, (node, side) => {
      setText(node.querySelector("h2"), pair(side.names));
      setText(node.querySelector(".count"), String(side.stones));
      setText(node.querySelector(".amounts"), inAmarracos(side.amarracos, side.piedras));
      node.querySelector(".adentro").hidden = !side.adentro;
      node.classList.toggle("winner", [snapshot.winner, snapshot.juego_won].includes(side.side));
      node.draw(side, snapshot.target);
      juegos(node.querySelector(".juegos"), side.juegos, snapshot.juegos_to_win);
    });
}

function create(side) {
  const node = el("article", { class: "side", "data-side": side.side },
    el("h2"),
    el("p", { class: "score" },
      el("strong", { class: "count" }),
      el("span", { class: "adentro", textContent: "adentro" })),
    el("p", { class: "amounts" }));
  node.draw = drawStones(node);
  node.append(el("p", { class: "juegos" }));
  return node;
}

function juegos(node, won, needed) {
  const key = `${won}/${needed}`;
  if (node.dataset.shown === key) return;
  node.dataset.shown = key;
  const pips = Array.from({ length: needed }, (_, i) =>
    el("span", { class: i < won ? "pip full" : "pip", "aria-hidden": "true" }));
  node.replaceChildren(...pips, el("span", { textContent: SAY.juegos(won, needed) }));
}
