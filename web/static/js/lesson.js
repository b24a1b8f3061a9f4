// Calibrating: how the camera sees cards, then the empty table, then one card before each player.

import { faultOf } from "./api.js";
import { el, setText } from "./dom.js";
import { S, W, worded } from "./texts.js";

const LONGEST = 30_000; // ms that a slow machine may look
const STEPS = ["mount", "empty", "cards"];

/**
 * Fill the section. ``onLearnt`` is given the table as it is seen from now on, ``onStep`` the step
 * that is to be done, or null.
 */
export function lesson(root, known, onLearnt, onStep) {
  const say = el("p", { class: "step", role: "status" });
  const go = el("button", { type: "button" });
  const leave = el("button", { type: "button", textContent: S.lesson.leave });
  let step = known ? null : STEPS[0];
  root.append(say, el("div", { class: "options" }, go, leave));

  function show(fault = "") {
    setText(say, fault || (step ? S.lesson[step] : ""));
    say.classList.toggle("wrong", fault !== "");
    setText(go, step ? S.lesson.done[step] : S.lesson.again);
    go.classList.toggle("primary", step !== null);
    leave.hidden = step === null || !known && step === STEPS[0];
    onStep(step);
  }

  go.onclick = async () => {
    if (step === null || step === "mount") { // there is nothing to be learnt yet
      step = step === null ? STEPS[0] : STEPS[1];
      show();
      return;
    }
    go.disabled = true;
    setText(say, S.lesson.looking);
    const { table, fault } = await learnt(step);
    go.disabled = false;
    if (!fault) step = STEPS[STEPS.indexOf(step) + 1] ?? null;
    show(fault);
    if (!fault && step === null) onLearnt(table);
  };
  leave.onclick = () => {
    step = known ? null : STEPS[0];
    show();
  };
  root.hidden = false;
  show();
}

async function learnt(step) {
  try {
    const answer = await fetch("/api/camera/learn", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ step }),
      signal: AbortSignal.timeout(LONGEST),
    });
    const told = await answer.json();
    if (answer.ok) return { table: told, fault: "" };
    if (answer.status !== 422) return { fault: faultOf(answer.status) };
    return { fault: told.code in S.lesson.fault ? worded(S.lesson.fault[told.code], told.params) : told.error };
  } catch {
    return { fault: W.fault.offline };
  }
}
