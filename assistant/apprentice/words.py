"""The texts of the apprentice's page: TOML files that a player may edit, checked when read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from string import Formatter

from assistant.apprentice.keys import SAYINGS, SHAPE
from assistant.phrases.language import Language, sentence
from assistant.rules.cards import Hand
from assistant.rules.errors import MusError
from assistant.rules.hands import value
from assistant.rules.phases import Lance
from assistant.rules.profile import Profile


class ApprenticeWordsError(MusError):
    """A file of texts that cannot be used; the error names the text."""


@dataclass(frozen=True, slots=True)
class Tongue:
    """All words for one page at one table.

    ``texts`` and ``language`` are of the page, ``calls`` and ``spoken`` of those who call: whoever
    reads English at a Basque table learns the Basque calls.
    """

    texts: Mapping[str, str]
    language: Language
    calls: Mapping[str, str]
    spoken: Language

    def __call__(self, key: str, /, **words: str | int) -> str:
        """The text ``key`` with its words filled in, with a capital at its beginning."""
        return sentence(self.texts[key].format(**words))

    def part(self, key: str, /, **words: str | int) -> str:
        """The same for a part of a sentence."""
        return self.texts[key].format(**words)

    def stones(self, n: int) -> str:
        """So many stones: "1 piedra"."""
        return self.texts["stones.one"] if n == 1 else self.part("stones.many", n=n)

    def between(self, least: int, most: int) -> str:
        """So many stones, at least and at most."""
        if least == most:
            return self.stones(least)
        return self.part("stones.between", least=least, most=most)

    def cards(self, hand: Hand, profile: Profile, *, low_first: bool = False) -> str:
        """Cards by name, in the order in which a lance compares them: "rey, tres, caballo, as".

        Where eight reyes are played a tres stands beside them, and is called what it is.
        """
        order = sorted(hand, key=lambda card: value((card,), profile).grande, reverse=not low_first)
        return ", ".join(self.texts[f"card.{card.rank}"] for card in order)

    def lance(self, lance: Lance | None) -> dict[str, str]:
        """A lance as the texts take it: ``lance`` "a la grande", ``the`` "la grande"."""
        if lance is None:
            return {"lance": "", "the": ""}
        return {
            "lance": self.language.lance(lance, "to"),
            "the": self.language.lance(lance, "the"),
        }


def tongue_of(
    texts: Mapping[str, object],
    language: Language,
    calls: Mapping[str, object],
    spoken: Language,
) -> Tongue:
    """Take parsed files, of texts and of calls. Raises ApprenticeWordsError, naming the text."""
    return Tongue(_checked(texts, SHAPE), language, _checked(calls, SAYINGS), spoken)


def _checked(mapping: Mapping[str, object], shape: Mapping[str, str]) -> dict[str, str]:
    texts = dict(_flatten(mapping))
    for key in texts:
        if key not in shape:
            raise ApprenticeWordsError(f"{key}: there is no such text; is it misspelt?")
    for key, slots in shape.items():
        if key not in texts:
            raise ApprenticeWordsError(f"{key}: this text is missing.")
        _check(key, texts[key], frozenset(slots.split()))
    return texts


def _flatten(table: Mapping[str, object], before: str = "") -> Iterator[tuple[str, str]]:
    for name, found in table.items():
        if isinstance(found, Mapping):
            yield from _flatten(found, f"{before}{name}.")
        elif isinstance(found, str):
            yield f"{before}{name}", found
        else:
            raise ApprenticeWordsError(f"{before}{name}: a text stands in quotes, not {found!r}.")


def _check(key: str, text: str, allowed: frozenset[str]) -> None:
    try:
        asked = [part[1:] for part in Formatter().parse(text) if part[1] is not None]
    except ValueError as error:
        raise ApprenticeWordsError(f"{key}: {text!r} has an unpaired brace.") from error
    for name, spec, mark in asked:
        if name not in allowed or spec or mark:
            known = ", ".join(f"{{{word}}}" for word in sorted(allowed)) or "no words in braces"
            raise ApprenticeWordsError(f"{key}: {{{name}}} is not known here; it may hold {known}.")
