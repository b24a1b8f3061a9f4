// Setting the table up. What stands here is kept at once; who plays and by what rules holds for the
// next game, which begins when somebody says so.

import { faultOf } from "./api.js";
import { el, setText } from "./dom.js";
import { enterView, joinView, whoAmI } from "./door.js";
import { cameraPart } from "./setup-camera.js";
import { micPart } from "./setup-mic.js";
import { rulesPart } from "./setup-rules.js";
import { tablePart } from "./setup-table.js";
import { voicePart } from "./setup-voice.js";
import { voicesPart } from "./setup-voices.js";
import { CODE, S, W, worded } from "./texts.js";

const BACK_WITHIN = 15_000; // ms that the table may take to open anew
const AGAIN = 200; // ms between two looks whether it has
const LONGEST = 30_000; // ms that a trial of a voice or a camera may take
const $ = (id) => document.getElementById(id);
const wait = (ms) => new Promise((done) => { setTimeout(done, ms); });

/** What has texts of its own comes in the language of the page. */
const inOurs = (url) => `${url}?lang=${CODE}`;

let view = null;
let me = null;
let table = null;
let rules = null;
let saving = Promise.resolve();

async function asked(url) {
  const answer = await fetch(url, { signal: AbortSignal.timeout(LONGEST) });
  if (!answer.ok) throw new Error(faultOf(answer.status));
  return answer.json();
}

/**
 * Ask for something to be done; throws an Error with the sentence of what went wrong.
 * What may be asked for `twice` without harm waits for a table that just opens anew.
 */
async function post(url, body, { twice = false } = {}) {
  const end = Date.now() + (twice ? BACK_WITHIN : 0);
  const send = () => fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(LONGEST),
  }).catch(async () => {
    if (Date.now() > end) throw new Error(W.fault.offline);
    await wait(AGAIN);
    return send();
  });
  const answer = await send();
  if (answer.ok) return answer;
  if (answer.status !== 422) throw new Error(faultOf(answer.status));
  const { error, code, name, told: sentence } = await answer.json();
  throw Object.assign(new Error(sentence ?? worded(S.setup.fault[code], { name }) ?? error), { about: name });
}

function told(sentence) {
  setText($("say"), sentence);
}

/** Wait until the table is there again, and look at it. */
async function anew(opening) {
  const end = Date.now() + BACK_WITHIN;
  while (Date.now() < end) {
    await wait(AGAIN);
    const now = await asked(inOurs("/api/setup")).catch(() => null);
    if (now && now.opening > opening) return now;
  }
  throw new Error(W.fault.offline);
}

/** Keep settings; returns whether they were taken. One change after the other. */
function keep(set, start = "") {
  const kept = saving.then(() => keeping(set, start));
  saving = kept;
  return kept;
}

async function keeping(set, start) {
  told(S.setup.keeping);
  try {
    const { anew: again } = await (await post("/api/setup", { set, start })).json();
    if (again) view = await anew(view.opening);
    else Object.assign(view.values, set);
    told(view.fault || S.setup.kept);
    return !view.fault;
  } catch (wrong) {
    told(wrong.message);
    if (wrong.about) table.wrong(wrong.about);
    return false;
  }
}

/** Begin a game, or go on with the one there is. */
async function go(start) {
  for (const button of document.querySelectorAll(".go button")) button.disabled = true;
  if (await keep(start === "new" ? { ...table.chosen(), ...rules.chosen() } : {}, start)) location.assign("/");
  else goView();
}

/** A game that is being played is not left by one slip of the finger. */
function goView() {
  const begin = el("button", { type: "button", textContent: S.setup.begin });
  const buttons = [begin];
  if (view.untouched) {
    begin.onclick = () => go("new");
  } else {
    const on = el("button", { type: "button", class: "primary", textContent: S.setup.on });
    on.onclick = () => go("on");
    buttons.push(on);
    begin.textContent = S.setup.other;
    begin.onclick = () => {
      begin.textContent = S.setup.sure;
      begin.onclick = () => go("new");
    };
  }
  begin.classList.toggle("primary", view.untouched);
  document.querySelector(".go .options").replaceChildren(...buttons);
}

function othersPart(root) {
  const needed = view.values.hearing === "telephones"; // they are other devices
  const box = el("input", { type: "checkbox", checked: view.values.lan, disabled: needed });
  const say = el("p", { class: "hint", textContent: S.setup.lanHint });
  const joined = el("div");
  box.onchange = async () => {
    if (!await keep({ lan: box.checked })) box.checked = view.values.lan;
    joined.replaceChildren();
    me = await whoAmI() ?? me;
    joinView(joined, me);
  };
  root.append(el("label", { class: "switch" }, box, el("span", { textContent: S.setup.lan })), say, joined);
  joinView(joined, me);
}

async function checksPart(root) {
  const list = el("ul", { class: "found", role: "list" });
  root.append(list);
  const { checks } = await asked(inOurs("/api/setup/checks")).catch(() => ({ checks: [] }));
  list.append(...checks.map(({ name, state, found, advice }) => el("li", { class: state },
    el("b", { textContent: state === "ok" ? "✓" : "!", "aria-hidden": "true" }),
    el("span", { textContent: `${name}: ${found}` }),
    advice ? el("span", { class: "advice", textContent: advice }) : null)));
}

function build() {
  const tools = { view: () => view, keep, post, asked };
  rules = rulesPart($("rules"), view);
  table = tablePart($("who"), view, inLanguage, rules.seat);
  micPart($("mic"), tools, me);
  if ($("voices")) voicesPart($("voices"), tools, () => table.seated());
  voicePart($("voice"), tools, () => table.language());
  cameraPart($("camera"), tools);
  othersPart($("others"));
  checksPart($("checks"));
  goView();
  $("form").onsubmit = (event) => event.preventDefault();
  $("form").hidden = false;
  $("back").hidden = view.fresh;
  const part = document.getElementById(location.hash.slice(1)); // it was not there when the page came
  part?.scrollIntoView({ block: "center" });
}

/** The page speaks the language that is chosen for the next game. */
function inLanguage(code) {
  const address = new URL(location.href);
  address.searchParams.set("lang", code);
  location.replace(address);
}

async function begin() {
  me = await whoAmI();
  try {
    // How the table is set is told to nobody who has not told the PIN; its language is.
    if (me?.may_touch) view = await asked(inOurs("/api/setup"));
  } catch {
    $("lost").hidden = false;
    await wait(2000);
    location.reload();
    return;
  }
  if (view) build();
  else enterView($("enter"));
  $("page").setAttribute("aria-busy", "false");
}

begin();
