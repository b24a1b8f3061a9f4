"""Neighbour languages, spelled as Spanish would spell their sounds, from espeak-ng's IPA.

espeak-ng (GPL-3.0, its output is free) knows how they are read. Each of its sounds has a nearest
Spanish one. If that is far, the sound counts as foreign, and nobody can learn Spanish from a text
with many foreign sounds. Sources of the sounds, all in the Journal of the IPA: Dankovicova (1997),
"Czech"; Rogers and d'Arcangeli (2004), "Italian"; Yanushevskaya and Buncic (2015), "Russian";
Arvaniti (1999), "Standard Modern Greek"; Carbonell and Llisterri (1992), "Catalan"; Ternes and
Vladimirova-Buhtz (1990), "Bulgarian"; Bird and Litvin (2021), "Belarusian". And for Romanian:
Chitoran (2002), "The Phonology of Romanian".
"""

import re
import subprocess

from .basque_ipa import BETWEEN, UnknownSoundError

LANGUAGES = ("cs", "it", "ru", "el", "ca", "bg", "ro", "be")
"""Languages whose sounds the tables have."""

MOST_FOREIGN = 0.2
"""Share of sounds far from any Spanish one above which a text has no spelling."""

_VOWELS = {
    "a": "a", "ɑ": "a", "ʌ": "a", "ɐ": "a", "ə": "a", "ɒ": "o", "e": "e", "ɛ": "e", "i": "í",
    "ɪ": "í", "o": "o", "ɔ": "o", "ɵ": "o", "u": "ú", "ʊ": "ú", "y": "í", "oʊ": "ou", "aʊ": "au",
    "eʊ": "eu", "eɪ": "ei", "aɪ": "ai", "oɪ": "oi", "ɨ": "í", "ea": "ea", "ɔa": "oa", "eo": "eo",
    "iɪ": "í", "iʊ": "íu", "uɪ": "úi",
}  # fmt: skip
_CONSONANTS = {
    "p": "p", "b": "b", "t": "t", "d": "d", "d̪": "d", "k": "k", "f": "f", "v": "b", "s": "s",
    "ss": "s", "z": "s", "ʃ": "ch", "ɕ": "ch", "tʃ": "ch", "c": "ch", "ʒ": "y", "ʑ": "y", "dʒ": "y",
    "ɟ": "y", "dʑ": "y", "ts": "ts", "dz": "ds", "x": "j", "ɣ": "j", "h": "j", "m": "m", "n": "n",
    "ŋ": "n", "ɲ": "ñ", "l": "l", "ɭ": "l", "l̩": "l", "ʎ": "y", "r": "r", "ɾ": "r", "r̩": "r",
    "r̝": "r", "r̝̊": "r", "ð": "d", "θ": "z", "ç": "j", "β": "b", "ʋ": "b", "tɕ": "ch", "ɫ": "l",
    "ʂ": "ch", "ʐ": "y", "ʈ͡ʂ": "ch", "t̻͡s": "ts", "t̻͡s̪": "ts", "d̻͡z̪": "ds",
}  # fmt: skip
_FOREIGN = frozenset("ə ɒ ɵ y ɨ z ʃ ɕ ʂ ʒ ʑ ʐ dʑ v ʋ c dz d̻͡z̪ r̩ l̩ r̝ r̝̊".split())
_JOINED = {"ja": ("j", "a"), "ju": ("j", "u"), "ʲ": ("j",)}
_MARKS = 'ˈˌː"^'
_SOFT = "ʲ"
_FRONT = frozenset("eéií")


def spanish_spelling(text: str, language: str) -> str | None:
    """Return the Spanish spelling of the sounds of `text`; None if too many are foreign.

    Raises KeyError for a language that is not in LANGUAGES.
    """
    if language not in LANGUAGES:
        raise KeyError(language)
    command = ["espeak-ng", "-v", language, "-q", "--ipa", f"--sep={BETWEEN}", text]
    said = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    try:
        return spelled(said)
    except UnknownSoundError:
        return None


def spelled(ipa: str) -> str | None:
    """Spell words in espeak-ng's IPA, "d_ˈo_b_r_iː d_ˈe_n" as "dobrí den".

    None if too many sounds are foreign, or if a word is read by the rules of another language.
    Raises UnknownSoundError for a sound that is not in the tables.
    """
    words = [_sounds(word) for word in ipa.split()]
    every = [sound.rstrip(_SOFT) for word in words for sound in word]
    if not every or "(en)" in ipa:
        return None
    if sum(sound in _FOREIGN for sound in every) > MOST_FOREIGN * len(every):
        return None
    return " ".join(_word(word) for word in words if word)


def _sounds(word: str) -> list[str]:
    plain = (re.sub(f"[{re.escape(_MARKS)}]", "", sound) for sound in word.split(BETWEEN))
    return [one for sound in plain if sound for one in _JOINED.get(sound, (sound,))]


def _word(sounds: list[str]) -> str:
    letters = ""
    for sound, after in zip(sounds, [*sounds[1:], ""], strict=True):
        letters += _letters(sound, after, letters)
    return letters


def _letters(sound: str, after: str, before: str) -> str:
    """Spell one sound. `before` is what was spelled so far, `after` the next sound.

    The vowels i and u have an accent, so that they are no glides. Glides have none.
    """
    hard = sound.rstrip(_SOFT)
    if hard in _VOWELS:
        return _VOWELS[hard]
    if sound in ("j", "w"):
        return _glide(sound, after, before)
    if hard in ("ɡ", "g"):
        spelling = "gu" if _VOWELS.get(after, " ")[0] in _FRONT else "g"
    elif hard in _CONSONANTS:
        spelling = _CONSONANTS[hard]
    else:
        raise UnknownSoundError(f"espeak-ng says {sound!r}, which has no Spanish sound yet")
    if spelling == before[-1:] != "r":  # "ll" would be another sound, "rr" is what it sounds like
        spelling = ""
    soft = sound != hard and spelling not in ("ch", "y", "ñ")
    back = after in _VOWELS and _VOWELS[after][0] not in _FRONT
    return spelling + ("i" if soft and back else "")


def _glide(sound: str, after: str, before: str) -> str:
    rises = after in _VOWELS
    after_vowel = not before or before[-1] in "aeoíú"
    if sound == "j":
        return "y" if rises and after_vowel else "i"
    if rises and not before:
        return "hu"
    return "ü" if rises else "u"
