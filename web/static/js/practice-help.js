// What helps a newcomer: what is played for, an advice, the chances, and why the others called.

import { el, reconcile, setText } from "./dom.js";
import { words } from "./practice-texts.js";
import { W } from "./texts.js";

export function helpView(root) {
  const means = el("p", { class: "means" });
  const hint = el("p", { class: "hint" });
  const ask = el("button", { type: "button", class: "ask", textContent: words().chances });
  const chances = el("div", { class: "chances", role: "status" });
  const title = el("h2", { textContent: words().why });
  const whys = el("ol", { class: "whys" });
  root.append(means, hint, ask, chances, title, whys);
  let asked = ""; // the moment that the chances are of

  ask.onclick = async () => {
    const answer = await fetch("/api/practice/chances", { signal: AbortSignal.timeout(8000) })
      .catch(() => null);
    if (!answer?.ok) return;
    const found = (await answer.json()).chances;
    chances.replaceChildren(
      ...found.map(({ lance, wins }) =>
        el("p", { textContent: words().chance(W.lances[lance], wins * 100) })),
      el("p", { class: "soft", textContent: words().chanceNote }));
  };

  return (snapshot) => {
    const view = snapshot.practice;
    const explains = view.whys.length > 0 || view.hint !== null;
    setText(means, words().lanceMeans[snapshot.phase] ?? "");
    const advice = view.hint ? advised(view.hint) : "";
    hint.hidden = advice === "";
    setText(hint, advice);
    const now = `${snapshot.deal} ${snapshot.phase} ${view.hand.join()}`;
    if (now !== asked) chances.replaceChildren();
    asked = now;
    ask.hidden = view.hands.length > 0 || view.hand.length === 0;
    title.hidden = !explains || view.whys.length === 0;
    const newest = view.whys.map((why, i) => ({ ...why, i })).reverse();
    reconcile(whys, newest, ({ i, seat, text }) => `${i}${seat}${text}`, () => el("li"),
      (node, why) => {
        const name = snapshot.seats[why.seat - 1].name;
        const because = words().reasons[why.code](why.trust, why.lance, why.deje);
        setText(node, `${name}, «${why.text}»: ${because}`);
      });
  };
}

function advised(hint) {
  const w = words();
  if (hint.places.length > 0) return `${w.advice}: ${w.adviceThrow}`;
  const because = hint.lance
    ? w.because[hint.lance](hint)
    : w.because[hint.code === "cut" ? "cut" : "mus"](hint);
  return `${w.advice}: ${w.adviceCall(hint.label, because)}`;
}
