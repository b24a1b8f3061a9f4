// Who won a lance, where the table agrees and nobody wants to tap in cards (R45).

import { el, reconcile, setText } from "./dom.js";
import { join, W } from "./texts.js";

export function claimsView(parent, press) {
  const title = el("h3", { textContent: W.claims });
  const list = el("ul", { class: "claims" });
  const root = el("section", { class: "part claims-part" }, title, list);
  parent.append(root);
  let snapshot = null;
  let asked = null; // the claim whose hands are still to be named

  const key = (claim) => `${claim.lance}${claim.side}`;
  const names = (letter) => snapshot.sides.find((side) => side.side === letter)?.names ?? [];

  function take(claim) {
    if (claim.values.length > 1) {
      asked = asked === key(claim) ? null : key(claim);
      show();
    } else {
      press({ ...claim.call, values: claim.values[0] ?? [] }, true);
    }
  }

  function show() {
    const { claims } = snapshot.incidents;
    root.hidden = claims.length === 0;
    const lances = [...new Set(claims.map((claim) => claim.lance))];
    reconcile(list, lances, (lance) => lance, create, (node, lance) => {
      setText(node.querySelector("h4"), W.lances[lance]);
      const mine = claims.filter((claim) => claim.lance === lance);
      reconcile(node.querySelector(".who-won"), mine, key,
        (claim) => el("button", { type: "button", class: "tab", "data-side": claim.side }),
        (button, claim) => {
          setText(button, join(names(claim.side)));
          if (claim.values.length > 1) button.setAttribute("aria-pressed", String(asked === key(claim)));
          button.onclick = () => take(claim);
        });
      const open = mine.find((claim) => key(claim) === asked);
      reconcile(node.querySelector(".with"), open?.values ?? [], (values) => values.join(),
        () => el("button", { type: "button", class: "amount" }),
        (button, values) => {
          setText(button, join(values.map((value) => W.values[lance]?.[value] ?? String(value))));
          button.onclick = () => press({ ...open.call, values }, true);
        });
    });
  }

  return (next) => {
    if (next.deal !== snapshot?.deal) asked = null;
    snapshot = next;
    show();
  };
}

function create() {
  return el("li", {},
    el("h4"),
    el("div", { class: "options who-won" }),
    el("div", { class: "options with" }));
}
