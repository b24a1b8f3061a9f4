"""The Lexicon: reads words as calls in the context of the deal, strictly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from assistant.language.lexicon.answers import Answers, SpokenAnswer
from assistant.language.lexicon.context import Context, Moment
from assistant.language.lexicon.grammar import Grammars, SpokenPattern, vocabulary_of
from assistant.language.lexicon.hearing import (
    SHOWN,
    START,
    Aside,
    BreathLink,
    Filler,
    GoesOn,
    Hearing,
    Negations,
    Reading,
    Spoken,
    Talk,
    TalkReason,
)
from assistant.language.lexicon.index import Index, PhraseMatch
from assistant.language.lexicon.rows import MEANINGS, SAID, Row
from assistant.language.lexicon.seats import CardWords, SeatWords
from assistant.language.lexicon.text import (
    LANCE,
    NUMBER,
    SLOTS,
    UNKNOWN,
    Tokens,
    fold,
    is_question,
    split,
    tokens_of,
)
from assistant.messages import Word
from assistant.rules.calls import ShowHand
from assistant.rules.phases import Lance

READ = 512
"""Readings to keep, each of some words at one moment; an evening has a few hundred."""
RARELY = 6
"""A call is rarely continued if it is said alone this many times as often as all longer phrases."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a lexicon: calls as an index, answers, cards and seats, fillers, yes and no.

    ``asides``: the words by which a player corrects himself, or may do so.
    """

    index: Index
    answers: Answers
    cards: CardWords
    seats: SeatWords
    fillers: tuple[Tokens, ...]
    asides: Mapping[Tokens, Aside]
    yes: frozenset[Tokens]
    no: frozenset[Tokens]
    negations: Negations
    hearing: Hearing


class Lexicon:
    """The words of a table, in one language or several.

    It has no state: the same words in the same context are read alike.
    """

    def __init__(self, parts: Parts, said: SpokenPattern) -> None:
        self._parts = parts
        self._index = parts.index
        self._grammars = Grammars(said, parts.seats)
        # The same words are read again and again at one moment: the ear asks whether they are a
        # whole call, and then the table reads them. Their meaning does not change.
        self._read = lru_cache(maxsize=READ)(self._made_of)
        self._goes_on = lru_cache(maxsize=READ)(self._may_go_on)
        self._talk = lru_cache(maxsize=READ)(self._is_talk)
        self._idle = lru_cache(maxsize=READ)(self._moves_nothing)
        self._fillers_by: dict[str, list[Tokens]] = {}
        for words in dict.fromkeys((*parts.fillers, *parts.asides)):
            self._fillers_by.setdefault(words[0], []).append(words)

    def grammar(self, context: Context | None = None) -> tuple[str, ...]:
        """The phrases for the recogniser; a frequent one is listed several times.

        In a ``context``, the calls that belong to it are frequent. The same tuple is returned as
        long as the context asks for the same calls.
        """
        return self._grammars.broad(context)

    def whole_grammar(self, seats: Sequence[str] = ()) -> tuple[str, ...]:
        """Every phrase of any grammar of a table, with answers and its players' names."""
        return self._grammars.whole(tuple(seats))

    def expected_grammar(self, context: Context) -> tuple[str, ...]:
        """Only the phrases that may be said now; the same tuple as long as they are the same."""
        return self._grammars.expected(context)

    def hand_grammar(self, context: Context) -> tuple[str, ...]:
        """The phrases of a hand that is named aloud; the same tuple for the same players."""
        return self._grammars.hands(context)

    def names_hand(self, words: Sequence[Word], context: Context) -> bool:
        """Whether words are four cards, perhaps after their player's name, and nothing else."""
        tokens = tuple(fold(word.text) for word in words)
        return any(end == len(tokens) for _, end in self._hands_at(tokens, 0, context))

    def lays_hand(self, pieces: Sequence[Sequence[Word]], context: Context) -> bool:
        """Whether the pieces are a hand of which each names some cards, with pauses between them.

        "Cuatro", a pause, "reyes" is none: nobody pauses there, so these are two cards of which
        one was misheard.
        """
        if not self.names_hand([word for piece in pieces for word in piece], context):
            return False
        tokens = [tuple(fold(word.text) for word in piece) for piece in pieces]
        _, first = self._parts.seats.seat(tokens[0], 0, context)
        cards_first = tokens[0][first:]
        named = first > 0 and not cards_first
        return self._parts.cards.completed_by(tokens[1:] if named else [cards_first, *tokens[1:]])

    @property
    def hearing(self) -> Hearing:
        """The limits by which sound is cut and trusted at this table."""
        return self._parts.hearing

    def vocabulary(self) -> frozenset[str]:
        """Every word except players' names; the recogniser's model has to know them all."""
        return vocabulary_of(self.whole_grammar())

    def answers(
        self, question: str, words: Sequence[Word], context: Context
    ) -> Iterator[SpokenAnswer]:
        """Which options of a question words may pick; answers of that question come first."""
        names = self._parts.seats.names(context)
        return self._parts.answers.read(question, self._cores(words), names)

    def reads(self, words: Sequence[Word], context: Context) -> bool:
        """Whether words are calls or a command at this moment, apart from any question."""
        return isinstance(self.read(words, context), Spoken)

    def is_one_call(self, words: Sequence[Word], context: Context) -> bool:
        """Whether words are one call or command at this moment, with or without fillers."""
        rest, link, calls = tuple(words), START, 0
        while rest and calls < 2:
            reading = self.read(rest, context, link)
            if isinstance(reading, Talk):
                return False
            calls += isinstance(reading, Spoken)
            rest, link = rest[reading.taken :], reading.link
        return calls == 1

    def is_yes(self, words: Sequence[Word]) -> bool:
        """Whether words are a yes to the assistant's question, without a call beside it."""
        return self._are(words, self._parts.yes)

    def is_no(self, words: Sequence[Word]) -> bool:
        """Whether words are a no to the assistant's question, without a call beside it."""
        return self._are(words, self._parts.no)

    def is_known_talk(self, words: Sequence[Word], context: Context) -> bool:
        """Whether words are one of the lexicon's phrases of talk, such as advice or a question."""
        return self._talk(tuple([fold(word.text) for word in words]), context)

    def calls_among(self, words: Sequence[Word], context: Context) -> int:
        """How many calls of the game lie in words, of whatever moment, with anything between them.

        A number alone counts for none: people count everything. ``context``: who sits at the table.
        """
        return len(self.sizes_of_calls(words, context))

    def sizes_of_calls(self, words: Sequence[Word], context: Context) -> list[int]:
        """How many words each of those calls has."""
        tokens = tuple([fold(word.text) for word in words])
        names = self._parts.seats.names(context)
        sizes = []
        at = 0
        while at < len(tokens):
            matches = self._index.matches(tokens, names, at)
            longest = max([match.end for match in matches], default=at + 1)
            if any(
                match.end == longest
                and match.phrase.row.means in SAID
                and match.phrase.pattern != (NUMBER,)
                for match in matches
            ):
                sizes.append(longest - at)
            at = longest
        return sizes

    def _is_talk(self, tokens: Tokens, context: Context) -> bool:
        return any(
            match.end == len(core)
            and match.phrase.row.means is None
            and context.moment in match.phrase.row.when
            for core in self._cores_of(tokens)
            for match in self._matches(core, context)
        )

    def number(self, words: Sequence[Word]) -> int | None:
        """The number that words are, with nothing beside it; else None."""
        values = (self._index.value(core) for core in self._cores(words))
        return next((value for value in values if value is not None), None)

    def lance(self, words: Sequence[Word]) -> Lance | None:
        """The lance that words name, with nothing beside it; else None."""
        lances = (self._index.lance(core) for core in self._cores(words))
        return next((lance for lance in lances if lance is not None), None)

    def is_number_at_a_lance(self, words: Sequence[Word]) -> bool:
        """Whether words are a number and a lance alone: "dos a la grande"."""
        return any(
            self.number(one) is not None and self.lance(other) is not None
            for at in range(1, len(words))
            for one, other in ((words[:at], words[at:]), (words[at:], words[:at]))
        )

    def _are(self, words: Sequence[Word], wanted: frozenset[Tokens]) -> bool:
        """Whether words are one of those wanted, with at most a filler before and after."""
        return any(core in wanted for core in self._cores(words))

    def _cores(self, words: Sequence[Word]) -> Iterator[Tokens]:
        """The words; and the words without a filler before them, after them, or both."""
        return self._cores_of(tuple([fold(word.text) for word in words]))

    def _cores_of(self, tokens: Tokens) -> Iterator[Tokens]:
        for start in (0, *self._fillers(tokens, 0)):
            for end in range(start + 1, len(tokens) + 1):
                if end == len(tokens) or len(tokens) in self._fillers(tokens, end):
                    yield tokens[start:end]

    def segments(self, words: Sequence[Word]) -> tuple[tuple[Word, ...], ...]:
        """Cut an utterance at its pauses, but not inside a phrase that a short pause splits."""
        if len(words) < 2:
            return (tuple(words),) if words else ()
        hearing = self._parts.hearing
        segments: list[tuple[Word, ...]] = []
        for chain in split(words, max(hearing.pause, hearing.stretch)):
            pieces = split(chain, hearing.pause)
            segments.append(pieces[0])
            done = len(pieces[0])
            for piece in pieces[1:]:
                if self._torn(chain[done - len(segments[-1]) :], len(segments[-1])):
                    segments[-1] += piece
                else:
                    segments.append(piece)
                done += len(piece)
        return tuple(segments)

    def read(self, words: Sequence[Word], context: Context, link: BreathLink = START) -> Reading:
        """Read one call from the front of the rest of a segment; ``link``: the call before it.

        The caller applies the call and reads on after the words it took, in the new context. A
        segment moves the game only if it can be read to its last word. So nothing of it may be
        kept before the last reading is there.
        """
        texts = tuple([word.text for word in words])
        if not texts:
            return Talk(TalkReason.TALK)
        if UNKNOWN in texts:
            return Talk(TalkReason.NOISE)
        floor = self._parts.hearing.floor
        for word in words:
            if word.confidence < floor:
                return Talk(TalkReason.UNSURE)
        return self._read(texts, context, link)

    def _made_of(self, texts: tuple[str, ...], context: Context, link: BreathLink) -> Reading:
        """What the words are, judged only by how they are written."""
        tokens = tuple([fold(text) for text in texts])
        for hand, end in self._hands_at(tokens, 0, context):
            if self._rest_reads(tokens, end, context, SHOWN):
                return Spoken(hand, end, SHOWN)
        matches = self._matches(tokens, context)
        if talk := self._known_talk(matches, tokens, context):
            return talk
        call = self._call(matches, tokens, context, link)
        question = is_question(texts)
        if call and (call.phrase.row.command or not question):
            return _spoken(call, texts, self._parts.negations.link(call.phrase))
        return Talk(TalkReason.QUESTION) if question else self._filler(tokens, context, link)

    def ends_in_no(self, words: Sequence[Word]) -> bool:
        """Whether the last word is a "no" that turns what follows into its opposite."""
        return bool(words) and self._parts.negations.turn(words[-1].text)

    def thinks_again(self, words: Sequence[Word], context: Context) -> bool:
        """Whether a player may correct himself: "perdón" stands between a call and more words."""
        tokens = tuple([fold(word.text) for word in words])
        return any(
            self._aside(tokens[at:end]) > Aside.FILLER
            and end < len(tokens)
            and self.calls_among(words[:at], context) > 0
            for at in range(1, len(tokens))
            for end in self._fillers(tokens, at)
        )

    def goes_on(self, text: str, context: Context) -> GoesOn:
        """Whether the words so far, a complete call or not, may go on to mean something else.

        "No hay mus" is complete; "envido" may become "envido cinco". "Paso" is the same call as
        "paso a chica", and the rest of that moves nothing by itself.
        """
        return self._goes_on(text, context)

    def _may_go_on(self, text: str, context: Context) -> GoesOn:
        tokens = tokens_of(text)
        if not tokens:
            return GoesOn.OFTEN
        if context.moment is Moment.SHOWDOWN and self._parts.cards.begins(tokens):
            return GoesOn.DEARLY
        call = self._call(self._matches(tokens, context), tokens, context, START)
        if call and (call.end < len(tokens) or context.moment not in call.phrase.row.when):
            call = None
        said = call.phrase.row if call else None
        means = said.means if said else None
        longer = [
            (phrase, rest)
            for phrase, rest in self._index.longer(tokens, self._parts.seats.names(context))
            if context.moment in phrase.row.moments
            # What means the same, and is only read, is not waited for.
            and (said is None or phrase.row.weight or phrase.row.means != means)
        ]
        for phrase, rest in longer:
            if self._is_torn_dearly(said, phrase.row, rest, context):
                return GoesOn.DEARLY
        if said is None or self._index.number_grows(tokens):
            return GoesOn.OFTEN
        weight = 0
        for phrase, rest in longer:
            if phrase.row.means != said.means or not self._idle(rest):
                weight += max(phrase.row.weight, 1)
        if not weight:
            return GoesOn.NO
        return GoesOn.RARELY if weight * RARELY <= said.weight else GoesOn.OFTEN

    def _is_torn_dearly(self, said: Row | None, whole: Row, rest: Tokens, context: Context) -> bool:
        """Whether a phrase cut after the words so far would become two calls that nobody meant.

        "Corrige" takes back the last call, but "corrige la grande eran cinco" does not; and the
        end of "no lo quiero" accepts what the complete phrase refuses.
        """
        if said and said.command:
            return whole.means not in (None, said.means)
        if said and said.means != whole.means:
            return False
        for match in self._matches(rest, context):
            row = match.phrase.row
            ends = match.end == len(rest) and context.moment in row.when
            if ends and row.means not in (None, whole.means):
                return True
        return False

    def _moves_nothing(self, pattern: Tokens) -> bool:
        """Whether the end of a phrase, heard alone, is no call; the name of a lance is none."""
        if any(token in SLOTS and token != LANCE for token in pattern):
            return False
        words = tuple(token for token in pattern if token != LANCE)
        names = self._parts.seats.names()
        return not any(match.phrase.row.means for match in self._index.matches(words, names))

    def _matches(self, tokens: Tokens, context: Context, start: int = 0) -> list[PhraseMatch]:
        """The phrases that begin there, without those whose need is not met."""
        names = self._parts.seats.names(context)
        return [
            match
            for match in self._index.matches(tokens, names, start)
            if match.phrase.row.needs is None or context.has(match.phrase.row.needs)
        ]

    def _known_talk(
        self, matches: Sequence[PhraseMatch], tokens: Tokens, context: Context
    ) -> Talk | None:
        """The longest phrase, if it is known to be no call at this moment."""
        longest = max((match.end for match in matches), default=0)
        for match in matches:
            row = match.phrase.row
            if match.end == longest and row.means is None and context.moment in row.when:
                # "Sí" to a bet is worth a question; "sí, hombre, claro" is not.
                reads = self._rest_reads(tokens, longest, context, START)
                return Talk(row.why if reads else TalkReason.TALK, row.goes_on)
        return None

    def _call(
        self, matches: Sequence[PhraseMatch], tokens: Tokens, context: Context, link: BreathLink
    ) -> PhraseMatch | None:
        """The longest phrase that is a call; of two equally long, the one that belongs here."""
        best: PhraseMatch | None = None
        first = (0, False)
        for match in matches:
            rank = (match.end, context.moment in match.phrase.row.when)
            # Only phrases that would win against the best so far need a look.
            if (best is None or rank > first) and self._fits(match, tokens, context, link):
                best, first = match, rank
        return best

    def _fits(self, match: PhraseMatch, tokens: Tokens, context: Context, link: BreathLink) -> bool:
        """Whether a phrase is a call at this moment, and what follows it can be calls too."""
        row = match.phrase.row
        if row.means is None or context.moment not in row.moments:
            return False
        if row.alone:
            return match.end == len(tokens) or (
                row.beside_calls and self._rest_reads(tokens, match.end, context, START)
            )
        if not link.allows(match.phrase, self._parts.negations.short):
            return False
        after = self._parts.negations.link(match.phrase)
        return self._rest_reads(tokens, match.end, context, after)

    def _rest_reads(self, tokens: Tokens, start: int, context: Context, link: BreathLink) -> bool:
        """Whether the words from ``start`` can be cut into calls, of whatever moment and need.

        This keeps "dos reyes" from being a bet of two: words that cannot all be read move nothing.
        """
        names = self._parts.seats.names(context)
        waiting, seen = [(start, link)], {(start, link)}
        while waiting:
            at, before = waiting.pop()
            if at == len(tokens):
                return True
            ways = [
                (end, before.after_filler(self._aside(tokens[at:end])))
                for end in self._fillers(tokens, at)
            ]
            ways += [(end, SHOWN) for _, end in self._hands_at(tokens, at, context)]
            for match in self._index.matches(tokens, names, at):
                if _chains(match) and before.allows(match.phrase, self._parts.negations.short):
                    ways.append((match.end, self._parts.negations.link(match.phrase)))
                elif match.phrase.row.beside_calls and match.end == len(tokens) and before.means:
                    return True  # "paso, corrige" takes back what was said just before
            waiting += [way for way in ways if way not in seen]
            seen.update(ways)
        return False

    def _hands_at(
        self, tokens: Tokens, at: int, context: Context
    ) -> Iterator[tuple[ShowHand, int]]:
        """Four cards, perhaps after the name of their player; only when hands are shown."""
        if context.moment is Moment.SHOWDOWN:
            seat, first = self._parts.seats.seat(tokens, at, context)
            for cards, end in self._parts.cards.hands(tokens, first):
                yield ShowHand(seat=seat, cards=cards), end

    def _fillers(self, tokens: Tokens, at: int) -> list[int]:
        """The places where fillers that begin at ``at`` end."""
        if at >= len(tokens):
            return []
        return [
            at + len(words)
            for words in self._fillers_by.get(tokens[at], ())
            if tokens[at : at + len(words)] == words
        ]

    def _aside(self, filler: Tokens) -> Aside:
        return self._parts.asides.get(filler, Aside.FILLER)

    def _filler(self, tokens: Tokens, context: Context, link: BreathLink) -> Reading:
        for end in sorted(self._fillers(tokens, 0), reverse=True):
            command = any(
                match.phrase.row.alone and match.end == len(tokens)
                for match in self._matches(tokens, context, end)
            )
            after = link.after_filler(self._aside(tokens[:end]))
            if command or self._rest_reads(tokens, end, context, after):
                return Filler(end, after)
        return Talk()

    def _torn(self, words: tuple[Word, ...], cut: int) -> bool:
        """Whether one phrase spans the pause before word ``cut``."""
        tokens = tuple(fold(word.text) for word in words)
        if any(end > cut for at in range(cut) for _, end in self._parts.cards.hands(tokens, at)):
            return True  # "siete, seis ... seis, tres"
        if tokens[cut - 1] == tokens[cut]:
            return False  # "paso ... paso": the second one is another player's
        if self._opens_a_lance(tokens[cut:]):
            return False  # "paso ... a chica envido tres": the lance belongs to what follows
        names = self._parts.seats.names()
        return any(
            match.end > cut and _may_be_torn(match)
            for at in range(cut)
            for match in self._index.matches(tokens, names, at)
        )

    def _opens_a_lance(self, tokens: Tokens) -> bool:
        matches = self._index.matches(tokens, self._parts.seats.names())
        return self._index.names_lance(tokens, 0) and any(map(_chains, matches))


def _chains(match: PhraseMatch) -> bool:
    """Whether other calls may stand before this one in the same segment."""
    row = match.phrase.row
    return row.means is not None and not row.alone


def _may_be_torn(match: PhraseMatch) -> bool:
    """In a declaration round "no ... tengo" is said by two players; elsewhere by one."""
    return match.phrase.row.means not in (None, "holds", "lacks")


def _spoken(match: PhraseMatch, texts: Sequence[str], link: BreathLink) -> Spoken:
    row = match.phrase.row
    filled = replace(
        match.filled,
        lance=match.filled.lance or row.lance,
        whose=match.filled.whose or row.whose,
        said=" ".join(texts[: match.end]),
    )
    return Spoken(MEANINGS[row.means or ""](filled), match.end, link)
