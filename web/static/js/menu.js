// The menu: how another device comes in, what one may ask of the assistant, the other pages, and the
// language and the tones of this one.

import { enterView, joinView } from "./door.js";
import { el, svg } from "./dom.js";
import { W } from "./texts.js";
import { choose, sounding } from "./tones.js";

const ASKS = ["score", "owed", "count", "repeat", "softer", "louder"];
const YEAR = 31_536_000; // seconds that a device keeps its language

/** Fill the menu for this device, and open it by its button. `shown` gives the newest snapshot. */
export function menu(root, opener, send, me, shown) {
  const parts = root.querySelector(".parts");
  const tones = tonesView();
  parts.prepend(...(me.may_touch ? [doorView(root, me), asksView(root, send)] : [entering()]));
  parts.append(tones.part); // below the pages, which are asked for more often
  for (const link of root.querySelectorAll(".pages a")) {
    if (link.pathname === location.pathname) link.setAttribute("aria-current", "page");
  }
  for (const button of root.querySelectorAll(".tongues button")) button.onclick = () => speak(button.lang);
  opener.onclick = () => {
    tones.show(shown());
    root.showModal();
    root.scrollTop = 0;
  };
  root.querySelector(".close").onclick = () => root.close();
  root.onclick = (event) => { if (event.target === root) root.close(); };
}

/** Who has not told the PIN tells it here. */
function entering() {
  const part = el("section", { class: "part", id: "menu-enter" });
  enterView(part);
  return part;
}

/** How a telephone comes in; or where to open the door, if no other device may come in. */
function doorView(root, me) {
  const part = el("div");
  joinView(part, me);
  const sets = root.querySelector('.pages a[href="/setup"]');
  if (!part.firstChild && sets) part.append(el("a", { class: "part closed", href: "/setup#others" }, icon("telephone"), el("span", { textContent: W.door.closed })));
  return part;
}

/** What can be said to the assistant can be tapped. */
function asksView(root, send) {
  const buttons = ASKS.map((command) => {
    const button = el("button", { type: "button" }, icon(command), el("span", { textContent: W.asks[command] }));
    button.onclick = () => {
      send.press({ command });
      root.close();
    };
    return button;
  });
  return el("section", { class: "part" }, el("h3", { textContent: W.asks.title }),
    el("div", { class: "options asks-of" }, ...buttons));
}

/** Whether this device plays the tones of the table, where the table has any. */
function tonesView() {
  const input = el("input", { type: "checkbox" });
  const hint = el("p", { class: "tongues-hint", textContent: W.tonesTwice });
  const part = el("section", { class: "part tones" }, el("label", {}, input, el("span", { textContent: W.tones })), hint);
  input.onchange = () => choose(input.checked);
  const show = (snapshot) => {
    part.hidden = snapshot.sounds === false;
    hint.hidden = !snapshot.voice_tones;
    input.checked = sounding(snapshot);
  };
  return { part, show };
}

/** What offers the match to which a hall calls others to this table, as long as it does. */
export function nextView(root, send) {
  const next = el("button", { type: "button", id: "menu-next" }, icon("repeat"), el("span", { textContent: W.asks.next }));
  next.onclick = () => {
    send.press({ command: "new_game" });
    root.close();
  };
  return ({ match }) => {
    if (Boolean(match?.next) === next.isConnected) return;
    if (match?.next) root.querySelector(".asks-of").append(next);
    else next.remove();
  };
}

const icon = (name) => svg("svg", { "aria-hidden": "true" }, svg("use", { href: `#${name}-icon` }));

/** This device speaks a language from now on; that of the table needs no note, and is followed. */
function speak(code) {
  const age = code === document.documentElement.dataset.table ? 0 : YEAR;
  document.cookie = `tongue=${code}; path=/; max-age=${age}; samesite=lax`;
  const address = new URL(location.href);
  address.searchParams.delete("lang");
  if (address.href === location.href) location.reload();
  else location.replace(address);
}
