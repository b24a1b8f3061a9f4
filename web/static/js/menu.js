// The menu: the other pages, what one may ask of the assistant, how another device comes in.

import { enterView, joinView } from "./door.js";
import { el } from "./dom.js";
import { W } from "./texts.js";

const ASKS = ["score", "owed", "count", "repeat", "softer", "louder"];

/** Fill the menu for this device, and open it by its button. */
export function menu(root, opener, send, me) {
  const parts = root.querySelector(".parts");
  if (me.may_touch) {
    parts.append(asksView(root, send));
    joinView(parts, me);
  } else {
    const part = el("section", { class: "part", id: "menu-enter" });
    parts.append(part);
    enterView(part);
  }
  opener.onclick = () => root.showModal();
  root.querySelector(".close").onclick = () => root.close();
  root.onclick = (event) => { if (event.target === root) root.close(); };
}

/** What can be said to the assistant can be tapped. */
function asksView(root, send) {
  const buttons = ASKS.map((command) => {
    const button = el("button", { type: "button", textContent: W.asks[command] });
    button.onclick = () => {
      send.press({ command });
      root.close();
    };
    return button;
  });
  return el("section", { class: "part" }, el("h3", { textContent: W.asks.title }),
    el("div", { class: "options" }, ...buttons));
}
