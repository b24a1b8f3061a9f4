// The practice page's words, in the language that the page speaks.

import { EN } from "./practice.en.js";
import { ES } from "./practice.es.js";
import { EU } from "./practice.eu.js";
import { W } from "./texts.js";

const TABLES = { es: ES, eu: EU, en: EN };

/** The words now: those of the page's own language. */
export function words() {
  return TABLES[W.code] ?? ES;
}
