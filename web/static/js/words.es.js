// What the page says in Spanish. Sentences about the game come with the snapshot.

const piedras = (n) => (n === 1 ? "1 piedra" : `${n} piedras`);
// "y" is "e" before the sound i: "Este e Iñaki", but "y Hierro".
const and = (next) => (/^h?[ií](?![aeo])/i.test(next) ? "e" : "y");
const join = (names) => (names.length < 2 ? names.join("")
  : `${names.slice(0, -1).join(", ")} ${and(names.at(-1))} ${names.at(-1)}`);
const toLance = {
  grande: "a la grande", chica: "a la chica", pares: "a pares", juego: "a juego", punto: "al punto",
};

export const ES = {
  code: "es",
  lances: { grande: "Grande", chica: "Chica", pares: "Pares", juego: "Juego", punto: "Punto" },
  /** What stands large in the middle of the table. */
  phases: {
    mus: "¿Hay mus?", discard: "Descarte", grande: "Grande", chica: "Chica", "pares?": "¿Pares?",
    pares: "Pares", "juego?": "¿Juego?", juego: "Juego", punto: "Al punto",
    showdown: "Cartas", count: "Fin de la mano", over: "Fin de la partida",
  },
  /** How a lance was closed. */
  how: {
    passed: "en paso", refused: "no querido", nobody: "nadie", ordago: "órdago", void: "anulado",
  },
  /** What stones were won for. */
  why: {
    deje: "el deje", paso: "en paso", bet: "el envite", pares: "los pares", juego: "el juego",
    punto: "el punto", penalty: "la sanción",
  },
  ear: {
    listening: "Escuchando", paused: "En pausa", off: "Sin micrófono", lost: "Micrófono perdido",
  },
  earNotes: {
    loud: "El micrófono satura: bájalo o aléjalo.", dead: "No llega sonido: ¿está el micrófono silenciado?",
    faint: "No te oigo bien: la voz llega muy floja. Acerca el micrófono o súbelo.",
    noisy: "Hay demasiado ruido: acerca el micrófono o baja la música.",
    monitor: "Este micrófono oye lo que suena en el ordenador, no la mesa: elige otro en Ajustes.",
    slow: "El ordenador va lento: se pierde sonido.", over: "Fin de la grabación",
  },
  /** The camera; what it does not see is said or tapped, and the game goes on. */
  eye: {
    waiting: "Cámara…", ok: "Cámara", black: "Cámara tapada", frozen: "Cámara parada",
    lost: "Cámara perdida", moved: "Cámara movida: calibrar",
  },
  /** The hall that the game is sent to; without it the table plays on and sends it later. */
  hall: { there: "Sala", away: "Sin la sala: se enviará luego" },
  /** The page on which the seats' zones are marked. */
  camera: {
    uncalibrated: "La mesa está sin calibrar: la cámara no sabe aún cómo la ve.",
    none: "Sin zonas, cada carta es del jugador cuyo lado de la foto le queda más cerca.",
    some: (names) => `Falta marcar: ${join(names)}. Fuera de las zonas no se lee ninguna carta.`,
    all: "Todas las zonas están marcadas.",
    corner: (name, n) => `Zona de ${name}: toca la esquina ${n} de 4, en orden.`,
    choose: "Elige un jugador y toca en la foto las cuatro esquinas de donde enseña sus cartas.",
    fault: "Esa zona se cruza, es muy pequeña o se sale de la foto: tócala otra vez.",
    photo: "La mesa vacía, vista por la cámara",
  },
  /** Teaching the camera the table. */
  lesson: {
    empty: "Quita de la mesa todo lo que no vaya a quedarse, y aparta las manos.",
    cards: "Ahora pon una carta suelta, boca arriba, delante de cada jugador.",
    done: { empty: "Está vacía", cards: "Están puestas" },
    again: "Calibrar la mesa otra vez", looking: "Mirando…",
    fault: {
      cards: "Hay cartas en juego: se calibra cuando acabe la mano.",
      few: "No se distinguen las cartas: ponlas sueltas y sin brillos, una delante de cada jugador.",
      moves: "Algo se mueve: deja la mesa quieta y repite.",
      order: "Primero, la mesa vacía.",
    },
  },
  /** The page on which a deck is enrolled. */
  decks: {
    suits: { o: "Oros", c: "Copas", e: "Espadas", b: "Bastos" },
    shots: { oceb: "Las cuatro filas en una foto", "": "El dorso, si se quiere" },
    playing: (name) => `${name} · en juego`,
    looking: "Mirando la foto…",
    left: (suits) => `Bien. ${suits.length === 1 ? "Falta" : "Faltan"}: ${join(suits)}.`,
    check: "Mira si cada carta está en su sitio; si no, toca dos para cambiarlas. Luego ponle nombre.",
    swapWith: (card) => `${card}: toca la carta por la que se cambia.`,
    swapped: (one, other) => `Cambiadas: ${one} y ${other}.`,
    kept: (name) => `Guardada. Se lee ya con la baraja ${name}.`,
    fault: {
      image: () => "Eso no es una foto que se pueda abrir: haz otra en JPEG.",
      large: () => "La foto es demasiado grande: hazla con menos megapíxeles.",
      dark: () => "La foto está oscura: pon más luz y repítela.",
      blurred: () => "La foto está movida: sujeta bien la cámara y repítela.",
      none: () => "No se ve ninguna carta: ponlas separadas, sobre un paño oscuro y liso.",
      rows: ({ found, wanted }) => `Se ven ${found} filas y tenían que ser ${wanted}: cada palo en la suya.`,
      cards: ({ suit, found }) => `${found === 1 ? "Se ve 1 carta" : `Se ven ${found} cartas`} de las diez ${{
        o: "de oros", c: "de copas", e: "de espadas", b: "de bastos" }[suit]}: sepáralas un dedo, sobre un paño oscuro y liso.`,
      small: () => "Las cartas salen pequeñas: acércate, o haz una foto de cada palo.",
      back: ({ found }) => `Se ven ${found} cartas: para el dorso, pon una sola boca abajo.`,
      suit_twice: () => "Hay un palo repetido.",
      missing: () => "Todavía falta algún palo.",
      alike: ({ one, other }) => `${one} y ${other} parecen la misma carta: repite la foto de ese palo.`,
      card: () => "Esa carta no está todavía.",
      name: () => "El nombre lleva letras, cifras, guiones y nada más: 40 como mucho.",
      exists: ({ name }) => `Ya hay una baraja ${name}: vuelve a guardar para cambiarla por ésta.`,
      disk: () => "No se ha podido guardar: mira si queda sitio en el disco.",
    },
  },
  ranks: {
    R: "Rey", C: "Caballo", S: "Sota", 7: "Siete", 6: "Seis", 5: "Cinco", 4: "Cuatro", 3: "Tres",
    2: "Dos", 1: "As",
  },
  suits: { o: "de oros", c: "de copas", e: "de espadas", b: "de bastos" },
  /** What a hand holds, by its stones. */
  values: {
    pares: { 1: "pareja", 2: "medias", 3: "duples" }, juego: { 2: "juego", 3: "31" },
  },
  tags: {
    shows: "enseña", speaks: "habla", mano: "mano", mus: "mus", passed: "paso",
    refused: "no quiere", accepted: "quiere", out: "fuera de juego", pares: "pares",
    juego: "juego", no_pares: "sin pares", no_juego: "sin juego",
  },
  reports: {
    exposed_card: "Mus visto", same_mano: "Misma mano que antes", peeked: "Ha mirado sus cartas",
    in_deck: "Se mete en baraja",
    card_count: (n) => `Tiene ${n} cartas`,
  },
  /** Words that stand in the page's own file. */
  page: {
    apprentice: "Aprender en la mesa", whichSeat: "Dónde te sientas", chances: "Lo que tenías",
    softly: "Mientras suena, la mesa no oye.",
    oddsPage: "Las probabilidades", oddsMano: "Quién es mano",
    onPaper: "En papel (PDF)", report: "Jugador a jugador",
    oddsHello: "Toca cuatro cartas y verás cada cuánto gana tu pareja cada lance con ellas, si de las demás no se sabe nada.",
    oddsPlaying: "Hay una mano en juego: se enseñan cuando acabe.",
    oddsNote: "La primera cifra es de los dos; la segunda, de tu mano sola. Al punto sólo se juega si nadie tiene juego.",
    lessons: "Aprender a jugar", glossary: "Las palabras del mus", senas: "Las señas", search: "Buscar una palabra",
    forbidden: "Está prohibido", quiz: "Ponte a prueba", signLists: "Listas de señas",
    menu: "Menú", pages: "Páginas", tablePage: "La mesa", phonePage: "El mando",
    watchPage: "Sólo mirar",
    count: "La cuenta", noCount: "Todavía no hay cartas que contar.", hands: "Las cartas",
    stoneByStone: "Piedra a piedra",
    setup: "Preparar la mesa", who: "Quiénes juegan", mic: "El micrófono", voices: "Las voces de la mesa", voice: "La voz",
    others: "Otros aparatos", checks: "Comprobaciones",
    drawings: "Para guardar", history: "La historia", noDeals: "Todavía no se ha repartido.", deals: "Repartos",
    steps: "Paso a paso", before: "Paso anterior", after: "Paso siguiente", play: "Ver",
    undo: "Deshacer", redo: "Rehacer", more: "Incidencias", close: "Cerrar",
    lost: "Sin conexión con la mesa: lo que se ve puede ser antiguo. Se vuelve a intentar…",
    log: "Lo que ha pasado", tools: "Corregir y parar", sides: "Tantos", table: "La mesa",
    seats: "Jugadores", lances: "Lances", proposal: "Lo que dice el reglamento",
    question: "Pregunta", heard: "Lo último que se ha oído",
    showdown: "Poner las cartas", actions: "Decir tocando",
    lesson: "Calibrar",
    camera: "La cámara", back: "Volver a la partida", unmark: "Borrar la zona", whose: "De quién es la zona",
    decks: "Las barajas", newDeck: "Enseñar una baraja nueva", photos: "Fotos de la baraja",
    howDeck: "Sobre un paño oscuro y liso, pon cada palo en una fila, boca arriba y con un dedo entre carta y carta: 1 2 3 4 5 6 7 sota caballo rey desde la izquierda. Haz una foto de cada palo desde arriba, con buena luz.",
    newCards: "Cartas aprendidas", deckName: "Nombre", keepDeck: "Guardar la baraja",
  },
  /** What can be said to the assistant, as buttons. */
  asks: {
    title: "Pregúntale", score: "¿Cómo vamos?", owed: "¿Qué se debe?", count: "Cuenta otra vez",
    repeat: "Repite", softer: "Más bajo", louder: "Más alto",
  },
  /** The page on which the table is set up. */
  setup: {
    languages: { es: "Español", eu: "Euskera", en: "Inglés" },
    language: "Idioma", many: "Cuántos juegan", rules: "Reglas", usual: "Las de una mesa corriente",
    seat: (n) => (n === 1 ? "1 · aquí" : `${n}`),
    round: "En el orden en que se habla, hacia la derecha. Se juega con quien se tiene enfrente.",
    which: "Cuál", system: "El del sistema", level: "Volumen que llega",
    tryMic: "Probar el micrófono", again: "Buscar otra vez",
    sayCalls: (seconds) => `Di «envido», «quiero», «órdago»… (${seconds})`,
    noWords: "(sin palabras)",
    noMic: "No hay ningún micrófono. Conecta uno y busca otra vez; sin él se juega tocando.",
    better: (name) => `Prueba con «${name}»: elígelo arriba.`,
    lostSound: (blocks) => `Sonido perdido: ${(blocks / 20).toFixed(1)} s.`,
    lostMic: "El micrófono se ha desconectado. Vuelve a enchufarlo.",
    faint: "Casi no se oye: acerca el micrófono o súbelo.",
    overdriven: "El micrófono satura: aléjalo o bájalo.",
    notHeard: "Llega sonido y ninguna palabra: habla hacia el micrófono.",
    fine: "Se oye bien.",
    speaks: "Habla en voz alta", much: "Cuánto dice",
    levels: { silent: "Nada", essential: "Lo esencial", full: "Todo" },
    ofLanguage: "La del idioma", rate: "Velocidad", volume: "Volumen", hear: "Oír la voz",
    cameraHint: "Lee las cartas cuando se enseñan. Sin cámara se dicen o se tocan.",
    noCamera: "Sin cámara", camera: (name) => (name === "rpicam" ? "La de la Raspberry Pi" : `Cámara ${name}`),
    address: "Otra, por su dirección", deck: "Baraja", ownDeck: "La de siempre",
    look: "Mirar", looking: "Un momento…", seen: "Lo que ve la cámara",
    lan: "Abrir la página en móviles y tabletas de esta red",
    lanHint: "Mira quien quiera; toca quien sepa el PIN.",
    keeping: "Guardando…", kept: "Guardado.",
    begin: "Empezar la partida", on: "Seguir la partida", other: "Empezar otra partida",
    sure: "Sí, dejar ésta y empezar otra",
    fault: {
      deaf: "No hay micrófono con que oír: conéctalo primero.",
      busy: "Se está aprendiendo una voz: espera a que acabe.",
      many: "No caben más voces: borra alguna.",
      name: "Ese nombre no vale para una voz: letras, cifras y guiones.",
      unknown: "Esa voz ya no está.",
      seats: "Hacen falta de dos a seis nombres distintos, de 20 letras como mucho.",
      sides: "Con estas reglas se juega en dos bandos, de 2, 4 o 6. Tres o cinco juegan cada uno para sí: elige esas reglas.",
      voice: "No se oye: mira si hay un altavoz conectado, y con mus doctor si hay voz instalada.",
      cards: "Hay cartas en juego: se mira cuando acabe la mano.",
      picture: "La cámara no da imagen: mira si está enchufada y libre.",
      camera: "Una cámara es un número o una dirección que empieza por http o rtsp.",
      veiled: "Escribe la dirección entera: aquí no se enseña su contraseña.",
    },
  },
  /** The players' voices. */
  voices: {
    hint: "Cada jugador lee quince cantes y el oído aprende su voz: entiende mejor entre el ruido. Las grabaciones no salen de este aparato.",
    who: "Quién lee", language: "Cantes en", begin: "Aprender su voz", anew: (name) => `${name} (otra vez)`,
    calls: (n) => `${n} cantes`, forget: "Borrar", sure: "Sí, borrar",
    at: (name, at, of) => `${name} · ${at} de ${of}`,
    read: "Léelo en voz alta, como en la mesa.", skip: "Saltar", stop: "Dejarlo",
    good: (say) => `«${say}»: bien.`,
    wrong: ({ tried, fault, like, left }) => {
      const why = {
        dead: "No llega ningún sonido: ¿está silenciado el micrófono?",
        silent: "No te he oído.",
        faint: "Se te oye muy bajo: acércate al micrófono o súbele el volumen.",
        clipped: "Suena saturado: aléjate un poco o baja el volumen del micrófono.",
        noisy: "Hay demasiado ruido alrededor para aprender de esto.",
        long: "Demasiado largo: lee solo el cante.",
        other: like ? `Ha sonado a «${like}», y tocaba «${tried}».` : `No ha sonado a «${tried}».`,
      }[fault];
      return `${why} ${left ? "Se deja; vamos con el siguiente." : "Otra vez."}`;
    },
    fit: "Ajustar el oído", fitting: "Ajustando el oído a las voces…", learnt: (name) => `Ya conozco la voz de ${name}.`,
    stale: "El oído no está ajustado a estas voces.",
    fault: {
      few: "Se ha podido usar muy poco de lo leído: prueba más cerca del micrófono y con menos ruido.",
      disk: "No se ha podido guardar: mira si queda sitio en el disco.",
      broken: "No se ha podido aprender de estas grabaciones: bórralas y lee otra vez.",
      failed: "No se ha podido aprender: prueba otra vez.",
    },
  },
  /** The pages that teach. */
  school: {
    hello: (hears) => `Lecciones cortas para aprender desde cero, a tu ritmo. Puedes contestar tocando${hears ? " o hablando" : ""}.`,
    begin: "Empezar", goOn: (at, of) => `Seguir por el paso ${at} de ${of}`, again: "Repetir",
    steps: (n) => `${n} pasos`, done: (right, asked) => `Hecha: ${right} de ${asked} a la primera`,
    at: (at, of) => `Paso ${at} de ${of}`, all: "Todas las lecciones",
    next: "Seguir", back: "Atrás", skip: "Saltar",
    hear: "Oírlo", hearOf: (name) => `Oír «${name}»`,
    speak: "Contestar hablando", stop: "Dejar de escuchar", listening: "Te escucho… La mesa no oye mientras tanto.",
    noEar: "Aquí no hay micrófono: dilo en voz alta para ti y sigue.",
    sayIt: "Vale cualquier manera de decirlo.", sayNumber: "Hablando, di su número.", sayCount: "Hablando, di la cantidad.",
    forExample: (say) => `Por ejemplo: «${say}».`,
    right: "¡Bien!", wrong: "No. Prueba otra vez.",
    unclear: (heard) => (heard ? `He oído «${heard}» y no sé qué hacer con ello. Otra vez.` : "No te he entendido. Otra vez."),
    heard: (what) => `«${what}»`, somebody: "Alguien", stones: "Tanteo",
    over: "¡Lección terminada!", overScore: (right, asked) => `${right} de ${asked} a la primera.`, following: "La siguiente lección",
    none: "No hay ninguna palabra así.", terms: (n) => (n === 1 ? "1 palabra" : `${n} palabras`), see: "Mira también:",
    play: "Empezar la prueba", holds: "¿Qué dice esta seña?", gesture: (holds) => `¿Cuál es la seña de «${holds}»?`,
    rightOne: (holds, gesture) => `¡Bien! «${holds}»: ${gesture}.`, wrongOne: (holds, gesture) => `No. «${holds}»: ${gesture}.`,
    another: "Otra", score: (right, asked) => `${right} de ${asked} acertadas`,
    fault: {
      deaf: "No hay micrófono con que oír: contesta tocando.", busy: "Alguien está leyendo para el oído: espera a que acabe.",
      disk: "No se ha podido guardar lo aprendido: mira si queda sitio en el disco.", voice: "Aquí no hay voz instalada: con mus doctor se ve qué falta.",
      nothing: "Eso ya no se puede contestar.", unknown: "Eso ya no está.",
    },
  },
  /** Other devices. */
  door: {
    title: "Tocar la mesa desde aquí", pin: "PIN", enter: "Entrar",
    where: "Está en el menú de la pantalla de la mesa. Sin él se mira y no se toca.",
    wrong: "Ése no es el PIN de la mesa.",
    wait: (seconds) => `Demasiados intentos: espera ${seconds === 1 ? "1 segundo" : `${seconds} segundos`}.`,
    join: "Con el móvil", code: "Código con la dirección de la mesa",
  },
  /** The odds of any hand. */
  odds: {
    manos: ["Tú", "El de tu derecha", "Tu pareja", "El de tu izquierda"], title: (mano) => `Mano: ${mano}`,
    percent: (pair, alone) => `${pair} % · ${alone} %`,
  },
  /** The page of the one who learns; its sentences come from models/apprentice. */
  apprentice: {
    larger: "Con más piedras", hint: (name) => (name ? `Una ayuda para ${name}` : "Una ayuda"),
    may: "Puedes decir", why: "Por qué fue así", said: (name) => `Ha dicho ${name}`, happened: "Ha pasado",
    mine: "Has dicho", hear: (say) => `Oír «${say}»`,
    nothing: "Ahora no tienes que decir nada.", tell: "Toca tus cuatro cartas y sabrás qué probabilidad tenías.",
  },
  /** The page that looks back. */
  past: {
    drawn: { deal: (n) => `el reparto ${n}`, score: "el tanteo", lances: "quién ganó qué" },
    save: (told) => `Guardar ${told}`,
    deal: (n) => `Reparto ${n}`,
    mano: (name) => `mano ${name}`,
    disputed: (n) => (n === 1 ? "1 corrección" : `${n} correcciones`),
    photo: "Las cartas, como las ha leído la cámara",
    play: "Ver", stop: "Parar",
  },
  piedras,
  join,
  /** "2 amarracos y 3 piedras"; zero is said as what it is. */
  inAmarracos: (amarracos, rest) => {
    const large = amarracos === 1 ? "1 amarraco" : `${amarracos} amarracos`;
    if (amarracos === 0) return piedras(rest);
    return rest === 0 ? large : `${large} y ${rest}`;
  },
  card: (rank, suit) => (suit ? `${rank} ${suit}` : rank),
  deal: (deal, mano, corrido) =>
    `Reparto ${deal}${corrido ? " · mus corrido" : ""} · es mano ${mano}`,
  whoIsMano: "¿Quién es mano?",
  speaks: (name) => `Habla ${name}`,
  bet: (name, lance) => `Envite ${toLance[lance]} de ${name}`,
  ordagoBy: (name, lance) => `${name}, ${toLance[lance]}`,
  ordago: "¡Órdago!",
  or: (amounts) => amounts.join(" o "),
  deje: (n) => `Si no se quiere: ${n}`,
  missing: (names) =>
    `${names.length === 1 ? "Falta la mano de" : "Faltan las manos de"} ${join(names)}`,
  juego: (names) => `Juego para ${join(names)}`,
  match: (names) => `${names.length === 1 ? "Gana" : "Ganan"} ${join(names)}`,
  juegos: (n, of) => `${n} de ${of} ${of === 1 ? "juego" : "juegos"}`,
  vacas: (n, of) => `${n} de ${of} vacas`,
  only: (names) => `sólo ${join(names)}`,
  agreed: (n) => `${n} en juego`,
  claimed: (names) => `se lo apuntan ${join(names)}`,
  score: (names, text) => `${join(names)}: ${text}`,
  now: "ahora",
  adentro: "adentro",
  article: (number) => `Artículo ${number}`,
  fault: {
    offline: "No hay conexión con la mesa: no se ha apuntado nada.",
    conflict: "Esas cartas son de otra mano: no se ha apuntado nada.",
    door: "Para tocar la mesa hace falta su PIN: está en el menú de su pantalla.",
    other: "La mesa no ha podido apuntarlo.",
  },
  sure: (percent) => `${percent} % seguro`,
  tapped: "Sin voz",
  newGame: "Nueva partida",
  pause: "Pausa",
  resume: "Seguir",
  nothingHeard: "Todavía no se ha oído nada",
  tell: "Decir tocando",
  whoSpeaks: "Quién habla",
  whoseCards: "De quién son",
  cardsOnly: "Cartas",
  cards: (name) => `Cartas de ${name}`,
  moreCards: (name) => `Cartas de ${name}, si se enseñan`,
  put: "Poner cartas",
  clear: "Borrar",
  claim: "Decir quién gana, sin cartas",
  claims: "Quién gana cada lance",
  fixStones: "Poner bien los tantos",
  fixBet: "Poner bien un envite",
  wasBet: (lance, n) => `${lance}: ${n} en juego. Eran…`,
  side: "De qué lado",
  stones: "Cuántos tantos",
  reason: "Por qué (si se quiere decir)",
  happened: "Ha pasado algo",
  about: "De quién",
  somebody: "Sin decir quién",
  redeal: "Se reparte otra vez",
  inferred: "Quién habló se deduce del juego",
  undone: "Deshecho",
};
