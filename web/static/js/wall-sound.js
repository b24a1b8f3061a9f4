// A screen that nobody has touched is silent, because the browser bars sound before a tap or a key. It
// says so in the bar for a while, where it covers nothing. A kiosk's browser may sound at once, and
// says nothing.

import { el } from "./dom.js";
import { W } from "./texts.js";
import { sounding, unbar } from "./tones.js";

const STAYS = 20_000; // ms

/** Tell it beside the deal's number, unless the browser lets the page sound or it has no tones to play. */
export function soundHint(snapshot) {
  if (!sounding(snapshot) || navigator.userActivation?.hasBeenActive) return;
  new Audio("/static/silence.wav").play().then(unbar, tell);
}

function tell() {
  const hint = el("p", { class: "sound-hint", "aria-hidden": "true", textContent: W.soundHint });
  document.getElementById("deal").after(hint);
  const gone = () => hint.remove();
  setTimeout(gone, STAYS);
  for (const what of ["pointerdown", "keydown"]) addEventListener(what, gone, { once: true });
}
