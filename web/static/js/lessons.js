// The lessons: a list, and one of them step by step. What is right, only the table knows.

import { el, setText } from "./dom.js";
import { whoAmI } from "./door.js";
import { asked, loudspeaker, post, ready } from "./school.js";
import { hush, play } from "./sound.js";
import { cardName, L } from "./texts.js";

const EVERY = 300; // ms between two looks while the table listens to an answer
const $ = (id) => document.getElementById(id);

let walk = null;
let polls = 0;
let told = "";
let path = []; // the lessons of the short path
let touches = false; // a guest goes through the lessons by himself, without the table's ear and voice

const address = (name) => `/api/lessons/${name}`;

async function listed() {
  const { lessons, hears, path: short } = await asked("/api/lessons");
  path = short;
  setText($("hello"), `${hears ? L.school.hello.talks : L.school.hello.taps} ${L.school.path({ n: path.length })}`);
  const next = lessons.find((one) => !one.done);
  $("lessons").replaceChildren(...lessons.map((one) => {
    const open = el("button", { type: "button", class: one === next || one.at ? "primary" : "",
      "aria-label": `${label(one)}: ${one.title}`, textContent: label(one) });
    open.onclick = () => { location.hash = one.name; };
    const bar = el("progress", { max: one.steps, value: one.done && !one.at ? one.steps : one.at, "aria-hidden": "true" });
    const state = one.done ? L.school.done({ right: one.right, asked: one.asked }) : L.school.steps({ n: one.steps });
    return el("li", { class: `part ${one.done ? "done" : ""}` },
      path.includes(one.name) ? el("p", { class: "onpath", textContent: L.school.onPath }) : null,
      el("h2", { textContent: one.title }), el("p", { textContent: one.about }),
      bar, el("p", { class: "state", textContent: state }), open);
  }));
}

function label(one) {
  if (one.at) return L.school.goOn({ at: one.at + 1, of: one.steps });
  return one.done ? L.school.again : L.school.begin;
}

async function go(body) {
  try {
    shown(await post(address(walk.name), body));
  } catch (wrong) {
    told = wrong.message;
    shown(walk);
  }
}

function button(text, body, kind = "") {
  const node = el("button", { type: "button", class: kind, textContent: text });
  node.onclick = () => { hush(); go(body); };
  return node;
}

/** What happens at the lesson's table. */
function tableView() {
  if (!walk.shown.length) return null;
  return el("ul", { class: "happens" }, ...walk.shown.map((one) => {
    if (one.kind === "call") return line("call", one.who || L.school.somebody, el("q", { textContent: one.words }));
    if (one.kind === "cards") return line("hand", one.who, el("span", { class: "naipes" }, ...one.cards.map(card)));
    const stones = one.stones.map(([who, count]) => `${who}: ${count}`).join(" · ");
    return line("stones", L.school.stones, el("span", { textContent: stones }));
  }));
}

function line(kind, who, what) {
  return el("li", { class: kind }, who ? el("b", { textContent: who }) : null, what);
}

const card = (code) => el("span", { class: "naipe", role: "img", "aria-label": cardName(code), textContent: code[0] });

/** Whether the answers are numbers themselves: then one says the number, not its place. */
const counts = () => walk.choices.some((text) => /^\d/.test(text));

function choicesView() {
  return el("div", { class: "choices" }, ...walk.choices.map((text, at) => {
    const node = button(text, { at: walk.at, choice: at });
    if (!counts()) node.prepend(el("span", { class: "number", "aria-hidden": "true", textContent: at + 1 }));
    node.disabled = walk.mood === "right";
    if (walk.verdict?.understood && walk.verdict.what === text) node.classList.add(walk.verdict.right ? "fine" : "wrong");
    return node;
  }));
}

function verdictView() {
  const node = el("p", { class: "told", role: "status" });
  const verdict = walk.verdict;
  if (told) {
    node.textContent = told;
    node.classList.add("wrong");
    told = "";
  } else if (verdict) {
    const said = walk.kind === "say" ? `${L.school.heard({ what: verdict.what })} ` : "";
    const how = verdict.right ? L.school.right : L.school.wrong;
    node.textContent = verdict.understood ? `${said}${how} ${verdict.why}` : unclear(verdict.what);
    node.classList.add(verdict.right ? "fine" : "wrong");
  }
  return node;
}

/** What is said of an answer that was not understood. */
const unclear = (heard) => (heard ? L.school.unclear.words({ heard }) : L.school.unclear.nothing);

/** Without an ear nobody is invited to speak; what can only be said is told instead. */
function sayView() {
  const open = walk.mood !== "right";
  if (!walk.hears) {
    return open && walk.kind === "say" ? el("div", { class: "aloud" },
      el("span", { class: "hint", textContent: `${L.school.noEar} ${L.school.forExample({ say: walk.say })}` })) : null;
  }
  const mic = walk.listening ? button(L.school.stop, { do: "quiet" }, "listens")
    : button(L.school.speak, { do: "listen" }, walk.kind === "say" ? "primary" : "");
  const tried = walk.verdict && !walk.verdict.right;
  const place = counts() ? L.school.sayCount : L.school.sayNumber;
  const hint = walk.kind !== "say" ? place
    : tried ? L.school.forExample({ say: walk.say }) : L.school.sayIt;
  const listens = tried && walk.kind === "say" ? `${L.school.listening} ${hint}` : L.school.listening;
  return open ? el("div", { class: "aloud" }, mic,
    el("span", { class: "hint", role: "status", textContent: walk.listening ? listens : hint })) : null;
}

function overView() {
  const onward = path[path.indexOf(walk.name) + 1 || path.length] ?? walk.next;
  const following = el("a", { class: "go", href: `#${onward}`, textContent: L.school.following });
  return [
    el("p", { class: "over", role: "status", textContent: L.school.over }),
    el("p", { textContent: L.school.overScore({ right: walk.right, asked: walk.asked }) }),
    el("div", { class: "options" },
      walk.name === path.at(-1) ? el("a", { class: "go", href: "/drills", textContent: L.school.toDrills }) : null,
      onward ? following : null,
      button(L.school.again, { do: "begin" }), all()),
  ];
}

const all = () => el("a", { class: "go plain", href: "#", textContent: L.school.all });

function stepView() {
  const hear = loudspeaker(L.school.hear);
  hear.hidden = !touches;
  hear.onclick = async () => {
    hear.disabled = true;
    const wrong = await play({ lesson: walk.name, at: walk.at });
    hear.disabled = false;
    if (wrong) { told = wrong; shown(walk); }
  };
  const open = walk.kind !== "read" && walk.mood !== "right";
  const mute = walk.kind === "say" && !walk.hears; // nothing to be skipped: only to be read
  const next = button(open && !mute ? L.school.skip : L.school.next, { do: "next" }, open && !mute ? "" : "primary next");
  const back = button(L.school.back, { do: "back" });
  back.disabled = walk.at === 0;
  return [
    el("div", { class: "head" }, el("p", { class: "state", textContent: L.school.at({ at: walk.at + 1, of: walk.of }) }), hear),
    el("progress", { max: walk.of, value: walk.at, "aria-hidden": "true" }),
    ...walk.text.map((text) => el("p", { class: "says", textContent: text })),
    tableView(),
    walk.question ? el("p", { class: "asks", textContent: walk.question }) : null,
    walk.choices.length ? choicesView() : null,
    walk.kind === "read" ? null : sayView(),
    verdictView(),
    el("div", { class: "options moves" }, back, next, all()),
  ].filter(Boolean);
}

function shown(next) {
  const moved = walk === null || walk.at !== next.at || walk.name !== next.name;
  const again = !moved && !told && JSON.stringify(walk) === JSON.stringify(next) && $("lesson").childElementCount;
  walk = next;
  if (!again) {
    const body = walk.mood === "over" ? overView() : stepView();
    const title = el("h2", { id: "lesson-title", textContent: walk.title });
    $("lesson").replaceChildren(title, ...body);
    $("lesson").dataset.mood = walk.mood;
    if (moved) { scrollTo(0, 0); $("lesson").focus({ preventScroll: true }); }
    else focusOn();
  }
  clearTimeout(polls);
  if (walk.listening) polls = setTimeout(poll, EVERY);
}

/** After an answer what comes next has the focus, for whoever has only a keyboard. */
function focusOn() {
  const target = walk.mood === "right" ? ".next" : walk.listening ? ".listens" : ".choices button, .aloud button, .next";
  $("lesson").querySelector(target)?.focus({ preventScroll: true });
}

async function poll() {
  try {
    shown(await asked(address(walk.name)));
  } catch {
    polls = setTimeout(poll, EVERY);
  }
}

async function route() {
  hush();
  clearTimeout(polls);
  const name = decodeURIComponent(location.hash.slice(1));
  if (walk?.listening) await post(address(walk.name), { do: "quiet" }).catch(() => null);
  walk = null;
  told = "";
  try {
    if (name) shown(await asked(address(encodeURIComponent(name))));
    else await listed();
  } catch {
    $("lost").hidden = false;
    return;
  }
  if (name && walk.mood === "over") await go({ do: "begin" });
  $("lost").hidden = true;
  $("lesson").hidden = !name;
  $("lessons").hidden = $("hello").hidden = Boolean(name);
  if (name) $("lesson").focus({ preventScroll: true });
}

async function begin() {
  const me = await whoAmI();
  try {
    ({ path } = await asked("/api/lessons"));
  } catch {
    $("lost").hidden = false;
    return;
  }
  touches = me?.may_touch ?? false;
  addEventListener("hashchange", route);
  await route();
  ready();
}

begin();
