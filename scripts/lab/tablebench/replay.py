"""Utterances that were heard before, played again to the table's present code.

To play a deal takes ten seconds of a core, nearly all of it for the sound. What the table makes of
an utterance takes a millisecond. So deals are played once, and each utterance is kept beside the
table as it stood then. Another version of the table's code then hears the same utterances again. It
hears each one at the old table, so a mistake does not lead to the next one: whole deals remain the
proof (bench_table.py).
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.language.lexicon import Lexicon
from assistant.language.lexicon.text import words_of
from assistant.messages import Accepted, Ask, Heard, Hypothesis, Outcome
from assistant.rules.calls import ShowHand
from assistant.rules.errors import MusError
from assistant.rules.hands import value
from assistant.table.table import Table
from scripts.lab.rendering.dealing import telling
from scripts.lab.tablebench import room as rooms
from scripts.lab.tablebench import trial
from scripts.lab.tablebench.evening import Company, Microphone
from scripts.lab.tablebench.players import AGAIN, CALL, CARDS, CHAT, Utterance
from scripts.lab.tablebench.trial import Ground, Job

CALLS, HANDS, ELSE = "calls", "hands", "nobody's"
"""What was said: a call, the cards of a hand, or nothing to the table."""
RIGHT, ASKED, LOST, WRONG = "right", "asked", "lost", "wrong"
"""The outcomes. ``LOST``: nothing happened, so the player says it again. What nobody said to the
table is right if nothing happens."""
LEXICON = "lexicon"
EDGE = 0.1
"""Seconds by which an utterance may seem shorter than what was said."""


@dataclass(frozen=True, slots=True)
class Moment:
    """An utterance, and the table as it stood then (``kept``, pickled without its lexicon).

    ``said``: what players said during most of it.
    """

    room: str
    deal: int
    kept: bytes
    said: tuple[Utterance, ...]

    def again(self, lexicon: Lexicon) -> tuple[Table, Heard]:
        """The table and the utterance. Raises MusError if another version has written them."""
        try:
            table, heard = _Reader(io.BytesIO(self.kept), lexicon).load()
        except (AttributeError, ImportError, TypeError, pickle.UnpicklingError) as error:
            raise MusError(
                f"Another version has kept these tables: record anew ({error})."
            ) from error
        return table, heard


@dataclass(frozen=True, slots=True)
class Judged:
    """The result of a moment: what was said, the outcome, the code of a question, and the words."""

    moment: Moment
    what: str
    result: str
    code: str
    outcomes: tuple[Outcome, ...]
    heard: Heard


class _Writer(pickle.Pickler):
    """A pickler that leaves out the lexicon, which is the same for all and does not pickle."""

    def __init__(self, file: io.BytesIO, lexicon: Lexicon) -> None:
        super().__init__(file)
        self._lexicon = lexicon

    def persistent_id(self, thing: Any) -> str | None:
        return LEXICON if thing is self._lexicon else None


class _Reader(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, lexicon: Lexicon) -> None:
        super().__init__(file)
        self._lexicon = lexicon

    def persistent_load(self, name: Any) -> Lexicon:
        if name != LEXICON:
            raise pickle.UnpicklingError(f"There is no {name!r}.")
        return self._lexicon


def kept(table: Table, heard: Heard) -> bytes:
    """A table and an utterance, pickled without the lexicon."""
    file = io.BytesIO()
    _Writer(file, table.lexicon).dump((table, heard))
    return file.getvalue()


def record(job: Job, ground: Ground) -> list[Moment]:
    """Play an evening, and keep each utterance. Raises MusError if a part failed."""
    company = Company(ground.model)
    return [moment for deal in job.deals for moment in _record(job, deal, company, ground)]


def _record(job: Job, deal: int, company: Company, ground: Ground) -> Iterator[Moment]:
    found: list[tuple[Heard, bytes]] = []

    def on_heard(heard: Heard) -> None:
        if heard.words:
            found.append((heard, kept(company.runner.table, heard)))

    _, said = trial.play_deal(
        job, deal, company, ground,
        lambda step: Microphone(trial.background(job, ground), deal, step),
        lambda sound, seat: rooms.near(sound, seat, job.seed),
        on_heard,
    )  # fmt: skip
    for heard, table in found:
        yield Moment(str(job.room), deal, table, said_meanwhile(heard, said))


def said_meanwhile(heard: Heard, said: Sequence[Utterance]) -> tuple[Utterance, ...]:
    """What was said during most of the utterance, or mostly within it."""
    start, end = heard.words[0].start - EDGE, heard.words[-1].end + EDGE
    return tuple(
        one
        for one in said
        if min(one.end, end) - max(one.start, start) > 0.5 * min(one.end - one.start, end - start)
    )


def judge(moment: Moment, lexicon: Lexicon) -> Judged | None:
    """What the table makes of a moment now; None if it is not counted.

    Answers are not counted, and neither are calls that do not fit a table that stands elsewhere.
    """
    table, heard = moment.again(lexicon)
    outcomes = table.propose(heard)
    asks = [one for one in outcomes if isinstance(one, Ask)]
    taken = any(isinstance(one, Accepted) for one in outcomes)
    code = asks[0].code if asks else ""
    kinds = {one.kind for one in moment.said}
    if kinds <= {CHAT}:
        result = WRONG if taken else ASKED if asks else RIGHT
        return Judged(moment, ELSE, result, code, outcomes, heard)
    if not (kinds == {CARDS} or kinds <= {CALL, AGAIN, CHAT}):
        return None
    meant = _meant(moment, lexicon)
    if not meant:
        return None
    result = ASKED if asks else LOST
    if taken:
        made = _happens(outcomes, table)
        result = RIGHT if made[: len(meant)] == meant else WRONG
    return Judged(moment, HANDS if kinds == {CARDS} else CALLS, result, code, outcomes, heard)


def _meant(moment: Moment, lexicon: Lexicon) -> list[object]:
    """What the first call or hand of a moment causes there, if each word is understood."""
    table, _ = moment.again(lexicon)
    words = words_of(next(one for one in moment.said if one.kind != CHAT).words)
    ways = table.ways(Heard(words, hypotheses=(Hypothesis(words, 1.0),)))
    return _happens(next(iter(ways), ()), table)


def _happens(outcomes: Sequence[Outcome], table: Table) -> list[object]:
    """The effect of the accepted calls; of a hand, its worth."""
    happened: list[object] = []
    for one in outcomes:
        if isinstance(one, Accepted) and isinstance(one.call, ShowHand):
            happened.append(value(one.call.cards, table.state.profile))
        elif isinstance(one, Accepted):
            happened += telling(one.events)
    return happened


def write(moments: Sequence[Moment], path: Path) -> None:
    """Keep the moments of an evening in a file, written atomically."""
    partial = path.with_suffix(".part")
    partial.write_bytes(pickle.dumps(list(moments)))
    partial.replace(path)


def read(path: Path) -> list[Moment]:
    """The moments of an evening. Raises MusError if the file is not one of ours."""
    try:
        moments = pickle.loads(path.read_bytes())  # it is our own file, written by ``write``
    except (OSError, pickle.UnpicklingError, EOFError, AttributeError, ImportError) as error:
        raise MusError(f"{path} cannot be read: record it anew ({error}).") from error
    return list(moments)
