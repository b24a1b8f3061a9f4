// A list of pairs before it is enrolled: what its columns hold, what stands in each line, what is wrong.

import { el, reconcile, setText } from "./dom.js";
import { H, worded } from "./texts.js";
import { field, named, referee, send, why } from "./tournament-ask.js";

const WAIT = 400; // ms without a key before it is looked at
const MOST = 12; // right lines that are shown

/** The text of a file, as spreadsheets save it. */
export function decoded(bytes) {
  const [one, two] = new Uint8Array(bytes);
  if (one === 0xff && two === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (one === 0xfe && two === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** The form in `root`. `done` is called once the list is enrolled. */
export function listView(root, { number, shown, report, done }) {
  const [file, input] = field(H.enrol.file, { type: "file", accept: ".csv,.txt,.tsv,text/csv,text/plain" });
  const [paste, text] = field(H.enrol.paste, { rows: 5, placeholder: shown().individual ? H.t.examplePeople : H.t.example });
  const say = el("p", { class: "refusal", role: "alert", hidden: true });
  const columns = el("fieldset", { class: "columns", hidden: true }, el("legend", { textContent: H.enrol.columns }));
  const [confirm, confirmed] = field(H.enrol.sure, { type: "checkbox" });
  const unsure = el("div", { class: "unsure", hidden: true }, el("p", { textContent: H.enrol.unsure }), confirm);
  const faults = el("section", { class: "faults", hidden: true }, el("h3", { textContent: H.enrol.faults }), el("ul"));
  const rows = el("section", { class: "lines", hidden: true }, el("h3", { textContent: H.enrol.rows }), el("ul"), el("p"));
  const count = el("p", { class: "count", role: "status" });
  const go = el("button", { type: "submit", class: "primary", disabled: true });
  const form = el("form", { class: "listed-in" }, file, paste, say, columns, unsure, faults, rows, count, go);
  const how = [H.enrol.listHow, shown().stages[0].in_bars && H.t.enrolBars].filter(Boolean).join(" ");
  root.append(el("p", { textContent: how }), form);

  let chosen = null; // what each column holds, once somebody has chosen
  let two = new Set(); // lines in which nobody is who he seems to be
  let found = null;
  let timer = 0;
  let turn = 0;

  const body = () => ({ by: referee(), csv: text.value, ...(chosen ? { columns: chosen } : {}), namesakes: [...two] });

  const look = async () => {
    const mine = ++turn;
    if (!text.value.trim()) {
      found = null;
      return draw();
    }
    say.hidden = true;
    const told = await send(`/${number}/preview`, body(), report, { say });
    if (mine !== turn) return null;
    found = told;
    return draw();
  };
  const anew = () => {
    chosen = null;
    two = new Set();
    confirmed.checked = false;
    clearTimeout(timer);
    timer = setTimeout(look, WAIT);
  };
  text.oninput = anew;
  input.onchange = async () => {
    const [picked] = input.files;
    if (!picked) return;
    text.value = decoded(await picked.arrayBuffer());
    anew();
  };
  confirmed.onchange = () => {
    chosen = confirmed.checked ? found.columns.map((column) => column.field) : null;
    draw();
  };

  function draw() {
    const lines = found?.lines ?? [];
    const wrong = lines.filter((line) => line.why || two.has(line.line));
    const right = lines.filter((line) => !line.why && !two.has(line.line));
    columns.hidden = !found;
    reconcileColumns(columns, found, (at, value) => {
      // A second choice may come before the answer to the first.
      chosen = [...(chosen ?? found.columns.map((column) => column.field))];
      chosen[at] = value;
      two = new Set();
      look();
    });
    unsure.hidden = !found || (found.sure && !confirmed.checked);
    faults.hidden = wrong.length === 0 && !found?.why;
    const shown_ = found?.why ? [{ line: 0, why: found.why }, ...wrong] : wrong;
    reconcile(faults.querySelector("ul"), shown_, ({ line }) => line, () => el("li", {}, el("p"), el("label", { class: "two" }, el("input", { type: "checkbox" }), el("span", { textContent: H.enrol.two }))), (node, line) => {
      const told = line.why ? why(line.why) : line.name;
      setText(node.firstChild, line.line ? `${H.enrol.line({ n: line.line })}: ${told}` : told);
      const label = node.lastChild;
      label.hidden = !(line.asks || two.has(line.line));
      label.firstChild.checked = two.has(line.line);
      label.firstChild.onchange = ({ target }) => {
        if (target.checked) two.add(line.line);
        else two.delete(line.line);
        look();
      };
    });
    rows.hidden = right.length === 0;
    reconcile(rows.querySelector("ul"), right.slice(0, MOST), ({ line }) => line, () => el("li", {}, el("b"), el("span")), (node, line) => {
      setText(node.firstChild, line.name);
      setText(node.lastChild, [line.players.every((player) => line.name.includes(player)) ? null : line.players.join(", "), line.club, line.category, line.bar, line.telephone, line.paid ? H.enrol.paid : null].filter(Boolean).join(" · "));
    });
    const more = (found?.good ?? 0) - Math.min(right.length, MOST) - two.size;
    setText(rows.querySelector("p"), more > 0 ? H.enrol.more({ n: more }) : "");
    setText(count, found ? [H.enrol.good({ n: found.good }), found.wrong ? H.enrol.wrong({ n: found.wrong }) : null].filter(Boolean).join(" · ") : "");
    setText(go, worded(H.enrol.go, { n: found?.good ?? 0 }));
    go.hidden = !found;
    go.disabled = !found || found.good === 0 || found.wrong > 0 || Boolean(found.why) || !(found.sure || chosen);
  }

  form.onsubmit = async (event) => {
    event.preventDefault();
    if (go.disabled || !named(report)) return;
    go.disabled = true;
    say.hidden = true;
    const n = found.good;
    if (await send(`/${number}/enrol`, body(), report, { say })) {
      form.reset();
      chosen = null;
      two = new Set();
      found = null;
      await done();
      report(worded(H.enrol.done, { n }));
    }
    draw();
  };
  draw();
}

/** A choice for each column, below its title and some of its cells. */
function reconcileColumns(root, found, choose) {
  const told = found?.columns ?? [];
  let list = root.querySelector("ul");
  if (!list) {
    list = el("ul");
    root.append(list);
  }
  const fields = ["", ...(found?.fields ?? [])];
  reconcile(list, told.map((column, at) => ({ ...column, at })), ({ at }) => at, () => el("li", {}, el("label", {}, el("b"),
    el("select", {}, ...fields.map((value) => el("option", { value, textContent: value ? H.enrol.fields[value] : H.enrol.unused })))), el("p")), (node, { title, sample, at, field: held }) => {
    setText(node.querySelector("b"), title || H.enrol.column({ n: at + 1 }));
    const select = node.querySelector("select");
    select.value = held;
    select.onchange = () => choose(at, select.value);
    setText(node.querySelector("p"), sample.join(" · "));
    node.classList.toggle("unused", !held);
  });
}
