// What every page of a tournament shows alike: who meets whom, in which round, what is sought.

import { H, tableName, worded } from "./texts.js";

/** What speaks of a tournament's pairs by their names. */
export function namesOf(shown) {
  const pairs = new Map(shown.pairs.map((pair) => [pair.pair, pair]));
  const name = (pair) => pairs.get(pair)?.name ?? String(pair);
  /** The name of a pair, or where it will come from. */
  const who = ({ pair, bye, source }) =>
    pair !== null ? name(pair) : bye ? H.t.bye : from(source);
  return { pairs, name, who };
}

/** The facts in a line below the name. */
export function facts({ format, juegos, pairs, seed, rounds, paired, clubs_apart: apart, rules, profile }) {
  const here = pairs.filter((pair) => pair.here).length;
  return [
    H.t.formats[format], H.t.toWin({ n: juegos }), H.t.pairs({ n: here }),
    rounds ? H.t.ofRounds({ n: paired, all: rounds }) : null,
    apart ? H.t.clubsApart : null,
    Object.keys(rules).length ? ruled(profile, Object.entries(rules)) : null,
    seed === null ? null : H.t.seed({ n: seed }),
  ].filter(Boolean).join(" · ");
}

/** Matches in their rounds, in the order of play: {title, stage, round, matches}. */
export function roundsOf({ matches }) {
  const last = {};
  for (const { stage, round } of matches) last[stage] = Math.max(last[stage] ?? 0, round);
  const found = new Map();
  for (const match of matches) {
    const { stage, round } = match;
    const title = titleOf(match, last[stage] - round);
    if (!found.has(title)) found.set(title, { title, stage, round, matches: [] });
    found.get(title).matches.push(match);
  }
  return [...found.values()];
}

/** How a match stands, in words: with whose signature its result counts, if somebody signed it. */
export function stateOf({ match, slots, state, result }, { signed }) {
  if (state === "void" && slots.some(({ bye }) => bye)) return H.t.passes;
  const signer = signed[match];
  const how = state !== "over" ? state : result.walkover ? "walkover" : result.game ? "journal"
    : result.reason ? "corrected" : signer ? "signed" : "unsigned";
  return worded(H.t.state[how], { ...result, signer, table: result && tableName(result.by) });
}

/** A pair's juegos in a match, and its stones where they were noted. */
export const scoreOf = (juegos, stones) => (stones ? `${juegos} (${stones})` : `${juegos}`);

/** Where a pair that is not known yet will come from. */
function from([kind, one, two]) {
  return worded(H.t.source[kind] ?? H.t.source.other, { one, two });
}

/** The rules that a tournament sets, as a list. */
function ruled(profile, rules) {
  const list = rules.map(([key, value]) => H.t.rule[key]?.({ value }) ?? `${key}=${value}`).join(", ");
  return profile ? H.t.ruled.named({ profile, rules: list }) : H.t.ruled.plain({ rules: list });
}

/** The name of a round; `left` are the rounds that follow it. */
function titleOf({ stage, round, group }, left) {
  if (stage === "knockout" && H.t.finals[left]) return H.t.finals[left];
  const kind = stage === "final" && round > 1 ? "decider" : stage;
  return worded(H.t.round[kind], { round, group });
}

/** A text as people mean it: without accents and capitals. */
export const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** Whether what is sought stands in one of these texts; accents and capitals do not matter. */
export function has(sought, texts) {
  const wanted = plain(sought.trim());
  return texts.some((text) => text && plain(text).includes(wanted));
}
