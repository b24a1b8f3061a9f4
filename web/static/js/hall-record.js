// The record of a table's game, for the referee: the list of its games, to choose from.

import { el, setText } from "./dom.js";
import { enterView, introduced } from "./door.js";
import { CODE, H, join, tableName } from "./texts.js";

const $ = (id) => document.getElementById(id);
const { table, game: shown } = $("page").dataset;

/** This page with another of the table's games. */
function address(game) {
  const query = new URLSearchParams(location.search);
  query.set("game", game);
  return `?${query}`;
}

/** How a game stands: who won, or which deal is played, and the juegos of both. */
function standing({ brief, fault }) {
  if (fault) return H.fault;
  if (!brief || brief.deal === 0) return H.begins;
  const winner = brief.sides.find(({ side }) => side === brief.winner);
  const juegos = brief.sides.map((side) => side.juegos).join("–");
  return [winner ? H.won({ names: winner.names }) : H.deal({ n: brief.deal }), H.juegosEach({ juegos })].join(" · ");
}

function row(one) {
  const when = new Date(one.opened * 1000).toLocaleString(CODE, { dateStyle: "medium", timeStyle: "short" });
  const who = one.brief ? one.brief.sides.map(({ names }) => join(names)).join(" – ") : one.game;
  const link = el("a", { href: address(one.game), textContent: who });
  if (one.game === shown) link.setAttribute("aria-current", "page");
  return el("li", {}, link, el("span", { textContent: [when, standing(one)].join(" · ") }));
}

async function list() {
  const { games, older } = await (await fetch(`/api/hall/${encodeURIComponent(table)}/games`)).json();
  $("games").querySelector("ol").replaceChildren(...games.map(row));
  $("games").hidden = games.length === 0;
  setText($("older"), H.older({ n: older }));
  $("older").hidden = older === 0;
}

setText($("table"), tableName(table));
introduced($("lost")).then(async (me) => {
  $("lost").hidden = true;
  if (me.may_touch) await list();
  else enterView($("enter"));
  $("page").setAttribute("aria-busy", "false");
});
