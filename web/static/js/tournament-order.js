// Time and order for the referee: the round's clock, the calls, who has not come, what is sanctioned.

import { el, reconcile, setText } from "./dom.js";
import { H, tableName } from "./texts.js";
import { ask, field, named, referee, send } from "./tournament-ask.js";
import { hour, leftUntil, wall } from "./tournament-hour.js";
import { sanctionDialog, sanctionList } from "./tournament-sanctions.js";
import { enrolled, namesOf, standsAt } from "./tournament-shown.js";

const MINUTES = 1440; // the most that can be set
const LOOK = 5000; // ms between two looks at the tables, while who has not come is shown
const LONGER = 300; // seconds that a round is prolonged by one tap

let tables = new Map(); // what is played at each, as of the last look

/** Draw the part of the referee; `root` is its section, which is filled at the first time. */
export function orderView(root, shown, number, refresh, report) {
  root.hidden = false;
  if (!root.querySelector(".hour")) build(root);
  const post = async (what, body) => {
    const done = await send(`/${number}/${what}`, { by: referee(), ...body }, report);
    if (done) await refresh();
    return done !== null;
  };
  const act = (type, more) => post("act", { act: { type, v: 1, by: referee(), ...more } });
  const names = namesOf(shown);
  const all = { shown, names, post, act, report };
  root.beat = () => clockOf(root, all);
  root.tick = () => {
    root.beat();
    callsOf(root, all);
    buttons(root.querySelector(".order-does"), orderDoes(all), report);
  };
  root.tick(); // by itself, too, between two looks at the tournament
  buttons(root.querySelector(".clock-does"), clockDoes(all), report);
  setText(root.querySelector(".calling"), shown.calling ? H.t.order.calling : H.t.order.paused);
  sanctionList(root.querySelector(".penalties"), all);
}

function build(root) {
  const called = el("details", { class: "called" }, el("summary"), el("ul"));
  called.ontoggle = async () => { if (called.open) { await look(); root.tick(); } };
  root.append(
    el("div", { class: "hour" }, el("strong"), el("span")), el("div", { class: "options clock-does" }),
    el("p", { class: "calling" }), el("div", { class: "options order-does" }), called,
    el("div", { class: "penalties" }));
  setInterval(() => root.beat?.(), 1000);
  setInterval(async () => { if (called.open) await look(); root.tick(); }, LOOK);
}

/** Look at what the tables show; what they showed last stays where the hall does not answer. */
async function look() {
  try {
    const answer = await fetch("/api/hall", { signal: AbortSignal.timeout(10_000) });
    if (answer.ok) tables = new Map((await answer.json()).tables.map((table) => [table.table, table]));
  } catch { /* the page says that the hall is lost */ }
}

function buttons(root, does, report) {
  reconcile(root, does, ([key]) => key, () => el("button", { type: "button" }), (node, [, text, act, first]) => {
    setText(node, text);
    node.classList.toggle("primary", Boolean(first));
    node.onclick = () => { if (named(report)) act(); };
  });
}

// The round's clock.

function clockOf(root, { shown: { ends, ended, times } }) {
  const left = leftUntil(ends);
  const box = root.querySelector(".hour");
  setText(box.firstChild, left?.text ?? wall(hour()));
  setText(box.lastChild, left ? (times?.stops && ended !== ends ? H.t.order.untilStops : H.t.order.until)({ hour: wall(ends) }) : H.t.order.noClock);
  box.classList.toggle("warns", Boolean(left?.warns));
}

function clockDoes(all) {
  const { shown: { ends, times, stopped }, act } = all;
  const set = (at) => act("RoundClockSet", { ends: Math.round(at) });
  const length = times?.playing;
  return [
    !ends && length ? ["start", H.t.order.start({ n: length }), () => set(hour() + length * 60)] : null,
    ends ? ["more", H.t.order.more, () => set(Math.max(ends, hour()) + LONGER)] : null,
    ["hour", H.t.order.hour, () => askHour(set)],
    ends ? ["none", H.t.order.noEnd, () => set(0)] : null,
    stopped.length ? ["resume", H.t.order.resume, () => askResume(all)] : null,
  ].filter(Boolean);
}

function askResume({ shown: { stopped }, act }) {
  const [label, reason] = field(H.t.reason, { type: "text", maxLength: 200, required: true });
  ask(H.t.order.resume, [el("p", { textContent: H.t.order.resumeHow({ matches: stopped.join(", ") }) }), label],
    () => act("RoundResumed", { reason: reason.value }));
}

function askHour(set) {
  const [label, input] = field(H.t.order.endsAt, { type: "time", required: true });
  ask(H.t.order.hour, [el("p", { textContent: H.t.order.hourHow }), label], () => set(next(input.value)));
}

/** The next time that a clock on the wall shows this, in Unix seconds. */
function next(text) {
  const [hours, minutes] = text.split(":").map(Number);
  const at = new Date(hour() * 1000);
  at.setHours(hours, minutes, 0, 0);
  if (at.getTime() / 1000 <= hour()) at.setDate(at.getDate() + 1);
  return at.getTime() / 1000;
}

// What can be done beside it.

function orderDoes(all) {
  const { shown, act } = all;
  const pause = ["calls", H.t.order.callPause, () => act("CallingSet", { on: false, tables: shown.numbered })];
  const playing = shown.matches.filter(({ state }) => state === "playing");
  const open = shown.matches.filter(({ state }) => state === "playing" || state === "ready");
  return [
    shown.calling ? pause : ["calls", H.t.order.callOn, () => askCalls(all)],
    ["times", H.t.order.times, () => askTimes(all)],
    playing.length ? ["stop", H.t.order.stop, () => askStop(all, playing), leftUntil(shown.ends)?.over] : null,
    open.length ? ["both", H.t.order.both, () => askBoth(all, open)] : null,
    enrolled(shown).length ? ["sanction", H.t.order.sanction, () => sanctionDialog(all)] : null,
  ].filter(Boolean);
}

function askCalls({ shown: { numbered }, act }) {
  const [label, input] = field(H.t.order.numbered, { type: "number", min: 0, max: 1300, required: true, value: numbered });
  ask(H.t.order.callOn, [el("p", { textContent: H.t.order.callHow }), label],
    () => act("CallingSet", { on: true, tables: input.valueAsNumber }));
}

function askTimes({ shown: { times }, act }) {
  const [labels, told] = timesFields(times ?? { courtesy: 10, each: 10, at_once: true, playing: 0 });
  ask(H.t.order.times, [el("p", { textContent: H.t.order.timesHow }), ...labels], () => act("TimesSet", { times: told() }));
}

/** The fields for how much time there is, and what asks them: null where the courtesy is left empty. */
export function timesFields(was, required = true) {
  const minutes = (text, value) => field(text, { type: "number", min: 0, max: MINUTES, required, value });
  const [one, courtesy] = minutes(H.t.order.courtesy, was.courtesy);
  const [two, each] = minutes(H.t.order.each, was.each);
  const [three, first] = field(H.t.order.atOnce, { type: "checkbox", checked: was.at_once });
  const [four, playing] = minutes(H.t.order.playing, was.playing);
  const [five, stops] = field(H.t.order.stops, { type: "checkbox", checked: Boolean(was.stops) });
  return [[one, two, three, four, five], () => (courtesy.value === "" ? null : {
    courtesy: courtesy.valueAsNumber, each: each.valueAsNumber || 0, at_once: first.checked, playing: playing.valueAsNumber || 0,
    ...(stops.checked ? { stops: true } : {}),
  })];
}

// Who has not come.

/** Whether a game goes on at the table of a match: then its pairs are there. */
function begun({ table }) {
  const now = tables.get(table)?.brief;
  return Boolean(now && now.deal && !now.over);
}

function callsOf(root, { shown, names, post, report }) {
  const waiting = shown.matches.filter((match) => match.state === "playing" && !begun(match))
    .sort((one, other) => shown.called[one.match] - shown.called[other.match]);
  const box = root.querySelector(".called");
  box.hidden = shown.seed === null;
  setText(box.firstChild, H.t.order.called({ n: waiting.length }));
  if (!box.open) return;
  reconcile(box.lastChild, waiting, ({ match }) => match, () =>
    el("li", {}, el("p", {}, el("b"), el("span")), el("div", { class: "options" }, ...[0, 1].map(() => el("button", { type: "button" }, el("span"), el("small"))))),
    (node, match) => {
      const minutes = Math.max(0, Math.floor((hour() - shown.called[match.match]) / 60));
      const [line, does] = node.children;
      setText(line.firstChild, H.t.order.since({ table: tableName(match.table), n: minutes }));
      setText(line.lastChild, shown.times ? "" : ` · ${H.t.order.noTimes}`);
      [...does.children].forEach((button, side) => {
        const { pair } = match.slots[side];
        const cost = costOf(shown, match, side, minutes);
        setText(button.firstChild, names.name(pair));
        setText(button.lastChild, cost.text);
        button.setAttribute("aria-label", [H.t.order.late({ name: names.name(pair) }), cost.text].filter(Boolean).join(" "));
        button.disabled = !cost.due;
        button.onclick = () => { if (named(report)) post("late", { match: match.match, pair }); };
      });
    });
}

/** What a pair loses if it has not come by now: {text, due}. */
function costOf({ times, penalties }, { match, slots, needed, vacas }, side, minutes) {
  if (!times) return { text: "", due: false };
  const { courtesy, each, at_once: atOnce } = times;
  const count = each ? Math.floor((minutes - courtesy) / each) + (atOnce ? 1 : 0) : Infinity;
  const before = penalties.filter((one) => one.kind === "late" && !one.lifted && one.match === match && one.pair === slots[side].pair)
    .reduce((sum, { juegos }) => sum + juegos, 0);
  const more = minutes < courtesy ? 0 : count - before;
  if (more > 0) {
    const whole = !vacas && (count === Infinity || count >= needed);
    return { text: whole ? H.t.order.costsAll : H.t.order.costs({ n: H.t.order.lost({ n: Number.isFinite(more) ? more : needed }) }), due: true };
  }
  const at = each ? courtesy + each * (before + (atOnce ? 0 : 1)) : courtesy;
  return { text: H.t.order.left({ n: Math.max(1, at - minutes) }), due: false };
}

// Time is up, and double defeats.

async function askStop({ shown, names, post }, playing) {
  await look();
  const rows = playing.map((match) => stopRow(match, names, shown.stages[match.phase - 1]));
  ask(H.t.order.stop, [el("p", { textContent: H.t.order.stopHow }), ...rows.map(({ node }) => node)], () => post("stop", {
    matches: rows.map(({ told }) => told()).filter(Boolean),
  }));
}

const FOR_POINTS = ["robin", "swiss", "individual"]; // kinds of stages in which nobody has to win

function stopRow(match, names, { kind }) {
  const now = standsAt(match, names.pairs, tables.get(match.table)?.brief);
  const inputs = match.slots.map((slot, i) => field(names.who(slot) + (now && !match.vacas ? ` (${H.t.order.stonesNow({ stones: now[i].stones })})` : ""), {
    type: "number", min: 0, max: match.needed - 1,
    value: match.vacas ? "" : now ? Math.min(now[i].juegos, match.needed - 1) : match.given[i] || "",
  }));
  const better = now && now[0].stones !== now[1].stones ? (now[0].stones > now[1].stones ? 0 : 1) : null;
  const winner = el("select", {}, el("option", { value: "", textContent: FOR_POINTS.includes(kind) ? H.t.order.nobody : "–" }),
    ...match.slots.map((slot, i) => el("option", { value: slot.pair, textContent: names.who(slot), selected: better === i && !FOR_POINTS.includes(kind) })));
  const node = el("fieldset", {}, el("legend", { textContent: match.table ? tableName(match.table) : match.match }),
    ...inputs.map(([label]) => label));
  const level = el("label", { class: "level" }, el("span", { textContent: H.t.order.wins }), winner);
  node.append(level);
  const same = () => { level.hidden = !inputs[0][1].value || inputs[0][1].value !== inputs[1][1].value; };
  for (const [, input] of inputs) input.oninput = same;
  same();
  return { node, told: () => {
    const juegos = inputs.map(([, input]) => input.valueAsNumber);
    if (juegos.some(Number.isNaN)) return null;
    const equal = juegos[0] === juegos[1];
    return { match: match.match, juegos, stones: now?.map(({ whole }) => whole) ?? [0, 0], winner: equal && winner.value ? Number(winner.value) : null };
  } };
}

function askBoth({ names, act }, open) {
  const choice = el("select", {}, ...open.map((match) => el("option", {
    value: match.match, textContent: `${match.match} · ${match.slots.map(names.who).join(" – ")}`,
  })));
  const [label, reason] = field(H.t.reason, { type: "text", maxLength: 200, required: true });
  ask(H.t.order.both, [el("p", { textContent: H.t.order.bothHow }),
    el("label", {}, el("span", { textContent: H.t.order.inMatch }), choice), label],
  () => act("BothLost", { match: choice.value, reason: reason.value }));
}
