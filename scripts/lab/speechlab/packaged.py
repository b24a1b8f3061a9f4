"""Recordings of people in packages of Debian main: games and telephone prompts.

They lie where the packages put them. Their texts come from files beside them (Tux Paint, Drascula)
or from their names (KLettres, KTuberling, the numbers of Asterisk). Other recordings are talk
without a text.
"""

import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from . import drascula, split, vocabulary
from .human import Recording

GPL = "GPL-2"
ITS_OWN = "Drascula's own, free by Debian's guidelines"
SHARE_ALIKE = "CC BY-SA 3.0"

_SHARE = Path("/usr/share")
_STAMPS = _SHARE / "tuxpaint" / "stamps"
_LETTERS = _SHARE / "klettres"
_POTATO = _SHARE / "ktuberling" / "sounds" / "es"
_PROMPTS = _SHARE / "asterisk" / "sounds"
_DRASCULA = _SHARE / "scummvm" / "drascula"
_MEXICAN, _COLOMBIAN = _PROMPTS / "es_MX_f_Allison", _PROMPTS / "es"

TUXPAINT, KLETTRES, KTUBERLING = "tuxpaint", "klettres", "ktuberling"
MEXICAN, COLOMBIAN = "asterisk_es_mx", "asterisk_es_co"
DRASCULA = "drascula"

TRAINING_PACKAGES = {
    "tuxpaint-stamps-default": _STAMPS, "klettres-data": _LETTERS, "ktuberling-data": _POTATO,
}  # fmt: skip
MEASURING_PACKAGES = {
    "asterisk-core-sounds-es-g722": _MEXICAN, "asterisk-prompt-es-co": _COLOMBIAN / "digits",
}  # fmt: skip
GAMES = {"drascula-spanish": _DRASCULA / "es", "drascula": _DRASCULA / "en"}
"""A game acted by people, in Castilian and in English; the second has the texts of both."""

DECODER = "ffmpeg"
"""Command, and package, that reads the Mexican's prompts."""

_LETTER_NAMES = {
    "a": "a", "b": "be", "c": "ce", "d": "de", "e": "e", "f": "efe", "g": "ge", "h": "hache",
    "i": "i", "j": "jota", "k": "ka", "l": "ele", "m": "eme", "n": "ene", "nn": "eñe", "ñ": "eñe",
    "o": "o", "p": "pe", "q": "cu", "r": "erre", "s": "ese", "t": "te", "u": "u", "v": "uve",
    "w": "uve doble", "x": "equis", "y": "i griega", "z": "zeta",
}  # fmt: skip
_WORDS_OF_A_LETTER = ("a", "e", "o", "u", "y")
_RUN_TOGETHER = {"gafasdesol": "gafas de sol"}
_BACKGROUND = ("fr", "da")
"""Languages in which Tux Paint's pictures are described, too far from Spanish to learn from."""

_GAME_WORDS = ("vm-no", "vm-and", "digits", "letters", "phonetic", "silence", "beep", "tone")
"""Prompts that say (or may say) a single word of the game, or nothing."""


def for_training() -> Iterator[Recording]:
    """Yield the recordings with a text, by people who may train."""
    for row in pictures("es"):
        if text := _as_read(row.text):
            yield replace(row, text=text)
    yield from _syllables()
    for path in sorted(_POTATO.glob("*.wav")):
        text = _RUN_TOGETHER.get(path.stem, path.stem)
        yield Recording(path, text, "es", "word", f"{KTUBERLING}_es", GPL)
    yield from (row for row in acted("es") if row.speaker not in split.MEASURING_SPEAKERS)


def bystanders() -> Iterator[Recording]:
    """Yield recordings in other languages, by people who may train, for babble."""
    for language in _BACKGROUND:
        for path in sorted(_STAMPS.rglob(f"*_desc_{language}.ogg")):
            yield Recording(path, "", language, "oov", f"{TUXPAINT}_{language}", GPL)
    yield from (row for row in acted("en") if not split.develops(row.path))


def measuring() -> Iterator[Recording]:
    """Yield the telephone prompts, by people who only measure. Numbers have a text.

    The Mexican's are included only if ffmpeg is there to read them.
    """
    for speaker, folder, licence in (
        (MEXICAN, _MEXICAN, SHARE_ALIKE), (COLOMBIAN, _COLOMBIAN, GPL),
    ):  # fmt: skip
        if folder == _MEXICAN and shutil.which(DECODER) is None:
            continue
        for number in (*range(31), 40):
            path = folder / "digits" / f"{number}{_suffix(folder)}"
            if path.exists():
                text = vocabulary.number_words(number)
                yield Recording(path, text, "es", "number", speaker, licence)
        for path in sorted(folder.rglob(f"*{_suffix(folder)}")):
            name = str(path.relative_to(folder))
            if not any(word in name for word in _GAME_WORDS):
                yield Recording(path, "", "es", "sentence", speaker, licence)


def acted(language: str) -> Iterator[Recording]:
    """Yield the speech of Drascula in a language, "es" or "en"; the Castilian with its texts.

    The roles distinguish the Castilian actors, as in "drascula_es_BJ": the letters with which the
    name of the file begins. The hero's have none. The English ones are all "drascula_en".
    """
    table = _DRASCULA / "en" / "drascula.dat"
    said = drascula.lines(table) if language == "es" and table.exists() else {}
    for path in sorted((_DRASCULA / language).glob("*.ALS")):
        if not path.is_symlink():
            role = f"_{path.stem.rstrip('0123456789') or 'hero'}" if language == "es" else ""
            yield Recording(
                path, _as_read(said.get(path.stem, "")), language, "sentence",
                f"{DRASCULA}_{language}{role}", ITS_OWN,
            )  # fmt: skip


def missing(packages: dict[str, Path]) -> list[str]:
    """Return the packages that are not installed, and the decoder that they need."""
    absent = {name for name, path in packages.items() if not path.exists()}
    if packages is MEASURING_PACKAGES and shutil.which(DECODER) is None:
        absent.add(DECODER)
    return sorted(absent)


def pictures(language: str) -> Iterator[Recording]:
    """Yield Tux Paint's pictures, described by one person a language, as the text beside says.

    A text with digits is left out, because it can be read in several ways. Upper and lower case
    letters, filled and outlined, are one recording.
    """
    said = set()
    for path in sorted(_STAMPS.rglob(f"*_desc_{language}.ogg")):
        beside = path.with_name(path.name.removesuffix(f"_desc_{language}.ogg") + ".txt")
        found = re.search(
            rf"^{language}\.utf8=(.+)$",
            beside.read_text("utf-8", errors="replace") if beside.exists() else "",
            re.MULTILINE,
        )
        if found is None or re.search(r"\d", found[1]):
            continue
        if (found[1], path.stat().st_size) not in said:
            said.add((found[1], path.stat().st_size))
            yield Recording(path, found[1].strip(), language, "oov", f"{TUXPAINT}_{language}", GPL)


def _as_read(text: str) -> str:
    """Return the words of a Spanish text, with letters by their names.

    Nothing for a text with digits or foreign letters, because it can be read in several ways.
    """
    words = re.findall(r"[^\W_]+", text.lower())
    if not all(re.fullmatch("[a-záéíóúüñ]+", word) for word in words):
        return ""
    return " ".join(word if word in _WORDS_OF_A_LETTER else _LETTER_NAMES.get(word, word)
                    for word in words)  # fmt: skip


def _syllables() -> Iterator[Recording]:
    """KLettres' syllables and letters, by one person a language, named after what they say."""
    for path in sorted((_LETTERS / "es" / "alpha").glob("*.ogg")):
        yield Recording(path, _LETTER_NAMES.get(path.stem, ""), "es", "oov", f"{KLETTRES}_es", GPL)
    for language, tag in (("es", "es"), ("it", "it"), ("pt_BR", "pt-BR")):
        for path in sorted((_LETTERS / language / "syllab").glob("*.ogg")):
            text = path.stem.replace("nn", "ñ").replace("uu", "ü")
            yield Recording(path, text, tag, "oov", f"{KLETTRES}_{language}", GPL)


def _suffix(folder: Path) -> str:
    return ".g722" if folder == _MEXICAN else ".gsm"
