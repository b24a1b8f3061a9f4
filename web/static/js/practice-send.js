// What a practice game is asked for beside the calls: to begin, and to throw cards.

import { faultOf } from "./api.js";
import { W } from "./texts.js";

/** Post it; whether it was taken. `report` is told why not. */
export const post = async (url, body, report) => {
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(12000),
    });
    if (answer.ok) return true;
    report(faultOf(answer.status));
  } catch {
    report(W.fault.offline);
  }
  return false;
};
