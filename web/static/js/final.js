// The end of the match: what stays on the page until somebody goes on. The same again, other pairs,
// another table, and a picture to keep.

import { el, reconcile, setText } from "./dom.js";
import { finalScore, join, W } from "./texts.js";

/** `send`: null where the page may only look on, which may still keep the picture. */
export function finalView(root, send) {
  const title = el("h2");
  const score = el("p", { class: "final-score" });
  const round = el("p", { class: "final-round" });
  const options = el("div", { class: "options" });
  root.append(title, score, round, options);
  let snapshot = null;
  let seats = null; // the names in another order, while that is thought over
  let picture = null; // what draws the picture: no page needs it before a match is over

  function changed(order) {
    seats = order;
    show();
  }

  function buttons() {
    if (seats) {
      return [
        ["go", W.final.go, () => send.seats(seats)],
        ["again", W.final.again, () => changed(turned(seats))],
        ["leave", W.final.leave, () => changed(null)],
      ];
    }
    const names = snapshot.seats.map(({ name }) => name);
    // A hall says who plays whom. Whoever plays alone, or the only two, have no pairs to change.
    const pairs = snapshot.sides_kind === "two" && names.length > 2 && snapshot.hall === "off";
    const sets = "sets" in root.dataset;
    return [
      send && ["rematch", W.final.rematch, () => send.press({ command: "new_game" })],
      send && sets && pairs && ["change", W.final.change, () => changed(turned(names))],
      send && sets && ["other", W.final.other, () => location.assign("/setup")],
      ["share", W.final.share, async () => (await picture).share(snapshot)],
    ].filter(Boolean);
  }

  function show() {
    const { sides, winner } = snapshot;
    const { names } = sides.find(({ side }) => side === winner) ?? { names: [] };
    root.toggleAttribute("data-asks", seats !== null);
    setText(title, seats ? versus(seats) : W.match({ names, n: names.length }));
    setText(score, seats ? "" : finalScore(snapshot));
    setText(round, seats ? W.final.round({ names: seats.join(", ") }) : "");
    reconcile(options, buttons(), ([key]) => key,
      ([key]) => el("button", { type: "button", class: ["go", "rematch"].includes(key) ? "primary" : "" }),
      (node, [, text, act]) => {
        setText(node, text);
        node.onclick = act;
      });
  }

  return (now) => {
    snapshot = now;
    root.hidden = !now.over;
    if (root.hidden) {
      seats = null;
      return;
    }
    picture ??= import("./picture.js");
    show();
  };
}

/** The next arrangement: the first player stays, and the others move on by one place. */
const turned = ([first, second, ...others]) => [first, ...others, second];

/** "Ana y Eva contra Luis y Jon": those who sit opposite each other play together. */
const versus = (names) => W.final.versus({
  one: join(names.filter((_, place) => place % 2 === 0)),
  other: join(names.filter((_, place) => place % 2 === 1)),
});
