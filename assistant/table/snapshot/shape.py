"""The shape of a snapshot, and the data that it needs beside the state."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NotRequired, Protocol, TypedDict

from assistant.language.phrases.log import CitedArticle
from assistant.messages import Ask, Outcome
from assistant.rules.calls import Call
from assistant.rules.events import Event, PenaltyProposed
from assistant.rules.history import Record
from assistant.rules.phases import Lance
from assistant.rules.state import State

EarState = Literal["listening", "off", "paused", "lost"]
EyeState = Literal["off", "waiting", "ok", "black", "frozen", "lost", "moved", "other_deck"]
HallState = Literal["off", "there", "away"]
Made = Literal["accepted", "ask", "refused", "ignored", "told"]
Status = Literal["ahead", "now", "closed"]
SidesKind = Literal["two", "each"]


class LogPhrases(Protocol):
    """The sentences a snapshot needs, in one language. ``state`` gives the names."""

    @property
    def code(self) -> str:
        """The language's code: "es"."""

    def log_line(self, event: Event, state: State, history: Sequence[Record]) -> str:
        """One line of the log; ``history`` shows what an undo took back."""

    def article(self, event: PenaltyProposed, state: State) -> str:
        """What an article of the regulations does, in a sentence."""

    def cited(self, event: PenaltyProposed, state: State) -> CitedArticle | None:
        """The article of the table's own regulations that says so, if they have it."""

    def label(self, call: Call, state: State) -> str:
        """The text on the button of a call."""

    def options(self, ask: Ask, state: State) -> tuple[str, ...]:
        """The texts on the buttons of a question, in the order of its options."""

    def said(self) -> tuple[str, str]:
        """The buttons "yes" and "no" of a question whether something was said."""

    def held(self, lance: Lance, seat: int, state: State) -> str:
        """What an open hand is worth in a lance, in words; "" where its cards say it."""

    def reason(self, code: str, params: Iterable[tuple[str, object]]) -> str:
        """The sentence for a code."""

    def answer(self, outcome: Outcome, state: State) -> str | None:
        """The sentence for a message that changed nothing: a question, a reason, the score."""


@dataclass(frozen=True, slots=True)
class LastHeard:
    """The last utterance or tap, and what the table made of it. ``text`` is "" for a tap.

    ``confidence``: the probability that the text is right, 0 to 1.
    """

    text: str
    outcomes: tuple[Outcome, ...]
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class EarStatus:
    """Whether anybody listens; ``note`` is a code, or a sentence, where something is wrong."""

    state: EarState = "off"
    note: str = ""


class SeatView(TypedDict):
    """One player. ``hand`` holds cards as "R" or "Ro", once they lie open.

    ``may_show``: his cards can be entered now, whether the count needs them (``missing``) or not
    (R46). ``cards``: how many he plays with; ``accepted``: he has accepted the pending bet, and
    others have still to answer it.
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
    accepted: bool
    out: bool
    pares: bool | None
    juego: bool | None
    cards: int
    hand: list[str] | None


class SideView(TypedDict):
    """One side, and its stones in this juego."""

    side: str
    names: list[str]
    stones: int
    amarracos: int
    piedras: int
    juegos: int
    vacas: int
    adentro: bool


class BetView(TypedDict):
    """The bet that waits for an answer; ``deje``: the stones that refusing it gives.

    ``accepted``: with more than two sides each player answers for himself, and these have accepted.
    ``choices``: the amounts of two partners, of which the rivals choose one (R35).
    """

    lance: str
    seat: int
    side: str
    stones: int
    deje: int
    ordago: bool
    refused: list[int]
    accepted: list[int]
    choices: list[int]


class LanceView(TypedDict):
    """One of the four lances. ``bet`` was agreed for the count, ``won`` are stones taken so far.

    ``claimed``: the values of the winners' hands, where the lance was claimed without cards.
    """

    lance: str
    status: Status
    how: str | None
    side: str | None
    seat: int | None
    bet: int
    won: int
    why: list[str]
    claimed: list[int] | None


class HeldView(TypedDict):
    """A hand that won stones, or the lance; ``text``: what it is worth, "" if its cards tell it."""

    seat: int
    text: str


class GainView(TypedDict):
    """Stones of a lance, whose they are and what for; negative where an article took them back.

    ``paid``: they were taken before the count.
    """

    side: str
    why: str
    stones: int
    paid: bool


class CountedLanceView(TypedDict):
    """One lance of a count: who won it, with which hands, and what it brought.

    ``seat``: whose hand won it, None where no cards decided it; his hand is the first of ``held``.
    ``bet``: the stones that were agreed for it. ``stones``: what ``side`` won by the count alone;
    ``totals``: the score of all sides after it.
    """

    lance: str
    how: str
    side: str | None
    seat: int | None
    bet: int
    held: list[HeldView]
    gains: list[GainView]
    stones: int
    totals: list[int]


class ActionView(TypedDict):
    """A legal call. ``stones`` lists other values that ``call["stones"]`` may have."""

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
    """The last utterance, its probability, and in a sentence what the table made of it."""

    text: str
    confidence: float
    outcome: Made
    say: str


class OtherCallView(TypedDict):
    """One call that the last one may have been; ``stones`` where only the amount differs."""

    label: str
    call: dict[str, object]
    stones: int | None


class OtherCallsView(TypedDict):
    """The last call that was heard, in a sentence, and what it may have been instead."""

    text: str
    options: list[OtherCallView]


class OptionView(TypedDict):
    """One answer to a question: a call, or a command to the assistant."""

    label: str
    call: NotRequired[dict[str, object]]
    command: NotRequired[str]


class QuestionView(TypedDict):
    """The open question to the table."""

    code: str
    text: str
    options: list[OptionView]


class CitedView(TypedDict):
    """An article of the regulations that the table plays by, in their own words."""

    number: str
    text: str
    source: str


class ProposalView(TypedDict):
    """An article that fits what happened; the table decides on it (R47). ``seat``: the offender.

    ``article``: its number in S2; ``cited``: the article of the table's own regulations.
    """

    article: str
    cited: CitedView | None
    remedy: str
    seat: int | None
    lance: str | None
    text: str
    options: list[OptionView]


class ContradictionView(TypedDict):
    """Cards that contradict their player's declaration. ``said``: whether he claimed to hold it.

    ``article`` and ``text``: the article of S2 that was proposed or applied for it, and what that
    does; None and "" where the house looks at none. ``cited``: as in a proposal.
    """

    seat: int
    lance: str
    said: bool
    article: str | None
    cited: CitedView | None
    text: str


class DisprovedClaimView(TypedDict):
    """A claim that the open cards contradict: what they say, and whose hand wins by them.

    ``call`` gives the claim up, so that the lance is counted by the cards.
    """

    lance: str
    seat: int
    text: str
    call: dict[str, object]


class ClaimView(TypedDict):
    """A lance that a side may claim. One of ``values`` goes into ``call["values"]``."""

    lance: str
    side: str
    values: list[list[int]]
    call: dict[str, object]


class ReportView(TypedDict):
    """An irregularity to report. One of ``players`` and one of ``cards`` go into ``call``."""

    kind: str
    players: list[int]
    needs_player: bool
    cards: list[int]
    call: dict[str, object]


class BetOfferView(TypedDict):
    """A bet that can be corrected: the true amount goes into ``call["stones"]``."""

    lance: str
    stones: int
    call: dict[str, object]


class StonesOfferView(TypedDict):
    """A score that can be corrected, by ``least`` to ``most`` stones in ``call["stones"]``.

    ``needs_reason``: claims are closed (R45), so ``call["reason"]`` must say why.
    """

    side: str
    least: int
    most: int
    needs_reason: bool
    call: dict[str, object]


class IncidentsView(TypedDict):
    """Offers that are rarely needed: claims, reports, corrections, dealing again."""

    claims: list[ClaimView]
    reports: list[ReportView]
    bets: list[BetOfferView]
    stones: list[StonesOfferView]
    redeal: bool


class EarView(TypedDict):
    """Whether anybody listens."""

    state: EarState
    note: str


class SnapshotSentences(TypedDict):
    """The parts of a snapshot that hold sentences, and so differ from language to language.

    ``count``: the count of the deal that has just ended, lance by lance; empty before it, and if
    nothing was left to count.
    ``others``: what the last call may have been instead, until something else counts.
    """

    count: list[CountedLanceView]
    actions: list[ActionView]
    log: list[LogView]
    heard: HeardView | None
    others: OtherCallsView | None
    question: QuestionView | None
    proposal: ProposalView | None
    contradictions: list[ContradictionView]
    disproved: list[DisprovedClaimView]


class Snapshot(SnapshotSentences):
    """Everything that a page shows. ``version`` grows with every change, ``seq`` is the journal's.

    ``language`` is that of its sentences; the table's board gives its own language in each of its
    snapshots, whatever language their sentences are in. ``sides_kind``: two camps, or each for
    himself. ``corrido``: this deal's mus is run (R06). ``out``: seats whose hand is out of play.
    ``partial`` is what is being heard at this moment, before it is a call; "" in silence. ``eye``:
    whether the camera sees; "off" without one, "moved" if it no longer sees the table it was
    calibrated for, "other_deck" if the cards are of another deck than the one it reads.
    ``hall``: whether the hall that the game is sent to can be reached; "off" if there is none.
    """

    version: int
    seq: int
    language: str
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
    vacas_to_win: int
    corrido: bool
    sides_kind: SidesKind
    out: list[int]
    seats: list[SeatView]
    sides: list[SideView]
    pending: BetView | None
    lances: list[LanceView]
    partial: str
    incidents: IncidentsView
    missing: list[int]
    can_undo: bool
    can_redo: bool
    ear: EarView
    eye: EyeState
    hall: HallState


REMEMBERED = 500
"""Lines, and buttons, that are kept; an hour of a table has some hundreds of each."""


class ShownBefore:
    """The lines and labels that were made for earlier snapshots of one game, in one language.

    One thread at a time may use it.
    """

    def __init__(self) -> None:
        self._lines: dict[int, tuple[Event, str]] = {}
        self._labels: dict[tuple[object, ...], str] = {}

    def lines(
        self, events: Iterable[Event], state: State, records: Sequence[Record], phrases: LogPhrases
    ) -> list[str]:
        """The lines of the log for these events."""
        if len(self._lines) > REMEMBERED:
            self._lines.clear()
        told = []
        for event in events:
            kept = self._lines.get(id(event))
            if kept is None or kept[0] is not event:
                kept = self._lines[id(event)] = event, phrases.log_line(event, state, records)
            told.append(kept[1])
        return told

    def labels(self, calls: Iterable[Call], state: State, phrases: LogPhrases) -> list[str]:
        """The texts on the buttons of calls."""
        if len(self._labels) > REMEMBERED:
            self._labels.clear()
        told = []
        for call in calls:
            # A button reads the same for every player.
            key = (replace(call, seat=None), state.phase, state.seats, state.sides)
            label = self._labels.get(key)
            if label is None:
                label = self._labels[key] = phrases.label(call, state)
            told.append(label)
        return told
