// One tournament: who meets whom, who stands where, what was done; and what a referee does in it.

import { el, reconcile, setText } from "./dom.js";
import { enterView, introduced } from "./door.js";
import { notices } from "./notice.js";
import { H, tableName } from "./texts.js";
import { deed } from "./tournament-acts.js";
import { hearHour } from "./tournament-hour.js";
import { orderView } from "./tournament-order.js";
import { refereeView, touchMatch } from "./tournament-referee.js";
import { enrolled, facts, has, namesOf, prizesOf, roundsOf, scoreOf, standingTitle, stateOf } from "./tournament-shown.js";

const POLL = 4000; // ms
const TREE = "knockout";
const DOUBLE = "double"; // two brackets, of winners and of who lost once
const LATER = "later"; // the state of a match whose pairs are not known
const BROAD = 32; // matches of a round that still make a tree to look at
const MANY = 9; // pairs from which on somebody has to be sought
const HUNDREDS = 200; // pairs from which on it takes long to lay all out
const $ = (id) => document.getElementById(id);
const number = $("page").dataset.number;
const report = notices($("notice"));

let shown = null;
let may = false;

let named = null;
let sought = "";

function standings(all) {
  const { standings: lists } = all;
  $("standings").hidden = lists.length === 0;
  reconcile($("standings").querySelector(".lists"), lists, (_, i) => i, () =>
    el("div", { class: "scroll", tabIndex: 0 }, el("table", {}, el("caption"), el("thead"), el("tbody"))),
    (node, rows) => {
      const at = lists.indexOf(rows);
      const title = standingTitle(all, at);
      node.setAttribute("aria-label", title || H.page.standings);
      setText(node.querySelector("caption"), title);
      node.querySelector("thead").replaceChildren(el("tr", {},
        ...H.t.columns.map((text, i) => (all.individual && i === 1 ? H.t.onePlayer : text)).map((textContent) => el("th", { scope: "col", textContent }))));
      node.querySelector("tbody").replaceChildren(...rows.map((row) => el("tr", {},
        el("td", { textContent: row.place }),
        el("th", { scope: "row", textContent: named.name(row.pair) }),
        ...[row.played, row.won, row.lost, row.juegos.join("–"), row.stones.join("–"), H.t.by[row.by]]
          .map((textContent) => el("td", { textContent })))));
    });
}

/** A knock-out of a size that is overlooked is a tree; who seeks somebody gets a list. */
function rounds(all) {
  const wanted = all.matches.filter((match) => has(sought, textsOf(match)));
  const list = roundsOf({ ...all, matches: wanted });
  // One tree: that of the last knock-out which is no consolation.
  const main = all.stages.findLastIndex(({ kind, side }) => kind === TREE && !side) + 1;
  const tree = sought ? [] : list.filter(({ stage, phase, group, matches: { length } }) =>
    stage === TREE && phase === main && group === 0 && length <= BROAD);
  const others = list.filter((round) => !tree.includes(round));
  const [title, drawn, listed] = ["h2", ".tree", ".rounds"].map((what) => $("matches").querySelector(what));
  $("matches").hidden = all.matches.length === 0;
  roundList(listed, others);
  roundList(drawn, tree);
  // While the groups play nobody knows yet who comes into the tree.
  const known = tree.some(({ matches }) => matches.some(({ state }) => state !== LATER));
  const first = known ? drawn : listed;
  if (title.nextElementSibling !== first) title.after(first);
}

function roundList(root, list) {
  root.hidden = list.length === 0;
  const parted = shown.stages.length === 1 && shown.stages[0].kind === DOUBLE ? parts(list) : list;
  reconcile(root, parted, ({ title, matches }) => (matches ? title : `part ${title}`), ({ title, matches }) => (matches
    ? el("section", { class: "round" }, el(parted === list ? "h3" : "h4", { textContent: title }), el("ul"))
    : el("h3", { class: "part-of", textContent: title })),
  (node, { matches }) => matches && reconcile(node.lastChild, matches, ({ match }) => match, create, update));
}

/** The rounds of a double elimination, those of each bracket under its name. */
function parts(list) {
  return Object.entries(H.t.stages).flatMap(([stage, title]) => {
    const own = list.filter((round) => round.stage === stage);
    return own.length ? [{ title }, ...own] : [];
  });
}

function textsOf({ match, table, slots }) {
  const who = slots.flatMap(({ pair }) => (pair === null ? [] : pairTexts(named.pairs.get(pair))));
  return [match, table, table && tableName(table), ...who];
}

function pairTexts(pair) {
  return [pair.name, pair.club, pair.category, ...pair.players];
}

function create({ match }) {
  return el("li", { class: "match", "data-match": match }, el("div", { class: "box" },
    el("p", { class: "which" }),
    el("ul", { class: "slots" }, ...[0, 1].map(() => el("li", {}, el("b"), el("span")))),
    el("p", { class: "state" }), el("a", { class: "acta", hidden: true }), el("div", { class: "options" })));
}

function update(node, match) {
  const { slots, result, state, winner, table } = match;
  node.dataset.state = state;
  setText(node.querySelector(".which"), [match.match, table && tableName(table)].filter(Boolean).join(" · "));
  [...node.querySelector(".slots").children].forEach((row, i) => {
    setText(row.firstChild, named.who(slots[i]));
    setText(row.lastChild, result && !result.walkover ? scoreOf(result.juegos[i], result.stones[i]) : "");
    row.classList.toggle("winner", winner !== null && slots[i].pair === winner);
  });
  const doubt = shown.doubts.includes(match.match);
  node.classList.toggle("doubt", doubt);
  const left = state === "playing" ? shown.left[match.match] : null;
  setText(node.querySelector(".state"), doubt ? H.t.doubt({ table: tableName(result.by) })
    : left ? H.t.left[left]({ table: tableName(table) }) : stateOf(match, shown));
  recordOf(node.querySelector(".acta"), result);
  touchMatch(node.querySelector(".options"), may ? { ...match, who: named.who } : null, number, refresh, report);
}

/** Where a result came from a table's journal: the way to that game's record, for the referee. */
function recordOf(link, result) {
  link.hidden = !may || !result?.game;
  if (link.hidden) return;
  const query = new URLSearchParams(location.search);
  query.set("game", result.game);
  link.href = `/t/${encodeURIComponent(result.by)}/record?${query}`;
  setText(link, H.t.acta);
}

function pairs(all) {
  const { seed } = all;
  const wanted = enrolled(all).filter((pair) => has(sought, pairTexts(pair)));
  reconcile($("pairs").querySelector("ol"), wanted, ({ pair }) => pair,
    () => el("li", {}, el("b"), el("span")), (node, pair) => {
      node.value = pair.pair;
      node.classList.toggle("gone", !pair.here);
      setText(node.firstChild, pair.name);
      const place = pair.seed === null ? null : H.t.place({ n: pair.seed });
      setText(node.lastChild, [all.individual ? null : pair.players.join(", "), pair.club, pair.category, pair.bar, pair.defeats ? H.t.defeats({ n: pair.defeats }) : null, place, pair.late ? H.t.cameLate : null, pair.here ? null : H.t.gone]
        .filter(Boolean).join(" · "));
    });
  if (all.individual) setText($("pairs").querySelector("h2"), H.t.players);
  $("pairs").classList.toggle("drawn", seed !== null);
}

function podium(all) {
  const { podium: places } = all;
  $("podium").hidden = places === null;
  reconcile($("podium").querySelector(".prizes"), prizesOf(all), (_, i) => i, () => el("p"), (node, { title, podium: steps }) =>
    setText(node, `${title}: ${steps[0].map(named.name).join(", ") || "–"}`));
  reconcile($("podium").querySelector("ol"), places ?? [], (_, i) => i, () => el("li"),
    (node, place) => setText(node, place.map(named.name).join(", ") || "–"));
}

const acts = async () => {
  if (!$("acts").open) return;
  const { acts: list } = await (await fetch(`/api/tournaments/${number}/acts`)).json();
  reconcile($("acts").querySelector("ol"), list, ({ seq }) => seq, () => el("li"), (node, entry) => setText(node, deed(entry)));
};

const refresh = async () => {
  try {
    const answer = await fetch(`/api/tournaments/${number}?after=${encodeURIComponent(shown?.version ?? "")}`,
      { signal: AbortSignal.timeout(20_000) });
    $("lost").hidden = answer.ok;
    hearHour(answer);
    if (!answer.ok || answer.status === 204) return;
    shown = await answer.json();
  } catch {
    $("lost").hidden = false;
    return;
  }
  named = namesOf(shown);
  document.title = `Mus · ${shown.name}`;
  setText($("name"), shown.name);
  setText($("facts"), facts(shown));
  $("find").hidden = enrolled(shown).length < MANY;
  $("page").classList.toggle("many", shown.matches.length > HUNDREDS || shown.pairs.length > HUNDREDS);
  for (const part of [podium, standings, rounds, pairs]) part(shown);
  if (may) refereeView($("referee"), shown, number, refresh, report);
  if (may) orderView($("order"), shown, number, refresh, report);
  await acts();
};

$("acts").ontoggle = acts;
$("search").oninput = ({ target }) => {
  sought = target.value;
  for (const part of [rounds, pairs]) part(shown);
};
introduced($("lost")).then(async (me) => {
  may = me.may_touch;
  await refresh();
  if (!may) enterView($("enter"), H.door);
  $("page").setAttribute("aria-busy", "false");
  setInterval(refresh, POLL);
});
