// What helps a newcomer: what is played for, an advice, the chances, and why the others called.

import { el, reconcile, setText } from "./dom.js";
import { words } from "./practice-texts.js";
import { W } from "./texts.js";

const NEWEST = 4; // reasons that stand open; the older ones are folded away

export function helpView(root, hint) {
  const means = el("p", { class: "means" });
  const ask = el("button", { type: "button", class: "ask", textContent: words().chances });
  const chances = el("div", { class: "chances", role: "status" });
  const title = el("h2", { textContent: words().why });
  const whys = el("ol", { class: "whys" });
  const older = el("ol", { class: "whys" });
  const fold = el("details", {}, el("summary", { textContent: words().older }), older);
  root.append(means, ask, chances, title, whys, fold);
  let asked = ""; // the moment that the chances are of

  ask.onclick = async () => {
    const answer = await fetch("/api/practice/chances", { signal: AbortSignal.timeout(8000) })
      .catch(() => null);
    if (!answer?.ok) return;
    const found = (await answer.json()).chances;
    chances.replaceChildren(
      ...found.map(({ lance, wins }) =>
        el("p", { textContent: words().chance(W.lances[lance], wins * 100) })),
      el("p", { class: "soft", textContent: found.length ? words().chanceNote : words().noChances }));
  };

  return (snapshot) => {
    const view = snapshot.practice;
    const explains = view.whys.length > 0 || view.hint !== null;
    const told = words().lanceMeans[snapshot.phase] ?? "";
    setText(means, typeof told === "string" ? told : told(view.kings === 8));
    const advice = view.hint ? advised(view.hint, view) : "";
    hint.hidden = advice === "";
    setText(hint, advice);
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
    const because = words().reasons[why.code](why.trust, why.lance ?? "grande", why.deje);
    setText(node, `${seats[why.seat - 1].name}, «${why.text}»: ${because}`);
  });
}

function advised(hint, { hand, kings }) {
  const w = words();
  const eight = kings === 8;
  if (hint.places.length > 0) return `${w.advice}: ${w.adviceThrow(eight)}`;
  const held = {
    ...hint,
    // Cards that count as another one, where that is no matter of course yet.
    as: { reyes: eight && hand.some(([rank]) => rank === "3"), ases: eight && hand.some(([rank]) => rank === "2") },
    poor: ["pass", "refuse"].includes(hint.code),
  };
  const because = hint.lance
    ? w.because[hint.lance](held)
    : w.because[hint.code === "cut" ? "cut" : "mus"](held);
  return `${w.advice}: ${w.adviceCall(hint.label, because)}`;
}
