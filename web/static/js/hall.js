// The hall: every table at once, those that changed as they change.

import { el, reconcile, setText } from "./dom.js";
import { whoAmI } from "./door.js";
import { follow } from "./stream.js";
import { H, join, tableName, W } from "./texts.js";

const CLOCK = 120; // s that a clock may be off before it is told
const MINUTE = 60;
const TURN = 12_000; // ms that the big screen shows a part of the tables
const LINES = 14; // of the largest letters on the big screen
const SMALLEST = 16; // px
const STEP = 2; // px
const FOOT = 6; // px left below, for the cards' shadow
const $ = (id) => document.getElementById(id);
const page = $("page");
const only = page.dataset.table;
const screen = page.dataset.screen === "yes";

const tables = new Map();
let kind = "all";
let sought = "";
let part = 0;
let scaled = "";

const KINDS = {
  all: () => true,
  playing: ({ brief, online }) => online && brief !== null && !brief.over,
  over: ({ brief }) => brief?.over === true,
  trouble: (table) => troubles(table).length > 0,
};

function troubles({ online, since, lag, fault, clock }) {
  const now = Date.now() / 1000;
  return [
    online ? null : away(Math.floor(Math.max(0, now - since) / MINUTE)),
    fault ? H.fault : null,
    lag > 0 ? H.lag({ n: lag }) : null,
    online && Math.abs(clock) > CLOCK ? clockSays(Math.round(clock / MINUTE)) : null,
  ].filter(Boolean);
}

const away = (minutes) => (minutes < 1 ? H.away.now : H.away.since({ minutes }));

const clockSays = (minutes) => H.clock[minutes > 0 ? "fast" : "slow"]({ minutes: Math.abs(minutes) });

/** "mesa-2" before "mesa-10". */
function order(one, other) {
  return one.table.localeCompare(other.table, "es", { numeric: true });
}

function chosen() {
  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const wanted = plain(sought);
  const has = ({ table, brief }) =>
    [table, tableName(table), ...(brief?.seats ?? [])].some((text) => plain(text).includes(wanted));
  return [...tables.values()]
    .filter((table) => (only ? table.table === only : KINDS[kind](table) && has(table)))
    .sort(order);
}

function show() {
  const all = [...tables.values()];
  setText($("told"), H.told({ there: all.filter(({ online }) => online).length, all: all.length }));
  const found = chosen();
  reconcile($("tables"), screen ? turned(found) : found, ({ table }) => table, create, update);
  if (screen && found.length === $("tables").childElementCount) scale(found.length);
  $("none").hidden = found.length > 0;
  setText($("none"), all.length === 0 ? H.none.all : H.none.sieved);
}

/** The largest letters with which all tables are on the big screen at once; else those of the page. */
function scale(count) {
  const grid = $("tables");
  const key = [count, innerWidth, innerHeight].join();
  const room = page.getBoundingClientRect().bottom - grid.getBoundingClientRect().top - FOOT;
  const fits = (size) => {
    grid.style.fontSize = `${size}px`;
    return grid.scrollHeight <= room;
  };
  if (key === scaled && grid.scrollHeight <= room) return;
  scaled = key;
  for (let size = Math.floor(innerHeight / LINES); size > SMALLEST; size -= STEP) if (fits(size)) return;
  grid.style.fontSize = "";
}

/** On the big screen, as many as there is room for; the others in their turn. */
function turned(found) {
  const first = $("tables").firstElementChild;
  const room = $("tables").getBoundingClientRect();
  const high = first?.offsetHeight || 180;
  const columns = Math.max(1, Math.floor(room.width / (first?.offsetWidth || 320)));
  const rows = Math.max(1, Math.floor((innerHeight - room.top) / (high + 12)));
  const parts = Math.max(1, Math.ceil(found.length / (columns * rows)));
  part %= parts;
  return found.slice(part * columns * rows, (part + 1) * columns * rows);
}

function create({ table }) {
  const name = only || screen ? el("span") : el("a", { href: `/t/${table}${location.search}` });
  return el("li", { class: "table", "data-table": table },
    el("h2", {}, name),
    el("p", { class: "phase" }),
    el("ul", { class: "sides" }),
    el("ol", { class: "lances" }),
    el("p", { class: "trouble" }));
}

function update(node, table) {
  const { brief } = table;
  setText(node.querySelector("h2").firstChild, tableName(table.table));
  setText(node.querySelector(".phase"), brief ? phase(brief) : H.waiting);
  node.classList.toggle("away", !table.online);
  node.classList.toggle("over", brief?.over === true);
  reconcile(node.querySelector(".sides"), brief?.sides ?? [], ({ side }) => side,
    ({ side }) => el("li", { "data-side": side }, el("b"), el("strong"), el("span")),
    (row, { side, names, stones, juegos }) => {
      const [who, count, won] = row.children;
      setText(who, join(names));
      setText(count, String(stones));
      count.title = H.stones({ n: stones });
      setText(won, H.juegos({ won: juegos, n: brief.juegos_to_win }));
      row.classList.toggle("winner", brief.winner === side);
    });
  const lances = only ? brief?.lances ?? [] : [];
  reconcile(node.querySelector(".lances"), lances, ({ lance }) => lance, () => el("li"),
    (row, { lance, how, status, won }) => {
      const told = status === "closed" ? [W.how[how], won > 0 ? H.stones({ n: won }) : null] : [];
      setText(row, [W.lances[lance], ...told.filter(Boolean)].join(" · "));
      row.classList.toggle("now", status === "now");
    });
  const wrong = troubles(table);
  node.querySelector(".trouble").hidden = wrong.length === 0;
  setText(node.querySelector(".trouble"), wrong.join(" · "));
}

function phase(brief) {
  const winner = brief.sides.find(({ side }) => side === brief.winner);
  if (winner) return H.won({ names: winner.names });
  if (brief.deal === 0) return H.begins;
  const { pending } = brief;
  const bet = pending ? (pending.ordago ? H.bet.ordago : H.bet.bet({ n: pending.stones })) : null;
  return [H.deal({ n: brief.deal }), W.phases[brief.phase], bet].filter(Boolean).join(" · ");
}

function kinds() {
  reconcile($("kinds"), Object.keys(KINDS), (name) => name, () => el("button", { type: "button" }),
    (node, name) => {
      setText(node, H.kinds[name]);
      node.setAttribute("aria-pressed", String(name === kind));
      node.onclick = () => { kind = name; kinds(); show(); };
    });
}

if ($("kinds")) {
  kinds();
  $("search").oninput = ({ target }) => { sought = target.value; show(); };
}
if ($("record")) whoAmI().then((me) => { $("record").hidden = !me?.may_touch; });
if (screen) setInterval(() => { part += 1; show(); }, TURN);
setInterval(show, MINUTE * 1000); // who is away is away for longer
follow("/events", {
  onSnapshot: ({ whole, tables: changed }) => {
    if (whole) tables.clear();
    for (const table of changed) tables.set(table.table, table);
    show();
    page.setAttribute("aria-busy", "false");
  },
  onLink: (there) => { $("lost").hidden = there; },
});
