"""A call that was heard once more as what the moment asks for: whether to believe that.

No I/O. The ear tells how probable it is that exactly this call was said (the second stage).
What was heard first keeps the word where it is several calls, which the moment's grammar lacks, and
where both agree.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, replace

from assistant.language.lexicon import UNKNOWN, Hearing, unknown_share
from assistant.messages import Accepted, Command, Heard, Hypothesis, Narrowed, Outcome, Word
from assistant.rules.calls import Accept, Bet, Call, Cut, Declare, Mus, Pass, Raise, Refuse
from assistant.rules.events import Event, Retracted
from assistant.rules.history import Record
from assistant.table.asked import Doubt, Outcomes, Ways
from assistant.table.doubt import call_of, differ
from assistant.table.histories.other import TablePort

QUESTION, REPETITION = 1.0, 2.0
WRONG, WRONG_STONES, WRONG_GAME = 2.5, 4.0, 20 / 3
"""What it costs a table, in questions: to be asked, to say a call again, and to take back a wrong
call, wrong stones, and a wrong órdago or answer to one."""
FLOOR = QUESTION / REPETITION
"""Probability from which it is cheaper to ask for a call than to have it said again."""
FAINT, SURE, DEAR = (1 - QUESTION / cost for cost in (WRONG, WRONG_STONES, WRONG_GAME))
"""Probability from which it is cheaper to take a call than to ask for it: stones that are staked
(SURE), an órdago and its answer (DEAR), and the rest. Other than the shares of the first hearing
these are shares of calls that were right."""

WITHOUT_NO = (Bet, Cut, Pass, Raise, Refuse)
"""Calls that are not turned round where a "no" before them was lost."""

WAITED_FOR = 5.0
"""How many times likelier a yes or a no is while a question waits for one than the second stage
tells, which knows of no questions: docs/second-stage.md. In noise it may be somebody else's."""
OVERLAP = 0.1
"""Seconds that a word before a part may reach into it: two decoders time it."""
DENIED = 0.05
"""How much less probable a call is that was just taken back, or said not to be meant."""

WaysOf = Callable[[Heard], dict[Outcomes, float]]
"""What the ways to hear an utterance come to at the table, and how probable each of them is."""


def believed(heard: Heard, table: TablePort, doubt: Doubt | None) -> tuple[Heard, Hearing]:
    """The utterance as it is to be weighed, and the limits that it is weighed by.

    ``doubt``: a question that stands; an answer to it need be no call.
    """
    narrowed, hearing = heard.narrowed, table.lexicon.hearing
    if narrowed is None or not narrowed.probability:
        return heard, hearing
    if doubt and not heard.noisy:
        narrowed = _waited_for(heard, narrowed, table, doubt)
    probability = narrowed.probability or 0.0
    if probability < FLOOR:
        return heard, _wary(hearing) if heard.noisy else hearing
    again = replace(heard, words=narrowed.hypotheses[0].words, hypotheses=narrowed.hypotheses)
    if doubt and doubt.answer(again, table.lexicon, table.state) is not None:
        return _scaled(again, _scale(narrowed), ()), _limits(hearing)
    calls = table.ways(again)
    if not calls:
        return heard, hearing
    best = max(calls, key=calls.__getitem__)
    if first := table.ways(heard):
        likeliest = max(first, key=first.__getitem__)
        several = sum(isinstance(outcome, Accepted) for outcome in likeliest) > 1
        agree = likeliest == best
        least = hearing.sure if agree or several else hearing.floor
        if narrowed.part and _opposed(likeliest, best) and _lacks_its_no(heard, narrowed, table):
            return heard, _wary(hearing)
        is_talk = unknown_share(heard) > hearing.talk
        part = narrowed.part and not _opposed(likeliest, best)
        if not is_talk and first[likeliest] >= least and (several or part or agree):
            return heard, hearing
    # Calls that nobody may make now are no evidence against the one that somebody may.
    scale = min(1 / sum(calls.values()), probability / max(calls.values()))
    others = [
        way
        for way in heard.hypotheses
        if (found := table.ways(replace(heard, hypotheses=(way,)))) and best not in found
    ]
    return _scaled(again, scale, others), _limits(hearing)


def _waited_for(heard: Heard, narrowed: Narrowed, table: TablePort, doubt: Doubt) -> Narrowed:
    """The second hearing where a question waits: a yes or a no is likelier than it tells."""
    scale = _scale(narrowed)
    shares = {
        way.words: way.probability
        * scale
        * (WAITED_FOR if doubt.is_either(way.words, heard, table.lexicon, table.state) else 1.0)
        for way in narrowed.hypotheses
    }
    calls = sum(shares.values())
    total = calls + max(0.0, 1.0 - scale * sum(way.probability for way in narrowed.hypotheses))
    ways = (Hypothesis(words, share / calls) for words, share in shares.items())
    first, *others = sorted(ways, key=lambda way: way.probability, reverse=True)
    likely = shares[first.words] / total
    return replace(narrowed, hypotheses=(first, *others), probability=likely)


def _scale(narrowed: Narrowed) -> float:
    """What its shares are multiplied by to be probabilities: that of the first is told."""
    shares = [way.probability for way in narrowed.hypotheses]
    return min(1 / sum(shares), (narrowed.probability or 0.0) / max(shares))


def _scaled(heard: Heard, scale: float, others: Sequence[Hypothesis]) -> Heard:
    """Ways to hear it so many times as probable.

    What is left of all is for other calls, as probable as they were at first, and unknown speech.
    """
    ways = tuple(
        replace(way, probability=min(1.0, way.probability * scale)) for way in heard.hypotheses
    )
    left = max(0.0, 1.0 - sum(way.probability for way in ways))
    if left > 0.0:  # what is not probable at all is no way to hear it
        ways += tuple(replace(way, probability=way.probability * left) for way in others)
    unknown = max(0.0, 1.0 - sum(way.probability for way in ways))
    rest = Hypothesis((Word(UNKNOWN, heard.words[0].start, heard.words[-1].end),), unknown)
    return replace(heard, hypotheses=(*ways, rest), narrowed=None)


def _opposed(one: Outcomes, other: Outcomes) -> bool:
    """Whether two readings are each one call, and these are opposites; other stones are none."""
    first, second = (call_of(way[0]) if len(way) == 1 else None for way in (one, other))
    if first is None or second is None:
        return False
    stakes = isinstance(first, Bet | Raise) and type(first) is type(second)
    return differ(first, second) and not stakes


def _lacks_its_no(heard: Heard, narrowed: Narrowed, table: TablePort) -> bool:
    """Whether a part of an utterance begins just after a "no" that was heard first, and drops it.

    The pause in "no ... las quiero" parts it in two, and its end alone is the opposite of it.
    """
    part = narrowed.hypotheses[0].words[0].start
    stretch = table.lexicon.hearing.stretch
    before = [word for word in heard.words if part - stretch < word.end <= part + OVERLAP]
    return table.lexicon.ends_in_no(before)


def _wary(hearing: Hearing) -> Hearing:
    """The limits of the first hearing where it is in doubt and the second does not bear it out."""
    return replace(hearing, sure=hearing.dear, faint=hearing.dear)


def _limits(hearing: Hearing) -> Hearing:
    return replace(hearing, floor=FLOOR, sure=SURE, dear=DEAR, faint=FAINT)


def clear_over_the_voice(heard: Heard, ways_of: WaysOf) -> Outcomes | None:
    """What was clearly called though the assistant spoke over its beginning; None for nothing.

    Its first word may be lost: so a "quiero" is none of them, which may have been "no quiero".
    """
    narrowed = heard.narrowed
    if not heard.over or narrowed is None or (narrowed.probability or 0.0) < DEAR:
        return None
    calls = ways_of(replace(heard, hypotheses=narrowed.hypotheses))
    best = max(calls, key=calls.__getitem__, default=())
    for outcome in best:
        call = outcome.call if isinstance(outcome, Accepted) else None
        lacks = isinstance(call, Declare) and not call.holds
        if not isinstance(call, WITHOUT_NO) and not lacks:
            return None
    return best or None


class Denied:
    """The call that a player has just said was not said: he will hardly say it now.

    A voice whose "lo quiero" sounds like "no quiero" does so each time. After "corrige", or after a
    no to "¿Órdago querido?", the same sound is the other call.
    """

    def __init__(self) -> None:
        self._seq = 0
        self._what: tuple[object, ...] = ()

    def take_back(self, records: Sequence[Record]) -> None:
        """What the last record takes back; of several, one after the other, the earliest is it."""
        event = records[-1].event
        if isinstance(event, Retracted):
            gone = [record.event for record in records if record.batch == event.seq]
            self.note(gone, records[-1].seq)

    def asks(self, outcome: Outcome, seq: int) -> tuple[Call, Call] | None:
        """A call that was just said not to be meant, and its opposite; None for any other one."""
        if seq != self._seq or not isinstance(outcome, Accepted):
            return None
        other = _opposite(outcome.call) if _essence(outcome.events) == self._what else None
        return (outcome.call, other) if other and isinstance(outcome.call, Call) else None

    def note(self, events: Sequence[Event], seq: int) -> None:
        """What was not said, by the events it made; until something else happens after ``seq``."""
        self._seq, self._what = seq, _essence(events)

    def weigh(self, ways: Ways, seq: int | None) -> dict[Outcomes, float]:
        """The ways to hear an utterance, with that one less probable beside others.

        ``seq``: the last record; None where the ways are those of another history.
        """
        if seq != self._seq or not self._what:
            return dict(ways)
        total = sum(ways.values())
        left = {way: share * (DENIED if self._is(way) else 1.0) for way, share in ways.items()}
        scale = total / sum(left.values()) if left else 1.0
        return {way: share * scale for way, share in left.items()}

    def _is(self, way: Outcomes) -> bool:
        return isinstance(way[0], Accepted) and _essence(way[0].events) == self._what


def _opposite(call: Call | Command | None) -> Call | None:
    match call:
        case Accept():
            return Refuse()
        case Refuse():
            return Accept()
        case Mus():
            return Cut()
        case Cut():
            return Mus()
        case Declare(lance=lance, holds=holds):
            return Declare(lance=lance, holds=not holds)
        case _:
            return None


def _essence(events: Sequence[Event]) -> tuple[object, ...]:
    """What events say apart from who made them."""
    return tuple(
        (type(event), *(getattr(event, field.name) for field in fields(event) if _says(field.name)))
        for event in events
    )


def _says(name: str) -> bool:
    return name not in ("seat", "implied")
