// What the page says in Basque. Names are any names, so none of them takes a case ending.

const tantoak = (n) => (n === 1 ? "tanto 1" : `${n} tanto`);
const join = (names) =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} eta ${names.at(-1)}`;
const toLance = {
  grande: "handira", chica: "txikira", pares: "pareetara", juego: "jokora", punto: "puntura",
};

export const EU = {
  code: "eu",
  lances: { grande: "Handia", chica: "Txikia", pares: "Pareak", juego: "Jokoa", punto: "Puntua" },
  phases: {
    mus: "Mus?", discard: "Deskartea", grande: "Handia", chica: "Txikia", "pares?": "Pareak?",
    pares: "Pareak", "juego?": "Jokoa?", juego: "Jokoa", punto: "Puntura",
    showdown: "Kartak", count: "Eskua amaitu da", over: "Partida amaitu da",
  },
  how: {
    passed: "pasoan", refused: "ez nahi", nobody: "inork ez", ordago: "hordagoa",
    void: "baliogabe",
  },
  why: {
    deje: "dejea", paso: "pasoan", bet: "enbidoa", pares: "pareak", juego: "jokoa",
    punto: "puntua", penalty: "zigorra",
  },
  ear: {
    listening: "Entzuten", paused: "Etenda", off: "Mikrofonorik gabe", lost: "Mikrofonoa galduta",
  },
  eye: {
    waiting: "Kamera…", ok: "Kamera", black: "Kamera estalita", frozen: "Kamera geldirik",
    lost: "Kamera galduta", moved: "Kamera mugituta: kalibratu",
  },
  camera: {
    uncalibrated: "Mahaia kalibratu gabe dago: exekutatu mus calibrate eta ireki berriro partida.",
    none: "Eremurik gabe, karta bakoitza argazkian hurbilen duen jokalariarena da.",
    some: (names) => `Markatzeko: ${join(names)}. Eremuetatik kanpo ez da kartarik irakurtzen.`,
    all: "Eremu guztiak markatuta daude.",
    corner: (name, n) => `${name} jokalariaren eremua: ukitu ${n}. izkina (4tik), ordenan.`,
    choose: "Aukeratu jokalari bat eta ukitu argazkian bere kartak erakusteko lekuaren lau izkinak.",
    fault: "Eremu hori gurutzatzen da, txikiegia da edo argazkitik ateratzen da: ukitu berriro.",
    photo: "Mahai hutsa, kamerak ikusita",
  },
  ranks: {
    R: "Erregea", C: "Zaldia", S: "Txota", 7: "Zazpia", 6: "Seia", 5: "Bosta", 4: "Laua",
    3: "Hirua", 2: "Bia", 1: "Bata",
  },
  suits: { o: "Urre", c: "Kopa", e: "Ezpata", b: "Bastoi" },
  values: {
    pares: { 1: "parea", 2: "mediak", 3: "duplesak" }, juego: { 2: "jokoa", 3: "31" },
  },
  tags: {
    shows: "erakutsi", speaks: "txanda", mano: "eskua", mus: "mus", passed: "paso",
    refused: "ez du nahi", accepted: "nahi du", out: "jokoz kanpo", pares: "pareak",
    juego: "jokoa", no_pares: "parerik ez", no_juego: "jokorik ez",
  },
  reports: {
    exposed_card: "Karta agerian", same_mano: "Lehengo esku bera", peeked: "Kartak begiratu ditu",
    card_count: (n) => `${n} karta ditu`,
  },
  page: {
    undo: "Desegin", redo: "Berregin", more: "Gorabeherak", close: "Itxi",
    lost: "Ez dago mahaiarekin loturarik: hau zaharra izan daiteke. Berriro saiatzen…",
    log: "Gertatu dena", tools: "Zuzendu eta gelditu", sides: "Tantoak", table: "Mahaia",
    seats: "Jokalariak", lances: "Jokaldiak", proposal: "Araudiak dioena",
    question: "Galdera", heard: "Azkena entzundakoa",
    showdown: "Kartak jarri", actions: "Ukituz esan",
    camera: "Kamera", back: "Partidara itzuli", unmark: "Eremua ezabatu", whose: "Norena da eremua",
  },
  piedras: tantoak,
  join,
  inAmarracos: (amarracos, rest) => {
    const large = amarracos === 1 ? "amarreko 1" : `${amarracos} amarreko`;
    if (amarracos === 0) return tantoak(rest);
    return rest === 0 ? large : `${large} eta ${rest}`;
  },
  card: (rank, suit) => (suit ? `${suit} ${rank.toLowerCase()}` : rank),
  deal: (deal, mano, corrido) =>
    `${deal}. banaketa${corrido ? " · mus korritua" : ""} · eskua: ${mano}`,
  whoIsMano: "Nor da esku?",
  speaks: (name) => `Txanda: ${name}`,
  bet: (name, lance) => `Enbidoa ${toLance[lance]}: ${name}`,
  ordagoBy: (name, lance) => `${name}, ${toLance[lance]}`,
  ordago: "Hordago!",
  or: (amounts) => amounts.join(" ala "),
  deje: (n) => `Nahi ez bada: ${n}`,
  missing: (names) => `Kartak falta dira: ${join(names)}`,
  juego: (names) => `Jokoaren irabazle: ${join(names)}`,
  match: (names) => `Irabazle: ${join(names)}`,
  juegos: (n, of) => `${n}/${of} joko`,
  vacas: (n, of) => `${n}/${of} baka`,
  only: (names) => `${join(names)} bakarrik`,
  agreed: (n) => `${n} jokoan`,
  claimed: (names) => `beretzat: ${join(names)}`,
  score: (names, text) => `${join(names)}: ${text}`,
  now: "orain",
  adentro: "barruan",
  article: (number) => `${number} artikulua`,
  fault: {
    offline: "Ez dago mahaiarekin loturarik: ez da ezer idatzi.",
    conflict: "Karta horiek beste esku batekoak dira: ez da ezer idatzi.",
    other: "Mahaiak ezin izan du idatzi.",
  },
  tapped: "Ahotsik gabe",
  newGame: "Partida berria",
  pause: "Eten",
  resume: "Jarraitu",
  nothingHeard: "Oraindik ez da ezer entzun",
  tell: "Ukituz esan",
  whoSpeaks: "Nork dio",
  whoseCards: "Norenak dira",
  cardsOnly: "Kartak",
  cards: (name) => `Kartak: ${name}`,
  moreCards: (name) => `Kartak: ${name}, erakusten badira`,
  put: "Kartak jarri",
  clear: "Ezabatu",
  claim: "Nork irabazi duen esan, kartarik gabe",
  claims: "Nork irabazten du jokaldi bakoitza",
  fixStones: "Tantoak zuzendu",
  fixBet: "Enbido bat zuzendu",
  wasBet: (lance, n) => `${lance}: ${n} jokoan. Ziren…`,
  side: "Noren aldekoak",
  stones: "Zenbat tanto",
  reason: "Zergatik (esan nahi bada)",
  happened: "Zerbait gertatu da",
  about: "Nor",
  somebody: "Nor den esan gabe",
  redeal: "Berriro banatu",
  inferred: "Nor mintzatu den jokotik ondorioztatzen da",
  undone: "Deseginda",
};
