// The page holds no rules: it shows each snapshot as it comes and sends taps back.

import { actionsView } from "./actions.js";
import { sender } from "./api.js";
import { centreView } from "./centre.js";
import { setText } from "./dom.js";
import { enterView, introduced, ONLOOKER } from "./door.js";
import { drawer } from "./drawer.js";
import { finalView } from "./final.js";
import { heardView, proposalView, questionView } from "./heard.js";
import { lancesView } from "./lances.js";
import { logView } from "./log.js";
import { menu, nextView } from "./menu.js";
import { momentView } from "./moment.js";
import { notices } from "./notice.js";
import { othersView } from "./others.js";
import { scoreSheet } from "./score.js";
import { seatsView } from "./seats.js";
import { showdownPad } from "./showdown.js";
import { sidesView } from "./sides.js";
import { follow } from "./stream.js";
import { laidOut } from "./tally.js";
import { earSays, follows, inAmarracos, W } from "./texts.js";

const $ = (id) => document.getElementById(id);
const report = notices($("notice"));
const watching = "watch" in $("page").dataset;

let me = null; // what this device may do
let shown = null;
let views = [];
let captioned = false; // the script of the demo is there, or comes

/** Make the views that this page has, once the language is known. */
function built(send) {
  const views = [
    barView(),
    !me.may_touch && sidesView($("sides")),
    $("seats") && seatsView($("seats")),
    centreView($("centre"), send),
    $("moment") && momentView($("moment")),
    $("lances") && lancesView($("lances"), true),
    heardView($("heard")),
    proposalView($("proposal"), send, me.may_touch),
    questionView($("question"), send),
    $("log") && logView($("log")),
    $("final") && finalView($("final"), me.may_touch ? send : null),
  ];
  if (me.may_touch) views.push(...touched(send));
  else if ($("enter")) enterView($("enter"));
  return views.filter(Boolean);
}

/** What is there for whoever may touch. */
function touched(send) {
  const rare = drawer($("drawer"), $("more"), send);
  const score = scoreSheet($("score"), send);
  const pad = showdownPad($("showdown"), send, rare.open);
  if ($("photo")) added("./hand-photo.js", ({ handPhotoView }) => handPhotoView($("photo"), pad.fill));
  return [
    toolsView(send),
    score.view, // before the scores that open it
    sidesView($("sides"), score.open),
    othersView($("heard"), send),
    pad.view,
    actionsView($("actions"), send),
    rare.view,
  ];
}

function barView() {
  return (snapshot) => {
    const mano = snapshot.seats[snapshot.mano - 1]?.name ?? "";
    const begun = snapshot.deal > 0;
    setText($("deal"), begun ? W.deal[snapshot.corrido ? "corrido" : "plain"]({ deal: snapshot.deal, mano }) : "");
    $("page").dataset.phase = snapshot.over ? "over" : snapshot.phase;
    $("page").dataset.sides = snapshot.sides.length > 2 ? "many" : "two";
    $("ear").dataset.state = snapshot.ear.state;
    $("ear").toggleAttribute("data-note", Boolean(snapshot.ear.note));
    setText($("ear").querySelector("span"), earSays(snapshot.ear));
    $("eye").hidden = !(snapshot.eye in W.eye); // no camera: nothing to tell
    $("eye").dataset.state = snapshot.eye;
    setText($("eye").querySelector("span"), W.eye[snapshot.eye] ?? "");
    $("hall").hidden = !(snapshot.hall in W.hall); // a table by itself
    $("hall").dataset.state = snapshot.hall;
    setText($("hall").querySelector("span"), W.hall[snapshot.hall] ?? "");
  };
}

function toolsView(send) {
  $("tools").hidden = false;
  $("undo").onclick = () => send.press({ command: "undo" });
  $("redo").onclick = () => send.press({ command: "redo" });
  const pause = $("pause");
  return (snapshot) => {
    $("undo").disabled = !snapshot.can_undo;
    $("redo").disabled = !snapshot.can_redo;
    const paused = snapshot.ear.state === "paused";
    pause.hidden = !paused && snapshot.ear.state !== "listening"; // nobody listens: nothing to stop
    pause.classList.toggle("primary", paused);
    pause.querySelector("use").setAttribute("href", paused ? "#resume-icon" : "#pause-icon");
    setText(pause.querySelector("span"), paused ? W.resume : W.pause);
    pause.onclick = () => send.press({ command: paused ? "resume" : "pause" });
  };
}

/** Say to whoever cannot see the page what changed: one sentence, never a repetition. */
function announce(before, snapshot) {
  if (before === null) return;
  const asked = snapshot.question ?? snapshot.proposal;
  if (asked) {
    setText($("live"), asked.text);
    return;
  }
  const news = snapshot.log.filter((line) => line.seq > before.seq).map((line) => line.text);
  if (snapshot.match?.text && snapshot.match.text !== before.match?.text) news.push(snapshot.match.text);
  const scores = snapshot.sides
    .filter((side, i) => side.stones !== before.sides[i]?.stones)
    .map((side) => W.score({ names: side.names, text: inAmarracos(side.amarracos, side.piedras) }));
  if (news.length > 0) setText($("live"), [...news, ...scores].join(". "));
}

/** A demo plays by itself: nobody taps its calls, or puts them right. Its script comes with its first caption. */
function untapped(snapshot) {
  if (!snapshot.demo) return snapshot;
  if (!captioned) added("./demo.js", ({ demoView }) => demoView($("demo"), me.may_touch ? report : null));
  captioned = true;
  return { ...snapshot, actions: [], others: null };
}

/** The table with what the hall's referee decided in the place of what was heard, until something happens. */
function noted(snapshot) {
  const { match, seq } = snapshot;
  if (!match?.text || (match.seq !== null && seq > match.seq)) return snapshot;
  return { ...snapshot, heard: { text: "", confidence: 1, outcome: "note", say: match.text } };
}

/** Show the page for a wall where nobody can press a button: larger, without log and buttons. */
function hang() {
  const pointless = matchMedia("(any-pointer: none)").matches;
  const touchless = watching || (!me.may_touch && !$("enter")) || (me.may_touch && pointless);
  $("page").classList.toggle("wall", touchless);
  if (touchless && me.may_touch) addEventListener("keydown", () => $("page").classList.remove("wall"), { once: true });
}

/** Add a view whose script only some pages need. */
async function added(script, make) {
  const view = make(await import(script));
  views.push(view);
  if (shown) view(shown);
}

/** Begin; where a new game is played in another language, begin anew. */
function begin(snapshot) {
  follows(snapshot.language);
  if (shown === null) {
    const send = sender(() => shown, report);
    views = built(send);
    if ($("page").classList.contains("wall")) import("./wall-sound.js").then(({ soundHint }) => soundHint(snapshot));
    if ($("menu")) menu($("menu"), $("menu-open"), send, me, () => shown);
    if ($("menu") && me.may_touch) views.push(nextView($("menu"), send));
  }
}

const take = laidOut($("page"), (snapshot) => { for (const view of views) view(snapshot); });
me = watching ? ONLOOKER : await introduced($("lost"));
document.body.dataset.may = me.may_touch ? "touch" : "look";
hang();
navigator.serviceWorker?.register("/sw.js").catch(() => {}); // not there: no page without the table
follow("/events", {
  onLink: (there) => { $("lost").hidden = there; },
  onSnapshot: (sent) => {
    const snapshot = noted(untapped(sent));
    begin(snapshot);
    const before = shown;
    shown = snapshot;
    take(before, snapshot);
    announce(before, snapshot);
    $("page").setAttribute("aria-busy", "false");
    $("page").dataset.version = snapshot.version;
  },
});
