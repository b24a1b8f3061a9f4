// What the practice page says in Spanish.

const piedras = (n) => (n === 1 ? "1 piedra" : `${n} piedras`);
const at = { grande: "a la grande", chica: "a la chica", pares: "a pares", juego: "a juego", punto: "al punto" };
const the = { grande: "la grande", chica: "la chica", pares: "los pares", juego: "el juego", punto: "el punto" };

export const ES = {
  steps: (names, target, eight, hears) => [
    ["Cuatro a la mesa", `Juegas con ${names[2]}, enfrente. ${names[1]} y ${names[3]} son los rivales. Gana la pareja que antes llega a ${target} piedras. Uno es «mano»: habla el primero y gana los empates. En cada reparto lo es el siguiente.`],
    ["Cuatro lances", `Grande: las cartas más altas. Chica: las más bajas. Pares: cartas iguales. Juego: sumar 31 o más; si nadie llega, al punto.${eight ? " Los treses valen como reyes y los doses como ases." : ""}`],
    hears ? ["Habla o toca", "Di tu jugada en voz alta («mus», «paso», «envido», «quiero»…) o toca su botón. Cada botón te cuenta lo que significa."]
      : ["Toca tu jugada", "No hay micrófono, así que se juega con los botones. Cada uno te cuenta lo que significa."],
  ],
  next: "Seguir",
  before: "Volver",
  skip: "Saltar la explicación",
  chooseLevel: "¿Con quién quieres jugar?",
  levels: { paciente: "Pacientes", normal: "Normales", fuerte: "Fuertes" },
  levelMeans: {
    paciente: "Explican cada jugada y te aconsejan. Para empezar.",
    normal: "Como en el bar: una prudente, otro que farolea.",
    fuerte: "Juegan a ganar.",
  },
  fresh: "La partida no se guarda: si se apaga, empieza de nuevo.",
  undo: "Deshacer mi jugada",
  again: "Otra partida",
  back: "Seguir la partida",
  us: "Nosotros",
  them: "Ellos",
  of: (n, target) => `${n} de ${target}`,
  amounts: (a, p) => `${a} amarracos y ${p} piedras`,
  partner: "tu pareja",
  rival: "rival",
  mano: "mano",
  manoMine: "Eres mano: hablas primero y ganas los empates.",
  manoOf: (name) => `Mano: ${name}. Habla primero y gana los empates.`,
  cards: (n) => (n === 1 ? "1 carta" : `${n} cartas`),
  how: { passed: "en paso", refused: "deje", uncontested: "sin rival", nobody: "nadie", ordago: "órdago", void: "nulo" },
  thinks: "piensa…",
  pending: (name, lance) => `${name} envida ${at[lance]}`,
  pendingAll: (name, lance) => `${name} se lo juega todo ${at[lance]}`,
  yours: "Te toca",
  speaks: (name) => `Habla ${name}`,
  throwing: "Toca las cartas que quieres tirar",
  waiting: "Los demás están tirando",
  showing: "Se enseñan las cartas",
  ended: "Fin de la mano",
  won: "¡Habéis ganado!",
  lost: "Han ganado ellos. ¿La revancha?",
  throwThem: (n) => (n === 0 ? "Elige al menos una" : n === 1 ? "Tirar 1 carta" : `Tirar ${n} cartas`),
  throwMeans: "Te dan otras tantas",
  myCards: "Tus cartas",
  nextDeal: "Siguiente mano",
  deal: "Las cartas",
  counted: "Por qué se cuenta así",
  noStones: "Nadie suma en esta mano.",
  means: {
    mus: () => "Quieres cambiar cartas; si todos quieren, se cambian",
    cut: () => "Nadie cambia cartas: empiezan los lances",
    pass: (lance) => `No apuestas ${at[lance]}`,
    bet: (lance, n) => `Apuestas ${piedras(n)} ${at[lance]}`,
    raise: (lance, n) => `Lo quieres y subes ${piedras(n)} más`,
    ordago: (lance) => `Te lo juegas todo ${at[lance]}`,
    accept: (lance, n, all) => (all ? `Quien gane ${the[lance]} se lo lleva todo` : `Quien gane ${the[lance]} se lleva ${piedras(n)}`),
    refuse: (lance, n, all, deje) => `Lo dejas: ${piedras(deje)} para ellos`,
    holds: (lance) => (lance === "pares" ? "Tienes cartas iguales" : "Tus cartas suman 31 o más"),
    lacks: (lance) => (lance === "pares" ? "No tienes cartas iguales" : "Tus cartas no llegan a 31"),
  },
  cutting: "Sin mus.",
  otherAmounts: "Otra cantidad",
  lanceMeans: {
    mus: "¿Alguien quiere cambiar cartas? Basta que uno diga «no hay mus» para empezar.",
    discard: "Todos quieren mus: se cambian cartas.",
    grande: (eight) => `A la grande ganan las cartas más altas. ${eight ? "Rey y tres son las mejores" : "El rey es la mejor"}.`,
    chica: (eight) => `A la chica ganan las cartas más bajas. ${eight ? "As y dos son las mejores" : "El as es la mejor"}.`,
    "pares?": "Cada uno dice si tiene cartas iguales.",
    pares: "A pares: duples ganan a medias (tres iguales), y medias a una pareja.",
    "juego?": (eight) => `Cada uno dice si suma 31 o más. Las figuras ${eight ? "y los treses valen 10; as y dos, 1" : "valen 10"}; las demás, lo que marcan.`,
    juego: "A juego, 31 es lo mejor; después 32, 40, 37, 36, 35, 34 y 33.",
    punto: "Nadie tiene juego: al punto gana quien más se acerca a 30.",
    showdown: "Se enseñan las cartas y se cuentan las piedras.",
    count: "Se han contado las piedras de esta mano.",
    over: "La partida ha terminado.",
  },
  why: "¿Por qué?",
  older: "Lo de antes",
  reasons: {
    mus: () => "no le gustan sus cartas y quiere otras.",
    cut: () => "le gustan sus cartas: no quiere que nadie mejore.",
    pass: (trust, lance) => (trust === "poor" ? `no espera ganar ${the[lance]}.` : "tiene con qué, pero prefiere esperar."),
    bet: (trust, lance) => (trust === "poor" ? "no lo ve claro, pero a ver si el otro se va." : `cree que gana ${the[lance]}.`),
    raise: (trust) => (trust === "poor" ? "quiere asustar." : "se fía de sus cartas y quiere más."),
    ordago: (trust) => (trust === "sure" ? "está casi seguro de ganar." : "se la juega."),
    accept: (trust) => (trust === "poor" ? "arriesga: no lo ve claro." : "cree que gana, y quiere verlo."),
    refuse: (trust, _lance, deje) => `querer le saldría caro; prefiere perder sólo ${piedras(deje)}.`,
    declare: () => "cada uno dice la verdad de lo que tiene.",
  },
  advice: "Consejo",
  adviceThrow: (eight) => (eight ? "Tira las señaladas. Se guardan reyes y treses; si no tienes, ases y doses." : "Tira las señaladas. Se guardan los reyes; si no tienes, los ases."),
  adviceCall: (label, because) => `Di «${label}»: ${because}`,
  because: {
    mus: (h) => `tienes poca cosa (${cards(h)}). Quizá mejoren.`,
    grande: (h) => worth(h, h.reyes, ["rey", "reyes"], "la grande", h.as.reyes ? ", contando los treses" : ""),
    chica: (h) => worth(h, h.ases, ["as", "ases"], "la chica", h.as.ases ? ", contando los doses" : ""),
    pares: (h) => {
      if (h.pares === 0) return "no tienes dos cartas iguales.";
      if (h.poor) return `${PARES[h.pares]} es poco para apostar.`;
      const alike = [h.as.reyes && "los treses valen como reyes", h.as.ases && "los doses como ases"].filter(Boolean);
      return `tienes ${PARES[h.pares]}${alike.length ? ` (${alike.join(" y ")})` : ""}.`;
    },
    juego: (h) => {
      if (h.points < 31) return `tus cartas suman ${h.points}, y hacen falta 31.`;
      if (h.poor) return `con ${h.points} es difícil ganar el juego.`;
      return h.points === 31 ? "tienes 31, lo mejor que hay." : `tienes ${h.points}.`;
    },
    punto: (h) => (h.poor ? `${h.points} es poco: gana quien más se acerca a 30.` : `tienes ${h.points}, cerca de 30.`),
    cut: (h) => `tienes buenas cartas (${cards(h)}).`,
  },
  chances: "¿Qué posibilidades tengo?",
  chance: (lance, percent) => `${lance}: ganáis unas ${Math.round(percent / 10)} de cada 10 veces`,
  chanceNote: "Por tus cartas y lo que se ha dicho, si lo juegan las dos parejas.",
  noChances: "No queda ningún lance que ganar con estas cartas.",
  unheard: "No te he entendido mientras hablaban: dilo otra vez.",
};

const PARES = ["sin pares", "una pareja", "medias", "duples"];
const count = (n, one, many) => (n === 0 ? `sin ${many}` : n === 1 ? `1 ${one}` : `${n} ${many}`);
const worth = (h, n, [one, many], lance, also) => {
  if (n === 0) return `no tienes ${many}.`;
  const little = h.poor ? `: poco para ${n > 1 ? "apostar tanto" : lance}` : "";
  return `${h.poor && n === 1 ? "sólo " : ""}tienes ${count(n, one, many)}${also}${little}.`;
};
const cards = (h) => `${count(h.reyes, "rey", "reyes")}, ${PARES[h.pares]}, ${h.points} puntos`;
