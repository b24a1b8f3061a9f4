// The hall's hour: the hub's own clock, which every device shows, and what is left of a round.

import { CODE, H } from "./texts.js";

const WARN = 600; // seconds before the end from which on the clock warns

let ahead = 0; // seconds that the hub's clock is ahead of this device's

/** Take the hub's clock from an answer of it. */
export function hearHour(answer) {
  const at = Date.parse(answer.headers.get("date"));
  if (!Number.isNaN(at)) ahead = (at - Date.now()) / 1000;
}

/** The hub's clock, in Unix seconds. */
export const hour = () => Date.now() / 1000 + ahead;

/** A moment as a clock on the wall shows it. */
export const wall = (at) => new Date(at * 1000).toLocaleTimeString(CODE, { hour: "2-digit", minute: "2-digit" });

/** What is left until a moment: {text, warns, over}; null where there is no end. */
export function leftUntil(ends) {
  if (!ends) return null;
  const left = Math.ceil(ends - hour());
  if (left <= 0) return { text: H.t.order.over, warns: true, over: true };
  const [hours, minutes, seconds] = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60];
  const two = (n) => String(n).padStart(2, "0");
  const text = hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
  return { text, warns: left <= WARN, over: false };
}
