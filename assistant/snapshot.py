"""What the dashboard and the hub show: the whole table at one moment, as one plain dict.

``snapshot`` is pure. Its shape is ``Snapshot``; every value is JSON. Codes (phases, lances, ways a
lance is closed) stay codes, for the page has its own words for them; sentences come from the
phrases. Whoever shows a snapshot needs no rules: what may be done now is in ``actions``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NotRequired, Protocol, TypedDict

from assistant.codec import call_to_dict
from assistant.messages import Accepted, Ask, Ignored, Outcome, Refused, Told
from assistant.rules.calls import MAX_BET, Bet, Call, Raise
from assistant.rules.engine import legal_calls, missing_hands, to_speak
from assistant.rules.events import Event, Retracted, SeatInferred
from assistant.rules.history import Record, effective, redo_target, undo_target
from assistant.rules.legal import may_show
from assistant.rules.phases import LANCE_OF, Lance, Phase
from assistant.rules.state import State, side_letters

AMARRACO = 5
"""Stones that one amarraco stands for (R42)."""
ADENTRO = 5
"""A side that needs no more than this is "adentro" (R43)."""
LOG_LINES = 30
AMOUNTS = (2, 3, 4, 5, 6, 7, 8, 10, 15, 20)
"""The bets that stand ready as buttons; any other is said aloud."""
RAISES = (1, 2, 3, 4, 5, 6, 8, 10, 15, 20)

EarState = Literal["listening", "off", "paused", "lost"]
Made = Literal["accepted", "ask", "refused", "ignored", "told"]
Status = Literal["ahead", "now", "closed"]


class Phrases(Protocol):
    """The sentences a snapshot needs, in the table's language. ``state`` gives the names."""

    def log_line(self, event: Event, state: State, history: Sequence[Record]) -> str:
        """One line of the log; ``history`` tells what an undo took back."""

    def label(self, call: Call, state: State) -> str:
        """What stands on the button of a call."""

    def options(self, ask: Ask, state: State) -> tuple[str, ...]:
        """What stands on the buttons of a question, in the order of its options."""

    def reason(self, code: str, params: Iterable[tuple[str, object]]) -> str:
        """The sentence for a code."""

    def answer(self, outcome: Outcome, state: State) -> str | None:
        """What is said to a message that moved nothing: a question, a reason, the score."""


@dataclass(frozen=True, slots=True)
class LastHeard:
    """The last utterance or tap, and what the table made of it. ``text`` is "" for a tap."""

    text: str
    outcomes: tuple[Outcome, ...]


@dataclass(frozen=True, slots=True)
class Ear:
    """Whether anybody listens; ``note`` is a sentence for people where something is wrong."""

    state: EarState = "off"
    note: str = ""


class SeatView(TypedDict):
    """One player. ``hand`` holds cards as "R" or "Ro", once they lie open.

    ``may_show``: his cards can be put in now, needed for the count (``missing``) or not (R46).
    """

    seat: int
    name: str
    side: str
    mano: bool
    turn: bool
    may_speak: bool
    may_show: bool
    passed: bool
    wants_mus: bool
    refused: bool
    pares: bool | None
    juego: bool | None
    hand: list[str] | None


class SideView(TypedDict):
    """One pair and its stones in this juego."""

    side: str
    names: list[str]
    stones: int
    amarracos: int
    piedras: int
    juegos: int
    adentro: bool


class BetView(TypedDict):
    """The bet that waits for an answer; ``deje`` is what refusing it gives."""

    lance: str
    seat: int
    side: str
    stones: int
    deje: int
    ordago: bool
    refused: list[int]


class LanceView(TypedDict):
    """One of the four lances. ``bet`` was agreed for the count, ``won`` are stones taken so far."""

    lance: str
    status: Status
    how: str | None
    side: str | None
    seat: int | None
    bet: int
    won: int
    why: list[str]


class ActionView(TypedDict):
    """A call that is legal now. ``stones`` lists what may stand in ``call["stones"]`` instead."""

    id: str
    label: str
    seat: int | None
    call: dict[str, object]
    stones: NotRequired[list[int]]


class LogView(TypedDict):
    """One line of the log.

    ``implied``: nobody said it, the game shows it; ``seat_inferred``: somebody said it, and the
    seat follows from the game; ``undone``: it no longer counts.
    """

    seq: int
    at: float
    text: str
    implied: bool
    seat_inferred: bool
    undone: bool


class HeardView(TypedDict):
    """What was heard last, and what the assistant made of it in a sentence."""

    text: str
    outcome: Made
    say: str


class OptionView(TypedDict):
    """One answer to a question."""

    label: str
    call: dict[str, object]


class QuestionView(TypedDict):
    """What the table is asked."""

    code: str
    text: str
    options: list[OptionView]


class EarView(TypedDict):
    """Whether anybody listens."""

    state: EarState
    note: str


class Snapshot(TypedDict):
    """The whole table. ``version`` grows with every change, ``seq`` is the journal's.

    ``partial`` is what is being heard at this moment, before it is a call; "" in silence.
    """

    version: int
    seq: int
    deal: int
    phase: str
    lance: str | None
    mano: int
    to_speak: int | None
    over: bool
    winner: str | None
    juego_won: str | None
    target: int
    juegos_to_win: int
    seats: list[SeatView]
    sides: list[SideView]
    pending: BetView | None
    lances: list[LanceView]
    actions: list[ActionView]
    log: list[LogView]
    partial: str
    heard: HeardView | None
    question: QuestionView | None
    missing: list[int]
    can_undo: bool
    can_redo: bool
    ear: EarView


def snapshot(
    state: State,
    records: Sequence[Record],
    phrases: Phrases,
    *,
    version: int,
    heard: LastHeard | None = None,
    ear: Ear | None = None,
) -> Snapshot:
    """Everything that is shown of a table, from its state and the records that fold to it."""
    turn = to_speak(state)
    calls = legal_calls(state)
    ear = ear or Ear()
    return {
        "version": version,
        "seq": records[-1].seq if records else 0,
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
        "seats": [_seat(state, seat, turn, calls) for seat in range(1, state.players + 1)],
        "sides": [_side(state, side) for side in side_letters(state.sides)],
        "pending": _bet(state),
        "lances": _lances(state),
        "actions": [_action(state, i, call, phrases) for i, call in enumerate(calls)],
        "log": _log(state, records, phrases),
        "heard": heard_view(state, heard, phrases) if heard and heard.outcomes else None,
        "partial": "",
        "question": _question(state, heard, phrases),
        "missing": list(missing_hands(state)),
        "can_undo": undo_target(records) is not None,
        "can_redo": redo_target(records) is not None,
        "ear": {"state": ear.state, "note": ear.note},
    }


def _seat(state: State, seat: int, turn: int | None, calls: Sequence[Call]) -> SeatView:
    hand = state.hands[seat - 1]
    return {
        "seat": seat,
        "name": state.seats[seat - 1],
        "side": state.side_of(seat),
        "mano": seat == state.mano,
        "turn": seat == turn,
        "may_speak": any(call.seat == seat for call in calls),
        "may_show": may_show(state, seat),
        "passed": seat in state.spoken and state.phase is not Phase.MUS,
        "wants_mus": seat in state.spoken and state.phase is Phase.MUS,
        "refused": state.pending is not None and seat in state.pending.refused,
        "pares": state.pares[seat - 1],
        "juego": state.juego[seat - 1],
        "hand": [str(card) for card in hand] if hand is not None else None,
    }


def _side(state: State, side: str) -> SideView:
    stones = state.stones_of(side)
    amarracos, piedras = divmod(stones, AMARRACO)
    return {
        "side": side,
        "names": [state.seats[seat - 1] for seat in sorted(state.seats_of(side))],
        "stones": stones,
        "amarracos": amarracos,
        "piedras": piedras,
        "juegos": state.juegos[side_letters(state.sides).index(side)],
        "adentro": state.profile.target - ADENTRO <= stones < state.profile.target,
    }


def _bet(state: State) -> BetView | None:
    bet = state.pending
    if bet is None:
        return None
    return {
        "lance": bet.lance,
        "seat": bet.seat,
        "side": bet.side,
        "stones": bet.stones,
        "deje": bet.deje,
        "ordago": bet.ordago,
        "refused": list(bet.refused),
    }


def _lances(state: State) -> list[LanceView]:
    """The four lances in their order; the fourth becomes punto where nobody has juego."""
    punto = state.phase is Phase.PUNTO or state.result(Lance.PUNTO) is not None
    fourth = Lance.PUNTO if punto else Lance.JUEGO
    return [_lance(state, lance) for lance in (Lance.GRANDE, Lance.CHICA, Lance.PARES, fourth)]


def _lance(state: State, lance: Lance) -> LanceView:
    result = state.result(lance)
    if result is None:
        status: Status = "now" if LANCE_OF.get(state.phase) is lance else "ahead"
        return {
            "lance": lance,
            "status": status,
            "how": None,
            "side": None,
            "seat": None,
            "bet": 0,
            "won": 0,
            "why": [],
        }
    return {
        "lance": lance,
        "status": "closed",
        "how": result.how,
        "side": result.side,
        "seat": result.seat,
        "bet": result.stones,
        "won": result.won,
        "why": [str(why) for why in result.whys],
    }


def _action(state: State, number: int, call: Call, phrases: Phrases) -> ActionView:
    action: ActionView = {
        "id": f"c{number}",
        "label": phrases.label(call, state),
        "seat": call.seat,
        "call": call_to_dict(call),
    }
    amounts = RAISES if isinstance(call, Raise) else AMOUNTS
    if isinstance(call, Raise) or (isinstance(call, Bet) and not call.both):
        action["stones"] = [n for n in amounts if call.stones <= n <= MAX_BET]
    return action


def _log(state: State, records: Sequence[Record], phrases: Phrases) -> list[LogView]:
    """The newest lines, oldest of them first."""
    # An event takes one record, or two with its SeatInferred, which is a mark and no line.
    recent = records[-2 * LOG_LINES :]
    counting = {record.seq for record in effective(records)}
    lines: list[LogView] = []
    seat_inferred = False
    for record in recent:
        if isinstance(record.event, SeatInferred):
            seat_inferred = True
            continue
        undone = record.seq not in counting and not isinstance(record.event, Retracted)
        lines.append(
            {
                "seq": record.seq,
                "at": record.at,
                "text": phrases.log_line(record.event, state, records),
                "implied": bool(getattr(record.event, "implied", False)),
                "seat_inferred": seat_inferred,
                "undone": undone,
            }
        )
        seat_inferred = False
    return lines[-LOG_LINES:]


def heard_view(state: State, heard: LastHeard, phrases: Phrases) -> HeardView:
    """What was heard and what became of it. Nothing more is said of a call after one that failed.

    Raises ValueError where there are no outcomes to tell of.
    """
    if not heard.outcomes:
        raise ValueError("Nothing is known of what became of these words.")
    told = [_told(state, outcome, phrases) for outcome in heard.outcomes]
    return {
        "text": heard.text,
        "outcome": _MADE[type(heard.outcomes[-1])],
        "say": " · ".join(sentence for sentence in told if sentence),
    }


_MADE: dict[type[Outcome], Made] = {
    Accepted: "accepted",
    Ask: "ask",
    Refused: "refused",
    Ignored: "ignored",
    Told: "told",
}


def _told(state: State, outcome: Outcome, phrases: Phrases) -> str:
    match outcome:
        case Accepted():
            events = [e for e in outcome.events if not isinstance(e, SeatInferred)]
            # The call itself; what it took for granted stands before it, what follows after it.
            said = [e for e in events if not getattr(e, "implied", False)] or events
            return phrases.log_line(said[0], state, ()) if said else ""
        case Ignored():
            return phrases.reason(outcome.code, ())
        case _:
            return phrases.answer(outcome, state) or ""


def _question(state: State, heard: LastHeard | None, phrases: Phrases) -> QuestionView | None:
    ask = heard.outcomes[-1] if heard and heard.outcomes else None
    if not isinstance(ask, Ask):
        return None
    labels = phrases.options(ask, state)
    options: list[OptionView] = [
        {"label": label, "call": call_to_dict(call)}
        for label, call in zip(labels, ask.options, strict=True)
    ]
    return {"code": ask.code, "text": phrases.answer(ask, state) or "", "options": options}
