// All tournaments of the hall; and the form that opens one, for whoever may.

import { el, reconcile, setText } from "./dom.js";
import { enterView, introduced } from "./door.js";
import { notices } from "./notice.js";
import { CODE, H } from "./texts.js";
import { field, nameField, referee, send } from "./tournament-ask.js";
import { timesFields } from "./tournament-order.js";
import { inWords } from "./tournament-shown.js";

const $ = (id) => document.getElementById(id);
const report = notices($("notice"));
const NEEDS = { rounds: ["swiss"], groups: ["groups"], advance: ["groups"], bronze: ["knockout", "groups"], clubs_apart: ["knockout", "double", "swiss", "groups"] };
const STANDINGS = ["robin", "swiss", "groups"]; // formats that have some, and so tie-breaks
const TIEBREAKS = ["juegos", "stones", "direct", "buchholz"];
const USUAL = TIEBREAKS.slice(0, 3);

const SHEET = "sheet"; // the format of a tournament whose stages come from a file
const FILE = "file:"; // before the name of such a file, among the choices
const ALIKE = ["eliminatoria", "doble", "todos-contra-todos", "suizo"]; // files that are like a choice above them

let profiles = []; // house rules that have a name
let files = new Map(); // formats from files

const load = async () => {
  const found = await (await fetch("/api/tournaments")).json();
  const { tournaments } = found;
  profiles = found.profiles;
  files = new Map(found.formats.filter(({ name }) => !ALIKE.includes(name)).map((one) => [FILE + one.name, one]));
  $("none").hidden = tournaments.length > 0;
  reconcile($("list"), tournaments, ({ id }) => id, () => el("li", {}, el("a", {}, el("b"), el("span"))), (node, one) => {
    const { id, name, opened, stage, pairs } = one;
    const date = new Date(opened * 1000).toLocaleDateString(CODE, { day: "numeric", month: "long", year: "numeric" });
    node.firstChild.href = `/tournaments/${id}${location.search}`;
    node.dataset.stage = stage;
    setText(node.querySelector("b"), name);
    setText(node.querySelector("span"),
      [H.t.stage[stage], stage && (one.individual ? H.t.people : H.t.pairs)({ n: pairs }), H.t.openedOn({ date })].filter(Boolean).join(" · "));
  });
};

function choice(text, options) {
  const select = el("select", {}, ...options.map(([value, textContent]) => el("option", { value, textContent })));
  return [el("label", {}, el("span", { textContent: text }), select), select];
}

/** What separates pairs that won equally often; what is left at "–" is not asked. */
function tiebreaks() {
  const options = [["", "–"], ...TIEBREAKS.map((name) => [name, H.t.by[name]])];
  const list = TIEBREAKS.map((_, at) => choice(H.t.tiebreak({ n: at + 1 }), options));
  list.forEach(([, select], at) => { select.value = USUAL[at] ?? ""; });
  const node = el("fieldset", {}, el("legend", { textContent: H.t.tiebreaks }), ...list.map(([label]) => label));
  return [node, () => list.map(([, select]) => select.value).filter(Boolean)];
}

function opening() {
  const number = (value, most) => ({ type: "number", min: 1, max: most, value, required: true });
  const [name, nameInput] = field(H.t.name, { type: "text", maxLength: 100, required: true });
  const usual = Object.entries(H.t.formats).filter(([key]) => key !== SHEET);
  const [formatLabel, format] = choice(H.t.format, [...usual, ...[...files].map(([key, one]) => [key, inWords(one.title)])]);
  const explains = el("p", { class: "explains", hidden: true });
  const [juegos, juegosInput] = field(H.t.juegos, number(3, 15));
  const more = {
    rounds: field(H.t.rounds, number(5, 60)),
    groups: field(H.t.groups, number(4, 1300)),
    advance: field(H.t.advance, number(2, 20)),
    bronze: field(H.t.bronze, { type: "checkbox" }),
    clubs_apart: field(H.t.apart, { type: "checkbox" }),
  };
  const [starts, startsInput] = field(H.t.starts, { type: "date", required: true });
  const [order, ordered] = tiebreaks();
  const [profile, named] = choice(H.t.rules, [["", H.t.tableRules], ...profiles.map((one) => [one, one])]);
  const [rules, rulesInput] = field(H.t.moreRules, { type: "text", maxLength: 300, placeholder: "kings=4 target=30", autocapitalize: "off" });
  const [minutes, times] = timesFields({ courtesy: "", each: "", at_once: true, playing: "" }, false);
  const timed = el("details", { class: "times" }, el("summary", { textContent: H.t.order.times }),
    el("div", { class: "fields" }, el("p", { class: "times-how", textContent: H.t.order.timesHow }), ...minutes));
  const sieve = () => {
    const file = files.get(format.value);
    explains.textContent = file ? inWords(file.explains) : "";
    explains.hidden = !explains.textContent;
    starts.hidden = !file?.starts;
    startsInput.disabled = starts.hidden;
    if (file) juegosInput.value = file.juegos;
    order.hidden = !(file?.tiebreaks ?? STANDINGS.includes(format.value));
    for (const one of order.querySelectorAll("[value=buchholz]")) one.hidden = format.value !== "swiss";
    for (const [key, formats] of Object.entries(NEEDS)) {
      more[key][0].hidden = file ? key !== "clubs_apart" || !file.apart : !formats.includes(format.value);
      more[key][1].disabled = more[key][0].hidden;
    }
  };
  format.onchange = sieve;
  sieve();
  const form = el("form", { class: "fields" }, nameField(), name,
    formatLabel, explains, starts, juegos, ...Object.values(more).map(([label]) => label), order, profile, rules, timed,
    el("button", { type: "submit", class: "primary", textContent: H.t.open }));
  form.onsubmit = async (event) => {
    event.preventDefault();
    const options = { juegos: juegosInput.valueAsNumber, profile: named.value, rules: rulesInput.value.trim() };
    if (!order.hidden) options.tiebreaks = ordered();
    for (const [key, [, input]] of Object.entries(more)) {
      if (!input.disabled) options[key] = input.type === "checkbox" ? input.checked : input.valueAsNumber;
    }
    const file = files.get(format.value);
    const act = { type: "Opened", v: 1, name: nameInput.value.trim(), format: file ? SHEET : format.value, options, by: referee() };
    const made = await send("", file ? { act, sheet: file.name, starts: startsInput.value } : { act }, report);
    if (made && times()) await send(`/${made.id}/act`, { act: { type: "TimesSet", v: 1, times: times(), by: referee() } }, report);
    if (made) location.href = `/tournaments/${made.id}${location.search}`;
  };
  $("open").append(form);
  $("open").hidden = false;
}

introduced($("lost")).then(async (me) => {
  await load();
  $("lost").hidden = true;
  if (me.may_touch) opening();
  else enterView($("enter"), H.door);
  $("page").setAttribute("aria-busy", "false");
});
