"""Cases in Spanish: the screen and the spoken answers: log, buttons, questions, reasons."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from assistant.language.phrases import Phrases
from assistant.messages import Ask, Command, Ignored, Refused, Told
from assistant.messages.showdown import Trouble
from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.cards import parse_hand
from assistant.rules.changes import apply
from assistant.rules.engine import open_game
from assistant.rules.events import VOICE
from assistant.rules.phases import Lance
from assistant.rules.state import State
from tests.language.phrases.aloud import PLAIN, Aloud, Case
from tests.language.phrases.cases_voice import in_paso
from tests.rules.play import (
    SEATS,
    Game,
    cards,
    corto,
    envido,
    mas,
    mus,
    no_queremos,
    no_quiero,
    nueva_mano,
    ordago,
    paso,
    quiero,
)


def state(stones: tuple[int, int] | None = None) -> State:
    return Game(PLAIN, stones=stones).state


def opening(p: Phrases) -> str:
    return " | ".join(p.log_line(event, state()) for event in open_game(PLAIN, SEATS, 2))


def of_one_juego(p: Phrases) -> str:
    opened = e.GameOpened(replace(PLAIN, juegos=1), SEATS, 2)
    return p.log_line(opened, apply(None, opened))


def table_of_six(p: Phrases) -> str:
    """The log of a table of six, whose names need "e" in place of "y"."""
    names = ("Ana", "Jon", "Iñaki", "Pilar", "Hilario", "Inés")
    opened = e.GameOpened(PLAIN, names, 2)
    return p.log_line(opened, apply(None, opened))


def logged(*calls: c.Call) -> Callable[[Phrases], str]:
    """The log line of the last call, after mano has cut."""
    return lambda p: Aloud(p).cut().log(*calls)


def line(event: e.Event) -> Callable[[Phrases], str]:
    """The log line of one event."""
    return lambda p: p.log_line(event, state())


def label(call: c.Call) -> Callable[[Phrases], str]:
    return lambda p: p.label(call)


def reason(code: str, **params: str) -> Callable[[Phrases], str]:
    return lambda p: p.reason(code, params)


def answer_to(command: Command) -> Callable[[Phrases], str | None]:
    return lambda p: p.answer(Told(command), state())


def score(a: int, b: int) -> Callable[[Phrases], str]:
    return lambda p: p.score(state((a, b)))


def score_with_juegos(p: Phrases) -> str:
    game = Game(PLAIN, stones=(0, 39)).say(corto(1), envido(2), no_queremos(1), nueva_mano())
    return p.score(game.state)


def match_over(p: Phrases) -> str:
    game = Game(replace(PLAIN, juegos=1), stones=(39, 7))
    return p.score(game.say(corto(1), envido(1), no_queremos(2)).state)


def asked(code: str, *stones: int) -> Ask:
    return Ask(code, tuple(c.Raise(stones=n) for n in stones))


def lacking(seat: int, trouble: Trouble, cards: int) -> Ask:
    params = (("seat", str(seat)), ("trouble", str(trouble)), ("cards", str(cards)))
    return Ask("cards_unclear", params=params)


def ordago_logged(p: Phrases) -> str:
    aloud = Aloud(p).say(corto(1), ordago(1), quiero(2)).show("RRC1", "7654", "7644")
    return aloud.log(cards(4, "R331"))


def count_logged(p: Phrases) -> str:
    aloud = Aloud(p).cut().all_pass(2).declare("sí sí no no").say(envido(1), quiero(2))
    aloud.declare("sí sí no no").all_pass()
    aloud.say(cards(1, "RRSS"), cards(2, "CC7R"), cards(3, "7654"))
    return aloud.log(cards(4, "6541"))


def punto_logged(p: Phrases) -> str:
    aloud = Aloud(p, replace(PLAIN, juegos=1), stones=(38, 0)).to_juego("no no no no").all_pass()
    return aloud.show("RC71", "C765", "7654").log(cards(4, "SC41"))


def undo_logged(p: Phrases) -> str:
    aloud = Aloud(p).say(corto(1), envido(4, 21))
    aloud.undo()
    return aloud.lines()


LOG: tuple[Case, ...] = (
    Case(
        "log: a match begins",
        opening,
        "Empieza la partida: a 40 piedras y 3 juegos. Norte y Sur contra Oeste y Este | "
        "Reparto 1. Es mano Oeste",
    ),
    Case(
        "log: a match with a juego given",
        lambda p: p.log_line(open_game(PLAIN, SEATS, None, (1, 0))[0], Game(PLAIN).state),
        "Empieza la partida: a 40 piedras y 3 juegos. Norte y Sur contra Oeste y Este. "
        "Norte y Sur empiezan con un juego, por decisión del juez",
    ),
    Case(
        "log: a match of one juego",
        of_one_juego,
        "Empieza la partida: un juego a 40 piedras. Norte y Sur contra Oeste y Este",
    ),
    Case(
        "log: names before an i",
        table_of_six,
        "Empieza la partida: a 40 piedras y 3 juegos. Ana, Iñaki e Hilario contra Jon, Pilar e "
        "Inés",
    ),
    Case("log: mus", lambda p: Aloud(p).log(mus(1)), "Norte, mus"),
    Case(
        "log: all want mus",
        lambda p: Aloud(p).log(mus(1), mus(2), mus(3), mus(4)),
        "Este, mus | Hay mus, a descartar",
    ),
    Case("log: the mus is cut", lambda p: Aloud(p).log(corto(2)), "Oeste corta"),
    Case(
        "log: a bet that cuts",
        lambda p: Aloud(p).log(envido(2, 5)),
        "Oeste corta (se entiende) | Oeste envida 5 a grande",
    ),
    Case("log: a pass", logged(paso(1)), "Norte, paso"),
    Case(
        "log: passes that nobody said",
        logged(c.Pass(seat=1), envido(2, 2, Lance.CHICA)),
        "Oeste, paso (se entiende) | Sur, paso (se entiende) | Este, paso "
        "(se entiende) | Grande: en paso | Oeste envida 2 a chica",
    ),
    Case(
        "log: whose turn it was",
        logged(paso(None)),
        "Habla Norte: le toca (se entiende) | Norte, paso",
    ),
    Case(
        "log: the only pair that could",
        logged(envido(1), quiero(None)),
        "Habla Oeste: solo podían los suyos (se entiende) | Oeste quiere la grande | Grande: van 2",
    ),
    Case("log: his voice", line(e.SeatInferred(3, VOICE)), "Habla Sur: por la voz (se entiende)"),
    Case("log: a raise", logged(envido(1), mas(2, 5)), "Oeste, 5 más a grande"),
    Case("log: on both", logged(envido(1, 3, both=True)), "Norte envida 3 a las dos"),
    Case("log: órdago", logged(ordago(1)), "Norte echa órdago a grande"),
    Case("log: órdago on both", logged(ordago(1, both=True)), "Norte echa órdago a las dos"),
    Case("log: no quiero", logged(envido(1), no_quiero(2)), "Oeste no quiere"),
    Case(
        "log: no queremos",
        logged(envido(1), no_queremos(2)),
        "Oeste, no queremos | Este no quiere (se entiende) | Grande: no "
        "se quiere | Norte y Sur, 1 del deje a grande",
    ),
    Case(
        "log: pares",
        lambda p: (
            Aloud(p).cut().all_pass(2).declare("sí no sí").log(c.Declare(seat=4, holds=False))
        ),
        "Este, pares no | Pares: solo Norte y Sur",
    ),
    Case(
        "log: pares are played",
        lambda p: Aloud(p).cut().all_pass(2).declare("sí no no").log(c.Declare(seat=4)),
        "Este, pares sí | Se juega a pares",
    ),
    Case(
        "log: nobody has pares",
        lambda p: (
            Aloud(p).cut().all_pass(2).declare("no no no").log(c.Declare(seat=4, holds=False))
        ),
        "Este, pares no | Nadie tiene pares",
    ),
    Case(
        "log: an órdago accepted",
        logged(ordago(1), quiero(2)),
        "Oeste quiere la grande | Grande: órdago querido",
    ),
    Case(
        "log: an órdago won",
        ordago_logged,
        "Este enseña R 3 3 1 | La grande, para Este | Juego para Oeste y Este, por el órdago",
    ),
    Case(
        "log: the count",
        count_logged,
        "Este enseña 6 5 4 1 | La grande, para Norte | Norte y Sur, 1 de grande en paso | La "
        "chica, para Este | Oeste y Este, 1 de chica en paso | Los pares, para Norte | Norte y "
        "Sur, 2 del envite a pares | Norte y Sur, 3 de pares | El juego, para Norte | Norte y Sur, "
        "2 de juego | Todo contado",
    ),
    Case(
        "log: the end of a match",
        punto_logged,
        "Este enseña S C 4 1 | La grande, para Norte | Norte y Sur, 1 de grande en paso | La "
        "chica, para Este | Oeste y Este, 1 de chica en paso | El punto, para Norte | Norte y Sur, "
        "1 de punto | Juego para Norte y Sur | Partida para Norte y Sur",
    ),
    Case(
        "log: denied pares",
        lambda p: Aloud(p).to_juego("no no no no").all_pass().log(cards(1, "RR71")),
        "Norte enseña R R 7 1 | Norte dijo pares no, y tiene pares",
    ),
    Case(
        "log: claimed juego",
        lambda p: Aloud(p).to_juego("sí sí no no").all_pass().log(cards(1, "RC71")),
        "Norte enseña R C 7 1 | Norte dijo juego sí, y no tiene juego",
    ),
    Case(
        "log: the score put right",
        lambda p: Aloud(p).log(c.SetStones(stones=(23, 7))),
        "Corregido: Norte y Sur 23, Oeste y Este 7",
    ),
    Case(
        "log: a deal that was taken for granted",
        lambda p: in_paso(p).log(mus(2)),
        "Reparto 2. Es mano Oeste (se entiende) | Oeste, mus",
    ),
    Case("log: an undo", undo_logged, "Deshecho: envido 21 a la grande, de Este"),
    Case("log: an undo of long ago", line(e.Retracted(12)), "Se deshace la jugada 12"),
)

LABELS: tuple[Case, ...] = tuple(
    Case(f"label: {text}", label(call), text)
    for call, text in (
        (c.Mus(seat=1), "Mus"),
        (c.Cut(seat=1), "No hay mus"),
        (c.Pass(seat=1), "Paso"),
        (c.Bet(seat=1), "Envido 2"),
        (c.Bet(seat=1, stones=5, both=True), "Envido 5 a las dos"),
        (c.Raise(seat=1, stones=5), "5 más"),
        (c.Reenvido(seat=1), "Reenvido"),
        (c.Ordago(seat=1), "Órdago"),
        (c.Ordago(seat=1, both=True), "Órdago a las dos"),
        (c.Accept(seat=1), "Quiero"),
        (c.Refuse(seat=1), "No quiero"),
        (c.Refuse(seat=1, plural=True), "No queremos"),
        (c.Declare(lance=Lance.PARES), "Pares sí"),
        (c.Declare(lance=Lance.JUEGO, holds=False), "Juego no"),
        (c.Declare(), "Sí tengo"),
        (c.Declare(holds=False), "No tengo"),
        (c.ShowHand(seat=1), "Enseñar cartas"),
        (c.ShowHand(cards=parse_hand("R C S 7")), "Rey, caballo, sota y siete"),
        (c.ShowHand(cards=parse_hand("6 5 4 3")), "Seis, cinco, cuatro y tres"),
        (c.ShowHand(cards=parse_hand("R R 2 1")), "Rey, rey, dos y as"),
        (c.NextDeal(), "Nueva mano"),
        (c.SetStones(stones=(1, 2)), "Corregir los tantos"),
    )
)

ANSWERS: tuple[Case, ...] = (
    Case(
        "label: who is mano",
        lambda p: p.label(c.NextDeal(mano=2), Aloud(p).game.state),
        "Es mano Oeste",
    ),
    Case(
        "label: the state names the lance",
        lambda p: p.label(c.Declare(seat=1), Aloud(p).cut().all_pass(2).game.state),
        "Pares sí",
    ),
    Case(
        "a number in reply",
        lambda p: p.answer(asked("bare_raise", 5, 3), state()),
        "¿Cinco más, o hasta cinco?",
    ),
    Case(
        "a number in reply that can only be more",
        lambda p: p.question(asked("bare_raise", 1)),
        "¿Una más?",
    ),
    Case(
        "the camera cannot read: fewer are seen",
        lambda p: p.answer(lacking(2, Trouble.FEW, 2), state()),
        "Faltan 2 cartas de Oeste.",
    ),
    Case(
        "the camera cannot read: one is not seen",
        lambda p: p.answer(lacking(4, Trouble.FEW, 1), state()),
        "Falta una carta de Este.",
    ),
    Case(
        "the camera cannot read: a hand is over them",
        lambda p: p.answer(lacking(1, Trouble.HAND, 4), state()),
        "Norte, deja ver las cartas.",
    ),
    Case(
        "the camera cannot read: none are shown",
        lambda p: p.answer(lacking(1, Trouble.NONE, 4), state()),
        "Norte, enseña las cartas.",
    ),
    Case(
        "the camera cannot read: more than four",
        lambda p: p.answer(lacking(3, Trouble.MANY, 0), state()),
        "Sur tiene delante más de cuatro cartas.",
    ),
    Case(
        "the camera cannot read: one lies face down",
        lambda p: p.answer(lacking(3, Trouble.BACK, 1), state()),
        "Sur, tienes una carta boca abajo.",
    ),
    Case(
        "the camera cannot read: they cover each other",
        lambda p: p.answer(lacking(3, Trouble.UNCLEAR, 3), state()),
        "Sur, separa las cartas.",
    ),
    Case(
        "to a question whether something was said",
        lambda p: " | ".join(p.said()),
        "Sí | No era eso",
    ),
    Case(
        "the camera cannot read, and nobody knows at which table",
        lambda p: p.question(lacking(3, Trouble.UNCLEAR, 3)),
        "No leo bien las cartas: separadlas.",
    ),
    Case(
        "its buttons",
        lambda p: " | ".join(p.options(asked("bare_raise", 5, 3))),
        "5 más | Hasta 5",
    ),
    Case(
        "reenvido",
        lambda p: p.answer(asked("reenvido", 5, 2), state()),
        "Reenvido: ¿cinco más, o dos más?",
    ),
    Case(
        "a reenvido that the house allows one way alone",
        lambda p: p.answer(asked("reenvido", 7), state()),
        "¿Siete más?",
    ),
    Case(
        "the buttons of reenvido",
        lambda p: " | ".join(p.options(asked("reenvido", 5, 2))),
        "5 más | 2 más",
    ),
    Case(
        "is it refused",
        lambda p: p.answer(Ask("no_quereis", (c.Refuse(plural=True),)), state()),
        "¿No queréis?",
    ),
    Case(
        "its button",
        lambda p: " | ".join(p.options(Ask("no_quereis", (c.Refuse(plural=True),)))),
        "No queremos",
    ),
    Case(
        "refused aloud",
        lambda p: p.answer(Refused("not_now"), state()),
        "Ahora no toca.",
    ),
    Case("talk gets no answer", lambda p: p.answer(Ignored("talk"), state()), None),
    Case("pause", answer_to(Command.PAUSE), "Pausa."),
    Case("resume", answer_to(Command.RESUME), "Seguimos."),
    Case(
        "help",
        answer_to(Command.HELP),
        "Cantad como siempre. Para deshacer: corrige. Para el tanteo: cómo vamos. También: qué se "
        "debe, cuenta, repite, pausa y nueva mano.",
    ),
    Case("softer", answer_to(Command.SOFTER), "Más bajo."),
    Case("louder", answer_to(Command.LOUDER), "Más alto."),
    Case("repeat nothing", answer_to(Command.REPEAT), "Aún no he dicho nada."),
    Case("a new game is told by its events", answer_to(Command.NEW_GAME), None),
    Case(
        "¿cómo vamos?",
        answer_to(Command.SCORE),
        "Norte y Sur, a cero; Oeste y Este, a cero.",
    ),
    Case(
        "score in amarracos",
        score(13, 5),
        "Norte y Sur, dos amarracos y tres; Oeste y Este, un amarraco.",
    ),
    Case(
        "score in stones",
        score(1, 4),
        "Norte y Sur, una piedra; Oeste y Este, cuatro piedras.",
    ),
    Case(
        "score near the end",
        score(36, 6),
        "Norte y Sur, siete amarracos y una, adentro; Oeste y Este, un amarraco y una.",
    ),
    Case(
        "score after a juego",
        lambda p: p.score(
            Game(PLAIN, stones=(39, 7)).say(corto(1), envido(1), no_queremos(2)).state
        ),
        "Juego para Norte y Sur: uno a cero.",
    ),
    Case(
        "score after the match",
        match_over,
        "¡Partida para Norte y Sur!",
    ),
    Case(
        "score with juegos",
        score_with_juegos,
        "Norte y Sur, a cero; Oeste y Este, a cero. Juegos: cero a uno.",
    ),
)

SIMPLE_REASONS: tuple[Case, ...] = tuple(
    Case(f"reason: {code}", reason(code), text)
    for code, text in (
        ("not_now", "Ahora no toca."),
        ("not_your_turn", "Aún no te toca hablar."),
        ("not_your_lance", "A ese lance no juegas."),
        ("other_lance", "Eso no toca ahora."),
        ("later_lance", "Eso viene después."),
        ("off_by_rules", "En esta mesa no se juega a eso."),
        ("no_bet", "No hay envite que contestar."),
        ("own_bet", "Ese envite es vuestro: que contesten los otros."),
        ("which_bet", "Hay dos envites: ¿cuál queréis?"),
        ("already_spoken", "Ya has hablado."),
        ("already_refused", "Ya has dicho que no: que conteste tu compañero."),
        ("no_pares", "No tienes pares."),
        ("no_juego", "No tienes juego."),
        ("min_bet", "Ese envite no llega al mínimo de esta mesa."),
        ("min_raise", "Esa subida no llega al mínimo de esta mesa."),
        ("other_stones", "No son tantas: ¿se quiere o no se quiere?"),
        ("too_much", "Eso es mucho envidar: si es todo, se dice órdago."),
        ("raise_after_ordago", "Al órdago solo se quiere o no se quiere."),
        ("pedrete_twice", "Ese pedrete ya está cantado."),
        ("cards_wrong", "Esas cartas no pueden ser."),
        ("cards_missing", "Aún faltan cartas por ver."),
        ("cards_shown_early", "Ojo: cartas a la vista, y el envite sin contestar."),
        ("out_of_play", "Tus cartas no cuentan en este reparto."),
        ("claim_wrong", "Eso no se puede llevar en este lance."),
        ("claim_values", "Decid también con qué: duples para nosotros, por ejemplo."),
        ("claim_closed", "Las cartas están en el monte: ya no se reclama."),
        ("too_late", "Ya ha contado otra cosa: no se cambia nada."),
        ("nothing_to_correct", "No hay envite que corregir."),
        ("nothing_to_decide", "No hay nada que decidir."),
        ("decide_first", "Antes hay que decidir: ¿se aplica o se perdona?"),
        ("not_this_deal", "Eso ya no se puede en este reparto."),
        ("redeal_asked", "Lo jugado no valdría: ¿se reparte otra vez?"),
        ("same_mano", "Repite mano: ¿seguro?"),
        ("game_over", "La partida ha terminado."),
        ("match_running", "La partida no ha terminado."),
        ("seat_unknown", "No sé quién habla."),
        ("score_wrong", "Ese tanteo no puede ser."),
        ("mus_forced", "Hay una carta vista: hay mus, y quien quiera se planta."),
        ("bare_raise", "¿Esas más, o hasta esas?"),
        ("reenvido", "Reenvido: ¿el doble, o dos más?"),
        ("no_quereis", "¿No queréis?"),
        ("sure", "¿Qué has dicho?"),
        ("which_said", "¿Cuál de las dos?"),
        ("spoken_over", "¿Cómo? Repítelo."),
        ("unheard", "¿Cómo? Repetidlo."),
        ("sure_ordago", "¿Órdago?"),
        ("sure_accept", "¿Órdago querido?"),
        ("sure_undo", "¿Deshago lo último?"),
        ("new_deal", "¿Nueva mano?"),
        ("change_of_mind", "¿Te lo piensas mejor, o hablas ya del siguiente?"),
        ("who", "¿Quién lo dice?"),
        ("whose", "¿Para quién?"),
        ("unsure", "No lo he oído bien."),
        ("taken_back", "Vale, no cuenta."),
        ("noted", "Vale."),
        ("proposal", "¿Se aplica, o se perdona?"),
        ("mano", "¿Quién es mano?"),
        ("unsure_yes", "¿Quieres?"),
        ("unknown", "No lo he entendido."),
        ("talk", "Charla de mesa."),
        ("table_talk", "Charla de mesa."),
        ("noise", "Ruido."),
        ("question", "Eso es una pregunta."),
        ("old_page", "La mesa ha cambiado: mira otra vez."),
        ("undo_nothing", "No hay nada que deshacer."),
        ("redo_nothing", "No hay nada que rehacer."),
        ("undo_breaks", "Eso ya no se puede deshacer."),
        ("paused", "Estoy en pausa: para seguir, di «sigue»."),
        ("journal_failed", "No he podido guardarlo: decidlo otra vez."),
        ("a code of tomorrow", "No puede ser."),
    )
)

DECLARE_FIRST: tuple[Case, ...] = (
    Case(
        "reason: pares first",
        reason("declare_first", phase="pares?"),
        "Primero los pares.",
    ),
    Case(
        "reason: juego first",
        reason("declare_first", phase="juego?"),
        "Primero el juego.",
    ),
)

NAMES: tuple[Case, ...] = (
    Case("the language of the voice", lambda p: p.code, "es"),
    Case(
        "the cards, as they rank",
        lambda p: ", ".join(p.language.rank(strength) for strength in range(1, 11)),
        "ases, doses, treses, cuatros, cincos, seises, sietes, sotas, caballos, reyes",
    ),
)

SCREEN: tuple[Case, ...] = (*NAMES, *LOG, *LABELS, *ANSWERS, *SIMPLE_REASONS, *DECLARE_FIRST)
