// What was done in a tournament, in sentences: who it was about, and what held before.

import { H } from "./hall-texts.js";

/** An act as a line: when, what, by whom, and why. */
export function deed(entry) {
  const { at, act } = entry;
  const when = new Date(at * 1000).toLocaleString(H.code);
  const said = H.t.done[act.type]?.({ ...entry, ...shownOf(entry) }) ?? act.type;
  return [when, said, act.by, act.reason].filter(Boolean).join(" · ");
}

/** What its sentence is made of: the match with its pairs, scores, what it was before. */
function shownOf({ act, pairs, was }) {
  const tally = (score) => H.t.tally(score.juegos, score.stones);
  const earlier = was?.table ? H.table(was.table) : was?.juegos ? tally(was) : null;
  return {
    match: pairs?.length ? `${act.match} (${pairs.join(" – ")})` : act.match,
    table: act.table && H.table(act.table),
    score: act.juegos && tally(act),
    was: was?.juegos ? tally(was) : was,
    before: earlier ? H.t.before(earlier) : "",
  };
}
