// The players' voices: who has read, and one who reads now, call by call.

import { el, setText } from "./dom.js";
import { choice } from "./setup-table.js";
import { S, worded } from "./texts.js";

const EVERY = 200; // ms between two looks while somebody reads or the ear is being fitted
const SELDOM = 3000; // ms otherwise: somebody may use another page
const ADDRESS = "/api/setup/voices";

/** What was wrong with a reading, and what comes now. */
function wrong({ tried, fault, like, left }) {
  const why = S.voices.wrong[fault === "other" && like ? "like" : fault];
  return `${worded(why, { say: tried, like })} ${left ? S.voices.left : S.voices.again}`;
}

export function voicesPart(root, { view, keep, post, asked }, seated) {
  const learns = el("input", { type: "checkbox", checked: view().values.learn });
  const learnt = el("p", { class: "hint", role: "status" });
  const list = el("ul", { class: "trial", role: "list" });
  const who = choice(S.voices.who, [], "");
  const calls = choice(S.voices.language, [], "");
  const go = el("button", { type: "button", textContent: S.voices.begin });
  const fit = el("button", { type: "button", textContent: S.voices.fit });
  const told = el("p", { class: "told", role: "status" });
  const bar = el("i");
  const meter = el("div", {
    class: "passes", role: "progressbar", "aria-label": S.voices.fitting,
    "aria-valuemin": 0, "aria-valuemax": 100, "aria-valuenow": 0,
  }, bar);
  const count = el("p", { class: "count" });
  const say = el("p", { class: "say", role: "status" });
  const verdict = el("p", { class: "told", role: "status" });
  const skip = el("button", { type: "button", textContent: S.voices.skip });
  const stop = el("button", { type: "button", textContent: S.voices.stop });
  const lesson = el("div", { class: "reading" }, count, say, verdict, el("div", { class: "row" }, skip, stop));
  const start = el("div", {}, who.label, calls.label, el("div", { class: "row" }, go, fit));
  let now = null;
  let sure = ""; // the voice whose deletion waits for a second tap
  let refused = ""; // why the last thing asked for was not done: it stays until something else is
  let done = 0; // a look that began before something was asked for tells what was before it

  async function ask(body) {
    done += 1;
    refused = "";
    try {
      // The table opens anew when a voice was learnt: somebody may tap just then.
      shown(await (await post(ADDRESS, body, { twice: body.do !== "skip" })).json());
      done += 1;
    } catch (wrong) {
      refused = wrong.message;
      setText(told, refused);
      told.className = "told wrong";
    }
  }
  learns.onchange = async () => {
    if (!await keep({ learn: learns.checked })) learns.checked = view().values.learn;
  };
  go.onclick = () => ask({ do: "begin", name: who.select.value, language: calls.select.value });
  fit.onclick = () => ask({ do: "fit" });
  skip.onclick = () => ask({ do: "skip" });
  stop.onclick = () => ask({ do: "stop" });

  function shown(next) {
    now = next;
    listed();
    offered();
    reading(next.lesson);
    const busy = next.passes !== null;
    meter.hidden = !busy;
    if (busy) {
      const share = Math.round((100 * next.passes[0]) / next.passes[1]);
      bar.style.setProperty("--done", `${share}%`);
      meter.setAttribute("aria-valuenow", share);
    }
    fit.hidden = next.current || busy;
    learnt.hidden = next.learnt === null;
    if (next.learnt !== null) setText(learnt, next.learnt ? S.voices.learntFrom({ n: next.learnt }) : S.voices.learntNothing);
    const [sentence, kind] = state(next, busy);
    setText(told, sentence);
    told.className = `told ${kind}`;
  }

  function state(next, busy) {
    if (refused) return [refused, "wrong"];
    if (next.fault) return [S.voices.fault[next.fault], "wrong"];
    if (busy) return [S.voices.fitting, ""];
    const over = next.lesson?.over ?? "";
    if (over === "few" || over === "disk") return [S.voices.fault[over], "wrong"];
    if (!next.current) return [S.voices.stale, "wrong"];
    return over === "kept" ? [S.voices.learnt({ name: next.lesson.name }), "fine"] : ["", ""];
  }

  function listed() {
    list.replaceChildren(...now.voices.map(({ name, calls: read }) => {
      const away = el("button", { type: "button", textContent: sure === name ? S.voices.sure : S.voices.forget });
      away.onclick = () => {
        if (sure === name) ask({ do: "forget", name });
        sure = sure === name ? "" : name;
        listed();
      };
      return el("li", {}, el("b", { textContent: name }), el("span", { textContent: S.voices.calls({ n: read }) }), away);
    }));
  }

  /** Whoever sits at the table, those first who have not read. */
  function offered() {
    const known = new Set(now.voices.map(({ name }) => name));
    const names = seated().filter(Boolean).sort((a, b) => known.has(a) - known.has(b));
    refill(who.select, names.map((name) => [name, known.has(name) ? S.voices.anew({ name }) : name]));
    refill(calls.select, now.languages.map((code) => [code, S.setup.languages[code] ?? code]));
    calls.label.hidden = now.languages.length < 2;
    start.hidden = Boolean(now.lesson && !now.lesson.over);
    go.disabled = !names.length || now.passes !== null;
  }

  function reading(one) {
    lesson.hidden = !one || Boolean(one.over);
    if (lesson.hidden) return;
    setText(count, S.voices.at({ name: one.name, at: one.at + 1, of: one.of }));
    setText(say, one.say);
    if (!one.tried) setText(verdict, S.voices.read);
    else if (!one.fault) setText(verdict, S.voices.good({ say: one.tried }));
    else setText(verdict, wrong(one));
    verdict.className = `told ${one.tried ? (one.fault ? "wrong" : "fine") : ""}`;
  }

  async function follow() {
    for (;;) {
      const before = done;
      const next = document.hidden ? null : await asked(ADDRESS).catch(() => null);
      if (next && before === done) shown(next);
      const quick = now && (now.passes !== null || (now.lesson && !now.lesson.over));
      await new Promise((passed) => { setTimeout(passed, quick ? EVERY : SELDOM); });
    }
  }

  calls.select.dataset.usual = view().language;
  root.append(el("p", { class: "hint", textContent: S.voices.hint }), list, start, lesson, meter, told,
    el("label", { class: "switch" }, learns, el("span", { textContent: S.voices.learns })), learnt);
  lesson.hidden = meter.hidden = fit.hidden = learnt.hidden = true;
  follow();
}

/** Other options, unless they are the same: what somebody has just opened stays open. */
function refill(select, options) {
  const key = JSON.stringify(options);
  if (select.dataset.key === key) return;
  const chosen = select.value || select.dataset.usual;
  select.dataset.key = key;
  select.replaceChildren(...options.map(([value, text]) => el("option", { value, textContent: text })));
  if (options.some(([value]) => value === chosen)) select.value = chosen;
}
