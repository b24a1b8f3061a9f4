// Enrolling a deck: one photograph after another, then all cards to look at and put right.

import { faultOf } from "./api.js";
import { el, reconcile, setText } from "./dom.js";
import { sweepView } from "./sweep.js";
import { cardName, RANKS, S, W, worded } from "./texts.js";

const SUITS = ["o", "c", "e", "b"];
const ANY = "any";
const NOT_MUS = "not_mus";
// Any order, each suit, all in one, what is none of Mus, the back.
const SHOTS = [ANY, ...SUITS, SUITS.join(""), NOT_MUS, ""];
const DECK = SUITS.flatMap((suit) => [...RANKS].reverse().map((rank) => rank + suit));
const LONGEST = 60_000; // ms for a photograph on a slow machine
const COLUMNS = 10;
const $ = (id) => document.getElementById(id);

let view = null;
let chosen = null; // the card that is to be exchanged
let busy = false;
let said = "";

async function post(url, body, type) {
  const answer = await fetch(url, {
    method: "POST", headers: { "Content-Type": type }, body, signal: AbortSignal.timeout(LONGEST),
  });
  if (answer.status === 413) return { ...view, fault: { code: "large", params: {} } };
  if (!answer.ok) throw answer;
  return answer.json();
}

/** Do something that takes a while, and say what became of it. */
async function change(doing, url, body, done = () => "", type = "application/json") {
  if (busy) return;
  busy = true;
  said = doing;
  show();
  try {
    const sent = type === "application/json" ? JSON.stringify(body) : body;
    view = await post(url, sent, type);
    said = view.fault ? faultOfPhoto(view.fault) : done();
    return !view.fault;
  } catch (wrong) {
    said = wrong instanceof Response ? faultOf(wrong.status) : W.fault.offline;
  } finally {
    busy = false;
    show();
  }
  return false;
}

function photograph(suits, file) {
  const done = suits === ANY ? inAnyOrder : suits === NOT_MUS ? setAside
    : () => (left().length ? S.decks.left({ n: left().length, suits: left() }) : S.decks.check);
  return change(S.decks.looking, `/api/decks/photo?suits=${suits}`, file, done, file.type || "image/jpeg");
}

/** Send one photograph after another; the first that is refused ends it. */
async function photographAll(suits, files) {
  for (const file of files) {
    if (!(await photograph(suits, file))) return;
  }
}

/** How many cards are there and which are missing, then what was wrong with single cards. */
function inAnyOrder() {
  const n = view.missing.length;
  const there = DECK.length - n;
  const parts = [n ? S.decks.lacking({ n, there, cards: view.missing.map(cardName) }) : S.decks.check];
  for (const { row, column, why } of view.troubles) {
    parts.push(S.decks.trouble({ row, column, why: S.decks.why[why] }));
  }
  if (!n && view.doubtful.length) parts.push(S.decks.doubtful({ cards: view.doubtful.map(cardName) }));
  return parts.join(" ");
}

/** How many cards that are none of Mus are there now. */
function setAside() {
  return S.decks.setAside({ n: view.not_mus.length });
}

/** What is wrong with a photograph, in words. */
function faultOfPhoto({ code, params }) {
  const words = { ...params, n: params.found, suit: S.decks.ofSuit[params.suit] };
  return worded(S.decks.fault[code], words);
}

/** The names of the suits that nobody photographed yet. */
function left() {
  return SUITS.filter((suit) => !view.suits.includes(suit)).map((suit) => S.decks.suits[suit]);
}

function touched(card) {
  if (chosen === null || chosen === card) {
    chosen = chosen === card ? null : card;
    said = chosen ? S.decks.swapWith({ card: cardName(card) }) : "";
    show();
    return;
  }
  const names = [cardName(chosen), cardName(card)];
  const swap = { one: chosen, other: card };
  chosen = null;
  change("", "/api/decks/swap", swap, () => S.decks.swapped({ one: names[0], other: names[1] }));
}

function isThere(shot) {
  if (shot === NOT_MUS) return view.not_mus.length > 0;
  if (shot === ANY) return !view.missing.length;
  if (shot === "") return view.back;
  return [...shot].every((suit) => view.suits.includes(suit));
}

function shotButton(shot) {
  const input = el("input", { type: "file", accept: "image/*", multiple: shot === ANY || shot === NOT_MUS, disabled: busy });
  input.onchange = () => {
    photographAll(shot, [...input.files]);
    input.value = "";
  };
  return el("label", {}, el("span", { textContent: S.decks.shots[shot] ?? S.decks.suits[shot] }), input);
}

function deckButton({ name }) {
  const button = el("button", { type: "button" });
  button.onclick = () => change("", "/api/decks/play", { name }, () => S.decks.plays({ name }));
  return el("li", {}, button);
}

function cardButton(card) {
  const button = el("button", { type: "button", "aria-label": cardName(card) });
  button.onclick = () => touched(card);
  return button;
}

/** A picture of its own: one tap puts it aside as none of Mus, or sorts it after all. */
function pictureButton(number, aside) {
  const name = aside ? S.decks.unknownCard : S.decks.oddCard;
  const button = el("button", { type: "button", "aria-label": name, disabled: busy });
  button.style.backgroundImage = `url(/api/decks/picture.jpg?number=${number})`;
  button.onclick = () => change("", "/api/decks/not-mus", { number, aside }, aside ? setAside : inAnyOrder);
  return button;
}

function paint(button, card) {
  const column = RANKS.length - 1 - RANKS.indexOf(card[0]);
  const row = SUITS.indexOf(card[1]);
  button.setAttribute("aria-pressed", card === chosen);
  button.classList.toggle("doubtful", view.doubtful.includes(card));
  button.style.backgroundImage = `url(/api/decks/new.jpg?v=${view.version})`;
  button.style.backgroundPosition = `${(column / (COLUMNS - 1)) * 100}% ${(row / (SUITS.length - 1)) * 100}%`;
}

function show() {
  reconcile($("decks"), view.decks, (deck) => deck.name, deckButton, (node, deck) => {
    const button = node.querySelector("button");
    setText(button, deck.playing ? S.decks.playing({ name: deck.name }) : deck.name);
    button.disabled = busy || deck.playing;
    node.classList.toggle("playing", deck.playing);
  });
  reconcile($("photos"), SHOTS, (shot) => shot || "back", shotButton, (node, shot) => {
    node.classList.toggle("there", isThere(shot));
    node.querySelector("input").disabled = busy;
  });
  $("photos").classList.toggle("busy", busy);
  const cards = DECK.filter((card) => !view.missing.includes(card));
  reconcile($("cards"), cards, (card) => card, cardButton, paint);
  reconcile($("unknown"), view.unknown, (number) => number, (number) => pictureButton(number, true), () => {});
  reconcile($("aside"), view.not_mus, (number) => number, (number) => pictureButton(number, false), () => {});
  $("unknown-title").hidden = !view.unknown.length;
  $("aside-title").hidden = !view.not_mus.length;
  $("odd").hidden = !chosen;
  $("anew").hidden = cards.length + view.unknown.length + view.not_mus.length === 0;
  $("keep").hidden = view.missing.length > 0;
  setText($("step"), said);
}

$("keep").onsubmit = (event) => {
  event.preventDefault();
  const name = $("name").value.trim();
  const instead = view.fault?.code === "exists" && view.fault.params.name === name;
  change("", "/api/decks/keep", { name, instead }, () => S.decks.kept({ name }));
};

setText($("unknown-title"), S.decks.unknownTitle);
setText($("aside-title"), S.decks.asideTitle);
setText($("odd"), S.decks.odd);
setText($("anew"), S.decks.anew);
$("odd").onclick = () => {
  const card = chosen;
  chosen = null;
  change("", "/api/decks/not-mus", { card }, () => `${setAside()} ${inAnyOrder()}`);
};
$("anew").onclick = () => change("", "/api/decks/anew", {}, () => S.decks.begun);
sweepView($("sweep"), {
  seen: (decks) => { // each frame's outcome; what stands below is the same screen
    view = decks;
    said = view.fault ? faultOfPhoto(view.fault) : inAnyOrder();
    show();
    return view.missing.length ? S.decks.lookFor({ card: cardName(view.missing[0]) }) : S.decks.check;
  },
  ended: () => {
    said = inAnyOrder();
    show();
  },
});

async function asked(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(answer.statusText);
  return answer.json();
}

async function begin() {
  try {
    view = await asked("/api/decks");
  } catch {
    setText($("step"), W.fault.offline);
    return;
  }
  if (view.version) said = inAnyOrder();
  show();
  $("page").setAttribute("aria-busy", "false");
}

begin();
