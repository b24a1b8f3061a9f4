"""The words of the model (vocabulary.toml, names.toml), and sentences to read for training."""

import random
import re
import tomllib
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Literal

from . import basque, g2p, respelling, table_sentences

Kind = Literal["call", "talk", "mixed"]

_UNITS = "cero uno dos tres cuatro cinco seis siete ocho nueve".split()
_TENS = (
    "diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte "
    "veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho "
    "veintinueve"
).split()
_LANCES = (
    "a la grande", "a la chica", "a pares", "a juego", "al juego", "al punto", "a grande",
    "a chica", "a la mayor", "a la pequeña",
)  # fmt: skip
_RANKS = ("reyes", "caballos", "sotas", "sietes", "seises", "cuatros", "ases", "pitos")
_SINGLES = ("rey", "caballo", "sota", "siete", "seis", "cinco", "cuatro", "as", "tres", "dos")
_SUITS = ("oros", "copas", "espadas", "bastos")
Pronunciations = tuple[tuple[str, ...], ...]
VOCABULARY_FILE = Path(__file__).with_name("vocabulary.toml")
NAMES_FILE = Path(__file__).with_name("names.toml")
_AS_SPANISH_READS = (("tx", "ch"), ("x", "ch"), ("tz", "z"), ("ts", "s"), ("tt", "t"), ("dd", "d"))
_TALK_WORD = re.compile("[abcdefghijlmnñopqrstuvxyzáéíóúü]{2,11}")


def number_words(n: int) -> str:
    """Return `n` in Spanish words. Raises ValueError outside 0-49 (a game has 40 stones)."""
    if not 0 <= n <= 49:
        raise ValueError(f"no words for {n}: only 0 to 49")
    if n < 30:
        return (_UNITS + _TENS)[n]
    tens = "treinta" if n < 40 else "cuarenta"
    return tens if n % 10 == 0 else f"{tens} y {_UNITS[n % 10]}"


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The model's words, their sounds, and the weighted phrase forms for training.

    `words` are those of the game and its talk. `spanish` and `basque` are those that the spelling
    of each language pronounces (a word may be in both). `sounds` replace what the spelling gives,
    and `also` add to it. `names` are people's, with their sounds; no sentence has them.
    """

    words: tuple[str, ...]
    spanish: frozenset[str]
    basque: frozenset[str]
    sounds: dict[str, Pronunciations]
    also: dict[str, Pronunciations]
    forms: tuple[tuple[float, tuple[str, ...]], ...]
    everyday: tuple[str, ...]
    names: Mapping[str, Pronunciations] = field(default_factory=dict)

    @property
    def all_words(self) -> tuple[str, ...]:
        """The words of a word graph: those of the game, and people's names."""
        return tuple(sorted({*self.words, *self.names}))

    def pronunciations(self, word: str) -> Pronunciations:
        """Return every way to say `word`. The table of exceptions precedes the spelling."""
        if word in self.sounds:
            return self.sounds[word]
        if word in self.names and word not in self.spanish | self.basque:
            return self.names[word]
        if word not in self.basque:
            return g2p.pronunciations(word)
        spanish = g2p.pronunciations(word) if word in self.spanish else ()
        ways = (*spanish, *basque.pronunciations(word), *self.also.get(word, ()))
        return tuple(dict.fromkeys(ways))

    def alike(self, one: str, other: str) -> bool:
        """Tell whether no ear can distinguish two words, because they can be said the same."""
        return one == other or not set(self.pronunciations(one)).isdisjoint(
            self.pronunciations(other)
        )


@cache
def load(path: Path = VOCABULARY_FILE, names: Path = NAMES_FILE) -> Vocabulary:
    """Read the vocabulary. Raises ValueError for a word or sound with an unknown phone."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    spanish, basque_words = _words_of(data["words"]), _words_of(data["basque"])
    sounds, also = (_sounds(data[table], path.name) for table in ("sounds", "also"))
    if unspelled := also.keys() - basque_words:
        raise ValueError(f"{path.name}: [also] has {sorted(unspelled)}, which [basque] has not")
    found = Vocabulary(
        words=tuple(sorted(spanish | basque_words | sounds.keys())),
        spanish=spanish,
        basque=basque_words,
        sounds=sounds,
        also=also,
        forms=tuple((row["weight"], tuple(row["forms"])) for row in data["phrases"]),
        everyday=tuple(data["everyday"]["words"].split()),
        names=_names(tomllib.loads(names.read_text(encoding="utf-8"))),
    )
    for word in found.words:
        found.pronunciations(word)
    return found


def _names(data: Mapping[str, Mapping[str, str]]) -> dict[str, Pronunciations]:
    """Names with all the ways to say them. One with an accent is also known without it.

    A name in two lists can be said in both ways.
    """
    found: dict[str, Pronunciations] = {}
    for name in sorted(_words_of(data["spanish"])):
        found[name] = g2p.pronunciations(name)
    for name in sorted(_words_of(data["basque"])):
        found[name] = (*found.get(name, ()), *basque.pronunciations(name), *_as_spanish(name))
    for name, respelt in data["respelt"].items():
        ways = (way for one in respelt.split() for way in g2p.pronunciations(one))
        found[name] = (*found.get(name, ()), *ways)
    for name in sorted(found):
        found.setdefault(_without_marks(name), found[name])
    return {name: tuple(dict.fromkeys(ways)) for name, ways in found.items()}


def _as_spanish(name: str) -> Pronunciations:
    """A Basque name as somebody reads it who knows no Basque."""
    for ours, theirs in _AS_SPANISH_READS:
        name = name.replace(ours, theirs)
    return g2p.pronunciations(name)


def _without_marks(name: str) -> str:
    """A name as typed on a keyboard without accents and ñ."""
    parts = unicodedata.normalize("NFD", name)
    return "".join(char for char in parts if not unicodedata.combining(char))


def _words_of(groups: Mapping[str, str]) -> frozenset[str]:
    return frozenset(word for group in groups.values() for word in group.split())


def _sounds(table: Mapping[str, Sequence[str]], name: str) -> dict[str, Pronunciations]:
    """A table of sounds. Raises ValueError for a sound that the model lacks."""
    sounds = {word: tuple(tuple(way.split()) for way in ways) for word, ways in table.items()}
    for word, ways in sounds.items():
        if unknown := {phone for way in ways for phone in way} - set(g2p.PHONES):
            raise ValueError(f"{name}: {word} has unknown phones {sorted(unknown)}")
    return sounds


def talk_words(dictionary: Path, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return dictionary words that are no words of the game (Debian: package wspanish)."""
    known = set(vocabulary.words)
    parts = [word for word in known if len(word) > 3]
    lines = dictionary.read_text(encoding="utf-8", errors="ignore").lower().splitlines()
    return tuple(
        word
        for word in (line.strip() for line in lines)
        if _TALK_WORD.fullmatch(word)
        and word not in known
        and not any(part in word for part in parts)
    )


@dataclass(frozen=True, slots=True)
class Sampler:
    """Draws training sentences: calls, table talk, and calls inside table talk."""

    vocabulary: Vocabulary
    talk: tuple[str, ...]
    table: table_sentences.TableSentences | None = None
    """The sentences of a table, if it draws nothing else."""

    def draw(self, rng: random.Random) -> tuple[str, Kind]:
        """Return one sentence and its kind."""
        if self.table:
            return self.table.draw(rng), "call"
        dice = rng.random()
        if dice < 0.4:
            return self.call(rng), "call"
        if dice < 0.48:
            return self.basque_words(rng), "call"
        if dice < 0.86:
            return self.table_talk(rng), "talk"
        parts = [self.call(rng), self.table_talk(rng)]
        rng.shuffle(parts)
        return " ".join(parts), "mixed"

    def call(self, rng: random.Random) -> str:
        """Return a sentence of the game's own Spanish words."""
        if self.table:
            return self.table.draw(rng)
        weights, rows = zip(*self.vocabulary.forms, strict=True)
        form = rng.choice(rng.choices(rows, weights)[0])
        return re.sub(r"\{(\w+)\}", lambda slot: self._fill(slot[1], rng), form)

    def basque_words(self, rng: random.Random) -> str:
        """Return one to four Basque words in random order, spelled as Spanish sounds."""
        return " ".join(
            rng.choices(_in_spanish_spelling(self.vocabulary.basque), k=rng.randint(1, 4))
        )

    def table_talk(self, rng: random.Random) -> str:
        """Return one to five words in random order."""
        count = rng.randint(1, 5)
        return " ".join(
            rng.choice(self.talk if rng.random() < 0.65 else self.vocabulary.everyday)
            for _ in range(count)
        )

    def _fill(self, slot: str, rng: random.Random) -> str:
        if slot == "n":
            return number_words(rng.randint(0, 40))
        if slot == "lance":
            return rng.choice(_LANCES)
        if slot == "card":
            return _card(rng)
        return rng.choice(sorted(self.vocabulary.spanish))


@cache
def _in_spanish_spelling(basque_words: frozenset[str]) -> tuple[str, ...]:
    """The Basque words whose sounds Spanish has, because engines read no Basque."""
    words = (respelling.spanish_spelling(word, "eu") for word in sorted(basque_words))
    return tuple(word for word in words if word)


def _card(rng: random.Random) -> str:
    dice = rng.random()
    if dice < 0.4:
        return f"{rng.choice(('dos', 'tres', 'cuatro'))} {rng.choice(_RANKS)}"
    if dice < 0.7:
        return f"{rng.choice(_SINGLES)} de {rng.choice(_SUITS)}"
    return rng.choice(_SINGLES)
