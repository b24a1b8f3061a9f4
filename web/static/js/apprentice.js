// The page of the one who learns. It asks for what one seat is to be told each time that the table
// has moved or heard something; all sentences come ready made.

import { el, lettersOf, reconcile, setName, setText } from "./dom.js";
import { createCard } from "./seats.js";
import { play } from "./sound.js";
import { follow } from "./stream.js";
import { CODE, follows, L, RANKS, W } from "./texts.js";

const KEPT = "mus.apprentice.seat";
const HAND = 4;
const $ = (id) => document.getElementById(id);

let snapshot = null;
let seat = Number(localStorage.getItem(KEPT)) || 1;
let cards = []; // what he says that he held in this deal; kept by nobody
let asked = 0;
let drawn = "";

/** What of the table changes what is told: not the sound level, nor what is being heard. */
function moment() {
  const { seq, deal, heard, question } = snapshot;
  return JSON.stringify([seq, deal, heard, question?.code, seat, cards]);
}

async function show() {
  if (seat > snapshot.seats.length) seat = 1;
  placesView();
  if (moment() === drawn) return;
  drawn = moment();
  asked += 1;
  const number = asked;
  const query = new URLSearchParams({ seat, lang: CODE, hand: cards.length === HAND ? cards.join("") : "" });
  try {
    const answer = await fetch(`/api/apprentice?${query}`, { signal: AbortSignal.timeout(8000) });
    if (!answer.ok) throw new Error(answer.statusText);
    const view = await answer.json();
    if (number === asked) draw(view);
  } catch {
    if (number === asked) drawn = ""; // the next news asks again
  }
}

function placesView() {
  $("places").style.setProperty("--longest", Math.max(...snapshot.seats.map((one) => lettersOf(one.name))));
  reconcile($("places"), snapshot.seats, (one) => one.seat,
    (one) => el("button", { type: "button", "data-side": one.side }, el("span", { class: "name" })),
    (node, one) => {
      setName(node.firstChild, one.name);
      node.setAttribute("aria-pressed", String(one.seat === seat));
      node.onclick = () => {
        seat = one.seat;
        cards = [];
        localStorage.setItem(KEPT, String(seat));
        show();
      };
    });
}

function draw(view) {
  document.body.dataset.turn = view.turn.mine ? "mine" : "other";
  setText($("turn"), view.turn.text);
  setText($("now"), view.now);
  $("mistake").hidden = view.mistake === null;
  setText($("mistake-title"), view.mistake?.name ? L.apprentice.hint.named({ name: view.mistake.name }) : L.apprentice.hint.plain);
  setText($("mistake").querySelector("p"), view.mistake?.text ?? "");
  saidView(view.said);
  mayView(view.may);
  whyView(view.why);
  chancesView(view);
  $("page").dataset.seq = String(view.seq);
  $("page").dataset.seat = String(view.seat);
  $("page").setAttribute("aria-busy", "false");
}

function saidView(said) {
  const root = $("said");
  root.hidden = said === null;
  if (said === null) return;
  const words = L.apprentice;
  const who = said.mine ? words.mine : words.said({ name: said.name });
  setText($("said-title"), said.say ? who : said.name || words.happened);
  const line = root.querySelector(".words");
  line.hidden = said.say === "";
  reconcile(line, said.say ? [said.say] : [], (say) => say, (say) => el("span", {}, `«${say}» `, hear(say)), () => {});
  setText(root.querySelector(".means"), said.means);
  reconcile(root.querySelector(".then"), said.then, (text) => text, () => el("li"), setText);
}

/** What may be said: the smallest amount first, the others folded away under it. */
function mayView(may) {
  setText($("may-title"), L.apprentice.may);
  setText($("may").querySelector(".none"), may.length ? "" : L.apprentice.nothing);
  $("softly").hidden = may.length === 0;
  reconcile($("may").querySelector(".choices"), may, (choice) => choice.kind,
    () => el("li", {}, el("ul", { class: "ways" }), el("p", { class: "means" }), el("ul", { class: "stakes" }),
      el("details", {}, el("summary", { textContent: L.apprentice.larger }), el("ul", { class: "ways more" }))),
    (node, { means, ways }) => {
      const [first, ...larger] = ways;
      reconcile(node.querySelector(".ways"), [first], (way) => way.say, sayView, () => {});
      setText(node.querySelector(".means"), means);
      stakesView(node.querySelector(".stakes"), first);
      node.querySelector("details").hidden = larger.length === 0;
      reconcile(node.querySelector(".more"), larger, (way) => way.say,
        (way) => {
          const item = sayView(way);
          item.append(el("ul", { class: "stakes" }));
          return item;
        },
        (item, way) => stakesView(item.querySelector(".stakes"), way));
    });
}

function sayView(way) {
  return el("li", {}, el("p", { class: "say" }, el("strong", { textContent: way.say }), hear(way.say)));
}

function stakesView(root, way) {
  reconcile(root, way.stakes, (stake) => stake.kind,
    (stake) => el("li", { "data-kind": stake.kind }), (line, stake) => setText(line, stake.text));
}

/** A button that says a call in the ear of whoever holds the phone. */
function hear(say) {
  const button = el("button", { type: "button", class: "hear", textContent: "▶", "aria-label": L.apprentice.hear({ say }) });
  button.onclick = async () => {
    setText($("deaf"), await play({ text: say }, "/api/apprentice/say"));
  };
  return button;
}

/** The last lance first: it is the one that is being talked of. */
function whyView(why) {
  $("why").hidden = why.length === 0;
  setText($("why-title"), L.apprentice.why);
  reconcile($("why").querySelector("dl"), [...why].reverse(), (one) => one.lance,
    () => el("div", {}, el("dt"), el("dd")),
    (node, one) => {
      setText(node.querySelector("dt"), W.lances[one.lance]);
      setText(node.querySelector("dd"), one.text);
    });
}

function chancesView({ chances, may_tell, fault }) {
  $("chances").hidden = chances.length === 0 && !may_tell;
  setText($("fault"), fault ?? "");
  reconcile($("chances").querySelector(".had"), chances, (one) => one.lance,
    (one) => el("li", {}, el("meter", { min: 0, max: 100, "aria-hidden": "true" }), el("span", { "data-lance": one.lance })),
    (node, one) => {
      node.firstChild.value = one.percent;
      setText(node.lastChild, one.text);
    });
  $("tell").hidden = !may_tell;
  setText($("tell").querySelector(".soft"), chances.length ? "" : L.apprentice.tell);
  handView();
}

function handView() {
  reconcile($("tell").querySelector(".hand"), cards, (card, i) => `${card}${i}`, createCard, () => {});
  $("clear").disabled = cards.length === 0;
  setText($("clear"), W.clear);
}

function ranks() {
  for (const rank of RANKS) {
    const button = el("button", { type: "button", class: "rank", "data-rank": rank },
      el("span", { textContent: rank }), el("small", { textContent: W.ranks[rank] }));
    button.onclick = () => {
      if (cards.length < HAND) cards = [...cards, rank];
      handView();
      if (cards.length === HAND) show();
    };
    $("tell").querySelector(".ranks").append(button);
  }
  $("clear").onclick = () => {
    cards = [];
    handView();
    show();
  };
}

follow("/events", {
  onLink: (there) => { $("lost").hidden = there; },
  onSnapshot: (next) => {
    follows(next.language);
    if (snapshot === null) ranks();
    if (snapshot?.deal !== next.deal) cards = [];
    snapshot = next;
    show();
  },
});
