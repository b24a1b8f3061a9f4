// Who may touch: this machine, and whoever has told the table's PIN. All others look on.

import { el, setText } from "./dom.js";
import { W } from "./texts.js";

const RETRY = 2000; // ms between two attempts to find the table

/** What a device may do that only looks on. */
export const ONLOOKER = { may_touch: false, pin: null, address: null };

/** What this device may do: {may_touch, pin, address}; null while nobody answers. */
export function whoAmI() {
  return fetch("/api/me", { signal: AbortSignal.timeout(8000) })
    .then((answer) => (answer.ok ? answer.json() : null))
    .catch(() => null);
}

/** The same, however long it takes; a page that was kept for such times waits, and shows `lost`. */
export const introduced = async (lost) => {
  for (;;) {
    const found = await whoAmI();
    if (found) return found;
    lost.hidden = false;
    await new Promise((done) => { setTimeout(done, RETRY); });
  }
};

/** The form in which the PIN is told; the page begins anew once it was right. `said` are its words. */
export function enterView(root, said = { ...W.door, offline: W.fault.offline }) {
  const pin = el("input", {
    type: "text", inputMode: "numeric", autocomplete: "off", maxLength: 6, required: true,
    pattern: "[0-9]{6}", "aria-describedby": `${root.id}-say`,
  });
  const say = el("p", { id: `${root.id}-say`, role: "status", textContent: said.where });
  const go = el("button", { type: "submit", class: "primary", textContent: said.enter });
  const form = el("form", { class: "enter" },
    el("label", {}, el("span", { textContent: said.pin }), pin), go, say);
  form.onsubmit = async (event) => {
    event.preventDefault();
    go.disabled = true;
    const wrong = await enter(pin.value, said);
    go.disabled = false;
    if (!wrong) location.reload();
    setText(say, wrong);
    pin.select();
  };
  root.append(el("h2", { textContent: said.title }), form);
  root.hidden = false;
}

/** Tell the PIN; what comes back is what went wrong, or "". */
export const enter = async (pin, said = { ...W.door, offline: W.fault.offline }) => {
  try {
    const answer = await fetch("/api/enter", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ pin }),
      signal: AbortSignal.timeout(8000),
    });
    if (answer.ok) return "";
    const wait = Number(answer.headers.get("Retry-After"));
    return answer.status === 429 ? said.wait({ n: wait }) : said.wrong;
  } catch {
    return said.offline;
  }
};

/** How another device comes in: the address of the page at `path`, as a code too, and the PIN. */
export function joinView(root, { address, pin }, { image, title, path } = { image: "/qr.svg", title: W.door.join, path: "" }) {
  if (!address || !pin) return;
  root.append(el("section", { class: "part join" },
    el("h3", { textContent: title }),
    el("img", { src: image, alt: W.door.code, width: 220, height: 220 }),
    el("p", { class: "address" }, address, el("wbr"), path),
    el("p", {}, el("span", { textContent: `${W.door.pin} ` }),
      el("strong", { class: "pin", textContent: `${pin.slice(0, 3)} ${pin.slice(3)}` }))));
}
