// A telephone as a seat's microphone: choose the seat, allow the microphone, lay the telephone down.

import { el, setName, setText } from "./dom.js";
import { enter, enterView, introduced, joinView, whoAmI } from "./door.js";
import { awake, batteryOf, deviceName } from "./microphone-device.js";
import { line } from "./microphone-line.js";
import { faultOf, listen } from "./microphone-sound.js";
import { wayView } from "./microphone-way.js";
import { S } from "./texts.js";

const KEPT = "mus.microphone"; // the seat of this telephone, and by what it is known
const FLOOR = -60; // dB at the left end of the meter
const BLOCKED = 3; // attempts after which the browser seems to block the line
const EVERY = 3000; // ms between two looks at the seats while one is chosen
const $ = (id) => document.getElementById(id);
const page = $("page");

/** What this telephone keeps: {key, seat}. A browser may refuse to keep anything. */
const own = (() => {
  const fresh = { key: [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join(""), seat: 0 };
  try {
    return { ...fresh, ...JSON.parse(localStorage.getItem(KEPT)) };
  } catch {
    return fresh;
  }
})();

function keep(seat) {
  own.seat = seat;
  try {
    localStorage.setItem(KEPT, JSON.stringify(own));
  } catch {
    // this telephone is another one when it comes back
  }
}

let me = null;
let seats = [];
let live = null; // what runs while this telephone is a microphone
let name = "";
let battery = () => ({ battery: null, charging: false });

const player = (seat) => seats.find((one) => one.seat === seat)?.player ?? "";

async function lookAtSeats() {
  const answer = await fetch("/api/telephones", { signal: AbortSignal.timeout(8000) }).catch(() => null);
  if (answer?.ok) ({ seats } = await answer.json());
  return Boolean(answer?.ok);
}

// ---- choosing a seat ----------------------------------------------------------------------------

const fault = el("p", { class: "told wrong", role: "alert", hidden: true });

function faulty(sentence) {
  setText(fault, sentence);
  fault.hidden = !sentence;
}

function chooseView() {
  const list = el("div", { class: "chairs", role: "group", "aria-label": S.microphone.choose });
  $("choose").replaceChildren(el("h2", { textContent: S.microphone.choose }), fault, list);
  const show = () => list.replaceChildren(...seats.map(({ seat, player: name, telephone }) => {
    const held = telephone && telephone.state !== "gone";
    const button = el("button", { type: "button", class: held ? "held" : "" },
      el("b", { class: "name" }),
      held ? el("span", { textContent: S.microphone.has({ name: telephone.name }) }) : null);
    setName(button.firstChild, name);
    button.onclick = () => begin(seat);
    return button;
  }));
  show();
  only("choose");
  const timer = setInterval(async () => {
    if ($("choose").hidden) clearInterval(timer);
    else if (!document.hidden && await lookAtSeats()) show();
  }, EVERY);
}

/** Show one part, and the code of the table's own screen beside the choice. */
function only(id) {
  for (const part of page.querySelectorAll(":scope > section")) part.hidden = part.id !== id;
  $("code").hidden = !(id === "choose" && me.address && "here" in page.dataset);
}

// ---- being a microphone -------------------------------------------------------------------------

/** Open the microphone, then the line. `take`: from whoever has the seat. */
async function begin(seat, take = false) {
  end();
  faulty("");
  const view = liveView(seat);
  let sound = null;
  let way = null;
  const pieces = (piece) => {
    view.meter(piece.decibels);
    way?.send(piece);
  };
  try {
    sound = await listen({
      worklet: page.dataset.worklet,
      onPiece: pieces,
      onAnew: () => { view.fault(""); way?.anew(); },
      onFault: (code) => view.fault(S.microphone.fault[code]),
      onWaits: view.waits,
    });
  } catch (error) {
    keep(0);
    chooseView();
    faulty(S.microphone.fault[faultOf(error)]);
    return;
  }
  keep(seat);
  way = line({
    url: `${location.origin.replace("http", "ws")}/microphone/sound`,
    hello: { seat, key: own.key, name, take },
    battery,
    onStatus: view.status,
    onFailed: failed,
    onState: (state, who) => {
      view.state(state, who);
      if (state === "taken" || state === "replaced") sound.stop();
      if (state === "seat") { end(); chooseView(); }
    },
  });
  const release = awake();
  live = { sound, stop: () => { way.stop(); sound.stop(); release(); } };
  view.touched = () => sound.touched();
}

function end() {
  live?.stop();
  live = null;
}

/** The line could not be opened: is the PIN another one by now, or does the browser block it? */
async function failed(times) {
  const now = await whoAmI();
  if (now && !now.may_touch) location.reload();
  else if (now && times >= BLOCKED) faultOfLine(S.microphone.fault.blocked);
}

let faultOfLine = () => {};

function liveView(seat) {
  const say = el("p", { class: "state", role: "status" });
  const wrong = el("p", { class: "told wrong", role: "alert", hidden: true });
  const bar = el("i");
  const meter = el("div", {
    class: "meter", role: "meter", "aria-label": S.setup.level,
    "aria-valuemin": FLOOR, "aria-valuemax": 0, "aria-valuenow": FLOOR,
  }, bar);
  const facts = el("p", { class: "facts" });
  const lay = el("p", { class: "hint", textContent: S.microphone.lay });
  const go = el("button", { type: "button", class: "primary", textContent: S.microphone.goOn, hidden: true });
  const take = el("button", { type: "button", class: "primary", hidden: true });
  const other = el("button", { type: "button", textContent: S.microphone.other });
  const root = $("live");
  const view = { touched: () => {} };
  let shown = "";

  function state(code, name = "") {
    shown = code;
    root.dataset.state = code;
    const text = S.microphone.state[code];
    setText(say, typeof text === "function" ? text({ name }) : text);
    take.hidden = code !== "taken" && code !== "replaced";
    setText(take, S.microphone.take);
    meter.hidden = !take.hidden;
    facts.hidden = !take.hidden;
    lay.hidden = !take.hidden;
    if (code === "there" || !take.hidden) view.fault("");
  }

  view.state = state;
  view.fault = (sentence) => {
    setText(wrong, sentence);
    wrong.hidden = !sentence;
  };
  view.waits = (waits) => { go.hidden = !waits; };
  view.meter = (decibels) => {
    const share = Math.min(Math.max((decibels - FLOOR) / -FLOOR, 0), 1);
    bar.style.setProperty("--loud", `${Math.round(share * 100)}%`);
    meter.setAttribute("aria-valuenow", Math.round(Math.max(decibels, FLOOR)));
  };
  view.status = (status) => {
    if (shown !== status.state) state(status.state);
    const told = battery();
    const late = Math.round(1000 * status.delay + (status.travel ?? 0));
    setText(facts, [
      S.microphone.delay({ ms: late }),
      status.lost >= 0.01 && S.microphone.lost({ percent: Math.round(100 * status.lost) }),
      told.battery !== null && S.microphone.battery({ percent: Math.round(100 * told.battery) }),
    ].filter(Boolean).join(" · "));
  };
  faultOfLine = view.fault;
  go.onclick = () => view.touched();
  take.onclick = () => begin(seat, true);
  other.onclick = async () => {
    end();
    keep(0);
    await lookAtSeats();
    chooseView();
  };
  const whose = el("h2", { class: "name" });
  setName(whose, player(seat));
  root.replaceChildren(whose, say, wrong, go, take, meter, facts,
    lay, el("div", { class: "options" }, other));
  state("opening");
  only("live");
  return view;
}

// ---- the beginning ------------------------------------------------------------------------------

/** Whether the browser lets this page listen without asking. */
async function allowed() {
  const found = await navigator.permissions?.query({ name: "microphone" }).catch(() => null);
  return found?.state === "granted";
}

async function start() {
  me = await introduced($("lost"));
  $("lost").hidden = true;
  const brought = /^#(\d{6})$/.exec(location.hash)?.[1];
  if (brought && !me.may_touch && !await enter(brought)) me = await whoAmI() ?? me;
  if (isSecureContext && brought) history.replaceState(null, "", location.pathname + location.search);
  if (!isSecureContext) {
    wayView($("way"), page.dataset.secure && page.dataset.secure + location.search + location.hash);
    only("way");
  } else if (!me.may_touch) {
    enterView($("enter"));
    only("enter");
  } else {
    await lookAtSeats();
    [battery, name] = await Promise.all([batteryOf(), deviceName()]);
    joinView($("code"), me, { image: "/microphone.svg", title: S.microphone.scan, path: "microphone" });
    if (own.seat && player(own.seat) && await allowed()) begin(own.seat);
    else chooseView();
  }
  page.setAttribute("aria-busy", "false");
}

start();
