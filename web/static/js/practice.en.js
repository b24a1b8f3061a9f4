// What the practice page says in English. The calls stay what they are at the table.

const stones = (n) => (n === 1 ? "1 stone" : `${n} stones`);
const at = { grande: "on grande", chica: "on chica", pares: "on pares", juego: "on juego", punto: "on punto" };

export const EN = {
  steps: (names, target, eight, hears) => [
    ["Four at the table", `You play with ${names[2]}, opposite you. ${names[1]} and ${names[3]} are your rivals. The first pair to reach ${target} stones wins. One player is “mano”: he speaks first and wins ties. With each deal the next one is.`],
    ["Four lances", `Grande: the highest cards. Chica: the lowest. Pares: cards alike. Juego: 31 points or more; if nobody has it, punto.${eight ? " Threes count as kings, twos as aces." : ""}`],
    hears ? ["Talk or tap", "Say your call aloud (“mus”, “paso”, “envido”, “quiero”…) or tap its button. Each button tells you what it means."]
      : ["Tap your call", "There is no microphone, so you play by buttons. Each one tells you what it means."],
  ],
  next: "Next",
  before: "Back",
  skip: "Skip this",
  chooseLevel: "Whom do you want to play?",
  levels: { paciente: "Patient", normal: "Usual", fuerte: "Strong" },
  levelMeans: {
    paciente: "They explain every call and advise you. To begin with.",
    normal: "As in the bar: one is careful, one bluffs.",
    fuerte: "They play to win.",
  },
  fresh: "The game is not kept: switched off, it begins anew.",
  undo: "Undo my call",
  again: "New game",
  back: "Go on with the game",
  us: "We",
  them: "They",
  of: (n, target) => `${n} of ${target}`,
  amounts: (a, p) => `${a} amarracos and ${p} stones`,
  partner: "your partner",
  rival: "rival",
  mano: "mano",
  manoMine: "You are mano: you speak first and win ties.",
  manoOf: (name) => `Mano: ${name}, who speaks first and wins ties.`,
  cards: (n) => (n === 1 ? "1 card" : `${n} cards`),
  how: { passed: "passed", refused: "deje", uncontested: "no rival", nobody: "nobody", ordago: "órdago", void: "void" },
  thinks: "thinking…",
  pending: (name, lance) => `${name} bets ${at[lance]}`,
  pendingAll: (name, lance) => `${name} goes all in ${at[lance]}`,
  yours: "Your turn",
  speaks: (name) => `${name} speaks`,
  throwing: "Tap the cards that you want to throw",
  waiting: "The others are throwing theirs",
  showing: "The cards are shown",
  ended: "End of the hand",
  won: "You have won!",
  lost: "They have won. Another one?",
  throwThem: (n) => (n === 0 ? "Choose one at least" : n === 1 ? "Throw 1 card" : `Throw ${n} cards`),
  throwMeans: "You get as many new ones",
  myCards: "Your cards",
  nextDeal: "Next hand",
  deal: "The cards",
  counted: "Why it is counted so",
  noStones: "Nobody scores in this hand.",
  means: {
    mus: () => "You want to change cards; if all do, they are changed",
    cut: () => "Nobody changes cards: the lances begin",
    pass: (lance) => `You do not bet ${at[lance]}`,
    bet: (lance, n) => `You bet ${stones(n)} ${at[lance]}`,
    raise: (lance, n) => `You want it, and ${stones(n)} more`,
    ordago: (lance) => `You stake everything ${at[lance]}`,
    accept: (lance, n, all) => (all ? `Whoever wins ${lance} wins it all` : `Whoever wins ${lance} takes ${stones(n)}`),
    refuse: (lance, n, all, deje) => `You leave it: ${stones(deje)} for them`,
    holds: (lance) => (lance === "pares" ? "You have cards alike" : "Your cards make 31 or more"),
    lacks: (lance) => (lance === "pares" ? "You have no cards alike" : "Your cards do not make 31"),
  },
  cutting: "No mus.",
  otherAmounts: "Another amount",
  lanceMeans: {
    mus: "Does anybody want to change cards? One “no hay mus” is enough to begin.",
    discard: "All want mus: cards are changed.",
    grande: (eight) => `At grande the highest cards win. ${eight ? "King and three are the best" : "The king is the best"}.`,
    chica: (eight) => `At chica the lowest cards win. ${eight ? "Ace and two are the best" : "The ace is the best"}.`,
    "pares?": "Each says whether he has cards alike.",
    pares: "At pares: duples beat medias (three alike), and medias beat a pair.",
    "juego?": (eight) => `Each says whether he has 31 or more. Court cards ${eight ? "and threes count 10; ace and two, 1" : "count 10"}; the others, what they show.`,
    juego: "At juego 31 is the best; then 32, 40, 37, 36, 35, 34 and 33.",
    punto: "Nobody has juego: at punto whoever is nearest to 30 wins.",
    showdown: "The cards are shown and the stones counted.",
    count: "The stones of this hand are counted.",
    over: "The game is over.",
  },
  why: "Why?",
  older: "What was said before",
  reasons: {
    mus: () => "does not like these cards, and wants others.",
    cut: () => "likes these cards: nobody else shall get better ones.",
    pass: (trust, lance) => (trust === "poor" ? `does not expect to win ${lance}.` : "has something, but would rather wait."),
    bet: (trust, lance) => (trust === "poor" ? "is not sure, but you may give in." : `believes in winning ${lance}.`),
    raise: (trust) => (trust === "poor" ? "wants to frighten." : "trusts these cards, and wants more."),
    ordago: (trust) => (trust === "sure" ? "is almost certain to win." : "risks it all."),
    accept: (trust) => (trust === "poor" ? "takes the risk, not at all sure." : "believes in winning, and wants to see."),
    refuse: (trust, _lance, deje) => `wanting it could cost more; would rather lose just ${stones(deje)}.`,
    declare: () => "each tells truly what he has.",
  },
  advice: "Advice",
  adviceThrow: (eight) => (eight ? "Throw the marked ones. Kings and threes are kept; if you have none, aces and twos." : "Throw the marked ones. Kings are kept; if you have none, aces."),
  adviceCall: (label, because) => `Say “${label}”: ${because}`,
  because: {
    mus: (h) => `you have little (${cards(h)}). It may get better.`,
    grande: (h) => worth(h, h.reyes, ["king", "kings"], "grande", h.as.reyes ? ", threes counted in" : ""),
    chica: (h) => worth(h, h.ases, ["ace", "aces"], "chica", h.as.ases ? ", twos counted in" : ""),
    pares: (h) => {
      if (h.pares === 0) return "you have no two cards alike.";
      if (h.poor) return `${PARES[h.pares]} is little to bet on.`;
      const alike = [h.as.reyes && "threes count as kings", h.as.ases && "twos as aces"].filter(Boolean);
      return `you have ${PARES[h.pares]}${alike.length ? ` (${alike.join(" and ")})` : ""}.`;
    },
    juego: (h) => {
      if (h.points < 31) return `your cards make ${h.points}, and 31 are needed.`;
      if (h.poor) return `with ${h.points} juego is hard to win.`;
      return h.points === 31 ? "you have 31, the best there is." : `you have ${h.points}.`;
    },
    punto: (h) => (h.poor ? `${h.points} is little: whoever is nearest to 30 wins.` : `you have ${h.points}, near to 30.`),
    cut: (h) => `you have good cards (${cards(h)}).`,
  },
  chances: "What are my chances?",
  chance: (lance, percent) => `${lance}: you win it some ${Math.round(percent / 10)} times in 10`,
  chanceNote: "By your cards and what was said, if both pairs play it.",
  noChances: "No lance is left to win with these cards.",
  unheard: "I did not understand you while they spoke: say it again.",
};

const PARES = ["no pair", "a pair", "medias", "duples"];
const worth = (h, n, [one, many], lance, also) => {
  if (n === 0) return `you have no ${many}.`;
  const little = h.poor ? `: too few for ${n > 1 ? "such a bet" : lance}` : "";
  return `you have ${h.poor && n === 1 ? "just " : ""}${n} ${n === 1 ? one : many}${also}${little}.`;
};
const cards = (h) => `kings ${h.reyes}, ${PARES[h.pares]}, ${h.points} points`;
