// Sends taps. What the table makes of one comes back with the next snapshot; what it refused, and
// what never reached it, is reported to whoever tapped.

import { ASKED, W } from "./texts.js";

const FAULTS = { 403: "door", 409: "conflict" };

/** The sentence for a tap that was answered so. */
export function faultOf(status) {
  return W.fault[FAULTS[status] ?? "other"];
}

/** Make the senders. `current` gives the snapshot that is shown, `report` takes a sentence. */
export function sender(current, report) {
  const open = new Set(); // taps that have not been answered
  let last = Promise.resolve();

  /** Whoever tapped is told why it was refused, also where his page is behind the table. */
  function tell(outcomes) {
    const refused = outcomes.find(({ outcome }) => outcome === "refused");
    if (refused) report(refused.text);
  }

  async function send(url, body) {
    try {
      const answer = await fetch(url + ASKED, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(8000),
      });
      if (answer.ok) {
        tell((await answer.json()).outcomes ?? []);
        return true;
      }
      report(faultOf(answer.status));
    } catch {
      report(W.fault.offline);
    }
    return false;
  }

  // A second tap on the same thing is a slip of the finger. A tap on another thing waits for its turn:
  // the page may show what the first tap did before the answer to it has come.
  function post(url, what, state) {
    const tap = `${url} ${JSON.stringify(what)}`;
    if (open.has(tap)) return Promise.resolve(false);
    open.add(tap);
    last = last.then(() => send(url, { ...what, ...state })).finally(() => open.delete(tap));
    return last;
  }

  return {
    press: (what) => post("/api/press", what, { seen: current().seq }),
    cards: (seat, cards) => post("/api/cards", { seat, cards }, { deal: current().deal }),
    seats: (names) => post("/api/setup", { set: { seats: names.join(" ") }, start: "new" }, {}),
  };
}
