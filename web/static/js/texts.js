// The page's own words. Sentences about the game come with the snapshot.

export const LANCES = {
  grande: "Grande", chica: "Chica", pares: "Pares", juego: "Juego", punto: "Punto",
};

/** How a lance is named after "a": "Envite a la chica". */
export const TO_LANCE = {
  grande: "a la grande", chica: "a la chica", pares: "a pares", juego: "a juego", punto: "al punto",
};

/** What stands large in the middle of the table. */
export const PHASES = {
  mus: "¿Hay mus?", discard: "Descarte", grande: "Grande", chica: "Chica", "pares?": "¿Pares?",
  pares: "Pares", "juego?": "¿Juego?", juego: "Juego", punto: "Al punto",
  showdown: "Cartas", count: "Fin de la mano", over: "Fin de la partida",
};

/** How a lance was closed. */
export const HOW = {
  passed: "en paso", refused: "no querido", nobody: "nadie", ordago: "órdago",
};

/** What stones were won for. */
export const WHY = {
  deje: "el deje", paso: "en paso", bet: "el envite", pares: "los pares", juego: "el juego",
  punto: "el punto",
};

export const EAR = {
  listening: "Escuchando", paused: "En pausa", off: "Sin micrófono", lost: "Micrófono perdido",
};

export const RANKS = [
  ["R", "Rey"], ["C", "Caballo"], ["S", "Sota"], ["7", "Siete"], ["6", "Seis"],
  ["5", "Cinco"], ["4", "Cuatro"], ["3", "Tres"], ["2", "Dos"], ["1", "As"],
];

export const SUITS = { o: "de oros", c: "de copas", e: "de espadas", b: "de bastos" };

/** "una piedra", "3 piedras". */
export function piedras(n) {
  return n === 1 ? "1 piedra" : `${n} piedras`;
}

/** "2 amarracos y 3 piedras"; zero is said as what it is. */
export function inAmarracos(amarracos, rest) {
  const large = amarracos === 1 ? "1 amarraco" : `${amarracos} amarracos`;
  if (amarracos === 0) return piedras(rest);
  return rest === 0 ? large : `${large} y ${rest}`;
}

/** "Norte y Sur". */
export function pair(names) {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} y ${names.at(-1)}`;
}

/** "Rey", "Siete de oros". */
export function cardName(card) {
  const rank = RANKS.find(([letter]) => letter === card[0])?.[1] ?? card;
  const suit = SUITS[card[1]];
  return suit ? `${rank} ${suit}` : rank;
}

export const SAY = {
  deal: (deal, mano) => `Reparto ${deal} · es mano ${mano}`,
  speaks: (name) => `Habla ${name}`,
  bet: (name, lance) => `Envite ${TO_LANCE[lance]} de ${name}`,
  ordago: (name, lance) => `${name}, ${TO_LANCE[lance]}`,
  deje: (n) => `Si no se quiere: ${n}`,
  missing: (names) => `${names.length === 1 ? "Falta la mano de" : "Faltan las manos de"} ${pair(names)}`,
  juego: (names) => `Juego para ${pair(names)}`,
  match: (names) => `Ganan ${pair(names)}`,
  juegos: (n, of) => `${n} de ${of} ${of === 1 ? "juego" : "juegos"}`,
  only: (names) => `sólo ${pair(names)}`,
  agreed: (n) => `${n} en juego`,
  score: (names, text) => `${pair(names)}: ${text}`,
  fault: {
    offline: "No hay conexión con la mesa: no se ha apuntado nada.",
    conflict: "Esas cartas son de otra mano: no se ha apuntado nada.",
    other: "La mesa no ha podido apuntarlo.",
  },
  tapped: "Sin voz",
  newGame: "Nueva partida",
  pause: "Pausa",
  resume: "Seguir",
  nothingHeard: "Todavía no se ha oído nada",
  tell: "Decir tocando",
  whole: "Mesa",
  cards: (name) => `Cartas de ${name}`,
  moreCards: (name) => `Cartas de ${name}, si se enseñan`,
  put: "Poner cartas",
  clear: "Borrar",
  empty: "hueco",
  inferred: "Quién habló se deduce del juego",
  undone: "Deshecho",
};
