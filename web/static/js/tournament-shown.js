// What every page of a tournament shows alike: who meets whom, in which round, what is sought.

import { CODE, H, tableName, worded } from "./texts.js";

/** What speaks of a tournament's pairs by their names. */
export function namesOf(shown) {
  const pairs = new Map(shown.pairs.map((pair) => [pair.pair, pair]));
  const name = (pair) => pairs.get(pair)?.name ?? String(pair);
  /** The name of a pair, or where it will come from. */
  const who = ({ pair, bye, source }) =>
    pair !== null ? name(pair) : bye ? H.t.bye : from(source, shown.stages);
  return { pairs, name, who };
}

/** A text of a format from a file, in the language of the page or in the first that it has; "" for none. */
export const inWords = (words) => words[CODE] ?? Object.values(words)[0] ?? "";

/** Those who enrolled: no pairs that a round made of two players. */
export const enrolled = ({ pairs }) => pairs.filter(({ of }) => !of.length);

const LOTS = ["redraw", "lives", "individual"]; // kinds of stages whose rounds are drawn by the seed

/** The facts in a line below the name. */
export function facts(shown) {
  const { format, title, juegos, seed, bag, rounds, paired, clubs_apart: apart, rules, profile, annulled, stages } = shown;
  const lots = !bag || stages.some(({ kind }) => LOTS.includes(kind)); // whether the seed draws anything
  const here = enrolled(shown).filter((pair) => pair.here).length;
  return [
    inWords(title) || H.t.formats[format], H.t.toWin({ n: juegos }), (shown.individual ? H.t.people : H.t.pairs)({ n: here }),
    rounds ? H.t.ofRounds({ n: paired, all: rounds }) : null,
    apart ? H.t.clubsApart : null,
    Object.keys(rules).length ? ruled(profile, Object.entries(rules)) : null,
    bag ? H.t.bagged : null,
    seed !== null && lots ? H.t.seed({ n: seed }) : null,
    ...annulled.map(([n, reason]) => H.t.annulled({ n, reason })),
  ].filter(Boolean).join(" · ");
}

/** Matches in their rounds, in the order of play: {title, stage, phase, group, round, matches}. */
export function roundsOf({ matches, stages }) {
  const last = {};
  const of = ({ phase, group, stage }) => `${phase} ${group} ${stage}`;
  for (const match of matches) last[of(match)] = Math.max(last[of(match)] ?? 0, match.round);
  const found = new Map();
  for (const match of matches) {
    const { stage, phase, group, round, date } = match;
    // The name of a round of a group has the group in it already, unless that is a division.
    const named = stage === "group" && !stages[phase - 1].divisions;
    const alone = stages.filter(({ kind }) => kind === "robin").length === 1;
    const where = named && alone ? "" : partOf(stages, phase, named ? 0 : group);
    const name = titleOf(named ? match : { ...match, stage: stage === "group" ? "robin" : stage }, last[of(match)] - round);
    const title = [where, name, date && dayOf(date)].filter(Boolean).join(" · ");
    if (!found.has(title)) found.set(title, { title, stage, phase, group, round, matches: [] });
    found.get(title).matches.push(match);
  }
  return [...found.values()];
}

/** What is looked at at once where there is much: a round; of several groups, one group with all its rounds. */
export function chaptersOf(shown) {
  const found = new Map();
  for (const round of roundsOf(shown)) {
    const { stage, phase, group, title, matches } = round;
    const whole = stage === "group" && !shown.stages[phase - 1].divisions;
    const name = whole ? partOf(shown.stages, phase, group) : title;
    const known = found.get(name);
    if (known) known.matches.push(...matches);
    else found.set(name, { ...round, title: name, matches: [...matches] });
  }
  return [...found.values()];
}

/** The title of the standings of a group; "" where there are no others. */
export function standingTitle({ standing_of: of, stages }, at) {
  const [phase, group] = of[at];
  const several = of.some(([other, number]) => other === phase && number > 1);
  const shown = several ? group : 0;
  if (of.every(([other]) => other === phase)) return groupOf(stages[phase - 1], shown);
  return partOf(stages, phase, shown) || kindOf(stages[phase - 1]);
}

/** The best of a place across the groups, each comparison as a list: {title, rows}; of each row who it is, and why it goes on or not. */
export function bestLists({ best, stages }, { name }) {
  return best.map(({ of, place, best: n, average, settled, rows }) => {
    const title = H.t.best.title({ place, n });
    return {
      title: settled ? title : H.t.best.soFar({ title }),
      rows: rows.map((row) => ({
        ...row, text: H.t.best.named({ pair: name(row.pair), group: groupOf(stages[of - 1], row.group) }), told: toldOf(row, average, name),
      })),
    };
  });
}

/** Why a pair goes on or not, in words. */
function toldOf({ goes, why, left_out: left }, average, name) {
  if (!why) return H.t.best.all;
  const { by, pair, own, other } = why;
  const number = (value) => value.toLocaleString(CODE, { maximumFractionDigits: 3, signDisplay: by === "won" ? "auto" : "exceptZero" });
  const told = by === "draw" ? (goes ? H.t.best.lotGoes : H.t.best.lotStays)({ pair: name(pair) })
    : (goes ? H.t.best.goes : H.t.best.stays)({ by: H.t.by[by], own: number(own), other: number(other) });
  const counted = average ? H.t.best.average({ why: told }) : told;
  return left.length ? H.t.best.leftOut({ why: counted, pairs: left.map(name) }) : counted;
}

/** The rows of a list of the standings that are of a category, with their places among each other; all for "". */
export function ofCategory(rows, category, pairs) {
  if (!category) return rows;
  const own = rows.filter(({ pair }) => plain(pairs.get(pair)?.category ?? "") === plain(category));
  return own.map((row, at) => ({ ...row, place: at + 1 }));
}

/** What a stage is called: as its file says, or by its kind. */
export const kindOf = ({ title, kind }) => inWords(title) || H.t.kinds[kind];

/** Who won each consolation and came first in each category, once all is decided: {title, pairs}. */
export function prizesOf({ podium, stages, categories }) {
  if (podium === null) return [];
  const sides = stages.filter((stage) => stage.podium).map((stage) => ({ title: kindOf(stage), podium: stage.podium }));
  return [...sides, ...categories.map(({ name, podium: steps }) => ({ title: name, podium: steps }))];
}

/** A stage and its group, as far as they have names. */
export function partOf(stages, phase, group) {
  const stage = stages[phase - 1];
  return [inWords(stage.title), groupOf(stage, group)].filter(Boolean).join(" · ");
}

/** The name of a group: that of its bar, or a number; "" for 0, where there is one alone. */
function groupOf({ bars, divisions }, group) {
  if (group === 0) return "";
  return bars.length ? bars[group - 1] : (divisions ? H.t.division : H.t.group)({ n: group });
}

/** A date such as 2027-01-11, in words. */
export function dayOf(date) {
  return new Date(`${date}T12:00`).toLocaleDateString(CODE, { weekday: "short", day: "numeric", month: "short" });
}

/** How a match stands, in words: with whose signature its result counts, if somebody signed it. */
export function stateOf({ match, slots, state, result, how: ended, given, moved }, { signed }) {
  if (state === "void" && slots.some(({ bye }) => bye)) return H.t.passes;
  const signer = signed[match];
  const how = state !== "over" ? state : ended ? ended : result.walkover ? "walkover" : result.game ? "journal"
    : result.reason ? "corrected" : signer ? "signed" : "unsigned";
  const text = worded(H.t.state[how], { ...result, signer, table: result && tableName(result.by) });
  const more = result ? [] : [
    given.some(Boolean) && H.t.order.ahead({ score: given.join("–") }), moved && state !== "void" && H.t.movedTo({ date: dayOf(moved) }),
  ];
  return [text, ...more].filter(Boolean).join(" · ");
}

/** How the table of a match stands, in the order of its pairs: {juegos, stones, whole} of each; null where
 * the table does not tell, or others sit there. They sit there by their full names, or by the short ones that
 * the table was told. `juegos` has those that were given, and `whole` the stones of the whole match.
 */
export function standsAt({ slots, seated, given, vacas }, pairs, brief) {
  const sides = brief?.sides ?? [];
  const there = slots.map(({ pair }, i) => {
    const ways = [pairs.get(pair).players, seated[i]].map((names) => names.map(plain));
    return sides.findIndex(({ names }) => ways.some((way) => names.every((name) => way.includes(plain(name)))));
  });
  if (there.includes(-1)) return null;
  return there.map((side, i) => {
    const { juegos, stones } = sides[side];
    const more = vacas ? 0 : given[i] - (brief.given?.[side] ?? 0); // the game may have begun with some
    return { juegos: juegos + more, stones, whole: brief.whole?.[side] ?? 0 };
  });
}

/** A pair's juegos in a match, and its stones where they were noted. */
export const scoreOf = (juegos, stones) => (stones ? `${juegos} (${stones})` : `${juegos}`);

/** Where a pair that is not known yet will come from. */
function from([kind, one, two, place, other], stages) {
  if (kind === "of") return worded(H.t.source.of, { one: groupOf(stages[one - 1], two) || kindOf(stages[one - 1]), two: place });
  if (kind === "best" || kind === "rest") return H.t.source[kind]({ one: kindOf(stages[one - 1]), two });
  if (kind === "either") return H.t.source.either({ one: groupOf(stages[one - 1], two), two: groupOf(stages[one - 1], other), place });
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

/** Whether one of these texts is what is sought, and nothing more. */
export function is(sought, texts) {
  const wanted = plain(sought.trim());
  return texts.some((text) => text && plain(text) === wanted);
}
