"""Cases in Spanish: calls understood late, a lost thread, and a bad microphone."""

from __future__ import annotations

from collections.abc import Callable

from assistant.language.phrases import Level, Phrases
from assistant.messages import Accepted, Ask, Command, Ignored, Told
from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.events import How
from assistant.rules.phases import Lance
from tests.language.phrases.aloud import Aloud, Case
from tests.rules.play import envido, ordago, paso

L = Lance


def understood(*events: e.Event) -> Callable[[Phrases], str | None]:
    """The sentence for calls that a later call has implied."""
    return lambda p: p.answer(Accepted((), c.Pass(), understood=events), Aloud(p).cut().game.state)


def label(call: c.Call) -> Callable[[Phrases], str | None]:
    return lambda p: p.label(call, Aloud(p).cut().game.state)


def taken_for_another(p: Phrases) -> str | None:
    """A refusal becomes a quiero. Only new events are spoken; repeated ones are not."""
    aloud = Aloud(p).cut().say(envido(1, 5), paso(2))
    game = aloud.game
    refused, before = game.records[-1].batch, game.state
    wanted = (e.BetAccepted(2, L.GRANDE), e.LanceClosed(L.GRANDE, How.ACCEPTED, stones=5))
    game.replace(e.Retracted(refused), *wanted, e.Passed(1, L.CHICA))
    return aloud.phrases.say(game.last, before, game.state, history=game.records)


def where(*calls: c.Call) -> Callable[[Phrases], str | None]:
    return lambda p: p.answer(Told(Command.WHERE), Aloud(p).cut().say(*calls).game.state)


def answer_to(outcome: Ask | Ignored) -> Callable[[Phrases], str | None]:
    return lambda p: (
        p.answer(outcome, Aloud(p).cut().game.state)
        if isinstance(outcome, Ask)
        else p.reason(outcome.code)
    )


def unheard(*calls: c.Call) -> Callable[[Phrases], str | None]:
    return lambda p: p.answer(Ask("unheard"), Aloud(p).cut().say(*calls).game.state)


W = c.Where
UNDERSTOOD: tuple[Case, ...] = (
    Case(
        "a quiero that was understood late",
        understood(e.BetAccepted(2, L.GRANDE)),
        "Entiendo: Oeste había querido.",
    ),
    Case(
        "a no quiero that was understood late",
        understood(e.BetRefused(2, L.GRANDE)),
        "Entiendo: Oeste no había querido.",
    ),
    Case(
        "a paso and a declaration",
        understood(e.Passed(4, L.CHICA), e.Declared(1, L.PARES, holds=True)),
        "Entiendo: Este había pasado a la chica y Norte, pares sí.",
    ),
    Case(
        "a denial that was understood late",
        understood(e.Declared(1, L.JUEGO, holds=False)),
        "Entiendo: Norte, juego no.",
    ),
    Case(
        "a bet that was understood late",
        understood(e.BetMade(3, L.CHICA, 5)),
        "Entiendo: Sur había envidado cinco a la chica.",
    ),
    Case(
        "a raise that was understood late",
        understood(e.BetRaised(3, L.CHICA, 2)),
        "Entiendo: Sur había echado dos más.",
    ),
    Case(
        "an órdago that was understood late",
        understood(e.OrdagoMade(3, L.CHICA)),
        "Entiendo: Sur había echado un órdago a la chica.",
    ),
    Case(
        "mus and a cut",
        understood(e.MusAsked(1), e.MusCut(2)),
        "Entiendo: Norte quería mus y Oeste había cortado.",
    ),
    Case("another call in the place of one", taken_for_another, None),
    Case("where it stands", where(paso(1)), "A la grande: habla Oeste."),
    Case(
        "where a bet waits",
        where(envido(1, 5)),
        "A grande, cinco de Norte y Sur, sin contestar.",
    ),
    Case(
        "where it was put",
        lambda p: p.answer(Accepted((), c.Place(lance=L.GRANDE)), Aloud(p).cut().game.state),
        "A la grande: habla Norte.",
    ),
    Case("the thread is lost", answer_to(Ask("lost")), "Me he perdido: ¿por dónde vamos?"),
    Case("calls were not understood", unheard(), "¿Cómo? A la grande: habla Norte."),
    Case(
        "an answer was not understood",
        unheard(envido(1)),
        "¿Cómo? Hay dos a grande.",
    ),
    Case(
        "nor was the answer to an órdago",
        unheard(ordago(1)),
        "¿Cómo? Hay órdago a grande.",
    ),
    Case(
        "whose pares were not understood",
        unheard(*map(paso, (1, 2, 3, 4) * 2)),
        "¿Cómo, Norte? ¿Pares?",
    ),
    Case(
        "who has pares",
        answer_to(Ask("holders", params=(("phase", "pares?"),))),
        "¿Quién tiene pares?",
    ),
    Case("nothing to change", answer_to(Ignored("noted")), "Vale."),
    Case("place", label(c.Place(lance=L.PARES)), "Estamos a pares"),
    Case("place in the mus", label(c.Place()), "Estamos en el mus"),
    Case(
        "a bet that stands",
        label(c.Place(lance=L.CHICA, told=W.BET, stones=4)),
        "Hay 4 a la chica",
    ),
    Case("whose word", label(c.Place(told=W.TURN, player=4)), "Habla Este"),
    Case("nobody", label(c.Place(lance=L.PARES, told=W.HOLDERS)), "Nadie tiene pares"),
    Case(
        "who has it",
        label(c.Place(lance=L.JUEGO, told=W.HOLDERS, holders=(1, 2))),
        "Juego: Norte y Oeste",
    ),
    Case("again", label(c.Place(lance=L.CHICA, told=W.AGAIN)), "Otra vez a la chica"),
    Case(
        "too loud", lambda p: p.of_the_ear("loud"), "Os oigo demasiado fuerte: alejad el micrófono."
    ),
    Case(
        "a loud room",
        lambda p: p.of_the_ear("noisy"),
        "Hay mucho ruido: acercad el micrófono o tocad en la pantalla.",
    ),
    Case(
        "far away",
        lambda p: p.of_the_ear("faint"),
        "Os oigo lejos: acercad el micrófono o hablad más alto.",
    ),
    Case("after the demo", lambda p: p.your_turn(), "Ahora vosotros."),
    Case("after the demo, silent", lambda p: p.your_turn(level=Level.SILENT), None),
    Case("a dead microphone is for the page", lambda p: p.of_the_ear("dead"), None),
)
