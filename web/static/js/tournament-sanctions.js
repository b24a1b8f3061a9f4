// Sanctions: a warning, a juego, the match, expulsion; each with its article, and what takes it back.

import { el, reconcile, setText } from "./dom.js";
import { H } from "./texts.js";
import { ask, field, named } from "./tournament-ask.js";
import { enrolled } from "./tournament-shown.js";

const DEGREES = ["warning", "juego", "match", "expulsion"];
const IN_MATCH = ["juego", "match"]; // what is lost in a match

/** Ask for a sanction. What a repeated fault usually costs is chosen already. */
export function sanctionDialog({ shown, names, act }) {
  const pairs = enrolled(shown).filter(({ here }) => here);
  const pair = el("select", {}, ...pairs.map((one) => el("option", { value: one.pair, textContent: H.t.order.of({ n: one.pair, name: one.name }) })));
  const player = el("select");
  const match = el("select");
  const degree = el("select", {}, ...DEGREES.map((key) => el("option", { value: key, textContent: H.t.order.degrees[key] })));
  const had = el("p", { class: "had" });
  const [article, articleInput] = field(H.t.order.article, { type: "text", maxLength: 120, required: true });
  articleInput.setAttribute("list", "articles");
  const [why, reason] = field(H.t.reason, { type: "text", maxLength: 200, required: true });
  const open = shown.matches.filter(({ state }) => state === "playing" || state === "ready");
  const fill = () => {
    const one = names.pairs.get(Number(pair.value));
    const before = shown.penalties.filter(({ pair: whose, kind, lifted }) => whose === one.pair && kind !== "late" && !lifted);
    player.replaceChildren(el("option", { value: "", textContent: H.t.order.bothPlayers }),
      ...one.players.map((name) => el("option", { value: name, textContent: name })));
    const own = open.filter(({ slots }) => slots.some((slot) => slot.pair !== null && playsIn(names, slot.pair, one.pair)));
    match.replaceChildren(el("option", { value: "", textContent: H.t.order.noMatch }),
      ...own.map((m, i) => el("option", { value: m.match, textContent: `${m.match} · ${m.slots.map(names.who).join(" – ")}`, selected: i === 0 })));
    degree.value = DEGREES[own.length ? Math.min(before.length, 2) : 0];
    had.hidden = before.length === 0;
    setText(had, H.t.order.had({ list: before.map((penalty) => H.t.order.degrees[penalty.kind]).join(", ") }));
    chosen();
  };
  const chosen = () => { match.required = IN_MATCH.includes(degree.value); };
  pair.onchange = fill;
  degree.onchange = chosen;
  fill();
  const label = (text, node) => el("label", {}, el("span", { textContent: text }), node);
  ask(H.t.order.sanction, [
    label(shown.individual ? H.t.onePlayer : H.t.pair, pair), had, shown.individual ? null : label(H.t.order.player, player),
    label(H.t.order.degree, degree), label(H.t.order.inMatch, match), article, why,
    el("datalist", { id: "articles" }, ...H.t.order.articles.map((text) => el("option", { value: text }))),
  ].filter(Boolean), () => act("Sanctioned", {
    pair: Number(pair.value), degree: degree.value, article: articleInput.value.trim(), reason: reason.value.trim(),
    match: match.value, player: player.value,
  }));
}

/** Whether those who enrolled as `whose` play on a side: as that pair, or as one of two players. */
const playsIn = ({ pairs }, side, whose) => side === whose || Boolean(pairs.get(side)?.of.includes(whose));

/** The sanctions and latenesses, the latest first, each with what takes it back. */
export function sanctionList(root, { shown, names, act, report }) {
  if (!root.firstChild) root.append(el("h3", { textContent: H.t.order.sanctions }), el("ul"));
  root.hidden = shown.penalties.length === 0;
  reconcile(root.lastChild, [...shown.penalties].reverse(), ({ number }) => number,
    () => el("li", {}, el("p"), el("button", { type: "button" })), (node, penalty) => {
      node.classList.toggle("gone", Boolean(penalty.lifted));
      setText(node.firstChild, told(penalty, names));
      const button = node.lastChild;
      button.hidden = Boolean(penalty.lifted);
      const late = penalty.kind === "late";
      setText(button, late ? H.t.order.undo : H.t.order.lift);
      button.onclick = () => { if (named(report)) (late ? undo : lift)(penalty, act, names); };
    });
}

/** A penalty as a line: whose, what, why, who decided it. */
function told({ pair, kind, match, minutes, juegos, article, player, reason, by, lifted }, names) {
  const late = kind === "late";
  return [
    H.t.order.degrees[kind], [names.name(pair), player && `(${player})`].filter(Boolean).join(" "), match,
    late ? `${H.t.order.minutes({ n: minutes })}, ${H.t.order.lost({ n: juegos })}` : article, reason, by, lifted && `✗ ${lifted}`,
  ].filter(Boolean).join(" · ");
}

const undo = ({ number }, act) => act("PenaltyLifted", { number, reason: H.t.order.undone });

function lift(penalty, act, names) {
  const [label, reason] = field(H.t.reason, { type: "text", maxLength: 200, required: true });
  ask(H.t.order.lift, [el("p", { textContent: told(penalty, names) }), el("p", { textContent: H.t.order.liftHow }), label],
    () => act("PenaltyLifted", { number: penalty.number, reason: reason.value }));
}
