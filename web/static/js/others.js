// For ten seconds after a call was heard: the call as it was taken, and what it may have been
// instead. One tap puts that in its place. The row lies over what was heard, so that nothing moves.

import { el, reconcile, setText } from "./dom.js";
import { W } from "./texts.js";

const STAYS = 10_000; // ms

export function othersView(root, send) {
  const taken = el("p", { class: "taken" });
  const options = el("div", { class: "options" });
  const row = el("div", { class: "others", role: "group", "aria-label": W.repair.others, hidden: true }, taken, options);
  root.append(row);
  let last = null; // the record that the page knows
  let done = null; // the record whose other calls were shown; a page that comes later shows none
  let timer = 0;

  function hide() {
    clearTimeout(timer);
    row.hidden = true;
  }

  function press(call) {
    hide();
    send.press({ call, instead: true });
  }

  return ({ seq, others, question, proposal }) => {
    done ??= seq;
    if (seq !== last) hide();
    last = seq;
    // They come a moment after their call, so they may be new where the record is not.
    const isNew = Boolean(others) && seq !== done;
    if (others) done = seq;
    if (!others || question || proposal) {
      hide();
      return;
    }
    if (!isNew) return;
    setText(taken, W.repair.taken({ call: others.text.replace(/\.$/, "") }));
    reconcile(options, others.options, (other) => other.label, () => el("button", { type: "button" }),
      (button, other) => {
        setText(button, other.stones === null ? other.label : String(other.stones));
        button.setAttribute("aria-label", other.label);
        button.onclick = () => press(other.call);
      });
    row.hidden = false;
    timer = setTimeout(hide, STAYS);
  };
}
