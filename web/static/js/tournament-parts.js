// Long lists in parts, so that a page stays two screens high: a part is shown, two buttons turn it.

import { el, setText } from "./dom.js";
import { H } from "./texts.js";

/** Turns a list in `nav`; `turned` lays out the part that is chosen then. */
export function turner(nav, turned) {
  let at = 0;
  const step = (by) => () => { at += by; turned(); };
  const where = el("span");
  const [back, on] = [["‹", H.t.turn.back, -1], ["›", H.t.turn.on, 1]].map(([sign, name, by]) =>
    el("button", { type: "button", textContent: sign, "aria-label": name, onclick: step(by) }));
  nav.replaceChildren(back, where, on);
  return {
    /** The chosen part of a list: at most `size` of it. */
    part(list, size) {
      const last = Math.max(0, Math.ceil(list.length / size) - 1);
      at = Math.min(Math.max(0, at), last);
      nav.hidden = last === 0;
      // A button that is disabled loses the focus, and whoever has no mouse his place.
      back.setAttribute("aria-disabled", String(at === 0));
      on.setAttribute("aria-disabled", String(at === last));
      const from = at * size;
      setText(where, (size > 1 ? H.t.turn.where : H.t.turn.at)({ from: from + 1, to: Math.min(from + size, list.length), all: list.length }));
      return list.slice(from, from + size);
    },
    /** Choose the part in which the element at this place is. */
    go(place, size = 1) { at = Math.floor(place / size); },
  };
}
