// The exercises without end. What is right, only the table knows; how this learner does, only this device:
// it keeps his progress and sends it along with each answer.

import { el } from "./dom.js";
import { whoAmI } from "./door.js";
import { asked, post, ready } from "./school.js";
import { L, cardName } from "./texts.js";

const KEPT = "mus.drills"; // where this device keeps the progress
const EVERY = 300; // ms between two looks while the table listens to an answer
const $ = (id) => document.getElementById(id);

let kinds = []; // all that there are
let wanted = []; // those that are practised now; none: all of them
let hears = false;
let exercise = null;
let verdict = null;
let thrown = new Set();
let ear = null;
let told = "";
let following = null; // the next exercise, asked for while this one's verdict is read
let polls = 0;
let score = { asked: 0, right: 0 };

// ---- The progress -------------------------------------------------------------------------------

let memory = null; // in place of a storage that the browser does not give

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "null");
  } catch {
    return memory;
  }
}

function keep(progress) {
  memory = progress;
  try {
    if (progress === null) localStorage.removeItem(KEPT);
    else localStorage.setItem(KEPT, JSON.stringify(progress));
  } catch { /* a private window: it lasts as long as the page */ }
}

const mine = () => ({ kept: kept(), at: Date.now() / 1000 });

function saveFile() {
  const file = new Blob([JSON.stringify(kept(), null, 1)], { type: "application/json" });
  const link = el("a", { href: URL.createObjectURL(file), download: L.drills.file });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** A file from another telephone; the table looks whether it is progress at all. */
async function takeFile(file) {
  const before = kept();
  try {
    keep(JSON.parse(await file.text()));
    await post("/api/drills", { do: "progress", ...mine() });
    told = "";
  } catch {
    keep(before);
    told = L.drills.noFile;
  }
  await begun();
}

// ---- The beginning: what can be practised, and how it goes --------------------------------------

async function begun() {
  exercise = verdict = following = null;
  let skills = [];
  try {
    ({ skills } = await post("/api/drills", { do: "progress", ...mine() }));
  } catch {
    keep(null); // what this device kept is of no use
    ({ skills } = await post("/api/drills", { do: "progress", ...mine() }));
  }
  const all = el("button", { type: "button", class: "primary all", textContent: L.drills.mixed });
  all.onclick = () => practise([]);
  $("begin").replaceChildren(
    el("p", { class: "hello", textContent: hears ? L.drills.hello.talks : L.drills.hello.taps }),
    el("p", { class: "told wrong", role: "status", textContent: told }),
    all,
    el("ul", { class: "kinds" }, ...kinds.map((one) => kindView(one, skills))),
    progressView(skills));
  told = "";
  $("begin").hidden = false;
  $("exercise").hidden = true;
}

function kindView(one, skills) {
  const its = skills.filter((skill) => skill.kind === one.kind);
  const [done, right] = ["asked", "right"].map((what) => its.reduce((sum, skill) => sum + skill[what], 0));
  const button = el("button", { type: "button", class: "kind" },
    el("b", { textContent: one.title }), el("span", { textContent: one.about }),
    done ? el("span", { class: "state", textContent: L.drills.score({ right, asked: done }) }) : null);
  button.onclick = () => practise([one.kind]);
  return el("li", {}, button);
}

function progressView(skills) {
  const known = skills.filter((skill) => skill.asked);
  if (!known.length) return el("p", { class: "state", textContent: L.drills.here });
  const rows = known.map((skill) => el("tr", {},
    el("th", { scope: "row", textContent: skill.title }),
    el("td", { textContent: L.drills.level({ level: skill.level }) }),
    el("td", { textContent: L.drills.score({ right: skill.right, asked: skill.asked }) }),
    el("td", { textContent: skill.wrong ? L.drills.again({ n: skill.wrong }) : "" })));
  const save = el("button", { type: "button", textContent: L.drills.save });
  save.onclick = saveFile;
  const input = el("input", { type: "file", accept: ".json,application/json", class: "unseen", id: "take", "aria-label": L.drills.take });
  input.onchange = () => input.files[0] && takeFile(input.files[0]);
  const take = el("button", { type: "button", textContent: L.drills.take });
  take.onclick = () => input.click();
  const anew = el("button", { type: "button", textContent: L.drills.anew });
  anew.onclick = () => {
    if (anew.dataset.sure) { keep(null); begun(); }
    anew.dataset.sure = "yes";
    anew.textContent = L.drills.sure;
  };
  return el("details", { class: "part mine" }, el("summary", { textContent: L.drills.mine }),
    el("table", {}, el("tbody", {}, ...rows)),
    el("p", { class: "state", textContent: L.drills.here }),
    el("div", { class: "options" }, save, take, input, anew));
}

// ---- An exercise --------------------------------------------------------------------------------

const ask = () => post("/api/drills", { do: "next", kinds: wanted, ...mine() });

async function practise(some) {
  wanted = some;
  score = { asked: 0, right: 0 };
  following = null;
  await next();
}

async function next() {
  hushed();
  const coming = following ?? ask();
  following = null;
  $("page").setAttribute("aria-busy", "true");
  try {
    exercise = await coming;
    verdict = null;
    thrown = new Set();
    told = "";
  } catch (wrong) {
    told = wrong.message;
  }
  $("page").setAttribute("aria-busy", "false");
  if (exercise === null) return begun();
  $("begin").hidden = true;
  $("exercise").hidden = false;
  shown();
  scrollTo(0, 0);
  $("exercise").focus({ preventScroll: true });
}

/** Something else: what was skipped counts as asked, and as no answer. */
function skip() {
  const progress = kept() ?? { version: 1, skills: {}, recent: [] };
  keep({ ...progress, recent: [...progress.recent, exercise.name].slice(-12) });
  return next();
}

async function answer(choice) {
  if (verdict) return;
  hushed();
  try {
    const graded = await post(`/api/drills/${exercise.name}`, { choice, ...mine() });
    verdict = graded.verdict;
    keep(graded.kept);
    score = { asked: score.asked + 1, right: score.right + (verdict.grade === "right") };
    following = ask();
    following.catch(() => null); // told once it is shown
    told = "";
  } catch (wrong) {
    told = wrong.message;
  }
  shown();
  const after = $("exercise").querySelector(".next");
  after?.focus({ preventScroll: true });
  $("exercise").querySelector(".moves")?.scrollIntoView({ block: "nearest" });
}

const card = (code) => el("span", { class: "naipe", role: "img", "aria-label": cardName(code), textContent: code[0] });
const cards = (codes) => el("span", { class: "naipes" }, ...codes.map(card));

/** How an answer looks once it was graded. */
function mark(node, at) {
  if (!verdict) return;
  node.disabled = true;
  if (at === verdict.best) node.classList.add("fine");
  else if (at === verdict.chosen) node.classList.add(verdict.grade === "wrong" ? "wrong" : verdict.grade === "right" ? "fine" : "doubtful");
  if (verdict.costs[at]) node.append(el("span", { class: "cost", textContent: verdict.costs[at] }));
}

function linesView() {
  if (exercise.kind === "gana") return null;
  const lines = exercise.lines.map((one) => el("li", { class: one.cards.length ? "hand" : "call" },
    el("b", { textContent: one.who }), one.cards.length ? cards(one.cards) : el("q", { textContent: one.words })));
  return lines.length ? el("ul", { class: "happens" }, ...lines) : null;
}

/** The own hand; where cards are thrown each of them is a button. */
function handView() {
  if (!exercise.hand.length) return null;
  if (!exercise.throws) return el("p", { class: "own" }, cards(exercise.hand));
  const best = (place) => verdict && (verdict.best + 1) >> place & 1;
  return el("p", { class: "own throws" }, ...exercise.hand.map((code, place) => {
    const node = el("button", { type: "button", class: "naipe", "aria-label": cardName(code),
      "aria-pressed": String(thrown.has(place)), textContent: code[0], disabled: verdict !== null });
    if (best(place)) node.classList.add("goes");
    node.onclick = () => {
      if (!thrown.delete(place)) thrown.add(place);
      shown();
      $("exercise").querySelectorAll(".throws button")[place].focus({ preventScroll: true });
    };
    return node;
  }));
}

function choicesView() {
  if (exercise.throws) {
    const go = el("button", { type: "button", class: "primary throw",
      textContent: thrown.size ? L.drills.throw({ n: thrown.size }) : L.drills.pick, disabled: !thrown.size });
    go.onclick = () => answer([...thrown].reduce((bits, place) => bits | 1 << place, 0) - 1);
    return verdict ? null : go;
  }
  const hands = exercise.kind === "gana";
  const short = exercise.choices.every((text) => /^\d+$/.test(text));
  return el("div", { class: `choices ${hands ? "hands" : short ? "numbers" : "calls"}` }, ...exercise.choices.map((text, at) => {
    const line = exercise.lines[at];
    const node = hands
      ? el("button", { type: "button" }, el("b", { textContent: line.who }), cards(line.cards))
      : el("button", { type: "button", textContent: text });
    node.onclick = () => answer(at);
    mark(node, at);
    return node;
  }));
}

function aloudView() {
  if (!hears || verdict) return null;
  const listens = ear?.listening;
  const mic = el("button", { type: "button", class: listens ? "listens" : "", textContent: listens ? L.school.stop : L.school.speak });
  mic.onclick = () => (listens ? hushed(true) : listen());
  const hint = listens ? L.school.listening : exercise.throws ? L.drills.sayMany : L.drills.sayIt[exercise.kind];
  return el("div", { class: "aloud" }, mic, el("span", { class: "hint", role: "status", textContent: hint }));
}

function verdictView() {
  const node = el("p", { class: "told", role: "status" });
  if (told) {
    node.textContent = told;
    node.classList.add("wrong");
  } else if (verdict) {
    node.textContent = `${verdict.result} ${verdict.why}`;
    node.classList.add({ right: "fine", wrong: "wrong", doubtful: "doubtful" }[verdict.grade]);
  }
  return node;
}

function shown() {
  const onward = el("button", { type: "button", class: verdict ? "primary next" : "next", textContent: verdict ? L.drills.next : L.school.skip });
  onward.onclick = () => (verdict ? next() : skip());
  const stop = el("button", { type: "button", textContent: L.drills.stop });
  stop.onclick = () => { hushed(); begun(); };
  const count = score.asked ? L.drills.score(score) : "";
  $("exercise").replaceChildren(...[
    el("div", { class: "head" },
      el("h2", { id: "exercise-title", textContent: exercise.title }),
      el("p", { class: "state" }, L.drills.level({ level: exercise.level }), count ? ` · ${count}` : "")),
    exercise.again ? el("p", { class: "state once", textContent: L.drills.once }) : null,
    exercise.facts.length ? el("p", { class: "facts", textContent: exercise.facts.join(" ") }) : null,
    linesView(),
    handView(),
    el("p", { class: "asks", textContent: exercise.question }),
    choicesView(),
    aloudView(),
    verdictView(),
    el("div", { class: "options moves" }, onward, stop),
  ].filter(Boolean));
  $("exercise").dataset.grade = verdict?.grade ?? "";
}

// ---- An answer said aloud -----------------------------------------------------------------------

async function listen() {
  try {
    ear = await post("/api/drills-ear", { do: "listen", name: exercise.name });
    told = "";
  } catch (wrong) {
    ear = null;
    told = wrong.message;
  }
  shown();
  if (ear) polls = setTimeout(poll, EVERY);
}

async function poll() {
  const about = exercise;
  try {
    ear = await asked("/api/drills-ear");
  } catch { /* the next look tells */ }
  if (!ear || exercise !== about || verdict) return;
  if (ear.choice !== null) return answer(ear.choice);
  if (ear.listening) polls = setTimeout(poll, EVERY);
  else {
    if (ear.heard) told = L.school.unclear.words({ heard: ear.heard });
    ear = null;
    shown();
  }
}

/** Give the table its ear back. */
function hushed(show = false) {
  clearTimeout(polls);
  if (ear?.listening) post("/api/drills-ear", { do: "quiet" }).catch(() => null);
  ear = null;
  if (show) shown();
}

async function begin() {
  const me = await whoAmI();
  try {
    ({ kinds, hears } = await asked("/api/drills"));
    hears &&= me?.may_touch ?? false;
    addEventListener("pagehide", () => hushed());
    await begun();
    const kind = location.hash.slice(1); // a lesson may lead to one kind of exercise
    if (kinds.some((one) => one.kind === kind)) await practise([kind]);
  } catch {
    $("lost").hidden = false;
  }
  ready();
}

begin();
