// What a referee does in a tournament: each button one act, in his name, and a reason where it needs one.

import { el, reconcile, setText } from "./dom.js";
import { H, tableName } from "./texts.js";
import { dayOf, enrolled, scoreOf } from "./tournament-shown.js";
import { ask, field, named, nameField, namesakes, referee, send } from "./tournament-ask.js";

const MOST = 99;

/**
 * The referee's own part: enrolment, draw, rounds, tables.
 *
 * Returns what he may do now, by name, as {text, go}; those in `elsewhere` have their buttons there.
 */
export function refereeView(root, shown, number, refresh, report, elsewhere = []) {
  if (!root.querySelector(".does")) root.append(nameField(), el("div", { class: "options does" }));
  root.hidden = false;
  const post = async (what, body) => {
    const done = await send(`/${number}/${what}`, { by: referee(), ...body }, report);
    if (done) await refresh();
    return done;
  };
  const drawn = shown.seed !== null;
  const does = {
    enrol: drawn ? null : () => location.assign(`/tournaments/${number}/enrol`),
    draw: drawn || shown.pairs.length < 2 ? null : () => draw(post, shown.to_draw),
    annul: drawn && shown.matches.every(({ result }) => !result) ? () => annul(post) : null,
    pair: drawn && shown.to_pair ? () => post("pair", {}) : null,
    bag: drawn && shown.to_draw.length ? () => pairFromBag(post, shown.to_draw) : null,
    assign: shown.matches.some(({ state }) => state === "ready") ? async () => {
      const done = await post("assign", {});
      if (done?.seq === shown.seq) report(H.t.noTable);
    } : null,
    correct: shown.pairs.length ? () => correct(shown, post) : null,
    withdraw: shown.stage === "over" || !shown.pairs.length ? null : () => withdraw(shown, post),
  };
  const ways = Object.fromEntries(Object.keys(does).filter((key) => does[key]).map((key) => [key, {
    text: (shown.individual && H.t.doesPlayer[key]) || H.t.does[key],
    go: () => { if (key === "enrol" || named(report)) does[key](); },
  }]));
  reconcile(root.querySelector(".does"), Object.keys(ways).filter((key) => !elsewhere.includes(key)), (key) => key,
    () => el("button", { type: "button" }), (node, key) => {
      setText(node, ways[key].text);
      node.onclick = ways[key].go;
    });
  return ways;
}

function draw(post, numbers) {
  const [label, seed] = field(H.t.ownSeed, { type: "number", min: 0, step: 1 });
  const [bag, drawn] = bagOf(numbers);
  const byHand = el("details", { class: "bag" }, el("summary", { textContent: H.t.bag }), ...bag);
  ask(H.t.does.draw, [el("p", { textContent: H.t.drawHow }), label, byHand],
    () => post("draw", { ...(Number.isNaN(seed.valueAsNumber) ? {} : { seed: seed.valueAsNumber }), bag: drawn(), namesakes: namesakes() }));
}

function pairFromBag(post, numbers) {
  const [bag, drawn] = bagOf(numbers, true);
  ask(H.t.does.bag, bag, () => post("pair", { bag: drawn() }));
}

/** The numbers in a bag, which are tapped or typed as they are drawn; and what asks for those drawn so far. */
function bagOf(numbers, required = false) {
  const [label, input] = field(H.t.bagNumbers, { type: "text", inputMode: "numeric", autocomplete: "off", required });
  const drawn = () => (input.value.match(/\d+/g) ?? []).map(Number);
  const balls = numbers.map((number) => el("button", { type: "button", textContent: number }));
  const left = el("p", { class: "left", role: "status" });
  const show = () => {
    const out = new Set(drawn());
    balls.forEach((ball, at) => { ball.disabled = out.has(numbers[at]); });
    setText(left, H.t.bagLeft({ n: numbers.filter((number) => !out.has(number)).length }));
  };
  balls.forEach((ball, at) => {
    ball.onclick = () => {
      input.value = [...drawn(), numbers[at]].join(" ");
      show();
    };
  });
  input.oninput = show;
  show();
  return [[el("p", { textContent: H.t.bagHow }), label, left, el("div", { class: "options balls" }, ...balls)], drawn];
}

/** The draw is repeated before the first result: somebody came late, or a pair was missing in the list. */
function annul(post) {
  reasoned((label, reason) => ask(H.t.does.annul, [el("p", { textContent: H.t.annulHow }), label],
    () => post("act", { act: { type: "DrawAnnulled", v: 1, by: referee(), reason: reason.value } })));
}

function choose(pairs, { individual }) {
  const choice = el("select", {}, ...pairs.map(
    ({ pair, name }) => el("option", { value: pair, textContent: `${pair} · ${name}` })));
  return [el("label", {}, el("span", { textContent: individual ? H.t.onePlayer : H.t.pair }), choice), choice];
}

/** A name that was misspelt, or somebody who plays in another one's place. */
function correct(shown, post) {
  const pairs = enrolled(shown);
  const [pick, choice] = choose(pairs, shown);
  const line = { type: "text", maxLength: 120, required: true };
  const [name, nameInput] = field(shown.individual ? H.t.playerName : H.t.pairName, line);
  const [one, oneInput] = field(H.t.player({ n: 1 }), line);
  const [two, twoInput] = field(H.t.player({ n: 2 }), line);
  const [club, clubInput] = field(H.t.club, { ...line, required: false });
  const [bar, barInput] = field(H.t.bar, line);
  const parts = shown.individual ? [pick, name, club] : [pick, name, one, two, club];
  const inBars = shown.stages[0].in_bars && shown.seed === null;
  const fill = () => {
    const was = pairs.find(({ pair }) => pair === Number(choice.value));
    [nameInput.value, [oneInput.value, twoInput.value = ""], clubInput.value] = [was.name, was.players, was.club];
    barInput.value = was.bar;
  };
  choice.onchange = fill;
  fill();
  reasoned((label, reason) => ask((shown.individual ? H.t.doesPlayer : H.t.does).correct, [...parts, inBars && bar, label].filter(Boolean), () => {
    if (shown.individual) oneInput.value = twoInput.value = nameInput.value; // a player has one name
    const texts = [nameInput, oneInput, twoInput, clubInput].map(({ value }) => value.trim());
    return post("act", { act: {
      type: "PairCorrected", v: 1, pair: Number(choice.value), name: texts[0], players: [texts[1], texts[2]],
      club: texts[3], bar: inBars ? barInput.value.trim() : null, reason: reason.value, by: referee(), namesakes: namesakes(),
    } });
  }));
}

function withdraw(shown, post) {
  const [pick, choice] = choose(enrolled(shown).filter(({ here }) => here), shown);
  reasoned((label, reason) => ask((shown.individual ? H.t.doesPlayer : H.t.does).withdraw, [pick, label],
    () => post("act", { act: { type: "PairWithdrawn", v: 1, pair: Number(choice.value), reason: reason.value, by: referee() } })));
}

/** The buttons of a match for a referee; none for who only looks on. */
export function touchMatch(root, match, number, refresh, report) {
  touches(root, match, match ? [...(match.call ? ["settle"] : []), ...DOES[match.state] ?? [], ...(match.date && MOVES.includes(match.state) ? ["move"] : [])] : [], report, async (type, more, body = {}) => {
    const act = { type, v: 1, match: match.match, by: referee(), ...more };
    const done = await send(`/${number}/act`, { act, ...body }, report);
    if (done) await refresh();
    return done !== null;
  });
}

/** The buttons `keys` of a match; `act` sends what is done, and says whether it was. */
export function touches(root, match, keys, report, act) {
  reconcile(root, keys, (key) => key, () => el("button", { type: "button" }), (node, key) => {
    setText(node, H.t.touches[key]);
    // A pair has its own name, and who signs writes his there.
    node.onclick = () => { if (match.pair || key === "sign" || named(report)) TOUCH[key](match, act); };
  });
}

const DOES = {
  ready: ["result", "table", "walkover"], playing: ["result", "table", "walkover"],
  waiting: ["sign", "void"], over: ["correct", "void"],
};

const MOVES = ["later", "ready", "playing"]; // states in which a match of a league may get another day

const TOUCH = {
  result: (match, act) => score(match, H.t.touches.result, [],
    (juegos, stones) => act("ResultEntered", { juegos, stones })),
  correct: (match, act) => reasoned((label, reason) => score(match, H.t.touches.correct, [label],
    (juegos, stones) => act("ResultCorrected", { juegos, stones, reason: reason.value }))),
  sign: (match, act) => {
    const { juegos, stones, by } = match.result;
    const lines = match.slots.map((slot, i) =>
      el("p", { textContent: `${match.who(slot)}: ${scoreOf(juegos[i], stones[i])}` }));
    // Another one than who runs this page: his name is for this signature alone. A pair has its own.
    const [label, name] = match.pair ? [] : field(H.t.who, { type: "text", maxLength: 60, required: true });
    ask(H.t.touches.sign, [...lines, el("p", { textContent: H.t.entered({ by }) }), label].filter(Boolean),
      () => act("ResultCountersigned", name ? { by: name.value.trim() } : {}, { seen: { juegos, stones } }));
  },
  table: (match, act) => {
    const [label, name] = field(H.t.tableName, { type: "text", maxLength: 32, required: true, value: match.table ? tableName(match.table) : "" });
    ask(H.t.touches.table, [el("p", { textContent: H.t.tableHow({ pairs: match.slots.map(match.who).join(" – ") }) }), label],
      () => act("TableAssigned", { table: name.value }));
  },
  move: (match, act) => reasoned((label, reason) => {
    const [day, input] = field(H.t.day, { type: "date", value: match.moved || match.date });
    ask(H.t.touches.move, [el("p", { textContent: H.t.moveHow({ date: dayOf(match.date) }) }), day, label],
      () => act("MatchMoved", { date: input.value === match.date ? "" : input.value, reason: reason.value }));
  }),
  call: (match, act) => reasoned((label, reason) =>
    ask(H.t.touches.call, [el("p", { textContent: match.slots.map(match.who).join(" – ") }), label],
      () => act("RefereeCalled", { reason: reason.value }))),
  settle: (match, act) => act("CallSettled", {}),
  void: (match, act) => reasoned((label, reason) =>
    ask(H.t.touches.void, [label], () => act("MatchVoided", { reason: reason.value }))),
  walkover: (match, act) => reasoned((label, reason) => {
    const winner = el("select", {}, ...match.slots.map((slot) =>
      el("option", { value: slot.pair, textContent: match.who(slot) })));
    ask(H.t.touches.walkover,
      [el("label", {}, el("span", { textContent: H.t.winner }), winner), label],
      () => act("Walkover", { winner: Number(winner.value), reason: reason.value }));
  }),
};

function reasoned(go) {
  go(...field(H.t.reason, { type: "text", maxLength: 200, required: true }));
}

function score(match, title, more, done) {
  const rows = match.slots.map((slot, i) => {
    const was = match.result;
    const [won, juegos] = field(match.vacas ? H.t.vacasOf : H.t.juegosOf, { type: "number", min: 0, max: MOST, required: true, value: was ? was.juegos[i] : "" });
    const [sum, stones] = field(H.t.stonesOf, { type: "number", min: 0, max: 9999, value: was ? was.stones[i] : 0 });
    return { juegos, stones, node: el("fieldset", {}, el("legend", { textContent: match.who(slot) }), won, sum) };
  });
  ask(title, [...rows.map(({ node }) => node), ...more],
    () => done(rows.map(({ juegos }) => juegos.valueAsNumber), rows.map(({ stones }) => stones.valueAsNumber || 0)));
}
