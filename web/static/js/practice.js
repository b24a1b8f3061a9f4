// A game against the computer. The page holds no rules: each snapshot tells what can be done.

import { sender } from "./api.js";
import { setText } from "./dom.js";
import { enterView, introduced } from "./door.js";
import { finalView } from "./final.js";
import { questionView } from "./heard.js";
import { notices } from "./notice.js";
import { callsView } from "./practice-calls.js";
import { countView } from "./practice-count.js";
import { handView } from "./practice-hand.js";
import { spokenView } from "./practice-heard.js";
import { helpView } from "./practice-help.js";
import { tableView } from "./practice-table.js";
import { welcomeView } from "./practice-welcome.js";
import { follow } from "./stream.js";
import { laidOut } from "./tally.js";
import { earSays, follows, P } from "./texts.js";

const $ = (id) => document.getElementById(id);
const report = notices($("notice"));

let shown = null;
let views = [];

/** Make the views, once the language is known. */
function built() {
  const send = sender(() => shown, report);
  const welcome = welcomeView($("welcome"), $("game"), report);
  setText($("undo").querySelector("span"), P.undo);
  $("undo").onclick = () => send.press({ command: "undo" });
  setText($("again"), P.again);
  $("again").onclick = welcome.open;
  return [
    welcome.view,
    barView,
    tableView({ score: $("score"), players: $("players"), middle: $("middle") }),
    handView({ prompt: $("prompt"), mano: $("mano"), hand: $("hand"), calls: $("calls") }, report),
    spokenView($("heard"), report),
    questionView($("question"), send),
    callsView($("calls"), send),
    countView($("count"), send, welcome.open),
    finalView($("final"), send),
    helpView($("help"), $("hint")),
    reviewView($("review")),
    signsView($("players"), $("senas")),
  ];
}

/** Where the company makes señas; what shows them loads only then. */
function signsView(players, root) {
  let view = null;
  let loads = false;
  return (snapshot) => {
    if (view) view(snapshot);
    else if (snapshot.practice.senas.on && !loads) {
      loads = true;
      import("./practice-senas.js").then(({ senasView }) => {
        view = senasView(players, root, report);
        view(shown);
      });
    }
  };
}

/** After the last deal: a button that brings the review of the own calls, which loads only then. */
function reviewView(root) {
  let game = null;
  return ({ over, practice }) => {
    root.hidden = !over || practice.hands.length === 0;
    if (root.hidden) game = null;
    else if (game !== practice.game) {
      game = practice.game;
      const open = document.createElement("button");
      Object.assign(open, { type: "button", className: "open", textContent: P.review.go });
      open.onclick = async () => (await import("./practice-review.js")).reviewed(root, report);
      root.replaceChildren(open);
    }
  };
}

function barView(snapshot) {
  $("ear").dataset.state = snapshot.ear.state;
  setText($("ear").querySelector("span"), earSays(snapshot.ear));
  const { begun } = snapshot.practice;
  $("tools").hidden = !begun;
  $("undo").disabled = !snapshot.practice.undo;
}

const me = await introduced($("lost"));
if (me.may_touch) play();
else ask();

/** The game is a person's own: who has not told the PIN is asked for it, and sees no card. */
function ask() {
  enterView($("enter"));
  $("page").setAttribute("aria-busy", "false");
}

function play() {
  const take = laidOut($("page"), (snapshot) => { for (const view of views) view(snapshot); });
  follow("/events", {
    onLink: (there) => { $("lost").hidden = there; },
    onSnapshot: (snapshot) => {
      if (shown === null) {
        follows(snapshot.language);
        views = built();
      }
      // Who read the count to its end sees the table again when the next cards are dealt.
      if (snapshot.deal !== shown?.deal) scrollTo({ top: 0 });
      const before = shown;
      shown = snapshot;
      take(before, snapshot);
      $("page").setAttribute("aria-busy", "false");
      $("page").dataset.version = snapshot.version;
    },
  });
}
