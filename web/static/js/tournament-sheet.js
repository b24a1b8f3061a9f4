// One match by itself, over the page: who plays, how it stands, its records, and what a referee does with it.

import { el, reconcile, setText } from "./dom.js";
import { H, tableName } from "./texts.js";
import { scoreOf } from "./tournament-shown.js";

const $ = (id) => document.getElementById(id);

/** Show a match; `tell` says all about it: {title, pairs, why, state, records, touch}. */
export function openSheet(match, tell) {
  const close = el("button", { type: "button", textContent: H.t.close, onclick: () => $("ask").close() });
  $("ask").replaceChildren(el("div", { class: "sheet", "data-sheet": match },
    el("h2", { id: "ask-title" }),
    el("p", { class: "why" }),
    el("ul", { class: "slots" }, ...[0, 1].map(() => el("li", {}, el("b"), el("strong"), el("span")))),
    el("p", { class: "state" }),
    el("p", { class: "records" }),
    el("div", { class: "options does-match" }),
    el("div", { class: "options" }, close)));
  refreshSheet(tell);
  if (!$("ask").open) $("ask").showModal();
}

/** Lay out anew what the open sheet tells; nothing where none is open. */
export function refreshSheet(tell) {
  const sheet = document.querySelector("#ask[open] .sheet, #ask:not([open]) .sheet");
  if (!sheet) return;
  const { title, pairs, why, state, records, touch } = tell(sheet.dataset.sheet);
  setText(sheet.querySelector("h2"), title);
  setText(sheet.querySelector(".why"), why);
  [...sheet.querySelector(".slots").children].forEach((row, i) => {
    [pairs[i].name, pairs[i].score, pairs[i].players].forEach((text, at) => setText(row.children[at], text));
    row.classList.toggle("winner", pairs[i].won);
  });
  setText(sheet.querySelector(".state"), state);
  reconcile(sheet.querySelector(".records"), records, ({ href }) => href, () => el("a"), (link, { href, text }) => {
    link.href = href;
    setText(link, text);
  });
  touch(sheet.querySelector(".does-match"));
}

/** The ways to the records of a match: its game's, where it came from one; else those of its table. */
export function recordsOf({ result, table, state }, there) {
  const way = (name, game) => {
    const query = new URLSearchParams(location.search);
    if (game) query.set("game", game);
    return `/t/${encodeURIComponent(name)}/record${query.size ? `?${query}` : ""}`;
  };
  if (result?.game) return [{ href: way(result.by, result.game), text: H.t.acta }];
  return state === "playing" && there.has(table)
    ? [{ href: way(table), text: H.t.actasOf({ table: tableName(table) }) }] : [];
}

/** The pairs of a match as a sheet shows them. */
export function pairsOf({ slots, result, winner }, named) {
  return slots.map((slot, i) => ({
    name: named.who(slot),
    players: (named.pairs.get(slot.pair)?.players ?? []).join(", "),
    score: result && !result.walkover ? scoreOf(result.juegos[i], result.stones[i]) : "",
    won: winner !== null && slot.pair === winner,
  }));
}
