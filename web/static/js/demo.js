// The demo: what it is, a caption for each thing that is said in it, and the invitation at its end.

import { faultOf } from "./api.js";
import { el, setText } from "./dom.js";
import { W } from "./texts.js";

/** `report`: takes a sentence; null where the page may only look on, which begins no game. */
export function demoView(root, report) {
  const title = el("p", { class: "demo-title" });
  const caption = el("p", { class: "demo-caption", "aria-hidden": "true" }); // the log says it, too
  const over = el("h2", { role: "status" });
  const begin = el("button", { type: "button", class: "primary", hidden: true });
  root.append(title, caption, over, begin);
  let began = false; // here, by the button
  let was = false;

  begin.onclick = async () => {
    begin.disabled = began = true;
    const fault = await ended();
    if (!fault) return;
    report(fault);
    begin.disabled = began = false;
  };

  return ({ demo, partial, seats, told }) => {
    // The table has opened anew, with pages that a demo lacks.
    if (was && !demo) location.assign(began ? "/setup" : location.href);
    was = Boolean(demo);
    root.hidden = !demo;
    root.closest("main").toggleAttribute("data-demo", was);
    if (!demo) return;
    const isOver = demo.over && told === undefined; // the count is laid out first
    root.toggleAttribute("data-over", isOver);
    setText(title, W.demo.title);
    setText(caption, isOver ? "" : said(demo, partial, seats));
    setText(over, isOver ? W.demo.over : "");
    setText(begin, W.demo.begin);
    begin.hidden = !isOver || !report;
  };
}

/** What is being said; once the table has understood it, who says it. */
function said({ words, seat }, partial, seats) {
  if (partial) return `«${partial}…»`;
  const quoted = words && `«${words}»`;
  return seat ? W.demo.said({ name: seats[seat - 1].name, words: quoted }) : quoted;
}

/** Leave the demo; returns the sentence of what went wrong, if anything. */
async function ended() {
  try {
    const answer = await fetch("/api/demo/end", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: "{}",
      signal: AbortSignal.timeout(8000),
    });
    return answer.ok ? "" : faultOf(answer.status);
  } catch {
    return W.fault.offline;
  }
}
