// A tap on a side's score: stones given or taken by agreement, with the reason, at any time.

import { el, reconcile, setText } from "./dom.js";
import { join, W } from "./texts.js";

const STEPS = [-5, -2, -1, 1, 2, 5];

/** Make the sheet; `view` shows a snapshot in it, `open` opens it for a side. */
export function scoreSheet(root, send) {
  const title = root.querySelector("h2");
  const steps = el("div", { class: "options steps", role: "group", "aria-label": W.stones });
  const pick = el("p", { textContent: W.repair.pick });
  const reasons = el("div", { class: "options" });
  const other = el("input", { type: "text", maxLength: 60, autocomplete: "off" });
  const note = el("button", { type: "button", textContent: W.repair.note });
  root.append(steps, pick, reasons,
    el("div", { class: "other" }, el("label", {}, el("span", { textContent: W.repair.why }), other), note));
  let snapshot = null;
  let side = null;
  let stones = 0; // none is chosen

  const offer = () => snapshot.incidents.stones.find((one) => one.side === side);

  async function put(reason) {
    const call = { ...offer().call, stones, reason };
    if (await send.press({ call })) root.close();
  }

  function show() {
    const now = offer();
    if (!now) {
      root.close();
      return;
    }
    const shown = snapshot.sides.find((one) => one.side === side);
    setText(title, W.repair.stonesOf({ names: join(shown.names), n: shown.stones }));
    root.dataset.side = side;
    reconcile(steps, STEPS, (n) => n, () => el("button", { type: "button", class: "amount" }), (node, n) => {
      setText(node, n < 0 ? `−${-n}` : `+${n}`);
      node.disabled = n < now.least || n > now.most;
      node.setAttribute("aria-pressed", String(n === stones));
      node.onclick = () => {
        stones = n;
        show();
      };
    });
    const ready = stones !== 0 && stones >= now.least && stones <= now.most;
    reconcile(reasons, Object.values(W.repair.reasons), (reason) => reason, () => el("button", { type: "button" }),
      (node, reason) => {
        setText(node, reason);
        node.disabled = !ready;
        node.onclick = () => put(reason);
      });
    note.disabled = !ready || other.value.trim() === "";
  }

  other.oninput = show;
  note.onclick = () => put(other.value.trim());
  root.querySelector(".close").onclick = () => root.close();
  // A tap beside the sheet closes it: only the dialog itself is hit there.
  root.onclick = (event) => { if (event.target === root) root.close(); };

  function open(letter) {
    side = letter;
    stones = 0;
    other.value = "";
    if (!offer()) return;
    show();
    if (!root.open) root.showModal();
  }

  function view(next) {
    snapshot = next;
    if (root.open) show();
  }
  return { view, open };
}
