// Everything that may be said now, as buttons, one player at a time: for whoever prefers to tap.

import { el, reconcile, setText } from "./dom.js";
import { W } from "./texts.js";

export function actionsView(root, send) {
  const tabs = el("div", { class: "tabs", role: "group", "aria-label": W.whoSpeaks });
  const list = el("div", { class: "calls" });
  root.append(el("h2", { textContent: W.tell }), tabs, list);
  let snapshot = null;
  let chosen = null; // the player tapped, until another's turn comes
  let turn = null;

  function show() {
    const seats = snapshot.seats.filter((seat) => seat.may_speak);
    root.hidden = seats.length === 0;
    const speaker = seats.find((seat) => seat.seat === (chosen ?? turn)) ?? seats[0];
    reconcile(tabs, seats, (seat) => seat.seat,
      (seat) => el("button", { type: "button", class: "tab", "data-side": seat.side }),
      (node, seat) => {
        setText(node, seat.name);
        node.setAttribute("aria-pressed", String(seat === speaker));
        node.onclick = () => {
          chosen = seat.seat;
          show();
        };
      });
    const calls = snapshot.actions.filter((action) => action.seat === speaker?.seat);
    reconcile(list, calls, (action) => `${action.label}${action.seat}`, createCall,
      (node, action) => updateCall(node, action, send));
  }

  return (next) => {
    if (next.to_speak !== turn || next.phase !== snapshot?.phase) chosen = null;
    turn = next.to_speak;
    snapshot = next;
    show();
  };
}

function createCall() {
  return el("div", { class: "call" },
    el("button", { type: "button" }),
    el("div", { class: "amounts-row" }));
}

function updateCall(node, action, send) {
  const [button, amounts] = node.children;
  setText(button, action.label);
  button.onclick = () => send.press({ call: action.call });
  const others = (action.stones ?? []).filter((n) => n !== action.call.stones);
  amounts.hidden = others.length === 0;
  amounts.setAttribute("role", "group");
  amounts.setAttribute("aria-label", action.label.replace(/\s*\d+\s*/, " ").trim());
  node.classList.toggle("wide", others.length > 0);
  reconcile(amounts, others, (n) => n,
    () => el("button", { type: "button", class: "amount" }),
    (chip, n) => {
      setText(chip, String(n));
      chip.onclick = () => send.press({ call: { ...action.call, stones: n } });
    });
}
