// A slip for each pair, with its own code, to be printed and cut.

import { el, reconcile, setText } from "./dom.js";
import { enterView, introduced } from "./door.js";
import { H } from "./texts.js";

const $ = (id) => document.getElementById(id);
const number = $("page").dataset.number;

introduced($("lost")).then(async (me) => {
  if (me.may_touch) {
    const [codes, shown] = await Promise.all(["/codes", ""].map(
      (part) => fetch(`/api/tournaments/${number}${part}`).then((answer) => answer.json())));
    reconcile($("slips"), shown.pairs.filter(({ here, of }) => here && !of.length), ({ pair }) => pair,
      ({ pair }) => el("li", {}, el("h2"), el("p"), el("p"), el("img", { src: `/tournaments/${number}/sign.svg?pair=${pair}`, alt: H.page.sign, width: 120, height: 120 })),
      (node, { pair, name, players }) => {
        const [title, who, code] = node.children;
        setText(title, name);
        setText(who, shown.individual ? "" : players.join(", "));
        setText(code, (shown.individual ? H.t.slipPlayer : H.t.slip)({ pair, code: codes[pair] }));
      });
  } else {
    enterView($("enter"), H.door);
  }
  $("page").setAttribute("aria-busy", "false");
});
