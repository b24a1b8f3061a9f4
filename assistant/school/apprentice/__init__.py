"""The apprentice's page: what was said last, what may be said now, and why each lance went so.

Pure: a state, its records and the last outcomes become a dict for one seat. Only hands that lie
open are read, so the hidden cards of the others change nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assistant.messages import Outcome
from assistant.odds import OddsError
from assistant.rules.cards import Hand
from assistant.rules.engine import to_speak
from assistant.rules.history import Record
from assistant.rules.phases import Phase
from assistant.rules.state import State
from assistant.school.apprentice.choices import choices, mistake
from assistant.school.apprentice.explained import (
    chance_views,
    is_counted,
    last_said,
    may_tell,
    why_views,
)
from assistant.school.apprentice.shape import (
    SAYINGS,
    SHAPE,
    ApprenticeView,
    ChoiceView,
    Tongue,
    TurnView,
)

__all__ = [
    "SAYINGS",
    "SHAPE",
    "ApprenticeView",
    "Tongue",
    "apprentice_view",
    "is_counted",
    "sounds_of",
    "why_views",
]


def apprentice_view(
    state: State,
    records: Sequence[Record],
    outcomes: Sequence[Outcome],
    seat: int,
    tongue: Tongue,
    *,
    told: Hand | None = None,
    speaker: int | None = None,
) -> ApprenticeView:
    """Everything for the learner at ``seat`` (1, 2, ...), at this moment.

    ``outcomes`` are those of the last message, ``speaker`` is who said it, if that is known.
    ``told``: the hand that he says he held; it is read only once the deal is counted.
    """
    may = choices(state, seat, tongue)
    other = state.seats[speaker - 1] if speaker and speaker != seat else ""
    view: ApprenticeView = {
        "seq": records[-1].seq if records else 0,
        "language": tongue.language.texts["language"],
        "seat": seat,
        "name": state.seats[seat - 1],
        "side": state.side_of(seat),
        "phase": state.phase,
        "now": tongue(f"phase.{state.phase if state.deal else 'begin'}"),
        "said": last_said(records, seat, tongue),
        "turn": _turn(state, seat, may, tongue),
        "may": may,
        "why": why_views(state, tongue),
        "mistake": mistake(state, outcomes, tongue, other),
        "chances": [],
        "may_tell": may_tell(state, seat),
    }
    try:
        view["chances"] = chance_views(state, seat, told, tongue)
    except OddsError:
        view["fault"] = tongue("chance.wrong")
    return view


def _turn(state: State, seat: int, may: Sequence[ChoiceView], tongue: Tongue) -> TurnView:
    whose = to_speak(state)
    able = any(choice["kind"] not in ("next_deal", "mano") for choice in may)
    mine = whose == seat
    name = state.seats[whose - 1] if whose else ""
    text = tongue(f"turn.{_turn_key(state, whose, mine, able)}", name=name)
    return {"seat": whose, "mine": mine, "may": able, "text": text}


def _turn_key(state: State, whose: int | None, mine: bool, able: bool) -> str:
    if state.phase is Phase.OVER:
        return "over"
    if state.deal == 0:
        return "begin"
    if state.proposals:
        return "decide"
    if state.phase is Phase.COUNT:
        return "counted"
    if state.phase is Phase.SHOWDOWN:
        return "nobody" if whose is None else "show_you" if mine else "show"
    if mine:
        return "you"
    if whose is None:
        return "nobody"
    return "you_may" if able else "other"


def sounds_of(view: ApprenticeView) -> Iterator[str]:
    """Every call that a page can ask to hear."""
    if view["said"]:
        yield view["said"]["say"]
    for choice in view["may"]:
        for way in choice["ways"]:
            yield way["say"]
