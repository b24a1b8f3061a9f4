// What has happened, newest first. What nobody said and what was taken back are marked, never hidden.

import { el, reconcile, setText } from "./dom.js";
import { W } from "./texts.js";

const CLOCK = new Intl.DateTimeFormat("es", { hour: "2-digit", minute: "2-digit", hour12: false });

export function logView(root) {
  const list = root.querySelector("ol");
  return ({ log }) =>
    reconcile(list, [...log].reverse(), (line) => `${line.seq} ${line.at}`, create, (node, line) => {
      setText(node.querySelector(".text"), line.text);
      node.classList.toggle("implied", line.implied);
      node.classList.toggle("inferred", line.seat_inferred);
      node.classList.toggle("undone", line.undone);
      mark(node.querySelector(".mark"), line);
    });
}

function create(line) {
  const when = new Date(line.at * 1000);
  return el("li", {},
    el("time", { dateTime: when.toISOString(), textContent: CLOCK.format(when) }),
    el("span", { class: "text" }),
    el("span", { class: "mark" }));
}

function mark(node, line) {
  const [sign, meaning] = line.undone ? ["↶", W.undone]
    : line.seat_inferred ? ["≈", W.inferred] : ["", ""];
  if (node.title === meaning) return;
  node.title = meaning;
  node.replaceChildren(el("span", { textContent: sign, "aria-hidden": "true" }),
    el("span", { class: "unseen", textContent: meaning }));
}
