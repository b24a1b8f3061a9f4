"""A language: its checked sentences, its numbers in words, and the names that are filled in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Literal

from assistant.language.phrases.keys import SHAPE
from assistant.language.sentences import SentenceError, check_sentences, joined
from assistant.rules.cards import Rank
from assistant.rules.hands import STRENGTH
from assistant.rules.phases import Lance
from assistant.rules.state import State

# ---- Numbers in words, by the table of a phrase file --------------------------------------------


class PhraseForm(StrEnum):
    """The kind of thing counted; the value names the file's table of words that change for it."""

    PLAIN = "plain"
    STONES = "of_stones"
    NOUN = "before_noun"


@dataclass(frozen=True, slots=True)
class Base:
    """A round number above the small ones: alone ("cien"), or with a rest ("ciento {rest}")."""

    value: int
    alone: str
    more: str


@dataclass(frozen=True, slots=True)
class Numbers:
    """How a language says whole numbers from 0 on.

    ``small`` are the words from zero without gaps. ``over`` are the bases above, smallest first.
    ``forms`` holds, by the kind of thing counted, the words that change ("uno" -> "una").
    """

    small: tuple[str, ...]
    over: tuple[Base, ...]
    forms: Mapping[PhraseForm, Mapping[str, str]]

    def say(self, n: int, form: PhraseForm = PhraseForm.PLAIN) -> str:
        """``n`` in words; in digits if the table does not reach it (negative, or too large)."""
        words = self._words(n)
        if words is None:
            return str(n)
        changes = self.forms.get(form, {})
        return " ".join(changes.get(word, word) for word in words.split(" "))

    def _words(self, n: int) -> str | None:
        if 0 <= n < len(self.small):
            return self.small[n]
        base = max((b for b in self.over if b.value <= n), key=lambda b: b.value, default=None)
        if base is None:
            return None
        rest = n - base.value
        if rest == 0:
            return base.alone
        # The last base reaches only to the next one of its kind: "doscientos cuarenta", no more.
        words = self._words(rest) if rest < base.value else None
        return None if words is None else base.more.replace("{rest}", words)


def numbers_from(table: object) -> Numbers:
    """Read the ``[numbers]`` of a phrase file. Raises SentenceError, naming what is wrong."""
    if not isinstance(table, Mapping):
        raise SentenceError("The phrases need a table [numbers].")
    wanted = {"small", "over", *(form for form in PhraseForm if form is not PhraseForm.PLAIN)}
    if set(table) != wanted:
        raise SentenceError(
            f"[numbers] holds {', '.join(sorted(wanted))}, all of them and no more."
        )
    small = table["small"]
    if not isinstance(small, list) or not small or not all(isinstance(w, str) for w in small):
        raise SentenceError("numbers.small is the list of words from zero on.")
    forms: dict[PhraseForm, Mapping[str, str]] = {
        form: _changes(form, table[form]) for form in PhraseForm if form is not PhraseForm.PLAIN
    }
    return Numbers(tuple(small), _bases(table["over"], len(small)), forms)


def _bases(rows: object, first: int) -> tuple[Base, ...]:
    wrong = SentenceError(
        "numbers.over is a list of { value = 30, alone = 'treinta', more = 'treinta y {rest}' }, "
        f"in growing order, the first with value = {first}."
    )
    bases: list[Base] = []
    for row in rows if isinstance(rows, list) else ():
        match row:
            case {"value": int(value), "alone": str(alone), "more": str(more)} if len(row) == 3:
                bases.append(Base(value, alone, more))
            case _:
                raise wrong
    values = [base.value for base in bases]
    if not values or values[0] != first or values != sorted(set(values)):
        raise wrong
    if not all("{rest}" in base.more for base in bases):
        raise wrong
    return tuple(bases)


def _changes(form: PhraseForm, table: object) -> Mapping[str, str]:
    if not isinstance(table, Mapping) or not all(isinstance(v, str) for v in table.values()):
        raise SentenceError(f"numbers.{form} is a table of words, as {{ uno = 'una' }}.")
    return dict(table)


# ---- The sentences, checked once, and the names that are filled into them -----------------------


LanceForm = Literal["name", "the", "to", "at"]
"""grande, la grande, a la grande (spoken), a grande (written)."""

RANK_OF = {strength: rank for rank, strength in STRENGTH.items()}


class StyledTexts(Mapping[str, str]):
    """The sentences of a language in a caller's style. Of several wordings each has its turn."""

    def __init__(
        self, plain: Mapping[str, str], styled: Mapping[str, tuple[str, ...]], turn: int = 0
    ) -> None:
        """``styled``: key -> the wordings that stand in for the plain one."""
        self._plain = plain
        self._styled = styled
        self._turn = turn

    def at(self, turn: int) -> StyledTexts:
        """The same sentences with the wordings of another turn, from 0."""
        return StyledTexts(self._plain, self._styled, turn)

    def __getitem__(self, key: str) -> str:
        wordings = self._styled.get(key)
        return wordings[self._turn % len(wordings)] if wordings else self._plain[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._plain)

    def __len__(self) -> int:
        return len(self._plain)


@dataclass(frozen=True, slots=True)
class Language:
    """The sentences by key ("say.bet"), the numbers, and how names are joined.

    ``sounds``: words that the language's own voice would misread, in small letters, and how each is
    spelt for it.
    ``longest_count``: the most letters and spaces of a count in a few words, so that it takes six
    seconds at most; some languages are spoken faster than others.
    ``turns``: the brief sentences also say whose turn it is at each lance.
    """

    texts: Mapping[str, str]
    numbers: Numbers
    sounds: Mapping[str, str] = field(default_factory=dict)
    longest_count: int = 80
    turns: bool = False

    def fill(self, key: str, **words: str | int) -> str:
        """The sentence ``key`` with its words filled in; it begins with a capital as written."""
        return self.texts[key].format(**words)

    def at(self, turn: int) -> Language:
        """The language with the wordings of a turn, where its style has several."""
        if isinstance(self.texts, StyledTexts):
            return replace(self, texts=self.texts.at(turn))
        return self

    def number(self, n: int) -> str:
        """A number alone: "uno a cero"."""
        return self.numbers.say(n)

    def stones(self, n: int) -> str:
        """A number of stones: "una", "treinta y una"."""
        return self.numbers.say(n, PhraseForm.STONES)

    def lance(self, lance: Lance, form: LanceForm = "name") -> str:
        """The name of a lance in one of its forms."""
        return self.texts[f"lance.{form}.{lance}"]

    def rank(self, strength: int) -> str:
        """The plural name of the cards of a strength (1 to 10): "reyes"."""
        return self.texts[f"ranks.{RANK_OF[strength]}"]

    def card(self, rank: Rank) -> str:
        """The name of one card, without its suit: "rey"."""
        return self.texts[f"card.{rank}"]

    def name(self, state: State, seat: int | None) -> str:
        """The name of a player; "somebody" if the seat is unknown."""
        return self.texts["join.somebody"] if seat is None else state.seats[seat - 1]

    def side(self, state: State, side: str) -> str:
        """The names of a side: "Norte y Sur"."""
        return self.join(state.seats[seat - 1] for seat in sorted(state.seats_of(side)))

    def join(self, names: Iterable[str]) -> str:
        """Names as a list: "Norte, Sur y Este"; "Ana e Iñaki" before the same vowel."""
        return joined(names, self.texts, "join")

    def score(self, stones: int) -> str:
        """Stones as a table counts them (R42): "dos amarracos y tres"."""
        amarracos, rest = divmod(stones, 5)
        if not amarracos:
            if rest > 1:
                return self.fill("score.piedras", stones=self.stones(rest))
            return self.texts["score.piedra" if rest else "score.none"]
        key = "score.amarraco" if amarracos == 1 else "score.amarracos"
        return self.fill(
            f"{key}_and" if rest else key,
            amarracos=self.numbers.say(amarracos, PhraseForm.NOUN),
            stones=self.stones(rest),
        )


def sentence(text: str) -> str:
    """The text with a capital at its first letter, which may stand after "¿" or "¡"."""
    for i, char in enumerate(text):
        if char.isalnum():
            return text[:i] + char.upper() + text[i + 1 :]
    return text


def language_from(mapping: Mapping[str, object]) -> Language:
    """Check a parsed phrase file. Raises SentenceError with one sentence that names the phrase."""
    rest = dict(mapping)
    numbers = numbers_from(rest.pop("numbers", None))
    sounds = _sounds(rest.pop("sounds", {}))
    longest = rest.pop("longest_count", None)
    if type(longest) is not int or longest < 1:
        raise SentenceError("longest_count is the number of letters that a count may have, as 80.")
    texts = check_sentences(rest, SHAPE)
    return Language(texts, numbers, sounds, longest)


def _sounds(table: object) -> Mapping[str, str]:
    """The table of words that a voice would misread; a language may have none."""
    if not isinstance(table, Mapping) or not all(isinstance(v, str) for v in table.values()):
        raise SentenceError(
            "[sounds] is a table of words as the voice reads them: juego = 'hooaygo'."
        )
    return {word.lower(): spelt for word, spelt in table.items()}
