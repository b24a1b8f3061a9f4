// The four lances in their order, and how each was closed.

import { el, reconcile, setText } from "./dom.js";
import { join, W } from "./texts.js";

export function lancesView(root) {
  return (snapshot) =>
    reconcile(root, snapshot.lances, (_, place) => place, create, (node, lance) => {
      node.dataset.status = lance.status;
      if (lance.status === "now") node.setAttribute("aria-current", "step");
      else node.removeAttribute("aria-current");
      if (lance.side) node.dataset.side = lance.side;
      else delete node.dataset.side;
      const names = snapshot.sides.find((side) => side.side === lance.side)?.names ?? [];
      setText(node.querySelector(".lance"), W.lances[lance.lance]);
      setText(node.querySelector(".how"), how(lance, names));
      setText(node.querySelector(".who"), who(lance, names));
      setText(node.querySelector(".won"), lance.won ? `+${lance.won}` : "");
    });
}

function create() {
  return el("li", {},
    el("span", { class: "lance" }),
    el("span", { class: "won" }),
    el("span", { class: "how" }),
    el("span", { class: "who" }));
}

function how(lance, names) {
  if (lance.status !== "closed") return lance.status === "now" ? W.now : "";
  if (lance.how === "accepted") return W.agreed({ n: lance.bet });
  if (lance.how === "uncontested") return W.only({ names });
  return W.how[lance.how] ?? lance.how;
}

function who(lance, names) {
  if (!lance.won) return lance.claimed ? W.claimed({ names }) : "";
  const whys = lance.why.map((why) => W.why[why] ?? why);
  return `${join(names)}: ${join([...new Set(whys)])}`;
}
