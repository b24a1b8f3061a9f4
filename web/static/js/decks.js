// Enrolling a deck: one photograph after another, then all cards to look at and put right.

import { faultOf } from "./api.js";
import { el, reconcile, setText } from "./dom.js";
import { sweepView } from "./sweep.js";
import { cardName, RANKS, W, worded } from "./texts.js";

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
    : () => (left().length ? W.decks.left({ n: left().length, suits: left() }) : W.decks.check);
  return change(W.decks.looking, `/api/decks/photo?suits=${suits}`, file, done, file.type || "image/jpeg");
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
  const parts = [n ? W.decks.lacking({ n, there, cards: view.missing.map(cardName) }) : W.decks.check];
  for (const { row, column, why } of view.troubles) {
    parts.push(W.decks.trouble({ row, column, why: W.decks.why[why] }));
  }
  if (!n && view.doubtful.length) parts.push(W.decks.doubtful({ cards: view.doubtful.map(cardName) }));
  return parts.join(" ");
}

/** How many cards that are none of Mus are there now. */
function setAside() {
  return W.decks.setAside({ n: view.not_mus.length });
}

/** What is wrong with a photograph, in words. */
function faultOfPhoto({ code, params }) {
  const words = { ...params, n: params.found, suit: W.decks.ofSuit[params.suit] };
  return worded(W.decks.fault[code], words);
}

/** The names of the suits that nobody photographed yet. */
function left() {
  return SUITS.filter((suit) => !view.suits.includes(suit)).map((suit) => W.decks.suits[suit]);
}

function touched(card) {
  if (chosen === null || chosen === card) {
    chosen = chosen === card ? null : card;
    said = chosen ? W.decks.swapWith({ card: cardName(card) }) : "";
    show();
    return;
  }
  const names = [cardName(chosen), cardName(card)];
  const swap = { one: chosen, other: card };
  chosen = null;
  change("", "/api/decks/swap", swap, () => W.decks.swapped({ one: names[0], other: names[1] }));
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
  return el("label", {}, el("span", { textContent: W.decks.shots[shot] ?? W.decks.suits[shot] }), input);
}

function deckButton({ name }) {
  const button = el("button", { type: "button" });
  button.onclick = () => change("", "/api/decks/play", { name }, () => W.decks.plays({ name }));
  return el("li", {}, button);
}

function cardButton(card) {
  const button = el("button", { type: "button", "aria-label": cardName(card) });
  button.onclick = () => touched(card);
  return button;
}

/** A picture of its own: one tap puts it aside as none of Mus, or sorts it after all. */
function pictureButton(number, aside) {
  const name = aside ? W.decks.unknownCard : W.decks.oddCard;
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
    setText(button, deck.playing ? W.decks.playing({ name: deck.name }) : deck.name);
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
  change("", "/api/decks/keep", { name, instead }, () => W.decks.kept({ name }));
};

setText($("unknown-title"), W.decks.unknownTitle);
setText($("aside-title"), W.decks.asideTitle);
setText($("odd"), W.decks.odd);
setText($("anew"), W.decks.anew);
$("odd").onclick = () => {
  const card = chosen;
  chosen = null;
  change("", "/api/decks/not-mus", { card }, () => `${setAside()} ${inAnyOrder()}`);
};
$("anew").onclick = () => change("", "/api/decks/anew", {}, () => W.decks.begun);
sweepView($("sweep"), {
  seen: (decks) => { // each frame's outcome; what stands below is the same screen
    view = decks;
    said = view.fault ? faultOfPhoto(view.fault) : inAnyOrder();
    show();
    return view.missing.length ? W.decks.lookFor({ card: cardName(view.missing[0]) }) : W.decks.check;
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
