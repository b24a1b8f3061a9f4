// What the table hears with: one microphone in the middle, the telephones, or nothing. Of a microphone:
// which one, how loud it is, and what the ear makes of a call.

import { el, setText } from "./dom.js";
import { joinView } from "./door.js";
import { choice } from "./setup-table.js";
import { earSays, S, W } from "./texts.js";

const BLOCKS_A_SECOND = 20; // of sound, as the ear counts them

const SEATS_EVERY = 1000; // ms between two looks at the telephones
const EVERY = 150; // ms between two looks at the level
const FLOOR = -60; // dB at the left end of the meter
const FAINT = -40; // dB that a voice at the table should reach
const LOUD = -1;

/** Fill the card: the choice, and what belongs to it. `me`: what this device may do. */
export function micPart(root, tools, me) {
  const { hearing } = tools.view().values;
  const names = tools.view().choices.hearing;
  const ways = el("div", { class: "hearings", role: "radiogroup", "aria-label": S.setup.hearing },
    ...names.map((name) => {
      const box = el("input", { type: "radio", name: "hearing", value: name, checked: name === hearing });
      box.onchange = async () => {
        await tools.keep({ hearing: name });
        location.reload(); // the card is another one, and so is the page's address for others
      };
      return el("label", { class: "switch" }, box, el("span", { textContent: S.setup.hearings[name] }));
    }));
  root.append(ways);
  if (hearing === "microphone") {
    oneMicrophone(root, tools);
    return;
  }
  root.append(el("p", { class: "hint", textContent: S.setup.hearingHints[hearing] }));
  if (hearing === "telephones") telephones(root, tools, me);
}

/** The code that each player scans, and who has done so. */
function telephones(root, { asked }, me) {
  const there = el("ul", { class: "trial", role: "list" });
  joinView(root, me, { image: "/microphone.svg", title: S.microphone.scan, path: "microphone" });
  root.append(there);
  async function follow() {
    for (;;) {
      const { seats } = document.hidden ? { seats: null } : await asked("/api/telephones").catch(() => ({ seats: null }));
      if (seats) {
        there.replaceChildren(...seats.map(({ player, telephone }) => el("li", {},
          el("b", { textContent: player }),
          el("span", { textContent: telephone ? W.telephone[telephone.state] : "—" }))));
      }
      await new Promise((done) => { setTimeout(done, SEATS_EVERY); });
    }
  }
  follow();
}

function oneMicrophone(root, { view, keep, post, asked }) {
  const known = view().choices.mic;
  const { mic } = view().values;
  const named = mic && !known.some((name) => name.toLowerCase().includes(mic.toLowerCase()));
  const chosen = known.find((name) => mic && name.toLowerCase().includes(mic.toLowerCase())) ?? mic;
  const names = named ? [mic, ...known] : known;
  const which = choice(S.setup.which, [["", S.setup.system], ...names.map((name) => [name, name])], chosen);
  const bar = el("i");
  const meter = el("div", {
    class: "meter", role: "meter", "aria-label": S.setup.level,
    "aria-valuemin": FLOOR, "aria-valuemax": 0, "aria-valuenow": FLOOR,
  }, bar);
  const told = el("p", { class: "told", role: "status" });
  const heard = el("ul", { class: "trial", role: "list" });
  const go = el("button", { type: "button", textContent: S.setup.tryMic });
  const look = el("button", { type: "button", textContent: S.setup.again });
  let loudest = FLOOR;
  let trying = false;
  let verdict = false; // the last trial's stands until the next

  which.select.onchange = () => keep({ mic: which.select.value || null });
  look.onclick = async () => { if (await keep({}, "again")) location.reload(); };
  go.onclick = async () => {
    loudest = FLOOR;
    try {
      shown(await (await post("/api/setup/listen", {})).json());
    } catch (wrong) {
      say(wrong.message, "wrong");
    }
  };

  function say(sentence, kind = "") {
    setText(told, sentence);
    told.className = `told ${kind}`;
  }

  function shown(trial) {
    const share = Math.min(Math.max((trial.decibels - FLOOR) / -FLOOR, 0), 1);
    bar.style.setProperty("--loud", `${Math.round(share * 100)}%`);
    meter.setAttribute("aria-valuenow", Math.round(Math.max(trial.decibels, FLOOR)));
    const there = trial.state === "listening" || trial.state === "paused";
    go.disabled = !there || trial.left > 0;
    look.hidden = there;
    if (!there) say(trial.state === "lost" ? S.setup.lostMic : S.setup.noMic, "wrong");
    else if (trial.left > 0) tried(trial);
    else if (trying) judged(trial);
    else if (!verdict) say(warned(trial), "wrong");
  }

  /** What is wrong with the device, which other there is, and how much sound came too late. */
  function warned(trial) {
    return [
      trial.note && earSays(trial),
      trial.better && S.setup.better({ name: trial.better }),
      trial.lost > 0 && S.setup.lostSound({ seconds: (trial.lost / BLOCKS_A_SECOND).toFixed(1) }),
    ].filter(Boolean).join(" ");
  }

  function tried(trial) {
    trying = true; // also where an answer from before the trial came late, and seemed its end
    verdict = false;
    loudest = Math.max(loudest, trial.decibels);
    say(S.setup.sayCalls({ seconds: Math.ceil(trial.left) }));
    listed(trial.heard);
  }

  /** The trial is over: what is there to say about it. */
  function judged(trial) {
    trying = false;
    verdict = true;
    listed(trial.heard);
    if (loudest < FAINT) say(S.setup.faint, "wrong");
    else if (loudest > LOUD) say(S.setup.overdriven, "wrong");
    else if (trial.heard.length === 0) say(S.setup.notHeard, "wrong");
    else say(S.setup.fine, "fine");
  }

  function listed(words) {
    heard.replaceChildren(...words.map(([text, sure]) => el("li", {},
      el("b", { textContent: text || S.setup.noWords }),
      el("span", { textContent: W.sure({ percent: Math.round(100 * sure) }) }))));
  }

  async function follow() {
    for (;;) {
      const trial = document.hidden ? null : await asked("/api/setup/trial").catch(() => null);
      if (trial) shown(trial);
      await new Promise((done) => { setTimeout(done, EVERY); });
    }
  }

  root.append(which.label, meter, el("div", { class: "row" }, go, look), told, heard);
  follow();
}
