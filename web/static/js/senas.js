// The señas of each list, drawn, and a quiz of them. What is right, only the table knows. The table's
// own list comes first; a table that plays without señas is told so, and shown none before it asks.

import { el, setText } from "./dom.js";
import { asked, post, ready } from "./school.js";
import { L } from "./texts.js";

const $ = (id) => document.getElementById(id);
let lists = [];
let list = null;
let question = null;

const drawing = (draw, alt) => el("img", { src: `/static/senas/${draw}.svg`, alt, width: 200, height: 200 });

function shownList() {
  for (const button of $("lists").children) {
    button.setAttribute("aria-pressed", button.dataset.name === list.name);
  }
  setText($("signs-title"), list.title);
  $("notes").replaceChildren(...list.notes.map((note) => el("li", { textContent: note })));
  $("signs").replaceChildren(...list.signs.map((sign) => el("li", {}, el("figure", {},
    drawing(sign.draw, ""),
    el("figcaption", {}, el("b", { textContent: sign.holds }), el("span", { textContent: sign.gesture }),
      sign.when ? el("small", { textContent: sign.when }) : null)))));
  $("no").hidden = list.forbidden.length === 0;
  $("forbidden").replaceChildren(...list.forbidden.map((one) => el("li", { textContent: one })));
  question = null;
  shownQuiz();
}

function choose(name) {
  list = lists.find((one) => one.name === name) ?? lists[0];
  for (const part of document.querySelectorAll("main > section")) part.hidden = false;
  shownList();
}

async function quiz(body) {
  try {
    question = await post(`/api/senas/${list.name}`, body);
    list.asked = question.asked;
    list.right = question.score;
    shownQuiz();
  } catch (wrong) {
    setText($("told"), wrong.message);
    $("told").className = "told wrong";
  }
}

function choiceButton(sign, at) {
  const drawn = question.way === "gesture";
  const button = el("button", { type: "button", class: drawn ? "drawn" : "" },
    drawn ? drawing(sign.draw, sign.gesture) : sign.holds);
  const open = question.right === null;
  button.disabled = !open;
  if (!open && at === question.right) button.classList.add("fine");
  if (!open && at === question.chosen && at !== question.right) button.classList.add("wrong");
  button.onclick = () => quiz({ choice: at });
  return button;
}

function shownQuiz() {
  const root = $("question");
  setText($("score"), list.asked ? L.school.score({ right: list.right, asked: list.asked }) : "");
  setText($("go"), question ? L.school.another : L.school.play);
  $("go").hidden = Boolean(question && question.right === null);
  setText($("told"), "");
  $("told").className = "told";
  if (!question) return root.replaceChildren();
  const holds = question.way === "holds";
  const what = holds ? L.school.holds : L.school.gesture({ holds: question.shown });
  root.replaceChildren(
    el("p", { class: "asks", textContent: what }),
    ...(holds ? [drawing(question.shown, question.alt)] : []),
    el("div", { class: `choices ${holds ? "" : "drawings"}` }, ...question.choices.map(choiceButton)));
  if (question.right === null) return root.querySelector("button").focus({ preventScroll: true });
  const { holds: what_, gesture } = question.choices[question.right];
  const fine = question.chosen === question.right;
  setText($("told"), (fine ? L.school.rightOne : L.school.wrongOne)({ holds: what_, gesture }));
  $("told").className = `told ${fine ? "fine" : "wrong"}`;
  return $("go").focus({ preventScroll: true });
}

async function begin() {
  let played = "";
  try {
    ({ lists, played } = await asked("/api/senas"));
  } catch {
    $("lost").hidden = false;
    return;
  }
  $("lists").replaceChildren(...lists.map(({ name, title }) => {
    const button = el("button", { type: "button", "data-name": name, textContent: title });
    button.onclick = () => choose(name);
    return button;
  }));
  const named = location.hash.slice(1);
  const without = played === "off"; // the table makes none: a list is shown to whoever asks for it
  $("none").hidden = !without;
  setText($("none"), without ? L.school.noSigns : "");
  if (named || !without) choose(named || played);
  ready();
}

$("go").onclick = () => quiz({ do: "ask" });
begin();
