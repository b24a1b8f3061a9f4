// The page's own words, in the language of the table or the one that ?lang= asks for.

import { EN } from "./words.en.js";
import { ES } from "./words.es.js";
import { EU } from "./words.eu.js";

const TABLES = { es: ES, eu: EU, en: EN };
const asked = new URLSearchParams(location.search).get("lang");

/** The ranks as they are printed, from the highest. */
export const RANKS = ["R", "C", "S", "7", "6", "5", "4", "3", "2", "1"];

/** The words now; whoever imports them sees a change of language. */
export let W = ES;

/**
 * Speak the language of this code ("es", "en-gb"), unless the address asks for another. `tables`
 * are the words of a page that has its own.
 */
export function speak(code, tables = TABLES) {
  const wanted = TABLES[asked] ? asked : code;
  W = TABLES[wanted] ?? TABLES[wanted.split("-")[0]] ?? ES;
  document.documentElement.lang = W.code;
  const { page } = tables[W.code];
  for (const node of document.querySelectorAll("[data-word]")) {
    node.textContent = page[node.dataset.word];
  }
  for (const node of document.querySelectorAll("[data-label]")) {
    node.setAttribute("aria-label", page[node.dataset.label]);
  }
}

/** How the ear does, in words; a note that is no code is one already. */
export function earSays({ state, note }) {
  return note ? W.earNotes[note] ?? note : W.ear[state];
}

/** "Rey", "Siete de oros". */
export function cardName(card) {
  return W.card(W.ranks[card[0]] ?? card, W.suits[card[1]]);
}
