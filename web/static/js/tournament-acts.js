// What was done in a tournament, in sentences: who it was about, and what held before.

import { CODE, H, tableName, worded } from "./texts.js";
import { wall } from "./tournament-hour.js";
import { dayOf } from "./tournament-shown.js";

/** An act as a line: when, what, by whom, and why. */
export function deed(entry) {
  const { at, act } = entry;
  const when = new Date(at * 1000).toLocaleString(CODE);
  const what = H.t.done[kindOf(act)];
  const done = what ? worded(what, { ...entry, ...act, ...shownOf(entry) }) : act.type;
  return [when, done, act.by, act.reason].filter(Boolean).join(" · ");
}

function kindOf({ type, late, date, bag }) {
  if (late) return "PairInBye";
  if (bag?.length) return type === "Drawn" ? "DrawnFromBag" : "RoundFromBag";
  return type === "MatchMoved" && !date ? "MatchBack" : type;
}

/** What its sentence is made of: the match with its pairs, scores, what it was before. */
function shownOf({ act, pairs, was }) {
  const matches = act.type === "RoundEnded" ? act.matches.length : was?.matches;
  const tally = ({ juegos, stones }) => [juegos.join("–"),
    stones.some(Boolean) ? H.t.tallyStones({ stones: stones.join("–") }) : null].filter(Boolean).join(", ");
  const earlier = was?.table ? tableName(was.table) : was?.juegos ? tally(was) : null;
  return {
    match: pairs?.length ? `${act.match} (${pairs.join(" – ")})` : act.match,
    table: act.table && tableName(act.table),
    date: act.date && dayOf(act.date),
    bag: act.bag?.join(", "),
    score: act.juegos && tally(act),
    was: was?.juegos ? tally(was) : was,
    players: act.players?.join(", "),
    was_name: was?.name,
    was_players: was?.players?.join(", "),
    courtesy: act.times?.courtesy,
    until: act.ends ? H.t.order.until({ hour: wall(act.ends) }) : H.t.order.noClock,
    calling: act.on ? H.t.order.calling : H.t.order.paused,
    count: matches === undefined ? null : H.t.matches({ n: matches }),
    degree: H.t.order.degrees[act.degree ?? was?.kind],
    before: earlier ? H.t.before({ was: earlier }) : "",
  };
}
