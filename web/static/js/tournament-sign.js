// A pair enters its results and signs those that its rivals entered, with the code of its slip.

import { el, reconcile, setText } from "./dom.js";
import { notices } from "./notice.js";
import { H, tableName } from "./texts.js";
import { field, send } from "./tournament-ask.js";
import { touches } from "./tournament-referee.js";
import { scoreOf, stateOf } from "./tournament-shown.js";

const $ = (id) => document.getElementById(id);
const number = $("page").dataset.number;
const report = notices($("notice"));

let me = null; // {pair, code}
let shown = null;

function name(pair) {
  return shown.pairs.find((one) => one.pair === pair)?.name ?? String(pair);
}

/** The side of a match on which a pair plays; for a player, the pair that a round made of two. */
function sideOf({ slots }) {
  const made = (pair) => shown.pairs.find((one) => one.pair === pair)?.of ?? [];
  return slots.find(({ pair }) => pair === me.pair || made(pair).includes(me.pair))?.pair ?? null;
}

const refresh = async () => {
  const answer = await fetch(`/api/tournaments/${number}`).catch(() => null);
  $("lost").hidden = answer?.ok === true;
  if (!answer?.ok) return;
  shown = await answer.json();
  setText($("name"), shown.name);
  if (shown.individual) setText($("enter").querySelector("label span"), H.t.playerNumber);
  if (me) show();
};

function show() {
  setText($("whose"), name(me.pair));
  const mine = shown.matches.filter((match) =>
    sideOf(match) !== null && ["ready", "playing", "waiting", "over"].includes(match.state));
  reconcile($("mine"), mine, ({ match }) => match, ({ match }) =>
    el("li", { class: "match", "data-match": match },
      el("div", { class: "box" }, el("p", { class: "which" }), el("p", { class: "slots" }), el("p", { class: "state" }), el("div", { class: "options" }))),
    (node, match) => {
      const { slots, result, state, table } = match;
      node.dataset.state = state;
      setText(node.querySelector(".which"), [match.match, table && tableName(table)].filter(Boolean).join(" · "));
      setText(node.querySelector(".slots"), slots.map(({ pair }, i) =>
        [name(pair), result && scoreOf(result.juegos[i], result.stones[i])].filter(Boolean).join(" ")).join(" – "));
      const call = shown.calls.find((one) => one.match === match.match);
      setText(node.querySelector(".state"), call ? H.t.calledBy(call) : stateOf(match, shown));
      const keys = { ready: ["result"], playing: ["result"], waiting: result?.by === name(sideOf(match)) ? [] : ["sign"] }[state] ?? [];
      if (!call) keys.push("call");
      touches(node.querySelector(".options"), { ...match, pair: me.pair, who: ({ pair }) => name(pair) }, keys, report,
        async (type, more, body = {}) => {
          const act = { type, v: 1, match: match.match, ...more };
          const done = await send(`/${number}/sign`, { ...me, act, ...body }, report);
          if (done) await refresh();
          return done !== null;
        });
    });
  $("none").hidden = mine.length > 0;
}

/** Show the matches of a pair that has told its code; of null, the fields in which one tells it. */
function own(pair) {
  me = pair;
  $("enter").hidden = me !== null;
  $("own").hidden = me === null;
  if (me) show();
}

function enter() {
  const [pair, number_] = field(H.t.pairNumber, { type: "number", min: 1, required: true });
  const [code, digits] = field(H.t.code, { type: "text", inputMode: "numeric", pattern: "[0-9]{6}", maxLength: 6, required: true, autocomplete: "off" });
  const form = el("form", { class: "fields" }, pair, code,
    el("button", { type: "submit", class: "primary", textContent: H.t.send }));
  const asked = Number(new URLSearchParams(location.search).get("pair")); // its slip tells
  if (Number.isInteger(asked) && asked > 0) number_.value = asked;
  form.onsubmit = async (event) => {
    event.preventDefault();
    const who = { pair: number_.valueAsNumber, code: digits.value };
    if (!await send(`/${number}/sign`, who, report)) return digits.select();
    await refresh();
    if (shown) own(who);
  };
  $("enter").append(form);
  $("other").onclick = () => {
    number_.value = "";
    digits.value = "";
    own(null);
    number_.focus();
  };
}

enter();
refresh().then(() => $("page").setAttribute("aria-busy", "false"));
setInterval(refresh, 4000);
