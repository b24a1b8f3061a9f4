// The hall's clock on the big screen, and the matches that have just been called to their tables.

import { el, reconcile, setText } from "./dom.js";
import { H, tableName } from "./texts.js";
import { hour, leftUntil, wall } from "./tournament-hour.js";
import { namesOf } from "./tournament-shown.js";

const NEW = 90; // seconds that a call stands above the tables
const AT_ONCE = 3; // calls beside each other
const SMALL = "(max-width: 699px), (max-height: 599px)"; // where there is room for one
const TURN = 6; // seconds that so many stand, where there are more

let now = null; // the tournament as it was shown last

/** Show the clock and the calls of a tournament; both go on by themselves. */
export function screenClock(shown) {
  if (!now) {
    const figure = document.querySelector(".projector figure");
    figure.before(el("p", { id: "hall-clock", role: "timer" }, el("b"), el("span")));
    document.querySelector(".projector header").after(el("ol", { id: "calls", "aria-live": "off" }));
    setInterval(draw, 1000);
  }
  now = shown;
  draw();
}

function draw() {
  const left = leftUntil(now.ends);
  const clock = document.getElementById("hall-clock");
  setText(clock.firstChild, left ? left.text : wall(hour()));
  const alone = left && !left.over && left.warns && now.times?.stops && now.ended !== now.ends;
  setText(clock.lastChild, !left ? "" : alone ? H.t.order.endsAlone({ hour: wall(now.ends) }) : wall(hour()));
  clock.classList.toggle("warns", Boolean(left?.warns));
  clock.classList.toggle("over", Boolean(left?.over));
  calls();
}

/** The calls of the last moments, the newest first; more than fit take turns. A pause hides them. */
function calls() {
  const names = namesOf(now);
  const fresh = now.matches.filter(({ state, match }) => now.calling && state === "playing" && hour() - now.called[match] < NEW)
    .sort((one, other) => now.called[other.match] - now.called[one.match]);
  const room = matchMedia(SMALL).matches ? 1 : AT_ONCE;
  const turns = Math.max(1, Math.ceil(fresh.length / room));
  const at = Math.floor(hour() / TURN) % turns;
  const root = document.getElementById("calls");
  root.hidden = fresh.length === 0;
  reconcile(root, fresh.slice(at * room, (at + 1) * room), ({ match, table }) => `${match} ${table}`,
    () => el("li", {}, el("b"), el("p", {}, el("span"), el("span"))), (node, match) => {
      setText(node.firstChild, tableName(match.table));
      match.slots.forEach((slot, i) => setText(node.lastChild.children[i], names.who(slot)));
    });
}
