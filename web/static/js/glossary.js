// The words of the game: looked up as one types, and said aloud.

import { el, reconcile, setText } from "./dom.js";
import { whoAmI } from "./door.js";
import { asked, loudspeaker, ready } from "./school.js";
import { play } from "./sound.js";
import { L } from "./texts.js";

const $ = (id) => document.getElementById(id);
let terms = [];
let touches = false;

/** A text without case and accents, as people type it. */
const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

function entry(term) {
  const hear = loudspeaker(L.school.hearOf({ name: term.name }));
  hear.hidden = !touches;
  hear.onclick = async () => {
    hear.disabled = true;
    const wrong = await play({ term: term.name });
    hear.disabled = false;
    setText($("say"), wrong);
    $("say").hidden = !wrong;
  };
  const see = el("p", { class: "see" });
  if (term.see.length) see.append(`${L.school.see} `);
  term.see.forEach((name) => {
    const link = el("button", { type: "button", class: "link", textContent: name });
    link.onclick = () => { $("word").value = name; show(); $("word").focus(); };
    see.append(link);
  });
  return el("li", { class: "part" },
    el("div", { class: "head" }, el("h2", { textContent: term.name }), hear),
    el("p", { textContent: term.means }),
    term.said ? el("p", { class: "said", textContent: term.said }) : null,
    term.see.length ? see : null);
}

/** Those of that name first, then those that only speak of it. */
function found(wanted) {
  if (!wanted) return terms;
  const named = terms.filter((term) => fold(term.name).includes(wanted));
  const told = terms.filter((term) => !named.includes(term) && fold(`${term.means} ${term.said}`).includes(wanted));
  return [...named.filter((term) => fold(term.name) === wanted),
    ...named.filter((term) => fold(term.name) !== wanted), ...told];
}

function show() {
  const some = found(fold($("word").value.trim()));
  reconcile($("terms"), some, (term) => term.name, entry, () => {});
  setText($("count"), some.length ? L.school.terms({ n: some.length }) : L.school.none);
}

async function begin() {
  try {
    ({ terms } = await asked("/api/glossary"));
    touches = (await whoAmI())?.may_touch ?? false;
  } catch {
    $("lost").hidden = false;
    return;
  }
  const asks = new URLSearchParams(location.search).get("term");
  if (asks) $("word").value = asks;
  show();
  ready();
}

$("word").oninput = show;
$("search").onsubmit = (event) => event.preventDefault();
begin();
