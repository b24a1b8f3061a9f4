"""Basque letters to the model's sounds: for each letter the nearest Spanish sound.

Speakers differ (north and south, by valley, by age), so a word has several pronunciations. `HABITS`
lists the differences. One speaker has one habit, so it holds for the whole word. Sources: Hualde
and Ortiz de Urbina, A Grammar of Basque (2003), ch. 2; Euskaltzaindia's rule 87 (the pronunciation
of batua).
"""

import itertools
import re
from collections.abc import Iterator

from . import g2p

Sounds = tuple[str, ...]

_V = "aeiouü"
HABITS: dict[str, tuple[str, ...]] = {
    # Gipuzkoa says it like Spanish jota; Bizkaia, Navarre and the north (and batua) like y.
    "j": ("x", "y"),
    # Silent in the south; the north breathes it, and Spanish has nothing nearer than jota.
    "h": ("", "x"),
    # Between vowels a silent h leaves two syllables or one ("nahi": na-i, nai).
    "h between": ("", "-", "x"),
    # Affricates; Bizkaia and those who learnt Basque late make them one with tx.
    "ts": ("t s", "tS"),
    # French ch, which Spanish lacks.
    "x": ("tS", "s"),
    # Palatal stops, which Spanish lacks.
    "tt": ("tS", "t"),
    "dd": ("y", "d"),
    # A weak vowel before another one: two syllables ("txi-ki-a") or, in a hurry, one.
    "i before": ("i", "j"),
    "u before": ("u", "w"),
    # "Jokoa" is "jokua" and "parea" is "paria" for most speakers, whatever the spelling says.
    "o before a": ("o", "u"),
    "e before a": ("e", "i"),
    # Between vowels i is nearly a consonant ("haiei").
    "i between": ("j", "y"),
    # South: n and l after a falling diphthong become ñ and ll ("baina", "laguntzaile").
    "in": ("n", "J"),
    "il": ("l", "y"),
}
"""The sounds that a habit chooses from, the one of careful southern speech first.

"-" is no sound, but parts two vowels.
"""

# The first pattern that matches gives the sounds, or names a habit in angle brackets.
_RULES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), result)
    for pattern, result in (
        (r"tx", "tS"),
        (r"t[sz]", "<ts>"),
        (r"tt", "<tt>"),
        (r"dd", "<dd>"),
        (r"ll", "y"),
        (rf"(?<=[{_V}])h(?=[{_V}])", "<h between>"),
        (r"h", "<h>"),
        (r"j", "<j>"),
        (r"x", "<x>"),
        (r"[sz]", "s"),
        (r"ñ", "J"),
        (rf"(?<=[aeo]i)n(?=[{_V}])", "<in>"),
        (rf"(?<=[aeo]i)l(?=[{_V}])", "<il>"),
        (r"rr|\br|(?<=[nls])r", "rr"),
        (r"qu(?=[ei])|[kcq]", "k"),
        (r"[bv]", "b"),
        (rf"(?<=[{_V}])i(?=[{_V}])", "<i between>"),
        (rf"(?<!\b)i(?=[{_V}])", "<i before>"),
        (rf"(?<!\b)[uü](?=[{_V}])", "<u before>"),
        (r"o(?=a)", "<o before a>"),
        (r"e(?=a)", "<e before a>"),
        (r"(?<=[aeou])i", "j"),
        (r"(?<=[aeo])u", "w"),
        (r"ü", "u"),
        (r"y", "y"),
        (r"w", "w"),
        *((letter, letter) for letter in "aeioupdtgfmnlr"),
    )
)


def pronunciations(word: str) -> tuple[Sounds, ...]:
    """Return every way to say `word`, the careful southern one first.

    Raises ValueError for a letter that Basque spelling does not have.
    """
    found = _habits_of(word.lower())
    choices = itertools.product(*(HABITS[habit] for habit in found))
    return tuple(
        dict.fromkeys(
            _said(word.lower(), dict(zip(found, chosen, strict=True))) for chosen in choices
        )
    )


def _habits_of(word: str) -> list[str]:
    """The habits on which the sound of a word depends. A silent h may bring out others."""
    spellings = {word, _without_silent(word)}
    return list(
        dict.fromkeys(
            result[1:-1]
            for spelling in sorted(spellings)
            for result in _results(spelling)
            if result.startswith("<")
        )
    )


def _without_silent(word: str) -> str:
    return re.sub(rf"(?<=[{_V}])h(?=[{_V}])", "", word)


def _said(word: str, chosen: dict[str, str]) -> Sounds:
    """The sounds of a word, said by somebody with these habits."""
    if chosen.get("h between") == "":
        word = _without_silent(word)
    phones: list[str] = []
    for result in _results(word):
        sounds = chosen[result[1:-1]] if result.startswith("<") else result
        phones += [sound for sound in sounds.split() if sound != "-"]
    return tuple(
        phone
        for before, phone in zip(["", *phones], phones, strict=False)
        if phone != before or phone in g2p.VOWELS
    )


def _results(word: str) -> Iterator[str]:
    """The results of the rules for each letter or group of letters."""
    at = 0
    while at < len(word):
        for pattern, result in _RULES:
            if match := pattern.match(word, at):
                yield result
                at = match.end()
                break
        else:
            raise ValueError(
                f"{word!r} has the letter {word[at]!r}, which Basque spelling does not have"
            )
