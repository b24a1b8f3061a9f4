"""The checker of text files: sentences by key, with the words that may stand in their braces.

Every text that a player may edit is in a TOML file of ``models/<language>/``. A feature says
which sentences it needs (its *shape*); what a parsed file holds is flattened and checked here. The
file itself is found and read by ``files/resources.py``, because this room reads no disk.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from string import Formatter

from assistant.rules.errors import MusError

Shape = Mapping[str, str]
"""Key of a sentence, as "say.bet" -> the words that may stand in its braces, between spaces."""


MANY = "many"
FORMS = ("zero", "one", MANY)
"""Forms of one sentence for different numbers."""


class SentenceError(MusError, ValueError):
    """A file of sentences that cannot be used; its text is one sentence that names the key."""


@dataclass(frozen=True, slots=True)
class Wording:
    """The checked sentences of one file, by key ("deal.title")."""

    texts: Mapping[str, str]

    def __call__(self, key: str, /, **words: str | int) -> str:
        """The sentence ``key`` with its words filled in."""
        return self.texts[key].format(**words)

    def names(self, names: Iterable[str]) -> str:
        """Names as a list, by the sentences ``names.*``: "Norte y Sur", "Ana e Iñaki"."""
        return self.names_of("names", names)

    def names_of(self, section: str, names: Iterable[str]) -> str:
        """The same by the sentences of another section."""
        return joined(names, self.texts, section)


def joined(names: Iterable[str], texts: Mapping[str, str], section: str) -> str:
    """Names as a list, by the sentences of a section; ``and_soft`` stands before the same vowel."""
    *first, last = names
    if not first:
        return last
    soft = last.lower().startswith(tuple(texts[f"{section}.soft_before"].split()))
    before = texts[f"{section}.comma"].join(first)
    return texts[f"{section}.{'and_soft' if soft else 'and'}"].format(first=before, last=last)


def flatten(table: Mapping[str, object]) -> dict[str, str]:
    """The texts of a parsed file by key; a list's are numbered: "clock.stopped.0".

    Raises SentenceError where a value is neither a text nor a table or list of texts.
    """
    return dict(_flat(table, ""))


def _flat(table: Mapping[str, object], before: str) -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        key = f"{before}{name}"
        if isinstance(value, Mapping):
            yield from _flat(value, f"{key}.")
        elif isinstance(value, list):
            yield from _flat({str(at): one for at, one in enumerate(value)}, f"{key}.")
        elif isinstance(value, str):
            yield key, value
        else:
            raise SentenceError(f"{key}: a sentence is a text in quotes, not {value!r}.")


def check_sentences(table: Mapping[str, object], shape: Shape) -> dict[str, str]:
    """The texts of a parsed file, which has the keys of ``shape`` and no other.

    Raises SentenceError where a sentence is missing or unknown, where it is no text, or where its
    braces hold what the code does not fill in.
    """
    texts = flatten(table)
    for key in texts:
        if key not in shape:
            raise SentenceError(f"{key}: there is no such sentence; is it misspelt?")
    for key, allowed in shape.items():
        if key not in texts:
            raise SentenceError(f"{key}: this sentence is missing.")
        check_sentence(key, texts[key], allowed)
    return texts


def check_sentence(key: str, text: str, words: str) -> None:
    """Check that a sentence has only these words in braces. Raises SentenceError."""
    _check_words(key, text, frozenset(words.split()))


def wording_from(table: Mapping[str, object], shape: Shape) -> Wording:
    """Check a parsed file. Raises SentenceError, as ``check_sentences`` does."""
    return Wording(check_sentences(table, shape))


def shape_of(texts: Mapping[str, str]) -> dict[str, str]:
    """The shape of a file itself, which its translations must have, too.

    The forms of one sentence ("zero", "one", "many") share their words, because one language says
    "1 piedra" where another has "{n}". Raises SentenceError where braces hold more than words.
    """
    words = {key: words_in(key, text) for key, text in texts.items()}
    for key in texts:
        before, _, form = key.rpartition(".")
        if form == MANY:
            forms = [f"{before}.{one}" for one in FORMS if f"{before}.{one}" in words]
            together = frozenset[str]().union(*(words[one] for one in forms))
            words |= dict.fromkeys(forms, together)
    return {key: " ".join(sorted(names)) for key, names in words.items()}


def words_in(key: str, text: str) -> frozenset[str]:
    """The words in a sentence's braces. Raises SentenceError where they are more than words."""
    words = frozenset(name for name, _, _ in _fields(key, text))
    _check_words(key, text, frozenset(word for word in words if word.isidentifier()))
    return words


def _check_words(key: str, text: str, allowed: frozenset[str]) -> None:
    """Only plain words in braces, and only those that the code fills in."""
    for name, spec, mark in _fields(key, text):
        if name not in allowed or spec or mark:
            known = ", ".join(f"{{{word}}}" for word in sorted(allowed)) or "no words in braces"
            raise SentenceError(f"{key}: {{{name}}} is not known here; it may hold {known}.")


def _fields(key: str, text: str) -> list[tuple[str, str | None, str | None]]:
    try:
        parts = list(Formatter().parse(text))
    except ValueError as error:
        raise SentenceError(f"{key}: {text!r} has an unpaired brace.") from error
    return [(name, spec, mark) for _, name, spec, mark in parts if name is not None]
