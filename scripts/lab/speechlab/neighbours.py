"""People who speak neighbour languages, with texts, in packages of Debian main.

The actors of the game Fish Fillets speak Czech as people do who quarrel, joke and shout. Somebody
reads the telephone prompts of Asterisk, and describes the pictures of Tux Paint. The texts are
spelled as Spanish would spell the sounds (nearest_sounds.py), and `trust.py` throws out what does
not fit.
"""

import gzip
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from . import audio, clips, human, nearest_sounds, packaged
from .human import Recording
from .packaged import GPL, SHARE_ALIKE

_ATTRIBUTION = "CC BY 3.0"
_FILLETS = Path("/usr/share/games/fillets-ng")
_PROMPTS = Path("/usr/share/asterisk/sounds")
_DOCUMENTS = Path("/usr/share/doc")

_MENARDI = "asterisk_it_menardi"
_READERS = {
    "asterisk_it_carlo": ("it", _PROMPTS / "it_IT_m_Carlo", ".g722", _ATTRIBUTION),
    "asterisk_ru": ("ru", _PROMPTS / "ru_RU_f_IvrvoiceRU", ".g722", _ATTRIBUTION),
    _MENARDI: ("it", _PROMPTS / "it_IT_f_Menardi", ".wav", SHARE_ALIKE),
}  # fmt: skip
"""Who reads prompts: language, folder, suffix and licence. Menardi's package has no list of
texts. Her texts are taken from the Italian list, which has most of her files' names."""

_PICTURES = ("el", "ca", "bg", "ro", "ru", "be")
"""Languages in which somebody describes the pictures of Tux Paint."""

PACKAGES = {
    "fillets-ng-data": _FILLETS / "script" / "airplane",
    "fillets-ng-data-cs": _FILLETS / "sound" / "airplane" / "cs",
    "fillets-ng-data-nl": _FILLETS / "sound" / "airplane" / "nl",
    "asterisk-core-sounds-it": _DOCUMENTS / "asterisk-core-sounds-it" / "core-sounds-it.txt.gz",
    "asterisk-core-sounds-ru": _DOCUMENTS / "asterisk-core-sounds-ru" / "core-sounds-ru.txt.gz",
    "asterisk-core-sounds-it-g722": _READERS["asterisk_it_carlo"][1],
    "asterisk-core-sounds-ru-g722": _READERS["asterisk_ru"][1],
    "asterisk-prompt-it-menardi-wav": _READERS[_MENARDI][1],
}  # fmt: skip

_LINE = re.compile(r'dialogId\("([^"]+)".*?\)\s*dialogStr\("((?:[^"\\]|\\.)*)"\)', re.DOTALL)
_FISH = {"m": "small", "v": "big"}
"""Two of the actors have a letter in the names of all their lines; the others share one name."""

_DAMAGED = re.compile(r"\?\w|\s\?|\?.|�|\[|\*")
"""Letters that the list of prompts lost, sounds that are described, and stage directions."""


def for_training() -> Iterator[tuple[clips.Clip, audio.Samples]]:
    """Yield the clips of actors and of the people who read prompts."""
    carlo_and_ru = (speaker for speaker in _READERS if speaker != _MENARDI)
    return _spelled([*_actors("cs"), *(row for one in carlo_and_ru for row in _prompts(one))])


def readers() -> Iterator[tuple[clips.Clip, audio.Samples]]:
    """Yield the clips of the people who describe pictures, and of Menardi."""
    described = (row for language in _PICTURES for row in packaged.pictures(language))
    return _spelled([*described, *_prompts(_MENARDI)])


def _spelled(rows: Iterable[Recording]) -> Iterator[tuple[clips.Clip, audio.Samples]]:
    """Yield the clips with mostly Spanish sounds. z stands only for theta."""
    for row in rows:
        samples = human.speech(row.path)
        if samples is None or len(samples) > human.LONGEST_S * audio.RATE:
            continue
        text = nearest_sounds.spanish_spelling(row.text, row.language)
        if text is not None and human.plausible(text, samples):
            yield clips.Clip(text, "talk", human.PREFIX + row.speaker, False), samples


def bystanders() -> Iterator[Recording]:
    """Yield the game's Dutch actors, for babble."""
    for path in sorted((_FILLETS / "sound").glob("*/nl/*.ogg")):
        yield Recording(path, "", "nl", "oov", "fillets_nl", GPL)


def _actors(language: str) -> Iterator[Recording]:
    """Yield the lines of the game: the script names them, a sound has the same name."""
    for script in sorted((_FILLETS / "script").glob(f"*/dialogs_{language}.lua")):
        folder = _FILLETS / "sound" / script.parent.name / language
        for name, text in _LINE.findall(script.read_text("utf-8", errors="replace")):
            path = folder / f"{name}.ogg"
            if path.exists() and not re.search(r"[\\*%]", text):
                who = _FISH.get(name.split("-")[1] if "-" in name else "", "others")
                yield Recording(path, text, language, "oov", f"fillets_{language}_{who}", GPL)


def _prompts(speaker: str) -> Iterator[Recording]:
    """Yield the prompts of Asterisk whose text the package lists, undamaged."""
    language, folder, suffix, licence = _READERS[speaker]
    name = f"asterisk-core-sounds-{language}"
    listed = _DOCUMENTS / name / f"core-sounds-{language}.txt.gz"
    if not listed.exists():
        return
    with gzip.open(listed, "rt", encoding="utf-8", errors="replace") as lines:
        for line in lines:
            prompt, _, text = line.partition(":")
            path = folder / f"{prompt.strip()}{suffix}"
            if text.strip() and path.exists() and not _DAMAGED.search(text.strip()):
                yield Recording(path, text.strip(), language, "oov", speaker, licence)
