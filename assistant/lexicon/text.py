"""How a text becomes words to be compared: the one place where spelling is forgiven."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from assistant.messages import Word

UNKNOWN = "[unk]"
"""What the recogniser writes for speech that is none of its words."""

Tokens = tuple[str, ...]


@lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """A word without case, accents and punctuation: "¿Órdago?" is "ordago"; may be empty."""
    # Twice, for some letters only fall apart once their case is gone, and some the other way.
    bare = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return "".join(char for char in bare if char.isalnum())


def tokens_of(text: str) -> Tokens:
    """The words of a line of text, folded."""
    return tuple(token for part in text.split() if (token := fold(part)))


def words_of(text: str) -> tuple[Word, ...]:
    """A typed line as the recogniser would hand it over: all at one time, so one segment.

    Question marks stay in the words, for they tell a question from a call.
    """
    return tuple(Word(part) for part in text.split() if fold(part))


def is_question(words: tuple[Word, ...]) -> bool:
    """Whether the text itself says that it asks; sound never does."""
    return any("?" in word.text or "¿" in word.text for word in words)


def split(words: Sequence[Word], silence: float) -> list[tuple[Word, ...]]:
    """Cut where more than ``silence`` seconds lie between two words."""
    pieces: list[list[Word]] = []
    for word in words:
        if pieces and word.start - pieces[-1][-1].end <= silence:
            pieces[-1].append(word)
        else:
            pieces.append([word])
    return [tuple(piece) for piece in pieces]
