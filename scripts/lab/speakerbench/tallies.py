"""Counts of how often the right player was named as the speaker, by each kind of evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from assistant.table.who import LIKELY, likeliest
from scripts.lab.speakerbench.trial import SEATS, STRANGER, Answer

LOST = 0.01
"""Share of the players' calls that may be refused with a bystander's."""

Judged = Callable[[Answer], tuple[tuple[float, ...], int | None]]
"""The probability of each seat, and whose turn it is where that counts."""

EVIDENCE: dict[str, Judged] = {
    "one microphone": lambda a: (a.voice, None),
    "one microphone, and the turn": lambda a: (a.voice, a.turn),
    "four channels, levels alone": lambda a: (a.levels, None),
    "four channels": lambda a: (a.both, None),
    "four channels, and the turn": lambda a: (a.both, a.turn),
}


@dataclass(frozen=True, slots=True)
class Tally:
    """Of ``calls`` by players, the number given to the right seat.

    ``kept``: calls that are likely enough to stand against the turn; ``wrong``: those of them that
    were another player's. ``strangers``: what a bystander said, how much of it was kept as a
    player's, and how much is ``refused`` if the least player-like calls are, with 1% of the
    players' calls.
    """

    calls: int
    right: int
    kept: int
    wrong: int
    strangers: int
    taken: int
    refused: int


def tally(answers: Iterable[Answer], judged: Judged) -> Tally:
    """Count the answers by one kind of evidence."""
    calls = right = kept = wrong = strangers = taken = 0
    ours: list[float] = []
    theirs: list[float] = []
    for answer in answers:
        shares, turn = judged(answer)
        best, share = likeliest(shares, turn)
        sure = best is not None and share >= LIKELY
        (theirs if answer.speaker == STRANGER else ours).append(sum(shares))
        if answer.speaker == STRANGER:
            strangers += 1
            taken += sure
            continue
        calls += 1
        right += _seat(shares, turn) == answer.speaker
        kept += sure
        wrong += sure and best != answer.speaker
    least = sorted(ours)[int(LOST * len(ours))] if ours else 0.0
    refused = sum(share < least for share in theirs)
    return Tally(calls, right, kept, wrong, strangers, taken, refused)


def confusions(answers: Iterable[Answer]) -> list[list[int]]:
    """By one microphone alone: for each seat, and last for a bystander, who was taken how often.

    The columns are the seats, and last somebody else.
    """
    table = [[0] * (len(SEATS) + 1) for _ in range(len(SEATS) + 1)]
    for answer in answers:
        best, _ = likeliest(answer.voice, None)
        row = answer.speaker - 1 if answer.speaker != STRANGER else len(SEATS)
        table[row][best - 1 if best is not None else len(SEATS)] += 1
    return table


def report(answers: Sequence[Answer], levels: Sequence[float | None]) -> dict[str, Any]:
    """Each kind of evidence at each level of noise, and at all levels together."""
    found: dict[str, Any] = {}
    for name, judged in EVIDENCE.items():
        rows = {_noise(snr): tally((a for a in answers if a.snr == snr), judged) for snr in levels}
        rows["all"] = tally(answers, judged)
        found[name] = {noise: asdict(row) for noise, row in rows.items()}
    return found


def _noise(snr: float | None) -> str:
    return "quiet" if snr is None else f"{snr:g} dB"


def _seat(shares: Sequence[float], turn: int | None) -> int | None:
    """The likeliest player."""
    whole = sum(shares)
    return likeliest([share / whole for share in shares], turn)[0] if whole > 0 else turn
