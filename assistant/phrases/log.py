"""One line of the screen's log for each event, with stones in digits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from assistant.phrases.language import Language, sentence
from assistant.phrases.undo import undone
from assistant.rules import events as e
from assistant.rules.cards import format_hand
from assistant.rules.history import Record
from assistant.rules.state import State, side_letters


def log_line(
    language: Language, event: e.Event, state: State, history: Sequence[Record] = ()
) -> str:
    """What happened, in one line; what nobody said is marked as inferred.

    ``state`` gives the names. With the records in ``history`` a retraction tells what it took back.
    """
    if isinstance(event, e.Retracted) and history:
        return undone(language, event, history, state, str).rstrip(".")
    key, words = _KEYS[type(event)](event), _words(language, event, state)
    line = sentence(language.fill(f"log.{key}", **words))
    return language.fill("log.implied", line=line) if getattr(event, "implied", False) else line


def _words(language: Language, event: Any, state: State) -> dict[str, str | int]:
    """The words that any line may hold, from the fields that the event has."""
    words: dict[str, str | int] = {}
    if hasattr(event, "seat"):
        words["name"] = state.seats[event.seat - 1]
    if hasattr(event, "lance"):
        words["lance"] = language.lance(event.lance, _lance_form(event))
    if getattr(event, "side", None):
        words["side"] = language.side(state, event.side)
    if isinstance(getattr(event, "stones", None), int):
        words["stones"] = event.stones
    if more := _MORE.get(type(event)):
        words |= more(language, event, state)
    return words


def _lance_form(event: e.Event) -> Any:
    match event:
        case e.Declared() | e.LanceClosed() | e.DeclarationDisproved():
            return "name"
        case e.StonesWon():
            return "name" if event.why is e.Why.PASO else "at"
        case e.LanceDecided():
            return "the"
        case _:
            return "at"


def _game(language: Language, event: e.GameOpened, state: State) -> dict[str, str | int]:
    sides = (language.side(state, side) for side in side_letters(event.sides))
    return {
        "target": event.profile.target,
        "juegos": event.profile.juegos,
        "sides": language.texts["log.versus"].join(sides),
    }


def _deal(_language: Language, event: e.DealStarted, state: State) -> dict[str, str | int]:
    return {"deal": event.deal, "name": state.seats[event.mano - 1]}


def _hand(_language: Language, event: e.HandShown, _state: State) -> dict[str, str | int]:
    return {"cards": format_hand(event.cards)}


def _set(language: Language, event: e.StonesSet, state: State) -> dict[str, str | int]:
    rows = zip(side_letters(state.sides), event.stones, strict=True)
    scores = [
        language.fill("log.set_side", side=language.side(state, side), stones=stones)
        for side, stones in rows
    ]
    return {"score": language.texts["join.comma"].join(scores)}


def _retracted(_language: Language, event: e.Retracted, _state: State) -> dict[str, str | int]:
    return {"seq": event.seq}


_MORE: dict[type[e.Event], Callable[[Language, Any, State], dict[str, str | int]]] = {
    e.GameOpened: _game,
    e.DealStarted: _deal,
    e.HandShown: _hand,
    e.StonesSet: _set,
    e.Retracted: _retracted,
}


def _always(key: str) -> Callable[[Any], str]:
    return lambda _event: key


def _twofold(key: str) -> Callable[[Any], str]:
    return lambda event: f"{key}_both" if event.both else key


def _either(key: str) -> Callable[[Any], str]:
    return lambda event: f"{key}holds" if event.holds else f"{key}lacks"


_KEYS: dict[type[e.Event], Callable[[Any], str]] = {
    e.GameOpened: _always("game"),
    e.DealStarted: _always("deal"),
    e.SeatInferred: lambda event: f"seat_{event.why}",
    e.MusAsked: _always("mus"),
    e.DiscardBegan: _always("discard"),
    e.MusCut: _always("cut"),
    e.LanceOpened: _always("open"),
    e.Passed: _always("pass"),
    e.BetMade: _twofold("bet"),
    e.BetRaised: _always("raise"),
    e.OrdagoMade: _twofold("ordago"),
    e.BetAccepted: _always("accept"),
    e.BetRefused: lambda event: "refuse_plural" if event.plural else "refuse",
    e.Declared: _either(""),
    e.LanceClosed: lambda event: f"closed_{event.how}",
    e.HandShown: _always("hand"),
    e.DeclarationDisproved: _either("disproved_"),
    e.LanceDecided: _always("decided"),
    e.StonesWon: lambda event: f"won_{event.why}",
    e.DealCounted: _always("counted"),
    e.JuegoWon: lambda event: f"juego_{event.by}",
    e.MatchWon: _always("match"),
    e.StonesSet: _always("set"),
    e.Retracted: _always("retracted"),
}
