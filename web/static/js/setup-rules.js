// What a table settles before it plays: six switches over a profile of house rules. They begin at what
// the profile says, and what is switched holds on top of it in the next game.

import { el, setText } from "./dom.js";
import { choice } from "./setup-table.js";
import { join, S, worded } from "./texts.js";

const USUAL = "estandar"; // the rules of a table that has chosen none
const ODD = "individual"; // those by which three or five play
const TARGETS = ["40", "30"];
const JUEGOS = ["1", "2", "3", "4"]; // that win: the best of 1, 3, 5, 7
const VACAS = [["3", "2"]]; // of three juegos, the best of three
const SUITS = "suits"; // a 31 real that goes by cards, which the profile names
const KEYS = ["kings", "target", "juegos", "vacas", "corrido", "real31", "real31_cards", "senas"];

const bestOf = (wins) => 2 * wins - 1;
const whole = (pair) => pair.join("×");
const withOwn = (values, own) => (values.includes(own) ? values : [...values, own]);

/** Fill the card; what comes back tells what was chosen, and is told how many play. */
export function rulesPart(root, view) {
  const houses = new Map([...view.profiles].sort(inOrder).map((one) => [one.name, { ...one, ...named(one, view.profiles) }]));
  const over = new Map(view.values.rules.split(" ").filter(Boolean).map((pair) => pair.split("=")));
  let extra = [...over].filter(([key]) => !KEYS.includes(key)); // what only the terminal sets
  let now = {}; // the rules with a switch as they stand

  const list = choice(S.setup.rules, [...houses].map(([name, { title }]) => [name, title]), view.values.profile);
  const said = el("p", { class: "told", role: "status" });
  const line = el("p", { class: "hint" });
  const won = el("p", { class: "hint" });
  const house = () => houses.get(list.select.value);

  const switches = {
    kings: asked("kings", () => view.choices.kings, (n) => S.setup.answers.kings({ n })),
    target: asked("target", () => withOwn(TARGETS, house().rules.target), (n) => S.setup.answers.target({ n })),
    match: asked("match", matches, told),
    corrido: asked("corrido", corridos, (value) => S.setup.answers.corrido[value]),
    real31: asked("real31", reals, (value) => S.setup.answers.real31[value]),
    senas: asked("senas", () => view.choices.senas, (value) => S.setup.answers.senas[value]),
  };

  function matches() {
    const { juegos, vacas } = house().rules;
    return withOwn([...JUEGOS.map((n) => whole([n, "1"])), ...VACAS.map(whole)], whole([juegos, vacas]));
  }
  function told(match) {
    const [juegos, vacas] = match.split("×").map(Number);
    return vacas > 1 ? S.setup.answers.vacas({ n: bestOf(vacas) }) : S.setup.answers.juegos({ n: bestOf(juegos) });
  }
  function corridos() { // a match of one vaca has no other to begin
    return view.choices.corrido.filter((value) => value !== "vaca" || now.vacas !== "1" || now.corrido === value);
  }
  function reals() {
    return view.choices.real31.filter((value) => value !== SUITS || house().rules.real31 === SUITS);
  }

  /** One switch: the question, and an answer to tap for each value. */
  function asked(key, values, answer) {
    const group = el("div", { class: "answers" });
    const node = el("fieldset", { class: "ask", "data-rule": key }, el("legend", { textContent: S.setup.asks[key] }), group);
    function show(value) {
      const known = [...group.querySelectorAll("input")].map((box) => box.value);
      if (whole(known) !== whole(values())) {
        group.replaceChildren(...values().map((one) => {
          const box = el("input", { type: "radio", name: `rule-${key}`, value: one });
          box.onchange = () => switched(key, one);
          return el("label", {}, box, el("span", { textContent: answer(one) }));
        }));
      }
      for (const box of group.querySelectorAll("input")) box.checked = box.value === value;
    }
    return { node, show };
  }

  function switched(key, value) {
    if (key === "match") [now.juegos, now.vacas] = value.split("×");
    else now[key] = value;
    now.real31_cards = now.real31 === SUITS ? house().rules.real31_cards : "off";
    show();
  }

  function show() {
    for (const [key, { show: set }] of Object.entries(switches)) {
      set(key === "match" ? whole([now.juegos, now.vacas]) : now[key]);
    }
    const vacas = Number(now.vacas);
    const n = Number(now.juegos);
    setText(won, vacas > 1 ? S.setup.wonVacas({ vacas, n }) : S.setup.won({ n }));
    const { title } = house();
    const what = [...differing(), ...extra.map((pair) => pair.join("="))];
    setText(said, what.length ? S.setup.but({ title, what: join(what) }) : S.setup.plain({ title }));
    setText(line, house().line);
  }

  /** What differs from the profile, in words. */
  function differing() {
    const { rules } = house();
    const changed = (key) => now[key] !== rules[key];
    return [
      changed("kings") && S.setup.over.kings({ n: now.kings }),
      changed("target") && S.setup.over.target({ n: now.target }),
      (changed("juegos") || changed("vacas")) && (now.vacas === "1"
        ? S.setup.over.juegos({ n: bestOf(now.juegos) }) : S.setup.over.vacas({ n: bestOf(now.vacas) })),
      ...["corrido", "real31", "senas"].map((key) => changed(key) && worded(S.setup.over[key][now[key]])),
    ].filter(Boolean);
  }

  /** The single rules over the profile, as the settings keep them. */
  function single() {
    const { rules } = house();
    const set = KEYS.filter((key) => now[key] !== rules[key]).map((key) => [key, now[key]]);
    return [...set, ...extra].map((pair) => pair.join("=")).join(" ");
  }

  function choose(name) {
    list.select.value = name;
    now = { ...house().rules };
    extra = [];
    show();
  }

  if (!house()) list.select.value = view.profiles[0].name;
  now = { ...house().rules, ...Object.fromEntries(KEYS.filter((key) => over.has(key)).map((key) => [key, over.get(key)])) };
  list.select.onchange = () => choose(list.select.value);
  switches.match.node.append(won);
  const all = el("details", { class: "houses" }, el("summary", { textContent: S.setup.differ }),
    el("dl", {}, ...[...houses.values()].flatMap(({ title, line: one }) => [
      el("dt", { textContent: title }), el("dd", { textContent: one })])));
  root.append(said, el("div", { class: "asks" }, ...Object.values(switches).map(({ node }) => node)), list.label, line, all);
  show();

  const shown = [list.select.value, single()].join();
  let before = ""; // the profile that an odd number of players has put aside
  return {
    /** Three or five play each for himself, with the same switches; an even number as before. */
    seat(count) {
      const odd = count % 2 === 1;
      if (odd && houses.has(ODD) && list.select.value === USUAL) [before, list.select.value] = [list.select.value, ODD];
      else if (!odd && before && list.select.value === ODD) [before, list.select.value] = ["", before];
      show();
    },
    /** The rules of the next game; nothing where nobody has changed them. */
    chosen() {
      const rules = single();
      return [list.select.value, rules].join() === shown ? {} : { profile: list.select.value, rules: rules || null };
    },
  };
}

/** A table's own rules first, then those that ship, the most played first. */
function inOrder(one, other) {
  const known = Object.keys(S.setup.houses);
  const place = ({ own, name }) => (own ? -1 : known.indexOf(name));
  return place(one) - place(other);
}

/** What a profile is called, and one line about it. Two of the same title are told apart by their names. */
function named(one, all) {
  const words = one.own ? null : S.setup.houses[one.name];
  const title = words?.title ?? one.title;
  const twice = all.filter((other) => ((other.own ? null : S.setup.houses[other.name]?.title) ?? other.title) === title).length > 1;
  return { title: twice ? S.setup.apart({ title, name: one.name }) : title, line: words?.line ?? one.explains };
}
