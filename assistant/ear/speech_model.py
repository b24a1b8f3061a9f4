"""A speech model: loading it, its words and stand-ins, and the phrases that it can hear."""

from __future__ import annotations

import hashlib
import itertools
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assistant.ear.audio import SpeechError
from assistant.files.paths import data_dir
from assistant.files.process import UsageError
from assistant.files.resources import load_toml
from assistant.rules.errors import Translatable


class ModelError(SpeechError):
    """No speech model can be loaded from the folder."""


# ---- Loading: files are checked first, because Vosk ends the process over some broken ones ------


MODEL_FILES = (
    "am/final.mdl",
    "conf/model.conf",
    "conf/mfcc.conf",
    "graph/HCLr.fst",
    "graph/Gr.fst",
    "graph/disambig_tid.int",
)
"""The files of a model that accepts a grammar at run time."""
GRAPH, WORDS = "graph/Gr.fst", "graph/words.txt"
"""The words stand in the first, as in Vosk's small models, or in the second, as in ours."""
SUMS = "SHA256SUMS"
"""Checksums in the format of ``sha256sum``; a model without the file is loaded unchecked."""
FST_MAGIC = (2125659606).to_bytes(4, "little")
"""The first bytes of every OpenFst file (fst/fst.h, kFstMagicNumber)."""
FST_HEAD = 256
"""Bytes of its head, which contain its type, its arcs' type, a version and its flags."""
HAS_WORDS = 2
"""The flag of a file that contains its output symbols (fst/fst.h, FstHeader::HAS_OSYMBOLS)."""


def load_model(model_dir: Path) -> Any:
    """The ``vosk.Model`` of a folder. Raises ModelError."""
    if not model_dir.is_dir():
        raise ModelError(
            "There is no speech model in {model_dir}: name its folder with --model.",
            model_dir=model_dir,
        )
    try:
        check_model(model_dir)
    except OSError as error:
        raise ModelError(
            "The speech model in {model_dir} cannot be read: {error}.",
            model_dir=model_dir,
            error=error,
        ) from error
    import vosk

    vosk.SetLogLevel(-1)
    try:
        # Only a path is given: for a name or language Vosk would use the network and end the
        # process.
        return vosk.Model(model_path=str(model_dir))
    except Exception as error:  # the binding raises nothing narrower
        raise ModelError(
            "The speech model in {model_dir} is broken: install it again.", model_dir=model_dir
        ) from error


def check_model(model_dir: Path) -> None:
    """Check that the files are there and whole, as far as possible without loading them.

    Raises ModelError, OSError.
    """
    for name in MODEL_FILES:
        if not (model_dir / name).is_file():
            raise ModelError(
                "The speech model in {model_dir} lacks {name}: install it again.",
                model_dir=model_dir,
                name=name,
            )
    for name in MODEL_FILES:
        with (model_dir / name).open("rb") as file:
            head = file.read(len(FST_MAGIC))
        if not head or (name.endswith(".fst") and head != FST_MAGIC):
            raise ModelError(_broken(model_dir, name))
    words = model_dir / WORDS
    if words.is_file() and not words.stat().st_size:
        raise ModelError(_broken(model_dir, WORDS))
    if not words.is_file() and not _names_words(model_dir / GRAPH):
        raise ModelError(
            "The speech model in {model_dir} lacks {words}: install it again.",
            model_dir=model_dir,
            words=WORDS,
        )
    sums = model_dir / SUMS
    if not sums.is_file():
        return
    for line in sums.read_text(encoding="utf-8", errors="replace").splitlines():
        expected, _, name = line.partition("  ")
        path = model_dir / name
        if not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != expected:
            raise ModelError(_broken(model_dir, name))


def _names_words(graph: Path) -> bool:
    """Whether a graph contains the names of its words."""
    with graph.open("rb") as file:
        head = file.read(FST_HEAD)
    at = len(FST_MAGIC)
    for _ in ("type", "type of its arcs"):
        at += 4 + int.from_bytes(head[at : at + 4], "little")
    flags = int.from_bytes(head[at + 4 : at + 8], "little")  # after the version
    return bool(flags & HAS_WORDS)


def _broken(model_dir: Path, name: str) -> str:
    return Translatable(
        "The speech model in {model_dir} is broken ({name}): install it again.",
        model_dir=model_dir,
        name=name,
    )


# ---- Stand-ins: words of the model that sound like words of ours that it lacks ------------------
# A stock model may know "hordago" but not "órdago", or "re" and "envido" but not "reenvido". The
# grammar then contains the stand-in, and the decoder's results have our word again: nothing after
# the decoder knows of it.


Words = tuple[str, ...]
Curated = Mapping[str, tuple[str, ...]]
"""Word -> its stand-ins, the best first; each is one word or several."""

MOST = 2
"""The most stand-ins of one word: more would outweigh the phrases that need none."""


@dataclass(frozen=True, slots=True)
class StandIns:
    """Word -> the stand-ins by which a model hears it."""

    chosen: Mapping[str, tuple[Words, ...]] = field(default_factory=dict)
    _meant: Mapping[Words, str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Turn the table round: what is heard, and the word of ours that it stands for."""
        meant = {stand_in: word for word, found in self.chosen.items() for stand_in in found}
        object.__setattr__(self, "_meant", meant)  # past the frozen class

    def phrases(self, words: Words) -> Iterator[Words]:
        """All variants of a phrase that the model can hear; the phrase itself if it needs none."""
        ways = [self.chosen.get(word, ((word,),)) for word in words]
        for way in itertools.product(*ways):
            yield tuple(itertools.chain.from_iterable(way))

    def ours(self, heard: Words) -> list[tuple[str, int]]:
        """Our words for what was heard, each with how many of the model's words it replaces."""
        meant = self._meant
        if not meant:
            return [(word, 1) for word in heard]
        longest = max(map(len, meant))
        found, at = [], 0
        while at < len(heard):
            size = min(longest, len(heard) - at)
            while size > 1 and heard[at : at + size] not in meant:
                size -= 1
            found.append((meant.get(heard[at : at + size], heard[at]), size))
            at += size
        return found


NONE = StandIns()


def choose(vocabulary: Iterable[str], knows: Callable[[str], bool], curated: Curated) -> StandIns:
    """Find stand-ins for the words of a ``vocabulary`` that the model does not know.

    A stand-in is refused if it consists of our own words, because it would be heard as those; and
    if it stands for another word already, because it would be heard as that.
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
    """Other spellings of the same sound in Spanish: accents, h, b and v, ll and y, k."""
    found = [word]
    for change in (_without_accents, _without_h, _with_h, _b_as_v, _v_as_b, _ll_as_y, _k_as_c):
        found += [change(one) for one in found]
    return tuple(one for one in dict.fromkeys(found) if one != word)


def _words(text: str) -> Words:
    return tuple(text.split())


def _without_accents(word: str) -> str:
    """Without stress marks; ñ and ü stay, because they are letters of their own."""
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


def load_stand_ins() -> Curated:
    """The curated stand-ins for words of ours that a speech model may lack. Raises UsageError."""
    path = data_dir("models") / "ear" / "stand_ins.toml"
    table = load_toml(path)
    for word, ways in table.items():
        if not isinstance(ways, list) or not all(isinstance(way, str) and way for way in ways):
            raise UsageError(
                '{path}: {word} must be a list of texts, as in ["re envido"].', path=path, word=word
            )
    return {word: tuple(ways) for word, ways in table.items()}


# ---- The grammar: which of the lexicon's phrases a speech model can hear ------------------------
# Vosk drops a word that its model lacks and keeps the rest of the phrase, so that "hay órdago"
# would become "hay". Here a phrase is kept whole or left out, and what is left out is reported. A
# missing word may have a stand-in, by which its phrases are heard.


UNKNOWN = "[unk]"
"""Vosk's word for speech that is none of its words. Results keep it: the lexicon takes it for
talk."""


@dataclass(frozen=True, slots=True)
class Grammar:
    """The phrases that can be heard, those that cannot, and the words that the model lacks.

    ``phrases`` are in the model's words, the rest in ours.
    """

    phrases: tuple[str, ...]
    left_out: tuple[str, ...]
    missing: tuple[str, ...]


def fit(
    phrases: Iterable[str], knows: Callable[[str], bool], stand_ins: StandIns = NONE
) -> Grammar:
    """Split ``phrases`` by whether a model that ``knows`` some words can hear them.

    Every model hears ``[unk]``. A phrase whose missing words have stand-ins is kept with these.
    """
    kept: list[str] = []
    left_out: dict[str, None] = {}
    known, missing = {UNKNOWN}, set[str]()
    weights = Counter(phrases)  # a phrase weighs as many times as it is listed
    for phrase, weight in weights.items():
        words = tuple(phrase.lower().split())
        for word in words:
            if word not in known and word not in missing:
                (known if knows(word) else missing).add(word)
        lacking = missing.intersection(words)
        if not lacking and stand_ins.chosen.keys().isdisjoint(words):
            kept += [" ".join(words)] * weight if words else []
        elif lacking <= stand_ins.chosen.keys():
            kept += [" ".join(way) for way in stand_ins.phrases(words)] * weight
        else:
            left_out[" ".join(words)] = None
    return Grammar(tuple(kept), tuple(left_out), tuple(sorted(missing)))


def vocabulary(phrases: Iterable[str]) -> frozenset[str]:
    """The words of phrases, without ``[unk]``."""
    return frozenset(word for phrase in phrases for word in phrase.lower().split()) - {UNKNOWN}
