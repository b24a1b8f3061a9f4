"""The shape of what the one who learns is shown; every value is JSON, every text a sentence."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

StakeKind = Literal["won", "lost", "refused", "given", "passed"]
"""Accepted and won, accepted and lost; refused by them, given by us; nobody bets."""


class StakeView(TypedDict):
    """What a choice can bring.

    stones  that change hands; 0 where it is the whole ``juego``, or only what hands are worth
    later   stones at the count beside those that are paid at once (punto, R29)
    more    the least and the most that the winners' hands bring beside it (R13, R15, R28)
    juego   it ends the juego
    """

    kind: StakeKind
    stones: int
    later: int
    more: list[int] | None
    juego: bool
    text: str


class WayView(TypedDict):
    """One way to make a choice: how it is said, and what it can bring."""

    say: str
    stones: int | None
    stakes: list[StakeView]


class ChoiceView(TypedDict):
    """One thing that may be said now, what it means, and with which amounts."""

    kind: str
    means: str
    ways: list[WayView]


class SaidView(TypedDict):
    """What happened last. ``say`` is "" where nobody spoke; ``then``: what followed by itself."""

    seat: int | None
    name: str
    mine: bool
    say: str
    means: str
    implied: bool
    then: list[str]


class TurnView(TypedDict):
    """Whose turn it is; ``may``: the one who learns may speak now, be it his turn or not."""

    seat: int | None
    mine: bool
    may: bool
    text: str


class WhyView(TypedDict):
    """Why a closed lance went as it did, from how it was closed to who won it with what."""

    lance: str
    name: str
    text: str


class MistakeView(TypedDict):
    """A call that moved nothing, or that was not true, and what is said instead.

    ``name`` is whose it was, where that is known and it is another than the one who learns.
    """

    code: str
    name: str
    text: str


class ChanceView(TypedDict):
    """How likely one's side was to win a lance, in per cent, and whether it did."""

    lance: str
    percent: int
    won: bool | None
    text: str


class ApprenticeView(TypedDict):
    """Everything for one seat at one moment.

    ``may_tell``: his own hand was not shown, and he may tell it to this page now (never before the
    deal is counted); ``fault``: why the hand that he told cannot be.
    """

    seq: int
    language: str
    seat: int
    name: str
    side: str
    phase: str
    now: str
    said: SaidView | None
    turn: TurnView
    may: list[ChoiceView]
    why: list[WhyView]
    mistake: MistakeView | None
    chances: list[ChanceView]
    may_tell: bool
    fault: NotRequired[str]
