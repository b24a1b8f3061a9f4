"""Numbers in words, by the table of a phrase file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from assistant.phrases.errors import PhraseError


class Form(StrEnum):
    """What is counted; the value is the file's table of words that change for it."""

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

    ``small`` are the words from zero without gaps; ``over`` the bases above, smallest first;
    ``forms`` by what is counted: the words that change there ("uno" -> "una").
    """

    small: tuple[str, ...]
    over: tuple[Base, ...]
    forms: Mapping[Form, Mapping[str, str]]

    def say(self, n: int, form: Form = Form.PLAIN) -> str:
        """``n`` in words; in digits where the table does not reach (negative, or too large)."""
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
    """Read the ``[numbers]`` of a phrase file. Raises PhraseError, naming what is wrong."""
    if not isinstance(table, Mapping):
        raise PhraseError("The phrases need a table [numbers].")
    wanted = {"small", "over", *(form for form in Form if form is not Form.PLAIN)}
    if set(table) != wanted:
        raise PhraseError(f"[numbers] holds {', '.join(sorted(wanted))}, all of them and no more.")
    small = table["small"]
    if not isinstance(small, list) or not small or not all(isinstance(w, str) for w in small):
        raise PhraseError("numbers.small is the list of words from zero on.")
    forms: dict[Form, Mapping[str, str]] = {
        form: _changes(form, table[form]) for form in Form if form is not Form.PLAIN
    }
    return Numbers(tuple(small), _bases(table["over"], len(small)), forms)


def _bases(rows: object, first: int) -> tuple[Base, ...]:
    wrong = PhraseError(
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


def _changes(form: Form, table: object) -> Mapping[str, str]:
    if not isinstance(table, Mapping) or not all(isinstance(v, str) for v in table.values()):
        raise PhraseError(f"numbers.{form} is a table of words, as {{ uno = 'una' }}.")
    return dict(table)
