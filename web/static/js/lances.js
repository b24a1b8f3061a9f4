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
      setText(node.querySelector(".letter"), lance.side ?? "");
      setText(node.querySelector(".names"), leads(lance, names));
      setText(node.querySelector(".why"), why(lance));
      setText(node.querySelector(".won"), lance.won ? `+${lance.won}` : "");
    });
}

function create() {
  return el("li", {},
    el("span", { class: "lance" }),
    el("span", { class: "won" }),
    el("span", { class: "how" }),
    el("span", { class: "who" },
      el("span", { class: "letter", "aria-hidden": "true" }),
      el("span", { class: "names" }),
      el("span", { class: "why" })));
}

function how(lance, names) {
  if (lance.status !== "closed") return lance.status === "now" ? W.now : "";
  if (lance.how === "accepted") return W.agreed({ n: lance.bet });
  if (lance.how === "uncontested") return W.only({ names });
  return W.how[lance.how] ?? lance.how;
}

/** Who leads a closed lance: whoever has won stones in it, claims it, or won it with the cards. */
function leads({ side, won, claimed, how: closed }, names) {
  if (!side || (closed === "uncontested" && !won)) return ""; // "only these" stands above
  return claimed && !won ? W.claimed({ names }) : join(names);
}

function why(lance) {
  return lance.won ? join([...new Set(lance.why.map((one) => W.why[one] ?? one))]) : "";
}
