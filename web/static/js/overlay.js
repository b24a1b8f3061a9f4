// The score over somebody else's picture: a stream, or a television's picture in a picture. The page
// only looks on. It is empty while nothing is played, and while the table is away, because an old
// score would be taken for the score.

import { centreView } from "./centre.js";
import { setText } from "./dom.js";
import { momentView } from "./moment.js";
import { sidesView } from "./sides.js";
import { follow } from "./stream.js";
import { laidOut } from "./tally.js";
import { follows, W } from "./texts.js";

const FINAL_MS = 60_000; // for how long the score of a match stays after its end
const SCALES = [0.5, 2];

const $ = (id) => document.getElementById(id);
const asked = new URLSearchParams(location.search);

let linked = false;
let played = false;
let shown = null;
let views = [];

function placed() {
  const scale = Number.parseFloat(asked.get("scale") ?? "1");
  if (scale > 0) document.documentElement.style.setProperty("--scale", Math.min(Math.max(scale, SCALES[0]), SCALES[1]));
  $("page").dataset.place = asked.get("place") === "top" ? "top" : "bottom";
}

function hide() {
  $("page").hidden = !linked || !played;
}

/** Whether anything is played: from the first deal until a while after the end of the match. */
function playedView() {
  let before = null;
  let timer = 0;
  return (snapshot) => {
    if (!snapshot.over || !before?.over) {
      clearTimeout(timer);
      played = snapshot.deal > 0 && !(snapshot.over && before === null);
      if (snapshot.over) timer = setTimeout(() => { played = false; hide(); }, FINAL_MS);
    }
    before = snapshot;
    hide();
  };
}

/** Whose word it is. Without a bet the middle says so itself. */
function turnView() {
  return ({ pending, seats, to_speak: turn }) => {
    $("page").dataset.sides = new Set(seats.map(({ side }) => side)).size > 2 ? "many" : "two";
    setText($("turn"), pending && turn ? W.speaks({ name: seats[turn - 1].name }) : "");
  };
}

const take = laidOut($("page"), (snapshot) => { for (const view of views) view(snapshot); });
placed();
follow("/events", {
  onLink: (there) => {
    linked = there;
    hide();
  },
  onSnapshot: (snapshot) => {
    follows(snapshot.language);
    if (shown === null) {
      views = [playedView(), turnView(), sidesView($("sides")), centreView($("centre"), null), momentView($("moment"), false)];
    }
    const before = shown;
    shown = snapshot;
    take(before, snapshot);
    $("page").setAttribute("aria-busy", "false");
    $("page").dataset.version = snapshot.version;
  },
});
