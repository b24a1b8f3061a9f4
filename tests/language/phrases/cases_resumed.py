"""Cases in Spanish: the sentence when a saved game is resumed."""

from __future__ import annotations

from collections.abc import Callable

from assistant.language.phrases import Level, Phrases
from assistant.rules import events as e
from assistant.rules.changes import apply
from assistant.rules.engine import open_game
from assistant.rules.events import Remedy
from assistant.rules.phases import Lance, Phase
from assistant.rules.state import Incidents, Proposal, State
from tests.language.phrases.aloud import PLAIN, Aloud, Case
from tests.language.phrases.cases_agreed import table
from tests.rules.play import SEATS, envido, mus, ordago, paso

NOTHING_YET = "Seguimos. Cero a cero."


def resumed(play: Callable[[Aloud], Aloud]) -> Callable[[Phrases], str | None]:
    """The sentence after these calls."""
    return lambda p: p.resumed(play(Aloud(p)).game.state)


def at(state: State, level: Level = Level.ESSENTIAL) -> Callable[[Phrases], str | None]:
    """The sentence at a table in this state."""
    return lambda p: p.resumed(state, level=level)


def not_asked_yet() -> State:
    (opened, *_) = open_game(PLAIN, SEATS, None)
    return apply(None, opened)


RESUMED: tuple[Case, ...] = (
    Case(
        "taken up before anybody spoke",
        resumed(lambda a: a),
        f"{NOTHING_YET} Al mus, habla Norte.",
    ),
    Case(
        "taken up while mus is asked round",
        resumed(lambda a: a.say(mus(1))),
        f"{NOTHING_YET} Al mus, habla Oeste.",
    ),
    Case(
        "taken up at the discards",
        resumed(lambda a: a.say(mus(1), mus(2), mus(3), mus(4))),
        f"{NOTHING_YET} Hay mus, a descartar.",
    ),
    Case(
        "taken up in a lance",
        resumed(lambda a: a.cut().say(paso(1))),
        f"{NOTHING_YET} A la grande: habla Oeste.",
    ),
    Case(
        "taken up with a bet in the air",
        resumed(lambda a: a.cut().say(envido(1, 5))),
        f"{NOTHING_YET} A grande, cinco de Norte y Sur, sin contestar.",
    ),
    Case(
        "taken up with an órdago in the air",
        resumed(lambda a: a.cut().say(ordago(1))),
        f"{NOTHING_YET} A grande, órdago de Norte y Sur, sin contestar.",
    ),
    Case(
        "taken up before pares are declared",
        resumed(lambda a: a.cut().all_pass(2)),
        f"{NOTHING_YET} ¿Pares?",
    ),
    Case(
        "taken up before juego is declared",
        resumed(lambda a: a.to_pares("no no no no")),
        f"{NOTHING_YET} ¿Juego?",
    ),
    Case(
        "taken up at the punto",
        resumed(lambda a: a.to_juego("no no no no")),
        f"{NOTHING_YET} Nadie tiene juego: al punto, habla Norte.",
    ),
    Case(
        "taken up in the showdown",
        resumed(lambda a: a.to_juego("no no no no").all_pass().show("RC71")),
        f"{NOTHING_YET} Oeste, Sur y Este, las cartas.",
    ),
    Case(
        "taken up with an article to decide",
        at(table(incidents=Incidents(proposals=(Proposal("5.3", Remedy.DENIED, 2, Lance.PARES),)))),
        f"{NOTHING_YET} Artículo 5.3: Oeste negó los pares, y los pares y la negada son para "
        "Norte y Sur. ¿Se aplica?",
    ),
    Case(
        "taken up between two deals",
        at(table(phase=Phase.COUNT, stones=(12, 7)), Level.FULL),
        "Seguimos. Norte y Sur, dos amarracos y dos; Oeste y Este, un amarraco y dos.",
    ),
    Case(
        "taken up between two deals, in a few words",
        at(table(phase=Phase.COUNT, stones=(12, 7), juegos=(1, 0))),
        "Seguimos. Doce a siete. Juegos: uno a cero.",
    ),
    Case(
        "taken up before anybody said who is mano",
        at(not_asked_yet()),
        "A cuarenta piedras. ¿Quién es mano?",
    ),
    Case("taken up by a voice that is silent", at(table(), Level.SILENT), None),
)

APPLIED: tuple[Case, ...] = (
    Case(
        "an article the table was asked about is not told twice",
        lambda p: p.say(
            [e.PenaltyApplied("1.5", Remedy.OUT, 2)],
            table(incidents=Incidents(proposals=(Proposal("1.5", Remedy.OUT, 2, None),))),
            table(),
        ),
        "Se aplica el artículo 1.5.",
    ),
    Case(
        "what the table was asked about is not told twice where no article says so",
        lambda p: p.say(
            [e.PenaltyApplied("1.5", Remedy.OUT, 2)],
            table(
                profile=PLAIN,
                incidents=Incidents(proposals=(Proposal("1.5", Remedy.OUT, 2, None),)),
            ),
            table(profile=PLAIN),
        ),
        "Se aplica.",
    ),
    Case(
        "an article that is applied at once is told whole",
        lambda p: p.say([e.PenaltyApplied("1.5", Remedy.OUT, 2)], table(), table()),
        "Artículo 1.5: con cartas de más, las de Oeste van a la baraja y no cuentan.",
    ),
)
