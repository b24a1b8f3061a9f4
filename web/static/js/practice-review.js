// The review of a finished game: each own call and throw with its mark and what it cost. The table works
// it out meanwhile, and the page asks how far it is.

import { el, reconcile, setText } from "./dom.js";
import { CODE, P, RANKS, W } from "./texts.js";

const AGAIN = 700; // ms until the table is asked how far it is
const OPEN = ["doubtful", "mistake"]; // marks whose sentence is shown at once
const MARKS = ["best", "good", "doubtful", "mistake"];

/** Build the review into `root`. It is asked for at once; `report` is told why it cannot be had. */
export function reviewed(root, report) {
  const R = P.review;
  const bar = el("progress", { max: 1, value: 0 });
  const busy = el("p", { class: "busy", role: "status" });
  const sums = el("p", { class: "sums" });
  const list = el("ol", { class: "moves" });
  root.replaceChildren(el("h2", { textContent: R.title }), busy, bar, sums, list);
  bar.setAttribute("aria-label", R.title);

  function show({ able, done, of, moves }) {
    const working = done < of;
    bar.hidden = !working;
    bar.max = Math.max(1, of);
    bar.value = done;
    busy.hidden = able && !working && moves.length > 0;
    setText(busy, working ? R.busy({ done, of }) : able ? R.none : R.untaught);
    reconcile(list, moves, (_, at) => at, create, update);
    if (working || moves.length === 0) return;
    const counts = Object.fromEntries(MARKS.map((mark) => [mark, moves.filter((one) => one.mark === mark).length]));
    const lost = points(moves.reduce((sum, one) => sum + one.lost, 0));
    setText(sums, `${R.sums(counts)} ${R.total({ lost })} ${R.point}`);
  }

  async function ask() {
    const answer = await fetch("/api/practice/review", { signal: AbortSignal.timeout(8000) }).catch(() => null);
    if (!root.isConnected || root.hidden) return;
    if (!answer?.ok) return report(W.fault.offline);
    const told = await answer.json();
    if (!told.over) return;
    show(told);
    if (told.done < told.of) setTimeout(ask, AGAIN);
  }

  ask();
}

const points = (n) => n.toLocaleString(CODE, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** What a move cost, and where that depends on the others. One that cost nothing shows no number. */
function costs({ mark, lost, depends }) {
  const cost = mark === "best" || lost === 0 ? "" : `−${points(lost)}`;
  return [cost, depends && P.review.depends].filter(Boolean).join(" · ");
}

function create({ mark, depends }) {
  const row = el("summary", {}, el("span", { class: "mark" }), el("span", { class: "what" }), el("strong"), el("span", { class: "cost" }));
  const node = el("li", {}, el("details", { open: OPEN.includes(mark) }, row, el("p")));
  node.dataset.mark = mark;
  row.classList.toggle("depends", depends);
  return node;
}

function update(node, move) {
  const R = P.review;
  const [row, text] = node.firstChild.children;
  const [mark, what, said, lost] = row.children;
  const hand = [...move.hand].sort((one, other) => RANKS.indexOf(one[0]) - RANKS.indexOf(other[0]));
  const where = W.lances[move.lance] ?? W.phases[move.kind === "throw" ? "discard" : "mus"];
  setText(mark, R.marks[move.mark]);
  setText(what, R.where({ n: move.deal, where, hand: hand.map(([rank]) => rank).join(" ") }));
  setText(said, move.kind === "throw" ? R.threw({ cards: move.said }) : `«${move.said}»`);
  setText(lost, costs(move));
  setText(text, move.text);
}
