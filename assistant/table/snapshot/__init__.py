"""The snapshot: everything about a table at one moment as one plain dict, for pages and the hub.

``snapshot`` is pure. Its shape is ``Snapshot``, and every value is JSON. Codes (phases, lances, how
a lance was closed) stay codes, because the page has its own words for them. Sentences come from the
phrases. A page that shows a snapshot needs no rules: ``actions`` has the calls that are
legal now, ``incidents`` what may be reported, claimed or corrected.
"""

from __future__ import annotations

from collections.abc import Sequence

from assistant.rules.calls import Refuse
from assistant.rules.engine import LegalCall, legal_calls, missing_hands, to_speak
from assistant.rules.history import Record, redo_target, undo_target
from assistant.rules.phases import Phase
from assistant.rules.state import State, side_letters
from assistant.table.repair import OtherCalls
from assistant.table.snapshot.shape import (
    EarState,
    EarStatus,
    EyeState,
    HallState,
    LastHeard,
    LogPhrases,
    Made,
    SeatView,
    ShownBefore,
    Snapshot,
    SnapshotSentences,
)
from assistant.table.snapshot.views import (
    APART,
    LOG_LINES,
    action_view,
    bet_view,
    contradiction_views,
    counted_views,
    disproved_views,
    heard_view,
    incidents_view,
    lance_views,
    log_views,
    others_view,
    proposal_view,
    question_view,
    seat_view,
    side_view,
)

__all__ = [
    "LOG_LINES",
    "EarState",
    "EarStatus",
    "EyeState",
    "HallState",
    "LastHeard",
    "LogPhrases",
    "Made",
    "SeatView",
    "ShownBefore",
    "Snapshot",
    "SnapshotSentences",
    "heard_view",
    "others_view",
    "sentences",
    "snapshot",
]


def snapshot(
    state: State,
    records: Sequence[Record],
    phrases: LogPhrases,
    *,
    version: int,
    heard: LastHeard | None = None,
    ear: EarStatus | None = None,
    eye: EyeState = "off",
    hall: HallState = "off",
    shown: ShownBefore | None = None,
    others: OtherCalls | None = None,
) -> Snapshot:
    """The snapshot of a table, from its state and the records that fold to it.

    ``shown``: the lines and labels made for earlier snapshots of this game, which are used again.
    """
    turn = to_speak(state)
    legal = legal_calls(state)
    calls = _on_buttons(state, legal)
    speakers = {one.call.seat for one in calls}
    ear = ear or EarStatus()
    return {
        "version": version,
        "seq": records[-1].seq if records else 0,
        "language": phrases.code,
        "deal": state.deal,
        "phase": state.phase,
        "lance": state.lance,
        "mano": state.mano,
        "to_speak": turn,
        "over": state.phase is Phase.OVER,
        "winner": state.winner,
        "juego_won": state.juego_won,
        "target": state.profile.target,
        "juegos_to_win": state.profile.juegos,
        "vacas_to_win": state.profile.vacas,
        "corrido": state.corrido,
        "sides_kind": "two" if state.sides == 2 else "each",
        "out": list(state.out),
        "seats": [seat_view(state, seat, turn, speakers) for seat in range(1, state.players + 1)],
        "sides": [side_view(state, side) for side in side_letters(state.sides)],
        "pending": bet_view(state),
        "lances": lance_views(state),
        "partial": "",
        "incidents": incidents_view(state, [one.call for one in legal]),
        "missing": list(missing_hands(state)),
        "can_undo": undo_target(records) is not None,
        "can_redo": redo_target(records) is not None,
        "ear": {"state": ear.state, "note": ear.note},
        "eye": eye,
        "hall": hall,
        **_sentences(state, records, phrases, calls, heard, shown or ShownBefore(), others),
    }


def sentences(
    state: State,
    records: Sequence[Record],
    phrases: LogPhrases,
    *,
    heard: LastHeard | None = None,
    shown: ShownBefore | None = None,
    others: OtherCalls | None = None,
) -> SnapshotSentences:
    """The parts of a snapshot that hold sentences, for another language of the same moment.

    ``shown``: the lines and labels made earlier in this game and language, which are used again.
    """
    calls = _on_buttons(state, legal_calls(state))
    return _sentences(state, records, phrases, calls, heard, shown or ShownBefore(), others)


def _sentences(
    state: State,
    records: Sequence[Record],
    phrases: LogPhrases,
    calls: Sequence[LegalCall],
    heard: LastHeard | None,
    shown: ShownBefore,
    others: OtherCalls | None,
) -> SnapshotSentences:
    labels = shown.labels([one.call for one in calls], state, phrases)
    return {
        "count": counted_views(state, records, phrases),
        "actions": [
            action_view(i, *button) for i, button in enumerate(zip(calls, labels, strict=True))
        ],
        "log": log_views(state, records, phrases, shown),
        "heard": heard_view(state, heard, phrases, records) if heard and heard.outcomes else None,
        "others": others_view(others, phrases),
        "question": question_view(state, heard, phrases),
        "proposal": proposal_view(state, phrases),
        "contradictions": contradiction_views(state, phrases),
        "disproved": disproved_views(state, phrases),
    }


def _on_buttons(state: State, legal: Sequence[LegalCall]) -> list[LegalCall]:
    """The legal calls that have a button of their own."""
    return [
        one
        for one in legal
        if not isinstance(one.call, APART)
        if not (isinstance(one.call, Refuse) and _for_nobody(state, one.call))
    ]


def _for_nobody(state: State, call: Refuse) -> bool:
    """Whether it is "no queremos" of a player without a partner, who has a "no quiero" button."""
    plural = call.plural and call.seat is not None
    return plural and len(state.seats_of(state.side_of(call.seat or 0))) == 1
