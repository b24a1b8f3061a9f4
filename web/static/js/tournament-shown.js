// What every page of a tournament shows alike: who meets whom, in which round, what is sought.

import { H } from "./hall-texts.js";

/** What speaks of a tournament's pairs by their names. */
export function namesOf(shown) {
  const pairs = new Map(shown.pairs.map((pair) => [pair.pair, pair]));
  const name = (pair) => pairs.get(pair)?.name ?? String(pair);
  /** The name of a pair, or where it will come from. */
  const who = ({ pair, bye, source }) =>
    pair !== null ? name(pair) : bye ? H.t.bye : H.t.source(source);
  return { pairs, name, who };
}

/** The facts in a line below the name. */
export function facts({ format, juegos, pairs, seed, rounds, paired, clubs_apart: apart, rules, profile }) {
  const here = pairs.filter((pair) => pair.here).length;
  return [
    H.t.formats[format], H.t.toWin(juegos), H.t.pairs(here),
    rounds ? H.t.ofRounds(paired, rounds) : null,
    apart ? H.t.clubsApart : null,
    Object.keys(rules).length ? H.t.ruled(profile, Object.entries(rules).map((one) => H.t.rule(...one))) : null,
    seed === null ? null : H.t.seed(seed),
  ].filter(Boolean).join(" · ");
}

/** Matches in their rounds, in the order of play: {title, stage, round, matches}. */
export function roundsOf({ matches }) {
  const last = {};
  for (const { stage, round } of matches) last[stage] = Math.max(last[stage] ?? 0, round);
  const found = new Map();
  for (const match of matches) {
    const { stage, round, group } = match;
    const title = H.t.round(stage, round, group, last[stage] - round);
    if (!found.has(title)) found.set(title, { title, stage, round, matches: [] });
    found.get(title).matches.push(match);
  }
  return [...found.values()];
}

/** How a match stands, in words: with whose signature its result counts, if somebody signed it. */
export function stateOf({ match, slots, state, result }, { signed }) {
  if (state === "void" && slots.some(({ bye }) => bye)) return H.t.passes;
  return H.t.state(state, result, result && H.table(result.by), signed[match]);
}

/** A text as people mean it: without accents and capitals. */
export const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** Whether what is sought stands in one of these texts; accents and capitals do not matter. */
export function has(sought, texts) {
  const wanted = plain(sought.trim());
  return texts.some((text) => text && plain(text).includes(wanted));
}
