// Looking back: a deal is chosen, its steps lie under a slider, and the table is shown as it stood.

import { centreView } from "./centre.js";
import { el, reconcile, setText } from "./dom.js";
import { lancesView } from "./lances.js";
import { seatsView } from "./seats.js";
import { sidesView } from "./sides.js";
import { CODE, W } from "./texts.js";

const PACE = 1400; // ms a step stays while it plays
const $ = (id) => document.getElementById(id);

const kept = new Map(); // the table at each step that was looked at
let deals = [];
let deal = 0;
let steps = [];
let at = 0;
let views = [];
let playing = 0;

/** What the table answers, in the language of the page. */
async function asked(url) {
  const answer = await fetch(`${url}?lang=${CODE}`, { signal: AbortSignal.timeout(8000) });
  if (!answer.ok) throw new Error(answer.statusText);
  return answer.json();
}

function table(seq) {
  if (!kept.has(seq)) kept.set(seq, asked(`/api/replay/${seq}`));
  return kept.get(seq);
}

function dealsView() {
  reconcile($("deals"), deals, (one) => one.deal,
    () => el("li", {}, el("button", { type: "button" },
      el("span", { class: "which" }), el("span", { class: "stands" }), el("small"))),
    (node, one) => {
      const button = node.firstChild;
      setText(button.querySelector(".which"), W.past.deal({ n: one.deal }));
      setText(button.querySelector(".stands"), one.sides.map((side) => side.stones).join(" – "));
      setText(button.querySelector("small"),
        [W.past.mano({ name: one.mano }), one.disputed ? W.past.disputed({ n: one.disputed }) : ""].filter(Boolean).join(" · "));
      if (one.deal === deal) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
      button.onclick = () => choose(one.deal);
    });
}

/** The pictures that people take home: of this deal, and of the match. */
function drawingsView() {
  const sheets = [[`deal-${deal}`, W.past.drawn.deal({ n: deal })], ["score", W.past.drawn.score], ["lances", W.past.drawn.lances]];
  $("drawings").querySelector(".sheets").replaceChildren(...sheets.map(([name, told]) => {
    const src = `/history/${name}.svg?lang=${CODE}`;
    return el("figure", { class: "panel" },
      el("img", { src, alt: told, loading: "lazy" }),
      el("a", { href: src, download: `mus-${name}.svg`, textContent: W.past.save({ told }) }));
  }));
  $("drawings").hidden = false;
}

async function choose(number) {
  stop();
  deal = number;
  dealsView();
  drawingsView();
  ({ steps } = await asked(`/api/history/${number}`));
  $("slider").max = String(steps.length - 1);
  go(0);
  document.querySelector("#deals [aria-current]").scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** Show a step; of many that are asked for at once, the last one stays. */
async function go(step) {
  at = Math.min(Math.max(step, 0), steps.length - 1);
  $("slider").value = String(at);
  $("before").disabled = at === 0;
  $("after").disabled = at === steps.length - 1;
  const here = steps[at];
  setText($("step"), here.undone ? `${here.text} (${W.undone})` : here.text);
  $("step").classList.toggle("undone", here.undone);
  $("slider").setAttribute("aria-valuetext", here.text);
  const snapshot = await table(here.seq);
  if (steps[at] !== here) return;
  $("page").dataset.sides = snapshot.sides.length > 2 ? "many" : "two";
  setText($("deal"), W.past.deal({ n: deal }));
  for (const view of views) view(snapshot);
  $("page").setAttribute("aria-busy", "false");
  $("page").dataset.seq = String(here.seq);
}

function stop() {
  clearInterval(playing);
  playing = 0;
  setText($("play"), W.past.play);
}

function play() {
  if (playing) return stop();
  if (at === steps.length - 1) go(0);
  setText($("play"), W.past.stop);
  playing = setInterval(() => {
    if (at < steps.length - 1) go(at + 1);
    else stop();
  }, PACE);
}

async function begin() {
  const now = await asked("/api/snapshot");
  views = [sidesView($("sides")), seatsView($("seats")), centreView($("centre"), null),
    lancesView($("lances"))];
  ({ deals } = await asked("/api/history"));
  $("none").hidden = deals.length > 0;
  $("steps").hidden = deals.length === 0;
  if (deals.length > 0) await choose(deals.at(-1).deal);
}

$("slider").oninput = () => { stop(); go(Number($("slider").value)); };
$("before").onclick = () => { stop(); go(at - 1); };
$("after").onclick = () => { stop(); go(at + 1); };
$("play").onclick = play;
begin();
