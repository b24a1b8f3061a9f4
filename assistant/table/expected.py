"""Which hearing to believe: the first, of all words, or the second, of what the moment allows.

No I/O. The ear gives the probability that exactly the call of the second hearing was said
(docs/second-stage.md). The first hearing is kept if it is several calls, which the moment's grammar
lacks. If both agree, the surer one is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from typing import Protocol

from assistant.language.lexicon import UNKNOWN, Hearing, Lexicon, context_of, unknown_share
from assistant.messages import Accepted, Ask, Command, Heard, Hypothesis, Narrowed, Outcome, Word
from assistant.rules.calls import Accept, Bet, Call, Cut, Declare, Mus, Pass, Raise, Refuse
from assistant.rules.events import Event, Retracted
from assistant.rules.history import Record
from assistant.rules.state import State
from assistant.table.asked import CERTAIN, Doubt, Outcomes, Ways
from assistant.table.doubt import RARE, Scale, Weighed, call_of, differ
from assistant.table.who import Breath

QUESTION, REPETITION = 1.0, 2.0
WRONG, WRONG_STONES, WRONG_GAME = 2.5, 4.0, 20 / 3
"""The cost to a table, counted in questions, of a question, of a call that is said again, and of
taking back a wrong call, wrong stones, and a wrong órdago or a wrong answer to one."""
FLOOR = QUESTION / REPETITION
"""The probability above which a question is cheaper than having the call said again."""
FAINT, SURE, DEAR = (1 - QUESTION / cost for cost in (WRONG, WRONG_STONES, WRONG_GAME))
"""The probability above which taking a call is cheaper than asking: SURE for calls that stake
stones, DEAR for an órdago and its answer, FAINT for all others. Unlike the limits of the first
hearing, these apply to calibrated probabilities: the share of such calls that were right."""

WITHOUT_NO = (Bet, Cut, Pass, Raise, Refuse)
"""Calls that do not become their opposite if a "no" before them was lost."""

NOT_HEARD = 0.02
"""The share, in the first hearing, of a call that none of its hypotheses has."""
BARE_RAISE = 0.2
"""Factor on the odds of a bare number in reply to a bet. Few people raise in this way, and a
misheard "quiero" or "yo no" becomes "cinco" or "una"."""
LEAST_SHARE = 0.03
"""Hypotheses that are less likely than this are left out, because they change nothing."""
CLEAR_SHARE = 0.9
"""A hypothesis with at least this share needs no comparison with the others."""
OVERLAP = 0.05
"""Seconds by which the middle of a word before a part may lie inside the part: two decoders time
words differently, and they let a "no" last until the next word."""
DENIED = 0.05
"""Factor on the probability of a call that was just taken back or denied."""


class WaysPort(Protocol):
    """A table as it is, or as it will be once other calls have counted."""

    lexicon: Lexicon
    state: State

    def ways(self, heard: Heard, at: State | None = None) -> Ways:
        """The outcomes that its hypotheses lead to there, or at the state ``at``."""


class TurnsPort(WaysPort, Protocol):
    """A table at which several players speak in one utterance."""

    seq: int
    """The seq of the last record."""

    def ways(
        self, heard: Heard, at: State | None = None, breath: Breath | None = None
    ) -> dict[Outcomes, float]:
        """The same; ``breath``: the call before the utterance, if it may be of the same breath."""


WaysOf = Callable[[Heard], dict[Outcomes, float]]
"""Utterance -> the outcomes that its hypotheses lead to at the table, with their probabilities."""


def believed(heard: Heard, table: WaysPort, doubt: Doubt | None) -> tuple[Heard, Hearing]:
    """The hearing to believe, as an utterance, and the limits for its probabilities.

    ``doubt``: the open question; an answer to it need not be a call.
    """
    narrowed, hearing = heard.narrowed, table.lexicon.hearing
    if narrowed is None or not narrowed.probability:
        return heard, hearing
    if narrowed.part and _is_second_thought(heard, table):
        return heard, hearing  # a part is one of two calls, of which perhaps only one counts
    if narrowed.part and doubt and doubt.answer(heard, table.lexicon, table.state) == ():
        return heard, hearing  # "no, corrige" denies what was asked, and its part alone undoes more
    if not heard.noisy:
        narrowed = _as_both_heard(heard, narrowed, table)
    if doubt:
        narrowed = _waited_for(heard, narrowed, table, doubt)
    probability = narrowed.probability or 0.0
    if probability < FLOOR:
        return heard, _wary(hearing) if heard.noisy else hearing
    again = replace(heard, words=narrowed.hypotheses[0].words, hypotheses=narrowed.hypotheses)
    if doubt and (
        doubt.answer(again, table.lexicon, table.state) is not None
        or doubt.is_torn(again, table.lexicon, table.state)
    ):
        return _scaled(again, _scale(narrowed), ()), _limits(hearing)
    calls = table.ways(again)
    if not calls:
        return heard, hearing
    best = max(calls, key=calls.__getitem__)
    if isinstance(best[0], Ask) and best[0].code == "bare_raise":
        probability *= BARE_RAISE / (1.0 - probability + BARE_RAISE * probability)
        if probability < FLOOR:
            return heard, _wary(hearing) if heard.noisy else hearing
    if first := table.ways(heard):
        likeliest = max(first, key=first.__getitem__)
        several = sum(isinstance(outcome, Accepted) for outcome in likeliest) > 1
        part = narrowed.part
        if several and first[likeliest] < probability and _is_as_long(narrowed, heard):
            several = part = False  # "paso yo", not one player's "paso" and another's "no"
        agree = likeliest == best
        least = hearing.sure if agree or several else hearing.floor
        opposed = _opposed(likeliest, best)
        if part and opposed and _lacks_its_no(heard, narrowed, table):
            return heard, _wary(hearing)
        if opposed and first[likeliest] >= hearing.dear and _loses_a_no(heard, narrowed, table):
            probability = min(probability, FLOOR)
        is_talk = unknown_share(heard) > hearing.talk
        surer = first[likeliest] >= probability if agree else part and not opposed
        if doubt and doubt.offers(again.words, table.lexicon, table.state):
            several = False  # it is what was asked about, and no call before another one
        if not is_talk and first[likeliest] >= least and (several or surer):
            return heard, hearing
        ended = _ended_by(best, first) if part and not (agree or is_talk) else None
        if ended and (both := _both(heard, narrowed, probability, ended, table)):
            return both, _limits(hearing)
    # Calls that nobody may make now are no evidence against one that somebody may make.
    scale = min(1 / sum(calls.values()), probability / max(calls.values()))
    others = [
        way
        for way in heard.hypotheses
        if (found := table.ways(replace(heard, hypotheses=(way,)))) and best not in found
    ]
    return _scaled(again, scale, others), _limits(hearing)


def in_turns(heard: Heard, table: WaysPort) -> list[Heard]:
    """The calls of an utterance in which several players speak, each as an utterance of its own.

    Empty if it is one call, if a player may have corrected himself, or if the first hearing is sure
    of at least as many calls.
    """
    turns = heard.narrowed.turns if heard.narrowed else ()
    if not turns or _is_second_thought(heard, table):
        return []
    if first := table.ways(heard):
        likeliest = max(first, key=first.__getitem__)
        calls = sum(isinstance(outcome, Accepted) for outcome in likeliest)
        known = calls == len(likeliest) >= len(turns)
        if known and first[likeliest] >= table.lexicon.hearing.sure:
            return []
    return [_turn(heard, turn) for turn in turns]


def after_an_answer(heard: Heard, lexicon: Lexicon) -> tuple[Heard, Heard] | None:
    """An utterance cut at its first pause: perhaps an answer, and what another player calls then.

    The second hearing belongs to the rest if it has heard only that. None if there is no pause.
    """
    ways = heard.hypotheses or (Hypothesis(heard.words, CERTAIN),)
    cut = [(way.probability, lexicon.segments(way.words)) for way in ways]
    cut = [(share, segments) for share, segments in cut if len(segments) > 1]
    if not cut:
        return None
    answers = tuple(Hypothesis(segments[0], share) for share, segments in cut)
    calls = tuple(Hypothesis(sum(segments[1:], ()), share) for share, segments in cut)
    part = heard.narrowed
    if part and part.hypotheses[0].words[0].start + OVERLAP < calls[0].words[0].start:
        part = None
    answer = replace(heard, words=answers[0].words, hypotheses=answers, narrowed=None)
    return answer, replace(heard, words=calls[0].words, hypotheses=calls, narrowed=part)


def _is_second_thought(heard: Heard, table: WaysPort) -> bool:
    """Whether a player may have corrected himself, by either hearing: "paso, perdón, envido"."""
    turns = heard.narrowed.turns if heard.narrowed else ()
    second = [word for turn in turns for word in turn.hypotheses[0].words]
    here = context_of(table.state)
    return any(table.lexicon.thinks_again(words, here) for words in (heard.words, second))


class LaterTable:
    """The table as it will be once the calls so far have counted."""

    def __init__(self, table: TurnsPort) -> None:
        self.lexicon, self.state = table.lexicon, table.state
        self._table, self._seq = table, table.seq
        self._breath = Breath()

    def follows(self, outcomes: Sequence[Outcome], said: Heard) -> bool:
        """Go on from the outcomes so far; ``said`` led to the last of them.

        False if it is not clear in which state the table is then.
        """
        last = outcomes[-1] if outcomes else None
        taken = [one for one in outcomes if isinstance(one, Accepted)]
        if not isinstance(last, Accepted) or not isinstance(last.call, Call) or not last.after:
            return False
        self._seq = self._table.seq + sum(len(one.events) for one in taken)
        self.state = last.after
        words = said.narrowed.hypotheses[0].words if said.narrowed else said.words
        self._breath = Breath(last.call, said.voice_of(words), words[-1].end, turn=True)
        return len(taken) == len(outcomes)

    def hear(self, turn: Heard) -> Weighed:
        """The result for one more call from there."""
        heard, hearing = believed(turn, self, None)
        ways = self.ways(heard)
        if not ways or max(ways.values()) < hearing.floor:
            return Weighed(())
        scale = Scale(self.state, self._seq, hearing, noisy=heard.noisy)
        return scale.weigh(ways, heard.end)

    def ways(self, heard: Heard, at: State | None = None) -> Ways:
        """See Table."""
        return self._table.ways(heard, at or self.state, self._breath)


def _turn(heard: Heard, turn: Narrowed) -> Heard:
    """One call of an utterance, with the part of either hearing that belongs to it."""
    second = turn.hypotheses[0].words
    start, end = second[0].start, second[-1].end
    shares: dict[tuple[Word, ...], float] = {}
    for way in heard.hypotheses:
        own = tuple(word for word in way.words if start <= (word.start + word.end) / 2 <= end)
        shares[own] = shares.get(own, 0.0) + way.probability
    ways = tuple(Hypothesis(own, share) for own, share in shares.items() if own)
    unknown = Hypothesis((Word(UNKNOWN, start, end),), max(0.0, 1 - sum(shares.values())))
    first = max(ways, key=lambda way: way.probability, default=unknown).words
    return replace(heard, words=first, hypotheses=(*ways, unknown), narrowed=turn)


def _as_both_heard(heard: Heard, narrowed: Narrowed, table: WaysPort) -> Narrowed:
    """The second hearing, with each call's share multiplied by its share in the first hearing.

    Each grammar has words that the other lacks, so a call that both heard is likelier. This holds
    only in quiet: in noise both lose the same "no", so the two are not independent.
    """

    def meant_by(way: Hypothesis) -> object:
        calls = table.ways(replace(heard, words=way.words, hypotheses=(way,), narrowed=None))
        return next(iter(calls), None) or tuple([word.text for word in way.words])

    ways = [way for way in narrowed.hypotheses if way.probability >= LEAST_SHARE]
    if len(ways) < 2 or ways[0].probability >= CLEAR_SHARE:
        return narrowed
    told = [(way, meant_by(way)) for way in ways]
    if len({meant for _, meant in told}) < 2:
        return narrowed
    first: dict[object, float] = {}
    for way in heard.hypotheses:
        if way.words and way.probability >= LEAST_SHARE:
            meant = meant_by(way)
            first[meant] = first.get(meant, 0.0) + way.probability
    calls: dict[object, float] = {}
    for way, meant in told:
        calls[meant] = calls.get(meant, 0.0) + way.probability
    called = (narrowed.probability or 0.0) * sum(calls.values()) / calls[told[0][1]]
    both = {meant: share * (first.get(meant, 0.0) + NOT_HEARD) for meant, share in calls.items()}
    total = sum(both.values())
    weighed = (
        Hypothesis(way.words, way.probability / calls[meant] * both[meant] / total)
        for way, meant in told
    )
    likeliest = sorted(weighed, key=lambda way: way.probability, reverse=True)
    probability = min(1.0, called) * max(both.values()) / total
    return replace(narrowed, hypotheses=tuple(likeliest), probability=probability)


def _waited_for(heard: Heard, narrowed: Narrowed, table: WaysPort, doubt: Doubt) -> Narrowed:
    """The second hearing with a yes or a no made likelier, because a question waits for one.

    In noise only beside other calls: the yes may be somebody else's.
    """
    scale = _scale(narrowed)
    shares = {
        way.words: way.probability
        * scale
        * doubt.waited_for(way.words, heard, table.lexicon, table.state)
        for way in narrowed.hypotheses
    }
    calls, before = (
        sum(shares.values()),
        scale * sum(way.probability for way in narrowed.hypotheses),
    )
    if heard.noisy:
        shares = {words: share * before / calls for words, share in shares.items()}
        calls = before
    total = calls + max(0.0, 1.0 - before)
    ways = (Hypothesis(words, share / calls) for words, share in shares.items())
    first, *others = sorted(ways, key=lambda way: way.probability, reverse=True)
    likely = shares[first.words] / total
    return replace(narrowed, hypotheses=(first, *others), probability=likely)


def _scale(narrowed: Narrowed) -> float:
    """The factor that turns shares into probabilities; the first call's probability is known."""
    shares = [way.probability for way in narrowed.hypotheses]
    return min(1 / sum(shares), (narrowed.probability or 0.0) / max(shares))


def _scaled(heard: Heard, scale: float, others: Sequence[Hypothesis]) -> Heard:
    """The utterance with the probabilities of its hypotheses multiplied by ``scale``.

    The rest up to 1 goes to ``others``, in proportion to their first probabilities, and then to
    unknown speech.
    """
    ways = tuple(
        replace(way, probability=min(1.0, way.probability * scale)) for way in heard.hypotheses
    )
    left = max(0.0, 1.0 - sum(way.probability for way in ways))
    if left > 0.0:  # a hypothesis of probability 0 is none
        ways += tuple(replace(way, probability=way.probability * left) for way in others)
    unknown = max(0.0, 1.0 - sum(way.probability for way in ways))
    rest = Hypothesis((Word(UNKNOWN, heard.words[0].start, heard.words[-1].end),), unknown)
    return replace(heard, hypotheses=(*ways, rest), narrowed=None)


def _opposed(one: Outcomes, other: Outcomes) -> bool:
    """Whether two readings are one call each, and opposites. Different stones are not opposites."""
    first, second = (call_of(way[0]) if len(way) == 1 else None for way in (one, other))
    if first is None or second is None:
        return False
    stakes = isinstance(first, Bet | Raise) and type(first) is type(second)
    return differ(first, second) and not stakes


def _ended_by(second: Outcomes, first: Ways) -> Outcomes | None:
    """Several calls of the first hearing, the last of which is all that the second one heard.

    The likeliest such reading; None if there is none. "Órdago" and "no quiero" of two players are
    one utterance if the pause between them is short. The second hearing then has only the second
    call, which by itself would answer another bet.
    """
    if len(second) != 1 or (call := call_of(second[0])) is None:
        return None
    several = [
        calls
        for calls in first
        if len(calls) > 1 and all(isinstance(outcome, Accepted) for outcome in calls)
    ]
    found = [calls for calls in several if call_of(calls[-1]) == call]
    return max(found, key=first.__getitem__, default=None)


def _both(
    heard: Heard, narrowed: Narrowed, probability: float, calls: Outcomes, table: WaysPort
) -> Heard | None:
    """Several calls of the first hearing, of which the second one heard the last.

    Their probability is that of the words before the last call by the first hearing, times that of
    the last call by the second one. None if the first hearing is not sure of those words.
    """
    ways = [
        way
        for way in heard.hypotheses
        if calls in table.ways(replace(heard, words=way.words, hypotheses=(way,)))
    ]
    if not ways:
        return None
    best = max(ways, key=lambda way: way.probability)
    part = narrowed.hypotheses[0].words[0].start + OVERLAP
    before = [word.text for word in best.words if (word.start + word.end) / 2 <= part]
    said = sum(way.probability for way in heard.hypotheses if _holds(way, before))
    if not before or said < table.lexicon.hearing.sure:
        return None
    both = replace(best, probability=min(1.0, said * probability))
    span = (Word(UNKNOWN, heard.words[0].start, heard.words[-1].end),)
    unknown = Hypothesis(span, 1.0 - both.probability)
    return replace(heard, words=best.words, hypotheses=(both, unknown), narrowed=None)


def _is_as_long(narrowed: Narrowed, heard: Heard) -> bool:
    """Whether the second hearing has as many words as the first one, at the same time."""
    again, first = narrowed.hypotheses[0].words, heard.words
    return len(again) == len(first) and (
        again[0].start < (first[0].start + first[0].end) / 2
        and again[-1].end > (first[-1].start + first[-1].end) / 2
    )


def _holds(way: Hypothesis, texts: Sequence[str]) -> bool:
    """Whether a hypothesis has these words in this order, perhaps with others between them."""
    words = iter(word.text for word in way.words)
    return all(text in words for text in texts)


def _lacks_its_no(heard: Heard, narrowed: Narrowed, table: WaysPort) -> bool:
    """Whether the second hearing begins just after a "no" of the first one, and so lacks it.

    The pause in "no ... las quiero" splits the phrase, and its end alone means the opposite.
    """
    part = narrowed.hypotheses[0].words[0].start
    stretch = table.lexicon.hearing.stretch
    before = [
        word
        for word in heard.words
        if part - stretch < word.end and (word.start + word.end) / 2 <= part + OVERLAP
    ]
    return table.lexicon.ends_in_no(before)


def _loses_a_no(heard: Heard, narrowed: Narrowed, table: WaysPort) -> bool:
    """Whether the first hearing has more "no" than the second one.

    The second one takes in as little as possible of the sound just before. So "no tengo" becomes
    "tengo" more often than the other way round, and the table is asked.
    """

    def count(words: Sequence[Word]) -> int:
        return sum(table.lexicon.ends_in_no(words[at : at + 1]) for at in range(len(words)))

    return count(heard.words) > count(narrowed.hypotheses[0].words)


def _wary(hearing: Hearing) -> Hearing:
    """Stricter limits for a first hearing that the second one does not confirm."""
    return replace(hearing, sure=hearing.dear, faint=hearing.dear)


def _limits(hearing: Hearing) -> Hearing:
    return replace(hearing, floor=FLOOR, sure=SURE, dear=DEAR, faint=FAINT)


def clear_over_the_voice(heard: Heard, ways_of: WaysOf) -> Outcomes | None:
    """The calls that are clear although the assistant spoke over their beginning, or None.

    The first word may be lost. So "quiero" is never clear: it may have been "no quiero".
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


def answers_a_bet(heard: Heard, table: WaysPort) -> bool:
    """Whether words may be an answer to the pending bet, by either hearing."""
    if table.state.pending is None:
        return False
    second = heard.narrowed.hypotheses if heard.narrowed else ()
    for hypotheses in (heard.hypotheses, second):
        ways = table.ways(replace(heard, hypotheses=hypotheses))
        shares = (share for way, share in ways.items() if _is_answer(way))
        if sum(shares) >= table.lexicon.hearing.floor:
            return True
    return False


def _is_answer(way: Outcomes) -> bool:
    return isinstance(call_of(way[0]), Accept | Refuse)


def thought_of(heard: Heard, ways_of: WaysOf, hearing: Hearing) -> list[Call]:
    """The single calls that either hearing considered, the likeliest first.

    Each is at least ``RARE`` times as likely as a rival has to be: they cause a question only
    beside a rare bet.
    """
    second = heard.narrowed.hypotheses if heard.narrowed else ()
    shares: dict[Call, float] = {}
    for hypotheses in (heard.hypotheses, second):
        for outcomes, share in ways_of(replace(heard, hypotheses=hypotheses)).items():
            call = call_of(outcomes[0]) if len(outcomes) == 1 else None
            if call is not None and share > hearing.rival * RARE:
                shares[call] = max(share, shares.get(call, 0.0))
    return sorted(shares, key=shares.__getitem__, reverse=True)


class Denied:
    """The call that a player has just denied or taken back, and will hardly say now.

    If a player's "lo quiero" sounds like "no quiero", it does so each time. After "corrige", or
    after a no to "¿Órdago querido?", the same sound means the opposite call.
    """

    def __init__(self) -> None:
        self._seq = 0
        self._what: tuple[object, ...] = ()

    def take_back(self, records: Sequence[Record]) -> None:
        """Remember what the last record takes back; of several in a row, the earliest."""
        event = records[-1].event
        if isinstance(event, Retracted):
            gone = [record.event for record in records if record.batch == event.seq]
            self.note(gone, records[-1].seq)

    def asks(self, outcome: Outcome, seq: int) -> tuple[Call, Call] | None:
        """The denied call and its opposite, if the outcome is that call; else None."""
        if seq != self._seq or not isinstance(outcome, Accepted):
            return None
        other = _opposite(outcome.call) if _essence(outcome.events) == self._what else None
        return (outcome.call, other) if other and isinstance(outcome.call, Call) else None

    def note(self, events: Sequence[Event], seq: int) -> None:
        """Remember the events of a denied call, until something happens after ``seq``."""
        self._seq, self._what = seq, _essence(events)

    def weigh(self, ways: Ways, seq: int | None) -> dict[Outcomes, float]:
        """The ways of an utterance, with the denied call less probable than before.

        ``seq``: the last record; None if the ways are those of another history.
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
    """Events without who made them, to be compared."""
    return tuple(
        (type(event), *(getattr(event, field.name) for field in fields(event) if _says(field.name)))
        for event in events
    )


def _says(name: str) -> bool:
    return name not in ("seat", "implied")
