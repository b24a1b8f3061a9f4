// What the practice page says in Basque.

const harri = (n) => (n === 1 ? "harri 1" : `${n} harri`);
const at = { grande: "handira", chica: "txikira", pares: "pareetara", juego: "jokora", punto: "puntura" };
const the = { grande: "handia", chica: "txikia", pares: "pareak", juego: "jokoa", punto: "puntua" };

export const EU = {
  steps: (names, target, eight, hears) => [
    ["Lau mahaian", `${names[2]} duzu bikote, aurrean. ${names[1]} eta ${names[3]} dira aurkariak. ${target} harrira lehenbizi heltzen den bikoteak irabazten du. Bat «esku» da: lehenengo hitz egiten du eta berdinketak irabazten ditu. Banaketa bakoitzean hurrengoa da.`],
    ["Lau joko", `Handia: karta altuenak. Txikia: baxuenak. Pareak: karta berdinak. Jokoa: 31 edo gehiago; inor ez bada heltzen, puntua.${eight ? " Hirukoek errege balio dute eta biek bateko." : ""}`],
    hears ? ["Hitz egin edo ukitu", "Esan zurea ozen («mus», «paso», «enbido», «iduki»…) edo ukitu botoia. Botoi bakoitzak zer esan nahi duen kontatzen dizu."]
      : ["Ukitu zurea", "Mikrofonorik ez dago: botoiekin jokatzen da. Bakoitzak zer esan nahi duen kontatzen dizu."],
  ],
  next: "Jarraitu",
  before: "Atzera",
  skip: "Azalpena saltatu",
  chooseLevel: "Norekin jokatu nahi duzu?",
  levels: { paciente: "Pazientziatsuak", normal: "Normalak", fuerte: "Indartsuak" },
  levelMeans: {
    paciente: "Jokaldi bakoitza azaltzen dute eta aholkua ematen dizute. Hasteko.",
    normal: "Tabernan bezala: bata zuhurra, bestea keinulari.",
    fuerte: "Irabaztera jokatzen dute.",
  },
  fresh: "Partida ez da gordetzen: itzaltzen bada, berriro hasten da.",
  undo: "Nirea desegin",
  again: "Beste partida bat",
  back: "Partidarekin jarraitu",
  us: "Gu",
  them: "Haiek",
  of: (n, target) => `${n} / ${target}`,
  amounts: (a, p) => `${a} hamarreko eta ${p} harri`,
  partner: "zure bikotea",
  rival: "aurkaria",
  mano: "esku",
  manoMine: "Esku zara: lehenengo hitz egiten duzu, eta berdinketak zureak dira.",
  manoOf: (name) => `Esku: ${name}. Lehenengo hitz egiten du, eta berdinketak bereak dira.`,
  cards: (n) => (n === 1 ? "karta 1" : `${n} karta`),
  how: { passed: "paso", refused: "utzi", uncontested: "aurkaririk ez", nobody: "inork ez", ordago: "hordago", void: "baliorik ez" },
  thinks: "pentsatzen…",
  pending: (name, lance) => `${name}: enbido ${at[lance]}`,
  pendingAll: (name, lance) => `${name}: dena ${at[lance]}`,
  yours: "Zure txanda",
  speaks: (name) => `${name} ari da`,
  throwing: "Ukitu bota nahi dituzun kartak",
  waiting: "Besteak botatzen ari dira",
  showing: "Kartak erakusten dira",
  ended: "Eskuaren amaiera",
  won: "Irabazi duzue!",
  lost: "Haiek irabazi dute. Errebantxa?",
  throwThem: (n) => (n === 0 ? "Aukeratu bat gutxienez" : n === 1 ? "Karta 1 bota" : `${n} karta bota`),
  throwMeans: "Beste hainbeste emango dizkizute",
  myCards: "Zure kartak",
  nextDeal: "Hurrengo eskua",
  deal: "Kartak",
  counted: "Zergatik kontatzen den horrela",
  noStones: "Inork ez du harririk irabazi esku honetan.",
  means: {
    mus: () => "Kartak aldatu nahi dituzu; denek nahi badute, aldatzen dira",
    cut: () => "Inork ez du kartarik aldatzen: jokoak hasten dira",
    pass: (lance) => `Ez duzu apusturik egiten ${at[lance]}`,
    bet: (lance, n) => `${harri(n)} ${at[lance]}`,
    raise: (lance, n) => `Onartu eta ${harri(n)} gehiago`,
    ordago: (lance) => `Dena jokatzen duzu ${at[lance]}`,
    accept: (lance, n, all) => (all ? `Irabazten duenak (${the[lance]}) dena irabazten du` : `Irabazten duenak (${the[lance]}) ${harri(n)} ditu`),
    refuse: (lance, n, all, deje) => `Uzten duzu: ${harri(deje)} haientzat`,
    holds: (lance) => (lance === "pares" ? "Karta berdinak dituzu" : "Zure kartek 31 edo gehiago egiten dute"),
    lacks: (lance) => (lance === "pares" ? "Ez duzu karta berdinik" : "Zure kartak ez dira 31ra heltzen"),
  },
  cutting: "Musik ez.",
  otherAmounts: "Beste kopuru bat",
  lanceMeans: {
    mus: "Inork kartak aldatu nahi ditu? Batek «mus ez» esatea aski da hasteko.",
    discard: "Denek nahi dute mus: kartak aldatzen dira.",
    grande: (eight) => `Handian karta altuenek irabazten dute. ${eight ? "Erregea eta hirukoa dira onenak" : "Erregea da onena"}.`,
    chica: (eight) => `Txikian karta baxuenek irabazten dute. ${eight ? "Batekoa eta bikoa dira onenak" : "Batekoa da onena"}.`,
    "pares?": "Bakoitzak karta berdinik duen esaten du.",
    pares: "Pareetan: duplesak mediak baino gehiago (hiru berdin), eta mediak pare bat baino gehiago.",
    "juego?": (eight) => `Bakoitzak 31 edo gehiago duen esaten du. Irudiek ${eight ? "eta hirukoek 10 balio dute; batekoak eta bikoak, 1" : "10 balio dute"}; besteek, duten zenbakia.`,
    juego: "Jokoan 31 da onena; gero 32, 40, 37, 36, 35, 34 eta 33.",
    punto: "Inork ez du jokorik: puntuan 30etik hurbilen dagoenak irabazten du.",
    showdown: "Kartak erakutsi eta harriak kontatzen dira.",
    count: "Esku honetako harriak kontatu dira.",
    over: "Partida amaitu da.",
  },
  why: "Zergatik?",
  older: "Lehenagokoak",
  reasons: {
    mus: () => "ez ditu bere kartak gustuko, eta beste batzuk nahi ditu.",
    cut: () => "karta onak ditu: ez du nahi inork hobetzea.",
    pass: (trust, lance) => (trust === "poor" ? `ez du uste irabaziko duenik (${the[lance]}).` : "badu zerekin, baina nahiago du itxaron."),
    bet: (trust, lance) => (trust === "poor" ? "ez du garbi ikusten, baina agian besteak utziko du." : `irabaziko duela uste du (${the[lance]}).`),
    raise: (trust) => (trust === "poor" ? "beldurtu nahi du." : "bere kartez fidatzen da, eta gehiago nahi du."),
    ordago: (trust) => (trust === "sure" ? "ia ziur dago irabaziko duela." : "dena jokatzen du."),
    accept: (trust) => (trust === "poor" ? "arriskatu egin du: ez du garbi ikusten." : "irabaziko duela uste du, eta ikusi nahi du."),
    refuse: (trust, _lance, deje) => `garesti aterako litzaioke; nahiago du ${harri(deje)} bakarrik galdu.`,
    declare: () => "bakoitzak duenaren egia esaten du.",
  },
  advice: "Aholkua",
  adviceThrow: (eight) => (eight ? "Bota markatutakoak. Erregeak eta hirukoak gordetzen dira; halakorik ez baduzu, batekoak eta bikoak." : "Bota markatutakoak. Erregeak gordetzen dira; halakorik ez baduzu, batekoak."),
  adviceCall: (label, because) => `Esan «${label}»: ${because}`,
  because: {
    mus: (h) => `gutxi duzu (${cards(h)}). Agian hobetuko dira.`,
    grande: (h) => worth(h, h.reyes, "errege", h.as.reyes ? ", hirukoak barne" : ""),
    chica: (h) => worth(h, h.ases, "bateko", h.as.ases ? ", bikoak barne" : ""),
    pares: (h) => {
      if (h.pares === 0) return "ez duzu bi karta berdinik.";
      if (h.poor) return `${PARES[h.pares]} gutxi da apustu egiteko.`;
      const alike = [h.as.reyes && "hirukoek errege balio dute", h.as.ases && "biek bateko"].filter(Boolean);
      return `hau duzu: ${PARES[h.pares]}${alike.length ? ` (${alike.join(" eta ")})` : ""}.`;
    },
    juego: (h) => {
      if (h.points < 31) return `zure kartek ${h.points} egiten dute, eta 31 behar dira.`;
      if (h.poor) return `${h.points}(e)kin zaila da jokoa irabaztea.`;
      return h.points === 31 ? "31 duzu, dagoen onena." : `${h.points} duzu.`;
    },
    punto: (h) => (h.poor ? `${h.points} gutxi da: 30etik hurbilen dagoenak irabazten du.` : `${h.points} duzu, 30etik hurbil.`),
    cut: (h) => `karta onak dituzu (${cards(h)}).`,
  },
  chances: "Zer aukera dut?",
  chance: (lance, percent) => `${lance}: 10etik ${Math.round(percent / 10)} aldiz irabazten duzue`,
  chanceNote: "Zure kartengatik eta esandakoagatik, bi bikoteek jokatzen badute.",
  noChances: "Ez da geratzen karta hauekin irabazteko lantzerik.",
  unheard: "Ez dizut ulertu hitz egiten ari zirela: esan berriro.",
};

const PARES = ["parerik ez", "pare bat", "mediak", "duplesak"];
const worth = (h, n, what, also) => {
  if (n === 0) return `ez duzu ${what}rik.`;
  return `${n} ${what} ${h.poor ? "besterik ez duzu" : "duzu"}${also}.`;
};
const cards = (h) => `${h.reyes} errege, ${PARES[h.pares]}, ${h.points} puntu`;
