// What the pages that teach share: asking the table, and its language.

import { faultOf } from "./api.js";
import { el, svg } from "./dom.js";
import { CODE, L, W } from "./texts.js";

const PATIENCE = 15_000; // ms: opening the ear takes a moment

/** What is taught comes in the language of the page. */
const inOurs = (url) => `${url}${url.includes("?") ? "&" : "?"}lang=${CODE}`;

export const asked = async (url) => {
  const answer = await fetch(inOurs(url), { signal: AbortSignal.timeout(PATIENCE) });
  if (!answer.ok) throw new Error(faultOf(answer.status));
  return answer.json();
};

/** Send something; an error's message is a sentence for people. */
export const post = async (url, body) => {
  let answer;
  try {
    answer = await fetch(inOurs(url), {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE),
    });
  } catch {
    throw new Error(W.fault.offline);
  }
  if (answer.ok) return answer.json();
  const { code } = await answer.json().catch(() => ({}));
  throw new Error(L.school.fault[code] ?? faultOf(answer.status));
};

/** The page is there. In a language that nobody has proof-read, its foot says so. */
export function ready() {
  const page = document.getElementById("page");
  if (L.school.unread) page.append(el("p", { class: "unread", textContent: L.school.unread }));
  page.setAttribute("aria-busy", "false");
}

/** A button with a loudspeaker on it. */
export function loudspeaker(label) {
  const waves = "M4 9v6h4l5 4V5L8 9zM16 9q2 3 0 6M18.5 6.5q4 5.5 0 11";
  const icon = svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: "icon" },
    svg("path", { d: waves, class: "stroke" }));
  return el("button", { type: "button", class: "hear", "aria-label": label, title: label }, icon);
}
