// What a referee sends, in his own name; and the small forms in which he is asked for it.

import { el } from "./dom.js";
import { H, REFUSALS, worded } from "./texts.js";

const NAME = "mus.referee";

/** Who stands at this device, as he wrote it last. */
export function referee() {
  try { return localStorage.getItem(NAME) ?? ""; } catch { return ""; }
}

/** A field in which he writes who he is. */
export function nameField() {
  const input = el("input", { type: "text", maxLength: 60, autocomplete: "name", value: referee(), required: true, class: "who" });
  input.oninput = () => { try { localStorage.setItem(NAME, input.value.trim()); } catch { /* for this time only */ } };
  return el("label", {}, el("span", { textContent: H.t.who }), input);
}

/** Whether he has told who he is: asked before anything opens over the field in which he would. */
export function named(report) {
  if (referee()) return true;
  document.getElementById("ask")?.close(); // the field lies under it
  report(H.t.nameFirst);
  document.querySelector(".who")?.focus();
  return false;
}

/** Why something was refused, in the language of the page. */
export function why({ error, code, facts, because }) {
  const text = REFUSALS?.why[code];
  if (!text) return error; // the desk itself says it in English
  const what = REFUSALS.what[facts.what] ?? facts.what;
  return worded(text, {
    ...facts,
    what,
    thing: what?.toLowerCase(),
    n: facts.wanted,
    table: facts.table?.replace(/^mesa-/, ""),
    because: because ? why(because) : facts.faults ? facts.faults.map((fault) => why({ code: "in_line", facts: fault, ...fault })).join(" ") : facts.error,
  });
}

const OF_PEOPLE = ["person_twice", "person_alone", "person_perhaps", "telephone_twice"];

/** Whether somebody says, in the dialog that is open, that players of one name are different people. */
export function namesakes() {
  return document.querySelector("#ask[open] .namesakes input")?.checked ?? false;
}

/** Ask that where one person seems to be in two pairs. */
function askPeople({ code, because, facts }, people) {
  const say = people ?? document.querySelector("#ask[open] .namesakes");
  if (say && (OF_PEOPLE.includes(code) || OF_PEOPLE.includes(because?.code)
    || facts?.faults?.some((fault) => OF_PEOPLE.includes(fault.because.code)))) say.hidden = false;
}

/** Where a refusal is read: in its form, or in the dialog that is open, for what lies under it is dimmed. */
function told(sentence, report, place) {
  const say = place ?? document.querySelector("#ask[open] .refusal");
  if (!say) return report(sentence);
  say.textContent = sentence;
  say.hidden = false;
  return say.scrollIntoView({ block: "nearest" });
}

/** Send it; the answer, or null after a sentence was shown. `form` has its places in a form that is no dialog. */
export const send = async (path, body, report, form = {}) => {
  try {
    const answer = await fetch(`/api/tournaments${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
    const answered = await answer.json();
    if (answer.ok) return answered;
    if (answer.status === 403) told(path.endsWith("/sign") ? H.t.wrongCode : H.door.needed, report, form.say);
    else if (answer.status === 429) told(H.door.wait({ n: Number(answer.headers.get("Retry-After")) }), report, form.say);
    else {
      askPeople(answered, form.people);
      told(H.t.refused({ why: why(answered) }), report, form.say);
    }
  } catch {
    told(H.door.offline, report, form.say);
  }
  return null;
};

/** A form in the dialog: `fields` are labels with their inputs; `done` is called when it is sent. */
export function ask(title, fields, done) {
  const dialog = document.getElementById("ask");
  const say = el("p", { class: "refusal", role: "alert", hidden: true });
  const people = el("label", { class: "namesakes", hidden: true },
    el("input", { type: "checkbox" }), el("span", { textContent: H.t.namesakes }));
  const form = el("form", { method: "dialog" },
    el("h2", { id: "ask-title", textContent: title }), ...fields, say, people,
    el("div", { class: "options" },
      el("button", { type: "submit", class: "primary", textContent: H.t.send }),
      el("button", { type: "button", textContent: H.t.cancel, onclick: () => dialog.close() })));
  form.onsubmit = async (event) => {
    event.preventDefault();
    say.hidden = true;
    if (await done()) dialog.close();
  };
  dialog.replaceChildren(form);
  document.getElementById("notice").hidden = true; // what was refused before is past
  if (!dialog.open) dialog.showModal(); // it may show a match, from which somebody came here
  dialog.querySelector("input, select, textarea")?.focus();
}

/** A labelled field. */
export function field(text, props = {}) {
  const input = el(props.rows ? "textarea" : "input", props);
  return [el("label", {}, el("span", { textContent: text }), input), input];
}
