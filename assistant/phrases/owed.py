"""The answers to "¿qué se debe?" and "cuenta": what is to be counted, and the last count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assistant.phrases.language import Language, sentence
from assistant.phrases.saying import say
from assistant.phrases.standing import missing
from assistant.rules import events as e
from assistant.rules.history import Record, effective, fold
from assistant.rules.phases import AFTER_DEAL, Lance, Phase
from assistant.rules.state import LanceResult, State

COUNTED = (e.DealCounted, e.JuegoWon)
"""What the batch that counted a deal holds, whether it ended the juego or not."""


def owed(language: Language, state: State) -> str:
    """What was agreed in this deal and is still to be counted, lance by lance; dejes taken too."""
    if state.phase in AFTER_DEAL:
        return language.texts["owed.counted" if state.results else "owed.nothing"]
    told = [sentence(text) for text in _lines(language, state) if text]
    if not told:
        return language.texts["owed.nothing"]
    return " ".join([*told, language.texts["owed.no_more"]])


def _lines(language: Language, state: State) -> Iterator[str | None]:
    for result in state.results:
        yield _closed(language, state, result)
    yield pending(language, state)


def pending(language: Language, state: State) -> str | None:
    """The bet that waits for an answer, if any."""
    bet = state.pending
    if bet is None:
        return None
    return language.fill(
        "owed.pending_ordago" if bet.ordago else "owed.pending",
        lance=language.lance(bet.lance, "at"),
        side=language.side(state, bet.side),
        **({} if bet.ordago else {"stones": language.stones(bet.stones)}),
    )


def _closed(language: Language, state: State, result: LanceResult) -> str | None:
    lance = language.lance(result.lance, "at")
    side = language.side(state, result.side) if result.side else ""
    match result.how:
        case e.How.ACCEPTED:
            return language.fill(
                "owed.accepted", lance=lance, stones=language.stones(result.stones)
            )
        case e.How.PASSED:
            one = result.lance not in (Lance.PARES, Lance.JUEGO)
            return language.fill("owed.passed_one" if one else "owed.passed", lance=lance)
        case e.How.REFUSED:
            key, stones = _deje(result)
            return language.fill(key, lance=lance, side=side, stones=language.stones(stones))
        case e.How.UNCONTESTED:
            return language.fill("owed.uncontested", lance=lance, side=side)
        case e.How.ORDAGO:
            return language.fill("owed.ordago", lance=lance)
        case e.How.VOID:
            return language.fill("owed.void", lance=lance)
    return None  # nobody holds it: nothing can come of it


def _deje(result: LanceResult) -> tuple[str, int]:
    """A deje is taken at once (R27), but for one that an article leaves to the count."""
    if result.won == 0 and result.owed:
        return "owed.refused_later", result.owed
    valued = result.lance not in (Lance.GRANDE, Lance.CHICA)  # the hands still count (R28, R29)
    return ("owed.refused_more" if valued else "owed.refused"), result.won


def counted(language: Language, state: State, history: Sequence[Record]) -> str:
    """The last count again, with its reasons; in the showdown, whose cards it waits for."""
    if state.phase is Phase.SHOWDOWN and (names := missing(language, state)):
        return names
    records = effective(history)
    last = next((r.batch for r in reversed(records) if isinstance(r.event, COUNTED)), None)
    if last is None:
        return language.texts["command.nothing_to_count"]
    before = fold([record for record in records if record.seq < last])
    after = fold([record for record in records if record.batch <= last])
    batch = [record.event for record in records if record.batch == last]
    told = say(language, batch, before, after or state, history, full=True)
    return told or language.texts["command.nothing_to_count"]
