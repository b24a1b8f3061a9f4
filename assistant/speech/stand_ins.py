"""Words that a model has, in place of words of ours that it lacks and that sound like them.

A stock model knows "hordago" perhaps, but not "órdago"; or "re" and "envido", but not "reenvido".
The grammar then holds the stand-in, and what is heard is told by our word: nobody after the
decoder knows of it.
"""

from __future__ import annotations

import itertools
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

Words = tuple[str, ...]
Curated = Mapping[str, tuple[str, ...]]
"""For a word, what sounds like it, the best first; each one word or several."""

MOST = 2
"""Stand-ins of one word: more of them would outweigh the phrases that need none."""


@dataclass(frozen=True, slots=True)
class StandIns:
    """For each word that has some, the stand-ins by which a model hears it."""

    chosen: Mapping[str, tuple[Words, ...]] = field(default_factory=dict)

    def phrases(self, words: Words) -> Iterator[Words]:
        """A phrase in all the ways in which the model can hear it; itself where it needs none."""
        ways = [self.chosen.get(word, ((word,),)) for word in words]
        for way in itertools.product(*ways):
            yield tuple(itertools.chain.from_iterable(way))

    def ours(self, heard: Words) -> Iterator[tuple[str, int]]:
        """Our words for what was heard, each with the number of the model's words that it is."""
        meant = {stand_in: word for word, found in self.chosen.items() for stand_in in found}
        longest = max(map(len, meant), default=1)
        at = 0
        while at < len(heard):
            sizes = range(min(longest, len(heard) - at), 0, -1)
            size = next((size for size in sizes if heard[at : at + size] in meant), 1)
            yield meant.get(heard[at : at + size], heard[at]), size
            at += size


NONE = StandIns()


def choose(vocabulary: Iterable[str], knows: Callable[[str], bool], curated: Curated) -> StandIns:
    """Find stand-ins for those words of a ``vocabulary`` that ``knows`` is false of.

    A stand-in that is made of our own words only would be heard as those, and one that stands for
    another word already as that: neither is taken.
    """
    own = frozenset(vocabulary)
    taken: set[Words] = set()
    chosen: dict[str, tuple[Words, ...]] = {}
    for word in sorted(word for word in own if not knows(word)):
        candidates = [*map(_words, curated.get(word, ())), *((way,) for way in spellings(word))]
        found = [
            way
            for way in dict.fromkeys(candidates)
            if way not in taken and not own.issuperset(way) and all(map(knows, way))
        ][:MOST]
        if found:
            chosen[word] = tuple(found)
            taken.update(found)
    return StandIns(chosen)


def spellings(word: str) -> tuple[str, ...]:
    """Other ways to spell what sounds the same in Spanish: accents, h, b and v, ll and y, k."""
    found = [word]
    for change in (_without_accents, _without_h, _with_h, _b_as_v, _v_as_b, _ll_as_y, _k_as_c):
        found += [change(one) for one in found]
    return tuple(one for one in dict.fromkeys(found) if one != word)


def _words(text: str) -> Words:
    return tuple(text.split())


def _without_accents(word: str) -> str:
    """Without the marks of stress; ñ and ü are letters of their own."""
    parts = unicodedata.normalize("NFD", word).replace("\N{COMBINING ACUTE ACCENT}", "")
    return unicodedata.normalize("NFC", parts)


def _without_h(word: str) -> str:
    return word.removeprefix("h")


def _with_h(word: str) -> str:
    return "h" + word if word[:1] in tuple("aeoáéó") else word


def _b_as_v(word: str) -> str:
    return word.replace("b", "v")


def _v_as_b(word: str) -> str:
    return word.replace("v", "b")


def _ll_as_y(word: str) -> str:
    return word.replace("ll", "y")


def _k_as_c(word: str) -> str:
    """As Spanish spells the sound: qu before e and i, c elsewhere."""
    for vowel in "eiéí":
        word = word.replace("k" + vowel, "qu" + vowel)
    return word.replace("k", "c")
