// Everything that may be said now, as buttons, one player at a time: for whoever prefers to tap.

import { el, reconcile, setName, setText } from "./dom.js";
import { tagsOf } from "./seats.js";
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
    root.hidden = seats.length === 0 || Boolean(snapshot.demo);
    const speaker = seats.find((seat) => seat.seat === (chosen ?? turn)) ?? seats[0];
    // All players stand here, so that nobody's place changes; on a telephone it is their only row.
    reconcile(tabs, snapshot.seats, (seat) => seat.seat,
      (seat) => el("button", { type: "button", class: "tab", "data-side": seat.side },
        el("span", { class: "name" }), " ", el("span", { class: "said" })),
      (node, seat) => {
        setName(node.firstChild, seat.name);
        setText(node.lastChild, tagsOf({ ...seat, turn: false }, snapshot).join(" · "));
        node.disabled = !seat.may_speak;
        node.classList.toggle("turn", seat.turn);
        node.setAttribute("aria-pressed", String(seat === speaker));
        node.onclick = () => {
          chosen = seat.seat;
          show();
        };
      });
    // Calls with amounts stand last, in rows of their own.
    const calls = snapshot.actions.filter((action) => action.seat === speaker?.seat)
      .sort((one, other) => others(one).length - others(other).length);
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

/** The amounts that a call may have beside its own. */
const others = (action) => (action.stones ?? []).filter((n) => n !== action.call.stones);

function createCall() {
  return el("div", { class: "call" },
    el("button", { type: "button" }),
    el("div", { class: "amounts-row" }));
}

function updateCall(node, action, send) {
  const [button, amounts] = node.children;
  setText(button, action.label);
  button.onclick = () => send.press({ call: action.call });
  node.dataset.kind = action.call.type;
  amounts.hidden = others(action).length === 0;
  amounts.setAttribute("role", "group");
  amounts.setAttribute("aria-label", action.label.replace(/\s*\d+\s*/, " ").trim());
  node.classList.toggle("wide", others(action).length > 0);
  reconcile(amounts, others(action), (n) => n,
    () => el("button", { type: "button", class: "amount" }),
    (chip, n) => {
      setText(chip, String(n));
      chip.onclick = () => send.press({ call: { ...action.call, stones: n } });
    });
}
