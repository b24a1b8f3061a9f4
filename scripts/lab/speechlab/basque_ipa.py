"""espeak-ng's Basque sounds, in IPA, as the nearest Spanish sounds.

They are for measuring. The model's words come from the spelling instead (basque.py).
"""

from .prosody import Spoken

BETWEEN = "_"
"""The separator that espeak-ng puts between two sounds."""
_NEAREST = {
    "a": "a", "e": "e", "i": "i", "o": "o", "u": "u", "aɪ": "a j", "eɪ": "e j", "oɪ": "o j",
    "uɪ": "u j", "aʊ": "a w", "eʊ": "e w", "j": "j", "w": "w", "p": "p", "t": "t", "k": "k",
    "b": "b", "β": "b", "d": "d", "ð": "d", "ɡ": "g", "ɣ": "g", "f": "f", "s̻": "s", "s̺": "s",
    "s": "s", "x": "x", "h": "x", "ts̻": "t s", "ts̺": "t s", "ts": "t s", "tʃ": "tS", "ʃ": "tS",
    "c": "tS", "ɟ": "y", "ʝ": "y", "m": "m", "n": "n", "ŋ": "n", "ɲ": "J", "l": "l", "ʎ": "y",
    "ɾ": "r", "r": "rr",
}  # fmt: skip
"""The Spanish sound nearest to each of espeak-ng's Basque ones."""
_MAIN, _MARKS = "ˈ", "ˈˌː"


class UnknownSoundError(Exception):
    """espeak-ng gave a sound that is not in the table."""


def word(sounds: str) -> Spoken:
    """Return one word of espeak-ng, as "tʃ_i_k_ˈi_ˌa", in Spanish sounds.

    Raises UnknownSoundError for a sound that is not in the table.
    """
    phones: list[str] = []
    stressed = -1
    for sound in sounds.split(BETWEEN):
        plain = sound.strip(_MARKS)
        if not plain:
            continue
        if plain not in _NEAREST:
            raise UnknownSoundError(f"espeak-ng says {plain!r}, which has no Spanish sound yet")
        if _MAIN in sound:
            stressed = len(phones)
        phones += _NEAREST[plain].split()
    return Spoken(tuple(phones), stressed)
