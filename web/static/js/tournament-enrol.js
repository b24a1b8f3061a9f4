// The enrolment page, for the organisers alone: who is in, who has paid, telephones; one pair, or a list.

import { el, reconcile, setText } from "./dom.js";
import { enterView, introduced } from "./door.js";
import { notices } from "./notice.js";
import { H } from "./texts.js";
import { ask, field, nameField, named, namesakes, referee, send } from "./tournament-ask.js";
import { listView } from "./tournament-list.js";
import { enrolled, has } from "./tournament-shown.js";

const POLL = 4000; // ms
const LINE = { type: "text", maxLength: 120 };
const SIEVES = ["all", "owing", "noTelephone"];
const $ = (id) => document.getElementById(id);
const number = $("page").dataset.number;
const report = notices($("notice"));

let shown = null;
let book = null;
let sieve = "all";
let sought = "";

const load = async () => {
  try {
    const [all, own] = await Promise.all(["", "/book"].map((part) =>
      fetch(`/api/tournaments/${number}${part}`, { signal: AbortSignal.timeout(20_000) })));
    $("lost").hidden = all.ok && own.ok;
    if (!all.ok || !own.ok) return;
    [shown, book] = await Promise.all([all.json(), own.json()]);
  } catch {
    $("lost").hidden = false;
    return;
  }
  draw();
};

/** An amount in cents as people write it. */
const money = (cents) => (cents / 100).toLocaleString(document.documentElement.lang, { minimumFractionDigits: cents % 100 ? 2 : 0 });

/** Write into the book what is not public; the page shows it at once. */
const note = async (what) => {
  if (!named(report)) return null;
  const done = await send(`/${number}/book`, { by: referee(), ...what }, report);
  if (done) {
    book = done;
    draw();
  }
  return done;
};

function moneyView(root) {
  const [label, fee] = field(shown.individual ? H.enrol.feePlayer : H.enrol.fee, { type: "text", inputMode: "decimal", maxLength: 10 });
  const form = el("form", { class: "fee" }, label, el("button", { type: "submit", textContent: H.enrol.setFee }));
  form.onsubmit = (event) => {
    event.preventDefault();
    note({ fee: fee.value });
  };
  root.append(el("h2", { textContent: H.enrol.money }), el("p", { class: "sum", role: "status" }), form);
  fee.value = book.fee ? money(book.fee) : "";
  root.hidden = false;
}

function peopleView(root) {
  const [search, input] = field(H.enrol.search, { type: "search", maxLength: 40, autocomplete: "off" });
  input.oninput = () => {
    sought = input.value;
    draw();
  };
  const choices = SIEVES.map((key) => el("button", { type: "button", "data-sieve": key, textContent: H.enrol[key], onclick: () => {
    sieve = key;
    draw();
  } }));
  root.append(search, el("div", { class: "options sieves", role: "group", "aria-label": H.enrol.sieve }, ...choices),
    el("ol", { class: "enrolled" }), el("p", { class: "none", hidden: true, textContent: H.enrol.nobody }));
  root.hidden = false;
}

/** Whether a pair is among those that are looked for. */
function wanted({ pair, name, players, club, category }) {
  const telephone = book.telephones[pair] ?? "";
  if (sieve === "owing" && !book.owing.includes(pair)) return false;
  if (sieve === "noTelephone" && telephone) return false;
  const digits = sought.replace(/[\s.+-]/g, "");
  return has(sought, [name, club, category, ...players]) || (/^\d{3,}$/.test(digits) && telephone.includes(digits));
}

function draw() {
  const all = enrolled(shown).filter(({ here }) => here);
  setText($("name"), shown.name);
  if (!$("people").querySelector(".enrolled")) {
    if (shown.individual) setText($("people").querySelector("h2"), H.t.players);
    moneyView($("money"));
    peopleView($("people"));
  }
  const payers = all.length - book.owing.length;
  setText($("money").querySelector(".sum"), [
    H.enrol.paidOf({ n: payers, all: all.length }), H.enrol.total({ money: money(book.total) }),
    book.of_gone ? H.enrol.ofGone({ money: money(book.of_gone) }) : null,
  ].filter(Boolean).join(" · "));
  for (const button of $("people").querySelectorAll("[data-sieve]")) button.setAttribute("aria-pressed", String(button.dataset.sieve === sieve));
  const found = all.filter(wanted);
  $("people").querySelector(".none").hidden = found.length > 0;
  reconcile($("people").querySelector(".enrolled"), found, ({ pair }) => pair, row, update);
  formView();
}

/** The players of a pair, where its name does not say who they are. */
const playersOf = ({ name, players }) => (players.every((player) => name.includes(player)) ? null : players.join(", "));

function row() {
  return el("li", {},
    el("div", { class: "whom" }, el("b"), el("span", { class: "about" }), el("a", { class: "call" })),
    el("div", { class: "options" },
      el("button", { type: "button", class: "paid", textContent: H.enrol.paid }),
      el("button", { type: "button", class: "edit", textContent: H.enrol.edit })));
}

function update(node, pair) {
  const paid = book.paid[pair.pair];
  const telephone = book.telephones[pair.pair] ?? "";
  node.value = pair.pair;
  setText(node.querySelector("b"), `${pair.pair} · ${pair.name}`);
  setText(node.querySelector(".about"), [playersOf(pair), pair.club, pair.category, pair.bar, paid && H.enrol.paidBy({ by: paid.by })].filter(Boolean).join(" · "));
  const call = node.querySelector(".call");
  call.hidden = !telephone;
  setText(call, telephone);
  call.href = `tel:${telephone.split(" / ")[0]}`;
  const tap = node.querySelector(".paid");
  tap.setAttribute("aria-pressed", String(Boolean(paid)));
  tap.setAttribute("aria-label", `${H.enrol.paid}: ${pair.name}`);
  tap.onclick = () => note({ pair: pair.pair, paid: !paid });
  const edit = node.querySelector(".edit");
  edit.setAttribute("aria-label", `${H.enrol.edit}: ${pair.name}`);
  edit.onclick = () => { if (named(report)) change(pair, telephone); };
}

/** The telephone, which is not public; and the club and the category, whose change is written down for all. */
function change(pair, told) {
  const [telephone, telephoneInput] = field(H.enrol.telephone, { type: "tel", maxLength: 80, value: told });
  const [club, clubInput] = field(H.t.club, { ...LINE, value: pair.club });
  const [category, categoryInput] = field(H.enrol.category, { ...LINE, value: pair.category });
  const [reason, reasonInput] = field(H.enrol.whyCorrected, { type: "text", maxLength: 200 });
  ask(`${pair.pair} · ${pair.name}`, [telephone, club, category, reason], async () => {
    const [newClub, newCategory] = [clubInput, categoryInput].map(({ value }) => value.trim());
    if (newClub !== pair.club || newCategory !== pair.category) {
      const done = await send(`/${number}/act`, { act: {
        type: "PairCorrected", v: 1, pair: pair.pair, name: pair.name,
        players: shown.individual ? [pair.name, pair.name] : pair.players,
        club: newClub, category: newCategory, by: referee(), reason: reasonInput.value, namesakes: namesakes(),
      } }, report);
      if (!done) return null;
    }
    const done = telephoneInput.value.trim() === told ? book : await note({ pair: pair.pair, telephone: telephoneInput.value });
    if (done) await load();
    return done;
  });
}

/** One pair, or a list; after the draw only what can be done instead. */
function formView() {
  const open = shown.seed === null;
  $("list").hidden = !open;
  $("one").hidden = false;
  const late = !open && shown.takes_late;
  const state = `${open} ${late}`;
  if ($("one").dataset.state === state) return;
  $("one").dataset.state = state;
  const title = shown.individual ? H.enrol.onePlayer : H.enrol.one;
  $("one").replaceChildren(...[
    el("summary", {}, el("h2", { textContent: title })),
    open ? null : el("p", { class: "closed", textContent: late ? H.enrol.late : H.enrol.closed }),
    open || late ? oneForm(late) : null,
  ].filter(Boolean));
  $("one").open = !open && !late;
  if (!open || $("list").firstChild) return;
  $("list").append(el("summary", {}, el("h2", { textContent: H.enrol.list })));
  listView($("list"), { number, shown: () => shown, report, done: load });
  $("list").open = enrolled(shown).length === 0; // nobody is in yet: this is what one comes for
}

function oneForm(late) {
  const [one, oneInput] = field(shown.individual ? H.t.playerName : H.t.player({ n: 1 }), { ...LINE, required: true });
  const [two, twoInput] = field(H.t.player({ n: 2 }), { ...LINE, required: !shown.individual });
  const [name, nameInput] = field(H.t.pairName, { ...LINE, placeholder: H.t.nameless });
  const [club, clubInput] = field(H.t.club, LINE);
  const [category, categoryInput] = field(H.enrol.category, LINE);
  const [bar, barInput] = field(H.t.bar, { ...LINE, required: shown.stages[0].in_bars });
  const [telephone, telephoneInput] = field(H.enrol.telephone, { type: "tel", maxLength: 80, autocomplete: "off" });
  const [paid, paidInput] = field(H.enrol.paid, { type: "checkbox" });
  const say = el("p", { class: "refusal", role: "alert", hidden: true });
  const people = el("label", { class: "namesakes", hidden: true },
    el("input", { type: "checkbox" }), el("span", { textContent: H.t.namesakes }));
  const asked = shown.individual ? [one, club, category] : [one, two, name, club, category];
  const form = el("form", { class: "fields wide" }, ...asked, shown.stages[0].in_bars ? bar : null, telephone, paid, say, people,
    el("button", { type: "submit", class: "primary", textContent: H.t.send }));
  form.onsubmit = async (event) => {
    event.preventDefault();
    if (!named(report)) return;
    const players = shown.individual ? {} : { players: [oneInput.value, twoInput.value] };
    const pair = {
      name: shown.individual ? oneInput.value : nameInput.value, ...players, club: clubInput.value, bar: barInput.value,
      category: categoryInput.value, telephone: telephoneInput.value, paid: paidInput.checked, late,
    };
    say.hidden = true;
    const done = await send(`/${number}/enrol`, { by: referee(), pair, namesakes: people.querySelector("input").checked }, report, { say, people });
    if (!done) return;
    form.reset();
    people.hidden = true;
    await load();
    report(H.enrol.enrolled({ n: Math.max(...enrolled(shown).map(({ pair: taken }) => taken)) }));
    oneInput.focus();
  };
  return form;
}

introduced($("lost")).then(async (me) => {
  if (me.may_touch) {
    for (const part of ["hello", "out"]) $(part).hidden = false;
    $("who").append(nameField());
    $("who").hidden = false;
    await load();
    setInterval(load, POLL);
  } else {
    enterView($("enter"), H.door);
  }
  $("page").setAttribute("aria-busy", "false");
});
