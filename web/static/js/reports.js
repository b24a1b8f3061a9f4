// What went wrong and no card shows: somebody has to tell. And dealing again.

import { el, reconcile, setText } from "./dom.js";
import { W } from "./texts.js";

export function reportsView(parent, press) {
  const tabs = el("div", { class: "tabs", role: "group", "aria-label": W.about });
  const list = el("div", { class: "options" });
  const redeal = el("button", { type: "button", class: "redeal", textContent: W.redeal });
  const root = el("section", { class: "part reports-part" },
    el("h3", { textContent: W.happened }), tabs, list, el("div", { class: "options" }, redeal));
  parent.append(root);
  redeal.onclick = () => press({ type: "Redeal" });
  let snapshot = null;
  let chosen = null; // whom it is about; null where nobody is named

  function show() {
    const { reports, redeal: may } = snapshot.incidents;
    root.hidden = reports.length === 0 && !may;
    redeal.hidden = !may;
    tabs.hidden = reports.length === 0;
    const people = [{ seat: null, name: W.somebody }, ...snapshot.seats];
    reconcile(tabs, people, (person) => person.seat,
      (person) => el("button", { type: "button", class: "tab", "data-side": person.side ?? "" }),
      (node, person) => {
        setText(node, person.name);
        node.setAttribute("aria-pressed", String(person.seat === chosen));
        node.onclick = () => {
          chosen = person.seat;
          show();
        };
      });
    reconcile(list, reports.flatMap(told), (report) => report.label,
      () => el("button", { type: "button" }),
      (node, report) => {
        setText(node, report.label);
        const named = report.players.includes(chosen);
        node.disabled = report.needs_player && !named;
        node.onclick = () => {
          press({ ...report.call, player: named ? chosen : null, cards: report.count });
          chosen = null;
        };
      });
  }

  return (next) => {
    snapshot = next;
    show();
  };
}

/** One button for each report, or for each number of cards in it. */
function told(report) {
  const words = W.reports[report.kind] ?? report.kind;
  if (report.cards.length === 0) return [{ ...report, count: 0, label: words }];
  return report.cards.map((n) => ({ ...report, count: n, label: words({ n }) }));
}
