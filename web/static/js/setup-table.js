// Who plays, and in which language: what holds for the next game.

import { el } from "./dom.js";
import { S, W } from "./texts.js";

const FEWEST = 2;
const MOST = 6;
const HERE = { 2: 2, 4: 3, 6: 4 }; // who sits at the bottom of the picture, by the screen
const NAMES = ["Norte", "Oeste", "Sur", "Este", "Valle", "Monte"];

/** Fill the card; what comes back tells what was chosen. `onMany` is told how many play. */
export function tablePart(root, view, onLanguage, onMany) {
  const names = NAMES.map((name, i) => view.seats[i] ?? name);
  const asked = new URLSearchParams(location.search).get("lang");
  const language = choice(S.setup.language,
    view.choices.language.map((code) => [code, S.setup.languages[code] ?? code]),
    view.choices.language.includes(asked) ? asked : view.language);
  language.select.onchange = () => onLanguage(language.select.value);
  const many = choice(S.setup.many,
    Array.from({ length: MOST - FEWEST + 1 }, (_, i) => [i + FEWEST, `${i + FEWEST}`]), view.seats.length);
  const places = el("div", { class: "places", role: "group", "aria-label": W.page.who });

  function seated() {
    const count = Number(many.select.value);
    for (const [i, input] of [...places.querySelectorAll("input")].entries()) names[i] = input.value;
    places.dataset.of = count;
    places.replaceChildren(...names.slice(0, count).map((name, i) => {
      const input = el("input", { value: name, maxLength: 20, required: true, autocomplete: "off", spellcheck: false });
      return el("label", { "data-place": i + 1, class: count % 2 ? "" : "ab"[i % 2] },
        el("span", { textContent: i + 1 === HERE[count] ? S.setup.here({ n: i + 1 }) : `${i + 1}` }), input);
    }));
  }
  many.select.onchange = () => {
    seated();
    onMany(Number(many.select.value));
  };
  seated();
  root.append(language.label, many.label, places, el("p", { class: "hint", textContent: S.setup.round }));
  const sent = (input) => input.value.trim().replace(/[\s,]+/g, "-");
  const seatedNow = () => [...places.querySelectorAll("input")].map(sent);

  /** Mark the fields with a name that no player can have, and lead to the last of them. */
  function wrong(name) {
    const same = [...places.querySelectorAll("input")].filter((input) => sent(input).toLowerCase() === name.toLowerCase());
    for (const input of same) {
      input.setAttribute("aria-invalid", "true");
      input.oninput = () => {
        for (const one of same) one.removeAttribute("aria-invalid");
      };
    }
    same.at(-1)?.scrollIntoView({ block: "center" });
    same.at(-1)?.focus({ preventScroll: true });
  }

  return {
    wrong,
    language: () => language.select.value,
    seated: seatedNow,
    chosen: () => ({
      language: language.select.value,
      seats: seatedNow().join(" "),
    }),
  };
}

let labels = 0;

/** A list to choose from, with its label; ``options``: pairs of value and text. */
export function choice(text, options, chosen) {
  labels += 1;
  const select = el("select", { id: `choice-${labels}` });
  select.append(...options.map(([value, told]) => el("option", { value, textContent: told })));
  select.value = chosen;
  return { select, label: el("div", {}, el("label", { htmlFor: select.id, textContent: text }), select) };
}
