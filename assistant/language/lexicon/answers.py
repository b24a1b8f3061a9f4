"""Answers to the assistant's questions: which option a wording selects.

The table has the questions and their options. This module knows only the wordings, by question and
by the option that they pick (``[answers.who]`` in a lexicon file).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from assistant.language.lexicon import text as fields
from assistant.language.lexicon.context import Moment
from assistant.language.lexicon.index import Index
from assistant.language.lexicon.rows import LexiconSource, Phrase, Row, wordings_of
from assistant.language.lexicon.seats import Names
from assistant.language.lexicon.text import NUMBER, PLAYER, WHOSE, Filled, LexiconError, Tokens

ANY = "any"
"""The answers that fit every question."""
QUESTIONS = frozenset(
    {ANY, "bare_raise", "reenvido", "which_bet", "no_quereis", "change_of_mind", "who", "whose"}
    | {"sure", "sure_ordago", "sure_accept", "which_said", "spoken_over", "cards_unclear"}
    | {"unheard", "proposal", "mano", "sure_undo", "holders", "new_deal"}
)
"""The codes of all questions."""


class Pick(StrEnum):
    """What an answer selects; the names are the keys of ``[answers.<question>]``."""

    YES = "yes"
    """The only option of the question."""
    NO = "no"
    """The only option of the question was not said."""
    DROP = "drop"
    """Nothing was meant, whatever was asked."""
    NOTED = "noted"
    """A player is doing it: he is putting his cards right."""
    FIRST = "first"
    SECOND = "second"
    STONES = "stones"
    """The option of {n} stones."""
    MORE = "more"
    """The option of most stones; ``FEWER``: of fewest."""
    FEWER = "fewer"
    BY = "by"
    """The raise by {n} stones, or by the number that was said."""
    UP_TO = "up_to"
    """The raise that makes {n} in all, or as many as were said."""
    PLAYER = "player"
    """The option that {player} said, or that is for his side."""
    SIDE = "side"
    """The option for {whose}."""
    US = "us"
    THEM = "them"
    BETTORS = "bettors"
    """The option for those who have bet at this lance; ``CALLERS``: for their rivals in it."""
    CALLERS = "callers"
    BLUE = "blue"
    """The option for the side that is blue on the page, the first of two; ``RED``: the other."""
    RED = "red"
    NEXT = "next"
    """The call belongs to the next lance."""
    UNDO = "undo"
    """The call before was not meant: this one replaces it."""
    ACCEPT = "accept"
    """The option that is this call, and so on."""
    REFUSE = "refuse"
    MUS = "mus"
    CUT = "cut"
    PASS = "pass"
    BET = "bet"
    ORDAGO = "ordago"
    HOLDS = "holds"
    LACKS = "lacks"
    ONLY = "only"
    """The option that each {player} holds the lance, and who has said so, but nobody else."""
    NOBODY = "nobody"
    """The option that nobody else holds it; ``EVERYBODY``: that all others do."""
    EVERYBODY = "everybody"
    BOTH = "both"
    """The option that both hold it, where there are no more than two who can."""
    APPLY = "apply"
    WAIVE = "waive"


SLOT_OF = {
    Pick.STONES: NUMBER, Pick.PLAYER: PLAYER, Pick.ONLY: PLAYER, Pick.SIDE: WHOSE,
}  # fmt: skip
"""The slot that a pick needs."""
TWO = 2


@dataclass(frozen=True, slots=True)
class SpokenAnswer:
    """What was answered: what it picks, and what filled the slots of its wording."""

    pick: Pick
    filled: Filled


@dataclass(frozen=True, slots=True)
class Answers:
    """The wordings of every question, each set with what it picks."""

    of: Mapping[str, Sequence[tuple[Pick, Index]]]
    phrases: tuple[Phrase, ...]

    def read(self, question: str, cores: Iterable[Tokens], names: Names) -> Iterator[SpokenAnswer]:
        """All answers to a question that the words can be; answers of that question come first."""
        said = tuple(cores)
        for code in (question, ANY):
            for pick, index in self.of.get(code, ()):
                for tokens in said:
                    for match in index.matches(tokens, names):
                        if match.end == len(tokens):
                            yield SpokenAnswer(pick, match.filled)


def answers_of(
    sources: Sequence[LexiconSource],
    also: Mapping[Pick, Sequence[str]],
    index_of: Callable[[Iterable[Phrase]], Index],
) -> Answers:
    """The answers of all files; ``also``: a bare yes and a bare no. Raises LexiconError."""
    found: dict[tuple[str, Pick], dict[Tokens, Phrase]] = {}
    for pick, texts in also.items():
        _add(found, ANY, pick, texts, f"[{pick}]")
    for source in sources:
        if "answers" not in source.table:
            continue
        place = source.place("[answers]")
        questions = fields.table(source.table, "answers")
        fields.only(questions, QUESTIONS, place)
        for question in questions:
            inside = f"{place[:-1]}.{question}]"
            table = fields.table(questions, question)
            for key in table:
                pick = fields.choice(Pick, key, inside)
                _add(found, question, pick, fields.texts(table, key, inside), inside)
    by_question: dict[str, list[tuple[Pick, Index]]] = {}
    for (question, pick), phrases in found.items():
        by_question.setdefault(question, []).append((pick, index_of(phrases.values())))
    # The ear puts "Norte y Este" together by itself; written out, the names would be too likely.
    every = {
        phrase.written: phrase
        for phrases in found.values()
        for phrase in phrases.values()
        if phrase.pattern.count(PLAYER) < TWO
    }
    return Answers(by_question, tuple(every.values()))


def _add(
    found: dict[tuple[str, Pick], dict[Tokens, Phrase]],
    question: str,
    pick: Pick,
    texts: Iterable[str],
    place: str,
) -> None:
    row = Row(means=pick.value, when=frozenset(Moment))
    phrases = found.setdefault((question, pick), {})
    for text in texts:
        for written, pattern in wordings_of(text, place):
            slot = SLOT_OF.get(pick)
            if slot and slot not in pattern:
                raise LexiconError(
                    f"{place}: {text!r} needs {slot}, or nobody knows what it picks."
                )
            phrases.setdefault(pattern, Phrase(written, pattern, row, place))
