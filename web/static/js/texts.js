// The page's own words. They come with the page, in its language: models/<language>/page/*.toml.

const WORDS = await (await fetch(document.getElementById("words").href)).json();
const asked = new URLSearchParams(location.search).get("lang");

/** Which form of a sentence fits a number: "zero" where there is one, "one" or "many". */
const formOf = (forms, n) => (n === 0 && "zero" in forms ? "zero" : n === 1 ? "one" : "many");

/** A sentence with its words filled in; names in a list are joined. */
const fill = (text, values = {}) => text.replace(/\{(\w+)\}/g, (_, name) =>
  (Array.isArray(values[name]) ? join(values[name]) : values[name]));

/** Texts as the page uses them: one with words in braces, or with forms, is asked with its words. */
function made(text) {
  if (Array.isArray(text)) return text.map(made);
  if (typeof text === "string") return text.includes("{") ? (values) => fill(text, values) : text;
  if ("one" in text && "many" in text) return (values) => fill(text[formOf(text, values.n)], values);
  return Object.fromEntries(Object.entries(text).map(([key, one]) => [key, made(one)]));
}

/** What an address is given after it, so that the answer is in the language of this page's own. */
export const ASKED = asked ? `?lang=${encodeURIComponent(asked)}` : "";
/** The code of the language. */
export const CODE = WORDS.code;
/** What every page says. */
export const W = made(WORDS.table);
/** What the pages before the game say, and those for whoever learns. */
export const S = made(WORDS.setup ?? {});
export const L = made(WORDS.school ?? {});
/** What the pages of a hall say; and why its desk refuses something, if the language tells it. */
export const H = made(WORDS.hall ?? {});
export const REFUSALS = WORDS.refusals ? made(WORDS.refusals) : null;
/** What the practice page says. */
export const P = made(WORDS.practice ?? {});

/** The ranks as they are printed, from the highest. */
export const RANKS = ["R", "C", "S", "7", "6", "5", "4", "3", "2", "1"];

/** A text of either kind. */
export const worded = (text, values) => (typeof text === "function" ? text(values) : text);

/** Open the page anew where the table speaks another language by now; `code` is as in a snapshot. */
export function follows(code) {
  const old = code !== document.documentElement.dataset.table;
  if (old && !asked) location.reload();
}

/** "Norte y Sur", "Ana e Iñaki". */
export function join(names) {
  if (names.length < 2) return names.join("");
  const last = names.at(-1);
  const and = new RegExp(W.names.soft, "i").test(last) ? W.names.and_soft : W.names.and;
  return and({ first: names.slice(0, -1).join(W.names.comma), last });
}

/** "2 amarracos y 3"; zero is said as what it is. */
export function inAmarracos(amarracos, rest) {
  if (amarracos === 0) return W.piedras({ n: rest });
  const large = W.amarracos({ n: amarracos });
  return rest === 0 ? large : W.amarracosAnd({ amarracos: large, rest });
}

/** How the ear does, in words; a note that is no code is one already. */
export function earSays({ state, note }) {
  return note ? W.earNotes[note] ?? note : W.ear[state];
}

/** "Rey", "Siete de oros". */
export function cardName(card) {
  const [rank, suit] = [card[0], W.suits[card[1]]];
  return suit ? W.card({ rank: W.ranksOfSuit[rank], suit }) : W.ranks[rank] ?? card;
}

/** The name of a hall's table as people say it. */
export const tableName = (name) =>
  (name.startsWith("mesa-") ? H.table({ n: name.slice("mesa-".length) }) : name);

/** How a juego or the match ended: "Juegos: 3 – 1 · Tantos: 40 – 27"; stones mean nothing after an órdago. */
export function finalScore({ sides, count, juegos_to_win: juegos, vacas_to_win: vacas }) {
  const score = (what) => ({ score: sides.map((side) => side[what]).join(" – ") });
  return [
    vacas > 1 && W.final.vacas(score("vacas")),
    juegos > 1 && W.final.juegos(score("juegos")),
    count.at(-1)?.how === "ordago" ? W.final.ordago : W.final.stones(score("stones")),
  ].filter(Boolean).join(" · ");
}
