"""Turns: where several people speak one right after the other, which words are whose call.

Players often answer within a quarter of a second. In a room that echoes no silence is left between
them, so what they said is one utterance. The decoder's words show where one of them may have
stopped: there is a gap between two words, or known words stand beside unknown speech. Each stretch
between two such places, or a few of them together, may be the call that is legal then. They are
weighed from the first to the last. What a call changes at the table decides what may come next.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from assistant.ear.speech_model import UNKNOWN
from assistant.messages import Narrowed, Word

GAP = 0.08
"""Seconds between two words at which one player may have stopped and another begun. The decoder's
times are right to about 0.06 s, and the words of a phrase lie closer together."""
TOGETHER = 4
"""The most stretches that a call may have: "envido ... cinco ... a la ... chica"."""
TAKEN = 0.6
"""The probability from which a stretch of an utterance is a call."""
UNLIKE = 0.35
"""The probability below which a stretch is surely none."""
CHAT = 1.2
"""Seconds of what is no call from which on it is chat; a call is shorter."""
LONGER = 0.8
"""Of two calls that begin at the same place, the longer one counts if it is so many times as
probable as the other one: "envido" is a part of "envido cinco"."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Words without a gap: all known, or unknown speech. ``start`` and ``end`` in seconds."""

    start: float
    end: float
    known: bool


@dataclass(frozen=True, slots=True)
class Beside:
    """The shorter gap beside a stretch, in seconds, and whether that is the one after it."""

    gap: float
    is_after: bool


Weigh = Callable[[Stretch, Beside, Sequence[Narrowed]], Narrowed | None]
"""A stretch, the gap beside it, and the calls made before it -> the call that it may be."""


def stretches(words: Sequence[Word]) -> list[Stretch]:
    """The stretches of an utterance, in order."""
    found: list[Stretch] = []
    for word in words:
        known = word.text != UNKNOWN
        last = found[-1] if found else None
        if last and last.known == known and word.start - last.end < GAP:
            found[-1] = replace(last, end=word.end)
        else:
            found.append(Stretch(word.start, word.end, known))
    return found


def in_turns(words: Sequence[Word], weigh: Weigh) -> list[Narrowed]:
    """The calls that several people make in one utterance, in order.

    ``weigh`` is asked about each stretch that may be a call, from the first on. It ends at the
    first stretch that is no call, because nobody knows whether that was one, too, or the "no" of
    the next one. Only what is too long for a call, and contains nothing like one, is chat, which is
    left out. Empty for an utterance of one stretch.
    """
    parts = stretches(words)
    if len(parts) < 2:
        return []
    turns: list[Narrowed] = []
    at, done = 0, parts[0].start
    while at < len(parts):
        size, call = _call_at(at, parts, weigh, turns)
        likely = call.probability or 0.0 if call else 0.0
        is_next = at == 0 or parts[at - 1].end <= done
        if call and likely >= TAKEN and (is_next or _follows_chat(at, parts, done)):
            turns.append(call)
            at += size
            done = parts[at - 1].end
        elif likely < UNLIKE:
            at += 1
        else:
            break
    return turns


def _follows_chat(at: int, parts: Sequence[Stretch], done: float) -> bool:
    """Whether all since ``done`` is chat, and a stretch begins apart from it."""
    return parts[at].start - done >= CHAT and parts[at].start - parts[at - 1].end >= GAP


def _call_at(
    at: int, parts: Sequence[Stretch], weigh: Weigh, turns: Sequence[Narrowed]
) -> tuple[int, Narrowed | None]:
    """The likeliest call that begins at a stretch, and how many stretches it has."""
    best: tuple[int, Narrowed | None] = 1, None
    least = 0.0
    for size in range(1, TOGETHER + 1):
        some = parts[at : at + size]
        if len(some) < size or not some[-1].known or not some[0].known:
            break
        before = parts[at - 1].end if at else None
        after = parts[at + size].start if at + size < len(parts) else None
        whole = Stretch(some[0].start, some[-1].end, known=True)
        found = weigh(whole, beside(whole, before, after), turns)
        if found and (found.probability or 0.0) >= least:
            best = size, found
            least = LONGER * (found.probability or 0.0)
    return best


def beside(stretch: Stretch, before: float | None, after: float | None) -> Beside:
    """What is beside a stretch; ``before`` ends and ``after`` starts then, None for nothing."""
    first = stretch.start - before if before is not None else None
    second = after - stretch.end if after is not None else None
    if first is None or (second is not None and second <= first):
        return Beside(max(0.0, second or 0.0), is_after=True)
    return Beside(max(0.0, first), is_after=False)
