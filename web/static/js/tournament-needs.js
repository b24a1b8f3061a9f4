// What needs the referee, the most urgent first: a list that a few rows tell, however much it is.

import { el, reconcile, setText } from "./dom.js";
import { H, tableName } from "./texts.js";

const ROWS = 6; // needs that stand each by itself; of more, those of one kind share a row
const MINUTE = 60; // s
const LOST = 30; // s without a line after which a table does not come back by itself
const SILENT = 10 * MINUTE; // s without a call at a table where a match is played
const OPEN = ["ready", "playing", "waiting"]; // states of a match that holds up its round

/** The kinds, the most urgent first; each says of a match what is the matter, or null. */
const KINDS = {
  called: ({ match }, { calls }) => calls.get(match) && H.t.needs.called(calls.get(match)),
  doubt: ({ match }, { doubts }) => doubts.has(match) && H.t.needs.doubt,
  left: ({ match, state }, { left }) => state === "playing" && left[match] && H.t.needs.left[left[match]],
  fault: (match, { at }) => at(match)?.fault && H.t.needs.fault,
  lost: (match, { at, now }) => {
    const table = at(match);
    const away = table && !table.online && now - table.since;
    return away > LOST && H.away.since({ minutes: Math.floor(away / MINUTE) });
  },
  silent: (match, { at, now }) => {
    const table = at(match);
    const still = table?.online && table.brief && !table.brief.over && now - table.moved;
    return still > SILENT && H.t.needs.silent({ minutes: Math.floor(still / MINUTE) });
  },
  waiting: ({ state, result }) => state === "waiting" && H.t.needs.waiting({ by: result.by }),
  ready: ({ state }) => state === "ready" && H.t.needs.ready,
};

/**
 * What needs the referee: {kind: [{match, why}]}, the most urgent kind first, each match once.
 *
 * `tables` are those of the hall by name, as the board shows them.
 */
export function needsOf(shown, tables, now = Date.now() / 1000) {
  const facts = {
    now,
    left: shown.left,
    doubts: new Set(shown.doubts),
    calls: new Map(shown.calls.map((call) => [call.match, call])),
    at: ({ state, table }) => (state === "playing" ? tables.get(table) : undefined),
  };
  const found = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, []]));
  for (const match of shown.matches) {
    for (const [kind, say] of Object.entries(KINDS)) {
      const why = say(match, facts);
      if (why) {
        found[kind].push({ match, why });
        break;
      }
    }
  }
  return found;
}

/** Whether the next round can be paired: nothing of the one before is open. */
export const canPair = ({ to_pair: left, matches }) => left && !matches.some(({ state }) => OPEN.includes(state));

/** The rows: those of a kind together where there would be more than `ROWS`, the least urgent first. */
function rowsOf(found) {
  const kinds = Object.entries(found).filter(([, all]) => all.length);
  // Matches that wait for a table are dealt with all at once.
  const together = new Set(["ready"]);
  const high = () => kinds.reduce((sum, [kind, all]) => sum + (together.has(kind) ? 1 : all.length), 0);
  for (const [kind] of [...kinds].reverse()) if (high() > ROWS) together.add(kind);
  return kinds.flatMap(([kind, all]) => (together.has(kind) && all.length > 1
    ? [{ key: kind, kind, many: all }]
    : all.map((one) => ({ key: `${kind} ${one.match.match}`, kind, one }))));
}

/**
 * Lay them out. `look` opens a match or a kind; `does` has what settles a whole kind at once, by
 * kind: {text, go}.
 */
export function needsView(root, found, shown, who, does, look) {
  const rows = rowsOf(found);
  if (canPair(shown)) rows.push({ key: "pair", kind: "pair" });
  root.hidden = shown.seed === null || (shown.stage === "over" && rows.length === 0);
  root.querySelector(".none").hidden = rows.length > 0;
  reconcile(root.querySelector("ol"), rows, ({ key }) => key, create, (node, row) => {
    node.dataset.kind = row.kind;
    const [what, whom] = node.firstChild.children;
    setText(what, row.one ? row.one.why : row.many ? H.t.needs.many[row.kind]({ n: row.many.length }) : H.t.needs.pair);
    setText(whom, row.one ? placed(row.one.match, who) : row.many ? row.many.map(({ match }) => short(match)).join(", ") : "");
    node.firstChild.onclick = () => (row.one ? look.match(row.one.match.match) : look.kind(row.many ? row.kind : null));
    const act = does[row.kind];
    node.lastChild.hidden = !act;
    if (!act) return;
    setText(node.lastChild, act.text);
    node.lastChild.onclick = act.go;
  });
}

const create = ({ key }) => el("li", { class: "need", "data-need": key },
  el("button", { type: "button", class: "what" }, el("b"), el("span")),
  el("button", { type: "button", class: "primary", hidden: true }));

const short = ({ match, table }) => (table ? tableName(table) : match);

const placed = (match, who) => [short(match), match.slots.map(who).join(" – ")].join(" · ");
