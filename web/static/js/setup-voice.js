// The voice: whether it speaks, how much, and how it sounds.

import { el, setText } from "./dom.js";
import { choice } from "./setup-table.js";
import { S } from "./texts.js";

export function voicePart(root, { view, keep, post }, language) {
  const { values, choices } = view();
  const on = el("input", { type: "checkbox", checked: values.voice });
  const much = choice(S.setup.much, choices.level.map((level) => [level, S.setup.levels[level] ?? level]), values.level);
  const names = choices.voice_name.includes(values.voice_name) || !values.voice_name
    ? choices.voice_name : [values.voice_name, ...choices.voice_name];
  const which = choice(S.setup.which, [["", S.setup.ofLanguage], ...names.map((name) => [name, name])], values.voice_name);
  const rate = slider(S.setup.rate, { min: 100, max: 260, step: 10, value: values.rate });
  const volume = slider(S.setup.volume, { min: 10, max: 100, step: 10, value: 100 * values.volume });
  const go = el("button", { type: "button", textContent: S.setup.hear });
  const told = el("p", { class: "told wrong", role: "status" });

  on.onchange = () => keep({ voice: on.checked });
  much.select.onchange = () => keep({ level: much.select.value });
  which.select.onchange = () => keep({ voice_name: which.select.value || null });
  rate.input.onchange = () => keep({ rate: Number(rate.input.value) });
  volume.input.onchange = () => keep({ volume: volume.input.value / 100 });
  go.onclick = async () => {
    go.disabled = true;
    setText(told, "");
    try {
      await post("/api/setup/speak", {
        name: which.select.value, rate: Number(rate.input.value),
        volume: volume.input.value / 100, language: language(),
      });
    } catch (wrong) {
      setText(told, wrong.message);
    }
    go.disabled = false;
  };
  root.append(el("label", { class: "switch" }, on, el("span", { textContent: S.setup.speaks })),
    much.label, which.label, rate.label, volume.label, el("div", { class: "row" }, go), told);
}

function slider(text, range) {
  const input = el("input", { type: "range", min: range.min, max: range.max, step: range.step });
  input.value = range.value;
  return { input, label: el("label", {}, el("span", { textContent: text }), input) };
}
