// The hall's own words, in the language of the browser or the one that ?lang= asks for.

import { EN } from "./hall.en.js";
import { ES } from "./hall.es.js";
import { EU } from "./hall.eu.js";
import { speak, W } from "./texts.js";

const TABLES = { es: ES, eu: EU, en: EN };

/** The words now; whoever imports them sees a change of language. */
export let H = ES;

/** Speak the language of the browser. */
export function speakHall(title) {
  speak(navigator.language, TABLES);
  H = TABLES[W.code];
  document.title = `Mus · ${H.page[title]}`;
}
