// What helps a newcomer: what is played for, an advice, the chances, and why the others called.

import { el, reconcile, setText } from "./dom.js";
import { P, W, worded } from "./texts.js";

const NEWEST = 4; // reasons that stand open; the older ones are folded away

export function helpView(root, hint) {
  const means = el("p", { class: "means" });
  const ask = el("button", { type: "button", class: "ask", textContent: P.chances });
  const chances = el("div", { class: "chances", role: "status" });
  const title = el("h2", { textContent: P.why });
  const whys = el("ol", { class: "whys" });
  const older = el("ol", { class: "whys" });
  const fold = el("details", {}, el("summary", { textContent: P.older }), older);
  root.append(means, ask, chances, title, whys, fold);
  let asked = ""; // the moment that the chances are of

  ask.onclick = async () => {
    const answer = await fetch("/api/practice/chances", { signal: AbortSignal.timeout(8000) })
      .catch(() => null);
    if (!answer?.ok) return;
    const found = (await answer.json()).chances;
    chances.replaceChildren(
      ...found.map(({ lance, wins }) =>
        el("p", { textContent: P.chance({ lance: W.lances[lance], times: Math.round(wins * 10) }) })),
      el("p", { class: "soft", textContent: found.length ? P.chanceNote : P.noChances }));
  };

  return (snapshot) => {
    const view = snapshot.practice;
    const explains = view.whys.length > 0 || view.hint !== null;
    const told = P.lanceMeans[snapshot.phase] ?? "";
    setText(means, byKings(told, view.kings));
    hint.hidden = !view.hint;
    setText(hint, view.hint ? `${P.advice}: ${view.hint.text}` : "");
    const now = `${snapshot.deal} ${snapshot.phase} ${view.hand.join()}`;
    if (now !== asked) chances.replaceChildren();
    asked = now;
    ask.hidden = view.hands.length > 0 || view.hand.length === 0;
    title.hidden = !explains || view.whys.length === 0;
    const reasons = view.whys.filter(({ code }) => code !== "declare").reverse();
    list(whys, reasons.slice(0, NEWEST), snapshot.seats);
    list(older, reasons.slice(NEWEST), snapshot.seats);
    fold.hidden = reasons.length <= NEWEST;
  };
}

function list(root, whys, seats) {
  reconcile(root, whys, (_, i) => i, () => el("li"), (node, why) => {
    const because = reason(why);
    setText(node, `${seats[why.seat - 1].name}, «${why.text}»: ${because}`);
  });
}

/** A text that is another one where eight reyes are played. */
const byKings = (text, kings) => (typeof text === "string" ? text : text[kings === 8 ? "eight" : "four"]);

/** Why somebody called so, by how far he trusts his cards. */
function reason({ code, trust, lance, deje }) {
  const text = P.reasons[code];
  const one = typeof text === "object" ? text[trust] ?? text.other : text;
  return worded(one, { the: P.the[lance ?? "grande"], stones: P.stones({ n: deje }) });
}
