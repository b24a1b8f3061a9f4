// The caller: whether he speaks, by which voice and in which style, each heard before it is chosen, and
// how much, how fast and how loud.

import { el, setText } from "./dom.js";
import { choice } from "./setup-table.js";
import { S } from "./texts.js";

export function voicePart(root, { view, keep, post }, language) {
  const { values, choices, styles } = view();
  const on = el("input", { type: "checkbox", checked: values.voice });
  const sounds = el("input", { type: "checkbox", checked: values.sounds });
  const much = choice(S.setup.much, choices.level.map((level) => [level, S.setup.levels[level] ?? level]), values.level);
  const rate = slider(S.setup.rate, { min: 100, max: 260, step: 10, value: values.rate });
  const volume = slider(S.setup.volume, { min: 10, max: 100, step: 10, value: 100 * values.volume });
  const told = el("p", { class: "told wrong", role: "status" });

  const names = choices.voice_name.includes(values.voice_name) || !values.voice_name
    ? choices.voice_name : [values.voice_name, ...choices.voice_name];
  const voice = heardList(S.setup.voice, "voice_name",
    [["", S.setup.ofLanguage], ...names.map((name) => [name, S.setup.voiceNames[name] ?? name])],
    values.voice_name, (name) => keep({ voice_name: name || null }), (name, button) => hear(button, name, style.chosen()));
  const style = heardList(S.setup.style, "style",
    styles.map(({ name, title, explains }) => [name, title, explains]),
    values.style, (name) => keep({ style: name }), (name, button) => hear(button, voice.chosen(), name));

  /** Let the table say a few sentences; the buttons wait, for it has one loudspeaker. */
  async function hear(button, name, inStyle) {
    const all = root.querySelectorAll(".hear");
    for (const one of all) one.disabled = true;
    setText(told, "");
    try {
      await post("/api/setup/speak", {
        name, style: inStyle, rate: Number(rate.input.value), volume: volume.input.value / 100, language: language(),
      });
    } catch (wrong) {
      setText(told, wrong.message);
    }
    for (const one of all) one.disabled = false;
    button.focus();
  }

  on.onchange = () => keep({ voice: on.checked });
  sounds.onchange = () => keep({ sounds: sounds.checked });
  much.select.onchange = () => keep({ level: much.select.value });
  rate.input.onchange = () => keep({ rate: Number(rate.input.value) });
  volume.input.onchange = () => keep({ volume: volume.input.value / 100 });
  root.append(toggle(on, S.setup.speaks), style.list, voice.list, told, much.label,
    toggle(sounds, S.setup.sounds), rate.label, volume.label);
}

/** A list of which one is chosen, each with a button to hear it; ``rows``: value, text, and a hint. */
function heardList(text, name, rows, value, onChoose, onHear) {
  const list = el("fieldset", { class: "auditions" }, el("legend", { textContent: text }),
    ...rows.map(([one, told, hint]) => {
      const input = el("input", { type: "radio", name, value: one, checked: one === value });
      input.onchange = () => onChoose(one);
      const button = el("button", { type: "button", class: "hear", textContent: S.setup.hear });
      button.setAttribute("aria-label", S.setup.hearOne({ name: told }));
      button.onclick = () => onHear(one, button);
      return el("div", {}, el("label", {}, input, el("span", {}, el("b", { textContent: told }),
        hint ? el("span", { class: "hint", textContent: hint }) : null)), button);
    }));
  return { list, chosen: () => list.querySelector("input:checked")?.value ?? "" };
}

function toggle(input, text) {
  return el("label", { class: "switch" }, input, el("span", { textContent: text }));
}

function slider(text, range) {
  const input = el("input", { type: "range", min: range.min, max: range.max, step: range.step });
  input.value = range.value;
  return { input, label: el("label", {}, el("span", { textContent: text }), input) };
}
