"""The model's words and the sentences that training reads aloud (data: vocabulary.toml)."""

import random
import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from . import g2p

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
VOCABULARY_FILE = Path(__file__).with_name("vocabulary.toml")
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
    """Words the model knows, their sounds, and the weighted phrase forms for training."""

    words: tuple[str, ...]
    sounds: dict[str, tuple[str, ...]]
    forms: tuple[tuple[float, tuple[str, ...]], ...]
    everyday: tuple[str, ...]

    def pronunciations(self, word: str) -> tuple[tuple[str, ...], ...]:
        """Return every way to say `word`; the table of exceptions goes before the spelling."""
        if word in self.sounds:
            return (self.sounds[word],)
        return g2p.pronunciations(word)


@cache
def load(path: Path = VOCABULARY_FILE) -> Vocabulary:
    """Read the vocabulary. Raises ValueError for a word or sound with an unknown phone."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    spelled = {word for group in data["words"].values() for word in group.split()}
    sounds = {word: tuple(text.split()) for word, text in data["sounds"].items()}
    for word, phones in sounds.items():
        if unknown := set(phones) - set(g2p.PHONES):
            raise ValueError(f"{path.name}: {word} has unknown phones {sorted(unknown)}")
    for word in spelled - sounds.keys():
        g2p.phones_of(word)
    return Vocabulary(
        words=tuple(sorted(spelled | sounds.keys())),
        sounds=sounds,
        forms=tuple((row["weight"], tuple(row["forms"])) for row in data["phrases"]),
        everyday=tuple(data["everyday"]["words"].split()),
    )


def talk_words(dictionary: Path, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return dictionary words that hold no word of the game (Debian: package wspanish)."""
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

    def draw(self, rng: random.Random) -> tuple[str, Kind]:
        """Return one sentence and its kind."""
        dice = rng.random()
        if dice < 0.45:
            return self.call(rng), "call"
        if dice < 0.85:
            return self.table_talk(rng), "talk"
        parts = [self.call(rng), self.table_talk(rng)]
        rng.shuffle(parts)
        return " ".join(parts), "mixed"

    def call(self, rng: random.Random) -> str:
        """Return a sentence of the game's own words (Spanish ones: engines read no Basque)."""
        weights, rows = zip(*self.vocabulary.forms, strict=True)
        form = rng.choice(rng.choices(rows, weights)[0])
        return re.sub(r"\{(\w+)\}", lambda slot: self._fill(slot[1], rng), form)

    def table_talk(self, rng: random.Random) -> str:
        """Return one to five words in no order."""
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
        return rng.choice([w for w in self.vocabulary.words if w not in self.vocabulary.sounds])


def _card(rng: random.Random) -> str:
    dice = rng.random()
    if dice < 0.4:
        return f"{rng.choice(('dos', 'tres', 'cuatro'))} {rng.choice(_RANKS)}"
    if dice < 0.7:
        return f"{rng.choice(_SINGLES)} de {rng.choice(_SUITS)}"
    return rng.choice(_SINGLES)
