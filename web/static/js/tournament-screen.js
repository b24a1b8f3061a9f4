// A tournament on the hall's big screen: who plays where, what came out, who stands where; in turns.

import { el, reconcile, setText } from "./dom.js";
import { follow } from "./stream.js";
import { H, tableName } from "./texts.js";
import { bracketParts, bracketRoom, bracketView } from "./tournament-bracket.js";
import { hearHour } from "./tournament-hour.js";
import { screenClock } from "./tournament-screen-clock.js";
import { bestLists, enrolled, facts, namesOf, ofCategory, prizesOf, roundsOf, standingTitle, standsAt } from "./tournament-shown.js";

const POLL = 4000; // ms
const TURN = 12_000; // ms that one slide stands
const ROWS = 8; // that people read from the other end of a hall
const LINES = 12; // of one line each
const GROUPS = 4; // groups that have a slide each; more share one
const FEW = 4; // rows that may be twice as large
const WIDE = 1000; // px from which there are two columns of them
const BY_ROUNDS = ["swiss", "redraw", "lives", "individual"]; // kinds of a stage that is drawn round by round
const RECENT = 32; // matches that wait for a table, and are shown
const $ = (id) => document.getElementById(id);
const number = $("page").dataset.number;

const tables = new Map(); // what is played at each, as it is called
let shown = null;
let turn = 0;

/** How a match stands at its table, if those who sit there are its pairs: juegos and stones. */
function live(match, { pairs }) {
  const there = standsAt(match, pairs, tables.get(match.table)?.brief);
  if (there) return there.map(({ juegos, stones }) => `${juegos} · ${stones}`);
  return match.given.some(Boolean) ? match.given.map(String) : null;
}

function matchRows(matches, named, scores) {
  return matches.map((match) => ({
    key: match.match,
    left: match.table ? tableName(match.table) : match.match,
    lines: match.slots.map((slot, i) => ({
      text: named.who(slot),
      score: scores(match)?.[i] ?? "",
      won: match.winner !== null && slot.pair === match.winner,
    })),
  }));
}

function result({ result: came }) {
  return came && !came.walkover ? came.juegos.map(String) : null;
}

/** What was played last, the newest first, of whatever round; one round of it gives the title. */
function latest(named) {
  const rounds = new Map(roundsOf(shown).flatMap(({ title, matches }) => matches.map(({ match }) => [match, title])));
  const all = new Map(shown.matches.map((match) => [match.match, match]));
  const played = shown.latest.map((match) => all.get(match)).filter(({ state }) => state === "over");
  const titles = new Set(played.map(({ match }) => rounds.get(match)));
  if (titles.size === 1) return { title: H.t.slides.results({ round: [...titles][0] }), rows: matchRows(played, named, result) };
  const rows = matchRows(played, named, result).map((row) => ({ ...row, left: rounds.get(row.key), small: true }));
  return { title: H.t.slides.latest, rows };
}

/** Every slide of the moment: {title, rows}. */
function slides() {
  const named = namesOf(shown);
  const state = (wanted) => shown.matches.filter((match) => match.state === wanted);
  const byTable = (one, other) => one.table.localeCompare(other.table, "es", { numeric: true });
  const made = [
    { title: H.t.slides.playing, rows: matchRows(state("playing").sort(byTable), named, (match) => live(match, named)) },
    { title: H.t.slides.ready, rows: matchRows(state("ready").slice(0, RECENT), named, () => null) },
  ];
  const round = newest(named);
  made.push(...(round.length ? round : [latest(named)]));
  const drawn = bracketParts(shown, ...bracketRoom(shown, innerWidth >= WIDE));
  made.push(...drawn.map((bracket) => ({ title: bracket.title, bracket })), ...lives(named));
  made.push(...standings(named), ...bestLists(shown, named).map(({ title, rows }) => ({ title, rows: rows.map(({ place, pair, text, told, won, juegos, goes }) => ({
    key: `c${title} ${pair}`, left: `${place}.`, why: true,
    lines: [{ text, score: `${won} · ${juegos.join("–")}`, won: goes }, { text: told, score: "", won: false }],
  })) })));
  const ended = shown.podium?.map((place, i) => ({
    key: `end${i}`, left: `${i + 1}.`,
    lines: [{ text: place.map(named.name).join(", ") || "–", score: "", won: i === 0 }],
  }));
  const prizes = prizesOf(shown).map(({ title, podium: steps }) => ({
    key: `prize${title}`, left: title, small: true,
    lines: [{ text: steps[0].map(named.name).join(", ") || "–", score: "", won: true }],
  }));
  const all = ended ? [{ title: H.page.podium, rows: [...ended, ...prizes] }, ...made] : made;
  const turns = all.flatMap((slide) => (slide.bracket ? slide : parted(slide)));
  return turns.length > 0 ? turns : parted({ title: H.page.pairs, rows: enrolled(shown).map(({ pair, name }) => (
    { key: `n${pair}`, left: `${pair}`, lines: [{ text: name, score: "", won: false }] })) });
}

/** The standings: a list a slide, or as many small groups as it has room for. */
function standings(named) {
  const slide = (title, list) => ({
    title,
    rows: list.map(({ place, pair, won, juegos }) => ({
      key: `p${title} ${pair}`, left: `${place}.`,
      lines: [{ text: named.name(pair), score: `${won} · ${juegos.join("–")}`, won: false }],
    })),
  });
  const lists = shown.standings.map((list, i) => slide(standingTitle(shown, i) || H.page.standings, list));
  if (lists.length === 1) { // of a few groups of all, none needs parts
    const [all] = shown.standings;
    const parts = shown.category_names.map((name) => [name, ofCategory(all, name, named.pairs)]);
    lists.push(...parts.filter(([, rows]) => rows.length > 1 && rows.length < all.length)
      .map(([name, rows]) => slide(`${lists[0].title} · ${name}`, rows)));
  }
  const longest = Math.max(0, ...lists.map(({ rows }) => rows.length));
  const beside = Math.floor(LINES / (longest + 1)); // groups in a column, each with its name
  if (lists.length <= GROUPS || beside < 2) return lists;
  // What a group leaves free stays free, so that none is parted.
  const high = Math.floor(LINES / beside);
  const blank = (key) => ({ key, left: "", blank: true, lines: [{ text: "", score: "", won: false }] });
  const rows = lists.flatMap(({ title, rows: own }, i) => [
    { key: `g${i}`, left: "", head: true, lines: [{ text: title, score: "", won: false }] }, ...own,
    ...Array.from({ length: high - own.length - 1 + ((i + 1) % beside ? 0 : LINES - high * beside) }, (_, n) => blank(`b${i} ${n}`)),
  ]);
  return [{ title: H.page.standings, rows }];
}

/** Who meets whom in the newest round of what is drawn round by round, and how it went. */
function newest(named) {
  const rounds = roundsOf(shown).filter(({ phase }) => BY_ROUNDS.includes(shown.stages[phase - 1].kind));
  if (rounds.length === 0) return [];
  const { phase, round } = rounds.at(-1);
  return rounds.filter((one) => one.phase === phase && one.round === round).map(({ title, matches }) => ({
    title: H.t.slides.round({ round: title }), rows: matchRows(matches, named, (match) => result(match) ?? live(match, named)),
  }));
}

/** Who is still in where one is out after several defeats, those with fewest first. */
function lives(named) {
  const stage = shown.stages.findLastIndex(({ kind }) => kind === "lives") + 1;
  const playing = new Set(shown.matches.filter(({ phase }) => phase === stage).flatMap(({ slots }) => slots.map(({ pair }) => pair)));
  if (!stage || playing.size === 0) return [];
  const most = shown.stages[stage - 1].defeats;
  const still = shown.pairs.filter(({ pair, here, defeats }) => here && defeats < most && playing.has(pair))
    .sort((one, other) => one.defeats - other.defeats || one.pair - other.pair);
  return [{ title: H.t.slides.still({ n: still.length }), rows: still.map(({ pair, defeats }) => ({
    key: `l${pair}`, left: String(pair),
    lines: [{ text: named.name(pair), score: H.t.defeats({ n: defeats }), won: false }],
  })) }];
}

/** As many slides as it takes. */
function parted({ title, rows }) {
  const single = rows.every(({ lines }) => lines.length === 1);
  const room = (single ? LINES : ROWS) * (innerWidth >= WIDE ? 2 : 1);
  const parts = Math.ceil(rows.length / room);
  return Array.from({ length: parts }, (_, i) => ({
    title: parts > 1 ? `${title} · ${i + 1}/${parts}` : title, rows: rows.slice(i * room, (i + 1) * room),
  }));
}

function show() {
  if (!shown) return;
  document.title = `Mus · ${shown.name}`;
  setText($("name"), shown.name);
  setText($("facts"), facts(shown));
  screenClock(shown);
  const all = slides();
  turn %= Math.max(1, all.length);
  const slide = all[turn] ?? { title: H.page.noMatches, rows: [] };
  setText($("title"), slide.title);
  setText($("dots"), all.map((_, i) => (i === turn ? "●" : "○")).join(" "));
  $("bracket").hidden = !slide.bracket;
  $("rows").hidden = Boolean(slide.bracket);
  document.querySelector(".projector").toggleAttribute("data-bracket", Boolean(slide.bracket));
  if (slide.bracket) {
    bracketView($("bracket"), slide.bracket, namesOf(shown), (match) => live(match, namesOf(shown))?.map((text) => text.split(" ")[0]));
    return;
  }
  const single = slide.rows.length > ROWS && slide.rows.every(({ lines }) => lines.length === 1);
  $("rows").toggleAttribute("data-few", slide.rows.length <= FEW);
  $("rows").toggleAttribute("data-single", single);
  reconcile($("rows"), slide.rows, ({ key }) => key,
    ({ lines }) => el("li", {}, el("b"), el("div", {}, ...lines.map(() => el("p", {}, el("span"), el("strong"))))),
    (node, { left, small, why, head, blank, lines }) => {
      for (const [name, on] of Object.entries({ small, why, head, blank })) node.classList.toggle(name, Boolean(on));
      setText(node.firstChild, left);
      lines.forEach(({ text, score, won }, i) => {
        const line = node.lastChild.children[i];
        setText(line.firstChild, text);
        setText(line.lastChild, score);
        line.classList.toggle("winner", won);
      });
    });
}

const refresh = async () => {
  try {
    const answer = await fetch(`/api/tournaments/${number}?after=${encodeURIComponent(shown?.version ?? "")}`, { signal: AbortSignal.timeout(20_000) });
    $("lost").hidden = answer.ok;
    hearHour(answer);
    if (!answer.ok || answer.status === 204) return;
    shown = await answer.json();
  } catch {
    $("lost").hidden = false;
    return;
  }
  show();
};

refresh().then(() => $("page").setAttribute("aria-busy", "false"));
setInterval(refresh, POLL);
setInterval(() => { turn += 1; show(); }, TURN);
addEventListener("keydown", ({ key }) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
  if (!step) return;
  turn = Math.max(0, turn + step);
  show();
});
follow("/events", {
  onSnapshot: ({ whole, tables: changed }) => {
    if (whole) tables.clear();
    for (const table of changed) tables.set(table.table, table);
    show();
  },
  onLink: () => {}, // the poll tells
});
