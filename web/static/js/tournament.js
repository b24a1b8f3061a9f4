// One tournament: who meets whom, who stands where, what was done; and what a referee does in it.
// A small one is laid out whole. Of a large one a round, a list, a page of a list is shown at a time.

import { el, reconcile, setText } from "./dom.js";
import { enterView, introduced } from "./door.js";
import { notices } from "./notice.js";
import { follow } from "./stream.js";
import { H, tableName } from "./texts.js";
import { deed } from "./tournament-acts.js";
import { bracketParts, bracketRoom, bracketView } from "./tournament-bracket.js";
import { canPair, needsOf, needsView } from "./tournament-needs.js";
import { turner } from "./tournament-parts.js";
import { hearHour } from "./tournament-hour.js";
import { orderView } from "./tournament-order.js";
import { refereeView, touchMatch } from "./tournament-referee.js";
import { openSheet, pairsOf, recordsOf, refreshSheet } from "./tournament-sheet.js";
import {
  bestLists, chaptersOf, enrolled, facts, has, is, namesOf, ofCategory, prizesOf, roundsOf, scoreOf, standingTitle, stateOf,
} from "./tournament-shown.js";

const POLL = 4000; // ms
const HOLD = 5000; // ms after a touch in which nothing moves by itself
const TREE = "knockout";
const DOUBLE = "double"; // two brackets, of winners and of who lost once
const LATER = "later"; // the state of a match whose pairs are not known
const MANY = 9; // pairs from which on somebody has to be sought
const WHOLE = 16; // matches up to which a tournament is laid out whole
const MOST = 24; // and pairs
const NARROW = 700; // px
const WIDE = 1000;
const LOW = "(max-width: 699px) and (max-height: 760px), (max-height: 560px)"; // as in tournament.css
const OPEN = ["playing", "ready", "waiting"];
const $ = (id) => document.getElementById(id);
const number = $("page").dataset.number;
const report = notices($("notice"));
const tables = new Map(); // of the hall, as the board shows them

let shown = null;
let named = null;
let needs = {};
let may = false;
let large = false;
let printing = false;
let sought = "";
let chapter = null; // what a referee or a reader chose; null: what is played now
let opened = null; // the one that was laid out last
let tab = "matches";
let touchedAt = 0;
let due = false; // something is to be laid out that would have moved under a finger

const turn = Object.fromEntries(["matches", "standings", "drawing", "pairs", "acts"].map((part) =>
  [part, turner($(part).querySelector(".turn:not(.turn-lists)"), () => lay[part]())]));
const listTurn = turner($("standings").querySelector(".turn-lists"), () => { turn.standings.go(0); lay.standings(); });

/** How many of each there is room for in two screens: on a phone, a tablet, more; on a low phone, a low screen. */
function room(part) {
  const low = matchMedia(LOW).matches ? 3 : 0;
  const size = innerWidth < NARROW ? low : low ? 4 : innerWidth < WIDE ? 1 : 2;
  // Whoever is sought shows with both his pair and its matches.
  const both = { matches: [4, 8, 12, 3, 4], pairs: [3, 4, 6, 2, 2] };
  const alone = { matches: [6, 12, 24, 4, 6], standings: [10, 16, 16, 8, 7], pairs: [8, 16, 24, 6, 8], acts: [6, 10, 12, 5, 6] };
  return ((sought && both[part]) || alone[part])[size];
}

const parted = (part, list) => (large && !printing ? turn[part].part(list, room(part)) : (turn[part].part([], 1), list));

/** Whether somebody is touching the page, so that nothing on it may move. */
const held = () => $("ask").open || Date.now() - touchedAt < HOLD;

// ---- The parts of the page -----------------------------------------------------------------------

const lay = {
  podium() {
    const { podium: places } = shown;
    $("podium").hidden = places === null;
    reconcile($("podium").querySelector(".prizes"), prizesOf(shown), (_, i) => i, () => el("p"), (node, { title, podium: steps }) =>
      setText(node, `${title}: ${steps[0].map(named.name).join(", ") || "–"}`));
    reconcile($("podium").querySelector("ol"), places ?? [], (_, i) => i, () => el("li"),
      (node, place) => setText(node, place.map(named.name).join(", ") || "–"));
  },

  needs() {
    if (!may) return;
    const ways = refereeView($("referee"), shown, number, mine, report, canPair(shown) ? ["assign", "pair"] : ["assign"]);
    needsView($("needs"), needs, shown, named.who, { ready: ways.assign, pair: ways.pair },
      { match: sheet, kind: (kind) => choose(kind && `need ${kind}`) });
  },

  order() {
    if (may) orderView($("order"), shown, number, mine, report);
  },

  tabs() {
    const all = large ? [shown.matches.length && "matches", may && "order", shown.standings.length && "standings", brackets().length && "drawing", "pairs", "acts"].filter(Boolean) : [];
    if (large && !all.includes(tab)) tab = all.includes("matches") ? "matches" : "pairs";
    reconcile($("tabs"), all, (name) => name, () => el("button", { type: "button" }), (node, name) => {
      setText(node, name === "acts" ? H.t.actsTab : name === "pairs" && shown.individual ? H.t.players : H.page[name]);
      node.setAttribute("aria-pressed", String(!sought && tab === name));
      node.onclick = () => { tab = name; seek(""); };
    });
    const wanted = sought ? ["matches", "pairs"] : [tab];
    const there = (part) => !large || printing || wanted.includes(part);
    $("matches").hidden = shown.matches.length === 0 || !there("matches");
    $("standings").hidden = shown.standings.length === 0 || !there("standings");
    $("drawing").hidden = !large || printing || !wanted.includes("drawing");
    $("pairs").hidden = !there("pairs");
    $("order").hidden = !may || !there("order");
    $("acts").hidden = !there("acts");
    if (large && tab === "acts") $("acts").open = true;
  },

  matches() {
    if (large) rounds();
    else whole();
  },

  drawing() {
    if ($("drawing").hidden) return;
    const [part] = turn.drawing.part(brackets(), 1);
    setText($("drawing").querySelector("h3"), part.title);
    bracketView($("drawing").querySelector(".bracket"), part, named);
  },

  standings() {
    const names = shown.category_names;
    const choice = $("standings").querySelector("select");
    choice.parentNode.hidden = names.length === 0;
    const wanted = names.includes(choice.value) ? choice.value : "";
    reconcile(choice, ["", ...names], (name) => name, () => el("option"), (node, name) => {
      node.value = name;
      setText(node, name || H.t.everybody);
    });
    choice.value = wanted;
    choice.onchange = () => { turn.standings.go(0); listTurn.go(0); lay.standings(); };
    const all = shown.standings.map((rows, at) => ({ title: standingTitle(shown, at), rows: ofCategory(rows, wanted, named.pairs) }));
    const lists = [...all.filter(({ rows }) => rows.length > 0), ...(wanted ? [] : bestLists(shown, named))];
    const one = large && !printing;
    const chosen = one ? listTurn.part(lists, 1) : (listTurn.part([], 1), lists);
    reconcile($("standings").querySelector(".lists"), chosen, (list) => lists.indexOf(list), () =>
      el("div", { class: "scroll", tabIndex: 0 }, el("table", {}, el("caption"), el("thead"), el("tbody"))),
    standing);
    if (!one) turn.standings.part([], 1);
  },

  pairs() {
    const { seed, individual } = shown;
    const found = enrolled(shown).filter((pair) => has(sought, pairTexts(pair)) || is(sought, [String(pair.pair)]));
    const wanted = parted("pairs", found);
    reconcile($("pairs").querySelector("ol"), wanted, ({ pair }) => pair,
      () => el("li", {}, el("b"), el("span")), (node, pair) => {
        node.value = pair.pair;
        node.classList.toggle("gone", !pair.here);
        setText(node.firstChild, pair.name);
        const place = pair.seed === null ? null : H.t.place({ n: pair.seed });
        setText(node.lastChild, [individual ? null : pair.players.join(", "), pair.club, pair.category, pair.bar, pair.defeats ? H.t.defeats({ n: pair.defeats }) : null, place, pair.late ? H.t.cameLate : null, pair.here ? null : H.t.gone]
          .filter(Boolean).join(" · "));
      });
    if (individual) setText($("pairs").querySelector("h2"), H.t.players);
    $("pairs").classList.toggle("drawn", seed !== null);
  },

  async acts() {
    if (!$("acts").open) return;
    const { acts: list } = await (await fetch(`/api/tournaments/${number}/acts`)).json();
    // Of many the newest are looked for; a few are read from the beginning.
    reconcile($("acts").querySelector("ol"), parted("acts", large ? list.reverse() : list), ({ seq }) => seq,
      () => el("li"), (node, entry) => setText(node, deed(entry)));
  },
};

function standing(node, { title, rows }) {
  const category = $("standings").querySelector("select").value;
  const titles = category ? [...H.t.columns].slice(0, -1) : H.t.columns;
  node.setAttribute("aria-label", title || H.page.standings);
  setText(node.querySelector("caption"), title);
  node.firstChild.classList.toggle("compared", rows.some(({ told }) => told));
  node.querySelector("thead").replaceChildren(el("tr", {},
    ...titles.map((text, i) => (shown.individual && i === 1 ? H.t.onePlayer : text)).map((textContent) => el("th", { scope: "col", textContent }))));
  node.querySelector("tbody").replaceChildren(...parted("standings", rows).map((row) => el("tr", { class: row.goes ? "goes" : "" },
    el("td", { textContent: row.place }),
    el("th", { scope: "row", textContent: row.text ?? named.name(row.pair) }),
    // What parted a pair from the others is told of all, not of some of them.
    ...[row.played, row.won, row.lost, row.juegos.join("–"), row.stones.join("–"), ...(category ? [] : [row.told ?? H.t.by[row.by]])]
      .map((textContent) => el("td", { textContent, class: row.told === textContent ? "told" : "" })))));
}

const brackets = () => bracketParts(shown, ...bracketRoom(shown, innerWidth >= NARROW));

// ---- Matches: all of a small tournament, a round at a time of a large one ------------------------

/** A small knock-out is a tree; who seeks somebody gets a list. */
function whole() {
  const wanted = shown.matches.filter((match) => has(sought, textsOf(match)));
  const list = roundsOf({ ...shown, matches: wanted });
  // One tree: that of the last knock-out which is no consolation.
  const main = shown.stages.findLastIndex(({ kind, side }) => kind === TREE && !side) + 1;
  const tree = sought ? [] : list.filter(({ stage, phase, group }) => stage === TREE && phase === main && group === 0);
  const others = list.filter((round) => !tree.includes(round));
  const [title, drawn, listed] = ["h2", ".tree", ".rounds"].map((what) => $("matches").querySelector(what));
  roundList(listed, others);
  roundList(drawn, tree);
  // While the groups play nobody knows yet who comes into the tree.
  const known = tree.some(({ matches }) => matches.some(({ state }) => state !== LATER));
  const first = known ? drawn : listed;
  if (title.nextElementSibling !== first) title.after(first);
  $("chapter").hidden = true;
  turn.matches.part([], 1);
}

/** What can be looked at: each round or group, and the matches of a kind, whatever their round. */
function chapters() {
  const kinds = Object.entries(needs).filter(([kind, all]) => all.length && (may || kind === "ready"))
    .map(([kind, all]) => ({ key: `need ${kind}`, title: H.t.needs.kinds[kind], matches: all.map(({ match }) => match) }));
  const playing = shown.matches.filter(({ state }) => state === "playing")
    .sort((one, other) => one.table.localeCompare(other.table, "es", { numeric: true }));
  if (playing.length) kinds.push({ key: "playing", title: H.t.slides.playing, matches: playing });
  return { rounds: chaptersOf(shown).map((round) => ({ ...round, key: round.title })), kinds };
}

const isOpen = ({ state }) => OPEN.includes(state);
const now = (list) => list.findIndex(({ matches }) => matches.some(isOpen));

/** The round that is chosen, or whatever fits what is sought. */
function rounds() {
  const { rounds: list, kinds } = chapters();
  const [drawn, listed] = [".tree", ".rounds"].map((what) => $("matches").querySelector(what));
  roundList(drawn, []);
  $("chapter").hidden = printing || Boolean(sought);
  if (printing) {
    turn.matches.part([], 1);
    roundList(listed, list);
    return;
  }
  const found = sought ? { key: "", title: "", matches: sortedFor(sought) }
    : [...list, ...kinds].find(({ key }) => key === chapter) ?? list[now(list)] ?? list.at(-1);
  if (!found) return;
  chooser(list, kinds, found.key);
  // A round opens where it is played; afterwards it stays where it was turned to.
  if (opened !== found.key) turn.matches.go(Math.max(0, found.matches.findIndex(isOpen)), room("matches"));
  opened = found.key;
  roundList(listed, [{ ...found, matches: parted("matches", found.matches) }]);
}

/** Matches of whom or what is sought: those of a table or pair of that number first, open before played ones. */
function sortedFor(text) {
  const numbers = ({ table, slots }) => [table?.replace(/^mesa-/, ""), ...slots.map(({ pair }) => pair && String(pair))];
  const rank = (match) => (is(text, numbers(match)) ? 0 : 4) + (isOpen(match) ? 0 : 2);
  return shown.matches.filter((match) => has(text, textsOf(match)) || is(text, numbers(match)))
    .map((match, i) => [rank(match), -i, match])
    .sort(([a, i], [b, j]) => a - b || i - j)
    .map(([, , match]) => match);
}

/** The round's name between two buttons, and a list of all of them behind the name. */
function chooser(list, kinds, key) {
  const pick = $("chapter").querySelector("select");
  const groups = [[H.page.rounds, list], [H.page.byState, kinds]].filter(([, all]) => all.length);
  reconcile(pick, groups, ([label]) => label, ([label]) => el("optgroup", { label }), (node, [, all]) =>
    reconcile(node, all, (one) => one.key, (one) => el("option", { value: one.key }), (option, { title }) => setText(option, title)));
  if (document.activeElement !== pick || !held()) pick.value = key;
  pick.onchange = () => choose(pick.value);
  const at = list.findIndex((one) => one.key === key);
  [...$("chapter").querySelectorAll("button")].forEach((button, i) => {
    const to = list[at < 0 ? now(list) : at + [-1, 1][i]];
    button.setAttribute("aria-disabled", String(!to));
    button.onclick = () => to && choose(to.key);
  });
}

/** Look at a round, a group or a kind of matches; its standings with it. */
function choose(key) {
  chapter = key;
  tab = "matches";
  opened = null;
  const { phase, group } = chaptersOf(shown).find(({ title }) => title === key) ?? {};
  const list = shown.standing_of.findIndex(([stage, one]) => stage === phase && one === group);
  if (list >= 0 && !$("standings").querySelector("select").value) {
    listTurn.go(list);
    turn.standings.go(0);
  }
  seek("");
}

function roundList(root, list) {
  root.hidden = list.length === 0;
  const double = !large && shown.stages.length === 1 && shown.stages[0].kind === DOUBLE;
  const all = double ? halves(list) : list;
  reconcile(root, all, ({ title, matches }) => `${large} ${matches ? title : `part ${title}`}`, ({ title, matches }) => (matches
    ? el("section", { class: "round" }, el(double ? "h4" : "h3", { textContent: title, hidden: large && !printing }), el("ul"))
    : el("h3", { class: "part-of", textContent: title })),
  (node, { matches }) => {
    if (!matches) return;
    node.firstChild.hidden = large && !printing; // it stands in the chooser
    reconcile(node.lastChild, matches, ({ match }) => match, create, update);
  });
}

/** The rounds of a double elimination, those of each bracket under its name. */
function halves(list) {
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

/** A match: with its buttons where all are laid out, else one button that opens it. */
function create({ match }) {
  const which = large ? el("button", { type: "button", class: "which", "aria-haspopup": "dialog", onclick: () => sheet(match) })
    : el("p", { class: "which" });
  return el("li", { class: "match", "data-match": match }, el("div", { class: "box" },
    which,
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
  node.classList.toggle("doubt", shown.doubts.includes(match.match));
  setText(node.querySelector(".state"), (large && needOf(match)?.why) || says(match));
  node.classList.toggle("urgent", large && Boolean(shown.left[match.match]) && state === "playing");
  const [record] = may && !large && result?.game ? recordsOf(match, tables) : [];
  const link = node.querySelector(".acta");
  link.hidden = !record;
  if (record) link.href = record.href;
  setText(link, record?.text ?? "");
  touch(node.querySelector(".options"), large ? null : match);
}

/** How a match stands, in words: what is wrong with it first. */
function says(match) {
  const { state, table, result } = match;
  const call = callTo(match);
  if (call) return H.t.calledBy(call);
  const left = state === "playing" ? shown.left[match.match] : null;
  return shown.doubts.includes(match.match) ? H.t.doubt({ table: tableName(result.by) })
    : left ? H.t.left[left]({ table: tableName(table) }) : stateOf(match, shown);
}

const touch = (root, match) =>
  touchMatch(root, may && match ? { ...match, who: named.who, call: callTo(match) } : null, number, mine, report);

const callTo = ({ match }) => shown.calls.find((call) => call.match === match);

// ---- One match over the page ---------------------------------------------------------------------

const sheet = (match) => openSheet(match, told);

const needOf = ({ match }) => (may ? Object.values(needs).flat().find((one) => one.match.match === match) : null);

function told(id) {
  const match = shown.matches.find((one) => one.match === id);
  const { title } = roundsOf(shown).find(({ matches }) => matches.includes(match));
  const need = needOf(match);
  return {
    title: [id, match.table && tableName(match.table), title].filter(Boolean).join(" · "),
    pairs: pairsOf(match, named),
    why: need && need.why !== says(match) ? need.why : "",
    state: says(match),
    records: may ? recordsOf(match, tables) : [],
    touch: (root) => touch(root, match),
  };
}

// ---- Following the tournament --------------------------------------------------------------------

/** Lay out everything, unless somebody touches the page: then only what stands on it is renewed. */
function draw(own = false) {
  needs = needsOf(shown, tables);
  // How much waits for the referee is told at once, because a number moves nothing.
  const waiting = may ? Object.values(needs).flat().length + canPair(shown) : 0;
  setText($("needs").querySelector(".count"), waiting ? String(waiting) : "");
  document.title = `${waiting ? `(${waiting}) ` : ""}Mus · ${shown.name}`;
  refreshSheet(told);
  due = held() && !own;
  if (due) {
    const all = new Map(shown.matches.map((match) => [match.match, match]));
    for (const node of $("matches").querySelectorAll(".match")) {
      const match = all.get(node.dataset.match);
      if (match) update(node, match);
    }
    return;
  }
  large = shown.matches.length > WHOLE || enrolled(shown).length > MOST;
  $("page").classList.toggle("many", large);
  $("find").hidden = enrolled(shown).length < MANY;
  for (const part of ["podium", "needs", "order", "tabs", "matches", "standings", "drawing", "pairs"]) lay[part]();
}

const refresh = async (own = false) => {
  try {
    const answer = await fetch(`/api/tournaments/${number}?after=${encodeURIComponent(shown?.version ?? "")}`,
      { signal: AbortSignal.timeout(20_000) });
    $("lost").hidden = answer.ok;
    hearHour(answer);
    if (!answer.ok) return;
    if (answer.status === 204) {
      if (own) draw(own);
      return;
    }
    shown = await answer.json();
  } catch {
    $("lost").hidden = false;
    return;
  }
  named = namesOf(shown);
  setText($("name"), shown.name);
  setText($("facts"), facts(shown));
  draw(own);
  if (!due) await lay.acts();
};

/** After what somebody did here himself: he waits for it. */
const mine = () => refresh(true);

/** Look for somebody, or for nobody. */
function seek(text) {
  sought = text.trim();
  if ($("search").value.trim() !== sought) $("search").value = text;
  turn.pairs.go(0);
  for (const part of ["tabs", "matches", "standings", "drawing", "pairs", "acts"]) lay[part]();
}

const typing = ({ target }) => target.closest("input, select, textarea, dialog, .scroll, .tree") !== null;

/** "/" seeks, Escape seeks no more, the arrows turn the rounds; Enter goes to what was found. */
function keys(event) {
  const { key, target } = event;
  if (event.ctrlKey || event.altKey || event.metaKey || $("ask").open) return;
  if (key === "/" && !typing(event) && !$("find").hidden) {
    event.preventDefault();
    $("search").focus();
  } else if (target === $("search") && key === "Escape") seek("");
  else if (target === $("search") && key === "Enter") {
    event.preventDefault(); // else it opens what gets the focus
    $("matches").querySelector(".match button")?.focus();
  } else if (!typing(event) && large && tab === "matches" && !sought) {
    const step = ["ArrowLeft", "ArrowRight"].indexOf(key);
    if (step >= 0) $("chapter").querySelectorAll("button")[step].click();
  }
}

function print(whole) {
  printing = whole;
  draw(true);
}

$("acts").ontoggle = () => lay.acts();
$("search").oninput = ({ target }) => seek(target.value);
document.addEventListener("keydown", keys);
for (const touched of ["pointerdown", "pointermove", "keydown"]) {
  document.addEventListener(touched, () => { touchedAt = Date.now(); }, { passive: true });
}
addEventListener("resize", () => shown && draw());
addEventListener("beforeprint", () => large && print(true));
addEventListener("afterprint", () => printing && print(false));
introduced($("lost")).then(async (me) => {
  may = me.may_touch;
  if (may) await board();
  await refresh();
  if (!may) enterView($("enter"), H.door);
  $("page").setAttribute("aria-busy", "false");
  setInterval(() => refresh(), POLL);
  setInterval(() => {
    if (shown && (due || may) && !held()) draw(); // also what becomes silent as time goes by
  }, POLL);
});

/** Follow the hall's tables, of which the referee learns which are silent. */
function board() {
  return new Promise((known) => {
    setTimeout(known, POLL);
    follow("/events", {
      onSnapshot: ({ whole, tables: changed }) => {
        if (whole) tables.clear();
        for (const table of changed) tables.set(table.table, table);
        known();
      },
      onLink: () => {}, // the poll tells
    });
  });
}
