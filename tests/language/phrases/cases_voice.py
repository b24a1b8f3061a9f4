"""Cases in Spanish: what the voice says, as players would say it."""

from __future__ import annotations

from dataclasses import replace

from assistant.language.phrases import Level, Phrases
from assistant.messages import Refused
from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.changes import apply
from assistant.rules.engine import open_game
from assistant.rules.phases import Lance
from assistant.rules.profile import Real31
from tests.language.phrases.aloud import PLAIN, Aloud, Case
from tests.rules.play import (
    SEATS,
    cards,
    corto,
    envido,
    juego,
    mas,
    mus,
    no_queremos,
    no_quiero,
    nueva_mano,
    ordago,
    pares,
    paso,
    quiero,
)


def game_opened(p: Phrases) -> str | None:
    events = open_game(PLAIN, SEATS, 3)
    after = apply(apply(None, events[0]), events[1])
    return p.say(events, None, after)


def everybody_wants_mus(p: Phrases) -> str | None:
    return Aloud(p).say(mus(1), mus(2), mus(3)).full(mus(4))


def next_deal(p: Phrases) -> str | None:
    return in_paso(p).full(nueva_mano())


def deje(p: Phrases, level: Level = Level.ESSENTIAL) -> str | None:
    return Aloud(p, stones=(3, 0)).say(corto(1), envido(1, 5)).voice(no_queremos(2), level)


def raised_deje(p: Phrases) -> str | None:
    return Aloud(p).say(corto(1), envido(1, 2), mas(2, 5), mas(1, 10)).voice(no_queremos(2))


def half_refused(p: Phrases) -> str | None:
    return Aloud(p).say(corto(1), envido(1, 2)).full(no_quiero(2))


def half_refused_essential(p: Phrases) -> str | None:
    return Aloud(p).say(corto(1), envido(1, 2)).voice(no_quiero(2))


def both_second(p: Phrases) -> str | None:
    return Aloud(p).say(corto(1), envido(1, 3, both=True)).full(quiero(2))


def ordago_accepted(p: Phrases) -> str | None:
    return Aloud(p).say(corto(1), ordago(1)).voice(quiero(2))


def ordago_at_pares(p: Phrases) -> str | None:
    return Aloud(p).to_pares("sí sí no no").say(ordago(1)).voice(quiero(2))


def ordago_won(p: Phrases, level: Level = Level.ESSENTIAL) -> str | None:
    game = Aloud(p).say(corto(1), ordago(1), quiero(2)).say(cards(1, "RRC1"), cards(2, "7654"))
    return game.say(cards(3, "7644")).voice(cards(4, "R331"), level)


def in_paso(p: Phrases) -> Aloud:
    """A whole deal in paso up to its last hand. Nobody holds juego."""
    game = Aloud(p).to_juego("no no no no").all_pass()
    return game.show("RC71", "C765", "7654", "SC41")


def count_in_paso(p: Phrases, level: Level = Level.ESSENTIAL) -> str | None:
    game = Aloud(p).to_juego("no no no no").all_pass()
    return game.say(cards(1, "RC71"), cards(2, "C765"), cards(3, "7654")).voice(
        cards(4, "SC41"), level
    )


def count_punto(p: Phrases, level: Level = Level.ESSENTIAL) -> str | None:
    game = Aloud(p).to_juego("no no no no").say(envido(1, 4), quiero(2))
    return game.say(cards(1, "RC71"), cards(2, "C765"), cards(3, "7654")).voice(
        cards(4, "SC41"), level
    )


def count_hands(p: Phrases, level: Level = Level.ESSENTIAL) -> str | None:
    """Bets at grande and pares, medias and duples, 31 against 40."""
    game = Aloud(p, stones=(1, 0)).say(corto(1), envido(1, 5), quiero(2)).all_pass()
    game.declare("sí sí sí no").say(envido(1, 2), quiero(2)).declare("sí sí no no").all_pass()
    game.say(cards(1, "RRSS"), cards(2, "CC7R"), cards(3, "7776"))
    return game.voice(cards(4, "6541"), level)


def count_uncontested(p: Phrases, level: Level = Level.ESSENTIAL) -> str | None:
    game = Aloud(p).say(corto(1)).all_pass(2).declare("no sí no sí").declare("no sí no no")
    game.say(cards(1, "SC54"), cards(2, "RRRR"), cards(3, "7654"))
    return game.voice(cards(4, "6641"), level)


def count_31(p: Phrases, level: Level = Level.ESSENTIAL) -> str | None:
    game = Aloud(p).to_juego("sí no sí no").show("RSC1", "RC54")
    return game.say(cards(3, "SC75")).voice(cards(4, "7654"), level)


def count_real(p: Phrases, level: Level = Level.ESSENTIAL) -> str | None:
    game = Aloud(p, replace(PLAIN, real31=Real31.SOTA)).to_pares("no no no sí")
    game.declare("sí no no sí").say(envido(1), quiero(4))
    game.say(cards(1, "RSC1"), cards(2, "RC54"), cards(3, "7654"))
    return game.voice(cards(4, "777S"), level)


def enters_adentro(p: Phrases, level: Level = Level.ESSENTIAL) -> str | None:
    return Aloud(p, stones=(34, 0)).say(corto(1), envido(1)).voice(no_queremos(2), level)


def stays_adentro(p: Phrases) -> str | None:
    return Aloud(p, stones=(35, 0)).say(corto(1), envido(1)).voice(no_queremos(2))


def juego_by_deje(p: Phrases, level: Level = Level.ESSENTIAL) -> str | None:
    return Aloud(p, stones=(39, 12)).say(corto(1), envido(1)).voice(no_queremos(2), level)


def match_won(p: Phrases, level: Level = Level.ESSENTIAL) -> str | None:
    game = Aloud(p, replace(PLAIN, juegos=1), stones=(0, 39))
    return game.say(corto(1), envido(2)).voice(no_queremos(1), level)


def juego_in_the_count(p: Phrases, level: Level = Level.ESSENTIAL) -> str | None:
    """At 39, grande in paso is the last stone, and chica is not counted any more (R30)."""
    game = Aloud(p, stones=(39, 0)).to_juego("no no no no").all_pass()
    return game.say(cards(1, "RC71"), cards(2, "C765"), cards(3, "7654")).voice(
        cards(4, "SC41"), level
    )


def cards_asked(p: Phrases) -> str | None:
    return Aloud(p).to_juego("no no no no").say(paso(1), paso(2), paso(3)).voice(paso(4))


def last_cards_missing(p: Phrases) -> str | None:
    game = Aloud(p).to_juego("no no no no").all_pass()
    return game.say(cards(1, "RC71"), cards(2, "C765")).voice(cards(3, "7654"))


def more_cards_missing(p: Phrases, level: Level) -> str | None:
    game = Aloud(p).to_juego("no no no no").all_pass()
    return game.say(cards(1, "RC71")).voice(cards(2, "C765"), level)


def missing_asked(p: Phrases) -> str | None:
    return p.missing(Aloud(p).to_juego("no no no no").all_pass().game.state)


def new_deal_without_cards(p: Phrases) -> str | None:
    state = Aloud(p).to_juego("no no no no").all_pass().say(cards(1, "RC71")).game.state
    return p.answer(Refused("cards_missing", call=c.NextDeal()), state)


def claimed_without_values(p: Phrases, lance: Lance) -> str | None:
    game = Aloud(p).to_pares("sí sí no no").all_pass().declare("sí sí no no").all_pass()
    refused = Refused("claim_values", call=c.ClaimLance(lance=lance, side="A"))
    return p.answer(refused, game.game.state)


def claimed_by_nobody_who_holds_it(p: Phrases) -> str | None:
    game = Aloud(p).to_pares("sí no sí no").declare("no no no no").all_pass()
    refused = Refused("claim_wrong", call=c.ClaimLance(lance=Lance.PARES, side="B"))
    return p.answer(refused, game.game.state)


def nothing_missing(p: Phrases) -> str | None:
    return p.missing(Aloud(p).game.state)


def denied_pares(p: Phrases) -> str | None:
    return Aloud(p).to_juego("no no no no").all_pass().voice(cards(1, "RR71"))


def claimed_juego(p: Phrases) -> str | None:
    return Aloud(p).to_juego("sí sí no no").all_pass().voice(cards(1, "RC71"))


def undone(p: Phrases, *calls: c.Call) -> str | None:
    return Aloud(p).say(*calls).undo()


def undone_unknown(p: Phrases) -> str | None:
    state = Aloud(p).game.state
    return p.say((e.Retracted(7),), state, state)


def redone(p: Phrases) -> str | None:
    game = Aloud(p)
    game.say(corto(1), envido(4, 5)).undo()
    return game.redo()


def undo_of(game: Aloud) -> str | None:
    return game.undo()


def game_asked(p: Phrases) -> str | None:
    opening = open_game(PLAIN, SEATS, mano=None)
    return p.say(opening, None, apply(None, opening[0]))


def game_given(p: Phrases, given: tuple[int, int], mano: int | None = None) -> str | None:
    opening = open_game(PLAIN, SEATS, mano, given)
    after = None
    for event in opening:
        after = apply(after, event)
    assert after is not None
    return p.say(opening, None, after)


def of_the_match(p: Phrases, more: tuple[int, int], winner: str = "") -> str:
    return p.of_the_match(Aloud(p).game.state, more, winner)


VOICE: tuple[Case, ...] = (
    Case(
        "a match with a juego given",
        lambda p: game_given(p, (0, 1)),
        "Oeste y Este empiezan con un juego, por decisión del juez. "
        "A cuarenta piedras. ¿Quién es mano?",
    ),
    Case(
        "a match with juegos given, and its mano",
        lambda p: game_given(p, (2, 0), 1),
        "A cuarenta piedras. Es mano Norte. "
        "Norte y Sur empiezan con dos juegos, por decisión del juez.",
    ),
    Case(
        "a juego given in the middle of a match",
        lambda p: of_the_match(p, (1, 0)),
        "Norte y Sur tienen un juego más, por decisión del juez.",
    ),
    Case(
        "juegos given in the middle of a match",
        lambda p: of_the_match(p, (0, 2)),
        "Oeste y Este tienen dos juegos más, por decisión del juez.",
    ),
    Case(
        "juegos that suffice",
        lambda p: of_the_match(p, (0, 2), "B"),
        "Oeste y Este ganan la partida, por decisión del juez.",
    ),
    Case(
        "a juego taken back",
        lambda p: of_the_match(p, (-1, 0)),
        "Norte y Sur tienen un juego menos, por decisión del juez.",
    ),
    Case(
        "juegos taken back",
        lambda p: of_the_match(p, (-2, 0)),
        "Norte y Sur tienen dos juegos menos, por decisión del juez.",
    ),
    Case(
        "another match is called to the table",
        lambda p: p.next_match(("Ana", "Eva", "Luis", "Iñaki")),
        "A esta mesa se llama a Ana y Luis contra Eva e Iñaki. "
        "«Asistente, nueva partida» la empieza.",
    ),
    Case(
        "the round ends by itself, on the page",
        lambda p: p.round_ends("20:30"),
        "La ronda acaba a las 20:30, con lo que marque la mesa.",
    ),
    Case(
        "the round ends by itself in a minute",
        lambda p: p.round_ends_in(1),
        "La ronda acaba dentro de un minuto, con lo que marque la mesa.",
    ),
    Case(
        "the round ends by itself in some minutes",
        lambda p: p.round_ends_in(10),
        "La ronda acaba dentro de diez minutos, con lo que marque la mesa.",
    ),
    Case(
        "a match that is decided elsewhere",
        lambda p: p.of_the_match(Aloud(p).game.state, (0, 0), decided=True),
        "Esta partida ya está decidida en la mesa del juez.",
    ),
    Case("a match begins", game_opened, "A cuarenta piedras. Es mano Sur."),
    Case("a match without a mano", game_asked, "A cuarenta piedras. ¿Quién es mano?"),
    Case("mus", everybody_wants_mus, "Hay mus, a descartar."),
    Case("the next deal", next_deal, "Es mano Oeste."),
    Case("the mus is cut", lambda p: Aloud(p).voice(corto(2)), "Corta Oeste."),
    Case("one wants mus", lambda p: Aloud(p).full(mus(1)), None),
    Case("a bet cuts the mus", lambda p: Aloud(p).voice(envido(2, 5)), "Corta Oeste."),
    Case("a bet", lambda p: Aloud(p).full(envido(2, 5)), "Oeste envida cinco a la grande."),
    Case("a pass", lambda p: Aloud(p).cut().full(paso(1)), None),
    Case(
        "a bet is essential to nobody",
        lambda p: Aloud(p).cut().voice(envido(1)),
        None,
    ),
    Case(
        "a bet on both",
        lambda p: Aloud(p).cut().full(envido(1, 3, both=True)),
        "Norte envida tres a las dos.",
    ),
    Case(
        "the second of both",
        both_second,
        "Oeste quiere la grande: van tres. Y tres a la chica, de Norte.",
    ),
    Case(
        "a raise",
        lambda p: Aloud(p).cut().say(envido(1)).full(mas(2, 1)),
        "Una más de Oeste: van tres.",
    ),
    Case(
        "an órdago is read back",
        lambda p: Aloud(p).cut().voice(ordago(1)),
        "Órdago de Norte a la grande.",
    ),
    Case(
        "an órdago on both",
        lambda p: Aloud(p).cut().voice(ordago(3, both=True)),
        "Órdago de Sur a las dos.",
    ),
    Case(
        "an órdago accepted",
        ordago_accepted,
        "Órdago querido. Cartas arriba, desde Norte.",
    ),
    Case(
        "only the cards that decide are asked for",
        ordago_at_pares,
        "Órdago querido. Norte y Oeste, cartas.",
    ),
    Case(
        "an órdago won",
        ordago_won,
        "El órdago, para Este. Juego: uno a cero.",
    ),
    Case("quiero", lambda p: Aloud(p).cut().say(envido(1)).voice(quiero(2)), None),
    Case(
        "a deje on the spot",
        deje,
        "Una para Norte y Sur. Cuatro a cero.",
    ),
    Case(
        "the deje of a raise",
        raised_deje,
        "Siete para Norte y Sur. Siete a cero.",
    ),
    Case("half a refusal", half_refused, "Oeste no quiere."),
    Case("half a refusal is not essential", half_refused_essential, None),
    Case(
        "pares are declared",
        lambda p: Aloud(p).cut().all_pass().say(paso(1), paso(2), paso(3)).full(paso(4)),
        "¿Pares?",
    ),
    Case(
        "pares are played",
        lambda p: Aloud(p).cut().all_pass(2).declare("sí sí no").full(pares(4, False)),
        "A pares: habla Norte.",
    ),
    Case(
        "one side alone has pares",
        lambda p: Aloud(p).cut().all_pass(2).declare("sí no sí").full(pares(4, False)),
        "Pares, solo de Norte y Sur. ¿Juego?",
    ),
    Case(
        "nobody has pares",
        lambda p: Aloud(p).cut().all_pass(2).declare("no no no").full(pares(4, False)),
        "Nadie tiene pares. ¿Juego?",
    ),
    Case(
        "nobody has juego",
        lambda p: Aloud(p).to_pares("no no no no").declare("no no no").full(juego(4, False)),
        "Nadie tiene juego: al punto, habla Norte.",
    ),
    Case(
        "juego is played",
        lambda p: Aloud(p).to_pares("no no no no").declare("no sí sí").full(juego(4, False)),
        "A juego: habla Oeste.",
    ),
    Case("cards are asked for", cards_asked, "Cartas arriba, desde Norte."),
    Case("the last hand is missing", last_cards_missing, "Este, tus cartas."),
    Case(
        "hands are laid open in one sweep",
        lambda p: more_cards_missing(p, Level.ESSENTIAL),
        None,
    ),
    Case(
        "not even a talkative voice comments on each hand",
        lambda p: more_cards_missing(p, Level.FULL),
        None,
    ),
    Case(
        "who is missing, when asked",
        missing_asked,
        "Cartas arriba, desde Norte.",
    ),
    Case(
        "a new deal is told to wait for the cards",
        new_deal_without_cards,
        "Oeste, Sur y Este, las cartas. Si no, decid para quién es cada lance.",
    ),
    Case(
        "pares were claimed without a word on the hands",
        lambda p: claimed_without_values(p, Lance.PARES),
        "Decid con qué: pareja, medias o duples.",
    ),
    Case(
        "juego was claimed without a word on the hands",
        lambda p: claimed_without_values(p, Lance.JUEGO),
        "Decid con qué: juego o treinta y una.",
    ),
    Case(
        "pares were claimed by those who have none",
        claimed_by_nobody_who_holds_it,
        "Eso no se puede llevar en este lance.",
    ),
    Case("nobody is missing", nothing_missing, None),
    Case("pares were denied", denied_pares, "Ojo: Norte sí tiene pares."),
    Case("juego was claimed", claimed_juego, "Ojo: Norte no tiene juego."),
    Case(
        "the count of a deal in paso",
        count_in_paso,
        "Norte y Sur, grande una y punto una; los otros chica una. Dos a una.",
    ),
    Case(
        "the count of a bet punto",
        count_punto,
        "Norte y Sur, grande una y punto cinco; los otros chica una. Seis a una.",
    ),
    Case(
        "the count with hands",
        count_hands,
        "Norte y Sur, grande cinco, pares siete y juego dos; los otros chica una. Quince a una.",
    ),
    Case(
        "the count of what is uncontested",
        count_uncontested,
        "Oeste y Este, grande una, chica una, pares cuatro y juego dos. Cero a ocho.",
    ),
    Case(
        "the count of the treinta y una",
        count_31,
        "Norte y Sur, grande una, chica una y juego cinco. Siete a cero.",
    ),
    Case(
        "the count of the real",
        count_real,
        "Norte y Sur, grande una y chica una; los otros pares dos y juego cinco. Dos a siete.",
    ),
    Case(
        "adentro, once",
        enters_adentro,
        "Una para Norte y Sur. Treinta y cinco a cero, adentro.",
    ),
    Case(
        "adentro is not said again",
        stays_adentro,
        "Una para Norte y Sur. Treinta y seis a cero.",
    ),
    Case(
        "the deje that ends a juego",
        juego_by_deje,
        "Una para Norte y Sur. Juego: uno a cero.",
    ),
    Case(
        "the match",
        match_won,
        "Una para Oeste y Este. Juego: uno a cero. ¡Partida!",
    ),
    Case(
        "the count stops at the target",
        juego_in_the_count,
        "Norte y Sur, grande una. Juego: uno a cero.",
    ),
    Case(
        "the score put right",
        lambda p: Aloud(p).voice(c.SetStones(stones=(23, 7))),
        "Corregido: veintitrés a siete.",
    ),
    Case(
        "the count of a deal in paso, with everything told",
        lambda p: count_in_paso(p, Level.FULL),
        "Grande en paso, una para Norte y Sur. Chica en paso, una para Oeste y Este. Punto, "
        "una para Norte y Sur. Norte y Sur, dos piedras; Oeste y Este, una piedra.",
    ),
    Case(
        "the count of a bet punto, with everything told",
        lambda p: count_punto(p, Level.FULL),
        "Grande en paso, una para Norte y Sur. Chica en paso, una para Oeste y Este. Punto, "
        "cuatro del envite, y una más para Norte y Sur. Norte y Sur, un amarraco y una; Oeste "
        "y Este, una piedra.",
    ),
    Case(
        "the count with hands, with everything told",
        lambda p: count_hands(p, Level.FULL),
        "Grande, cinco para Norte y Sur. Chica en paso, una para Oeste y Este. Pares, dos del "
        "envite, y cinco de duples de reyes y sotas, y medias de sietes para Norte y Sur; "
        "juego de cuarenta, dos. Norte y Sur, tres amarracos; Oeste y Este, una piedra.",
    ),
    Case(
        "the count of what is uncontested, with everything told",
        lambda p: count_uncontested(p, Level.FULL),
        "Grande en paso, una para Oeste y Este; chica en paso, una; duples de reyes, y pareja "
        "de seises, cuatro; juego de cuarenta, dos. Norte y Sur, a cero; Oeste y Este, un "
        "amarraco y tres.",
    ),
    Case(
        "the count of the treinta y una, with everything told",
        lambda p: count_31(p, Level.FULL),
        "Grande en paso, una para Norte y Sur; chica en paso, una; treinta y una, y juego de "
        "treinta y dos, cinco. Norte y Sur, un amarraco y dos; Oeste y Este, a cero.",
    ),
    Case(
        "the count of the real, with everything told",
        lambda p: count_real(p, Level.FULL),
        "Grande en paso, una para Norte y Sur; chica en paso, una. Medias de sietes, dos para "
        "Oeste y Este; juego, dos del envite, y tres de treinta y una real. Norte y Sur, dos "
        "piedras; Oeste y Este, un amarraco y dos.",
    ),
    Case(
        "adentro, once, with everything told",
        lambda p: enters_adentro(p, Level.FULL),
        "Una para Norte y Sur. En total, siete amarracos. Norte y Sur, adentro.",
    ),
    Case(
        "the deje that ends a juego, with everything told",
        lambda p: juego_by_deje(p, Level.FULL),
        "Una para Norte y Sur. En total, ocho amarracos. Juego para Norte y Sur: uno a cero.",
    ),
    Case(
        "the match, with everything told",
        lambda p: match_won(p, Level.FULL),
        "Una para Oeste y Este. En total, ocho amarracos. Juego para Oeste y Este: uno a "
        "cero. ¡Partida para Oeste y Este!",
    ),
    Case(
        "the count stops at the target, with everything told",
        lambda p: juego_in_the_count(p, Level.FULL),
        "Grande en paso, una para Norte y Sur. Juego para Norte y Sur: uno a cero.",
    ),
    Case(
        "an órdago won, with everything told",
        lambda p: ordago_won(p, Level.FULL),
        "El órdago, para Este. Juego para Oeste y Este: uno a cero.",
    ),
    Case(
        "a deje on the spot, with everything told",
        lambda p: deje(p, Level.FULL),
        "Una para Norte y Sur. En total, cuatro piedras.",
    ),
    Case("undo of mus", lambda p: undone(p, mus(1)), "Deshecho: mus de Norte."),
    Case("undo of a cut", lambda p: undone(p, corto(2)), "Deshecho: el corte de Oeste."),
    Case("undo of a pass", lambda p: undone(p, corto(1), paso(1)), "Deshecho: paso de Norte."),
    Case(
        "undo of a bet",
        lambda p: undone(p, corto(1), envido(4, 21)),
        "Deshecho: envido veintiuna a la grande, de Este.",
    ),
    Case(
        "undo of a bet that cut the mus",
        lambda p: undone(p, envido(4)),
        "Deshecho: envido dos a la grande, de Este.",
    ),
    Case(
        "undo of a bet on both",
        lambda p: undone(p, corto(1), envido(4, both=True)),
        "Deshecho: envido dos a las dos, de Este.",
    ),
    Case(
        "undo of a raise",
        lambda p: undone(p, corto(1), envido(4), mas(1, 3)),
        "Deshecho: tres más, de Norte.",
    ),
    Case(
        "undo of an órdago",
        lambda p: undone(p, corto(1), ordago(4)),
        "Deshecho: órdago a la grande, de Este.",
    ),
    Case(
        "undo of a quiero",
        lambda p: undone(p, corto(1), envido(4), quiero(1)),
        "Deshecho: el quiero de Norte.",
    ),
    Case(
        "undo of a no quiero",
        lambda p: undone(p, corto(1), envido(4), no_queremos(1)),
        "Deshecho: el no quiero de Norte.",
    ),
    Case(
        "undo of pares sí",
        lambda p: undo_of(Aloud(p).cut().all_pass(2).declare("sí")),
        "Deshecho: pares sí, de Norte.",
    ),
    Case(
        "undo of pares no",
        lambda p: undo_of(Aloud(p).cut().all_pass(2).declare("no")),
        "Deshecho: pares no, de Norte.",
    ),
    Case(
        "undo of cards",
        lambda p: undo_of(Aloud(p).to_juego("no no no no").all_pass().say(cards(1, "RC71"))),
        "Deshecho: las cartas de Norte.",
    ),
    Case(
        "undo of a deal",
        lambda p: undo_of(in_paso(p).say(nueva_mano())),
        "Deshecho: el reparto.",
    ),
    Case(
        "undo of a score",
        lambda p: undo_of(Aloud(p).say(c.SetStones(stones=(1, 1)))),
        "Deshecho: la corrección del tanteo.",
    ),
    Case("undo of what nobody knows", undone_unknown, "Deshecho: lo último."),
    Case("redo", redone, "Rehecho: envido cinco a la grande, de Este."),
)
