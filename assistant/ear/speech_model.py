"""A speech model: opened, its words, and the phrases of the lexicon that it can hear."""

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
from assistant.files.errors import UsageError
from assistant.files.paths import data_dir
from assistant.files.resources import load_toml


class ModelError(SpeechError):
    """No speech model can be loaded from the folder."""


# ---- Opening a speech model: checked first, for Vosk ends the process over some broken files ----


MODEL_FILES = (
    "am/final.mdl",
    "conf/model.conf",
    "conf/mfcc.conf",
    "graph/HCLr.fst",
    "graph/Gr.fst",
    "graph/disambig_tid.int",
)
"""What a model that takes a grammar at run time is made of."""
GRAPH, WORDS = "graph/Gr.fst", "graph/words.txt"
"""Where the words are named: in the one, as in Vosk's small models, or in the other, as in ours."""
SUMS = "SHA256SUMS"
"""Written when a model is made (the format of ``sha256sum``); a model without it is taken as is."""
FST_MAGIC = (2125659606).to_bytes(4, "little")
"""How every file of OpenFst begins (fst/fst.h, kFstMagicNumber)."""
FST_HEAD = 256
"""Bytes at its beginning that hold its type, its arcs' type, a version and its flags."""
HAS_WORDS = 2
"""The flag of a file that names its output symbols (fst/fst.h, FstHeader::HAS_OSYMBOLS)."""


def load_model(model_dir: Path) -> Any:
    """The ``vosk.Model`` of a folder. Raises ModelError."""
    if not model_dir.is_dir():
        raise ModelError(f"There is no speech model in {model_dir}: name its folder with --model.")
    try:
        check_model(model_dir)
    except OSError as error:
        raise ModelError(f"The speech model in {model_dir} cannot be read: {error}.") from error
    import vosk

    vosk.SetLogLevel(-1)
    try:
        # Only a path: by name or language Vosk would go to the network and end the process.
        return vosk.Model(model_path=str(model_dir))
    except Exception as error:  # the binding raises nothing narrower
        raise ModelError(f"The speech model in {model_dir} is broken: install it again.") from error


def check_model(model_dir: Path) -> None:
    """Look whether the files are there and whole, as far as that can be told without loading.

    Raises ModelError, OSError.
    """
    for name in MODEL_FILES:
        if not (model_dir / name).is_file():
            raise ModelError(f"The speech model in {model_dir} lacks {name}: install it again.")
    for name in MODEL_FILES:
        with (model_dir / name).open("rb") as file:
            head = file.read(len(FST_MAGIC))
        if not head or (name.endswith(".fst") and head != FST_MAGIC):
            raise ModelError(_broken(model_dir, name))
    words = model_dir / WORDS
    if words.is_file() and not words.stat().st_size:
        raise ModelError(_broken(model_dir, WORDS))
    if not words.is_file() and not _names_words(model_dir / GRAPH):
        raise ModelError(f"The speech model in {model_dir} lacks {WORDS}: install it again.")
    sums = model_dir / SUMS
    if not sums.is_file():
        return
    for line in sums.read_text(encoding="utf-8", errors="replace").splitlines():
        expected, _, name = line.partition("  ")
        path = model_dir / name
        if not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != expected:
            raise ModelError(_broken(model_dir, name))


def _names_words(graph: Path) -> bool:
    """Whether a graph brings the names of its words along."""
    with graph.open("rb") as file:
        head = file.read(FST_HEAD)
    at = len(FST_MAGIC)
    for _ in ("type", "type of its arcs"):
        at += 4 + int.from_bytes(head[at : at + 4], "little")
    flags = int.from_bytes(head[at + 4 : at + 8], "little")  # after the version
    return bool(flags & HAS_WORDS)


def _broken(model_dir: Path, name: str) -> str:
    return f"The speech model in {model_dir} is broken ({name}): install it again."


# ---- Words that a model has, in place of words of ours that it lacks and that sound like them ---
# A stock model knows "hordago" perhaps, but not "órdago"; or "re" and "envido", but not
# "reenvido". The grammar then holds the stand-in, and what is heard is told by our word: nobody
# after the decoder knows of it.


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


def load_stand_ins() -> Curated:
    """What may stand in for words of ours that a speech model lacks. Raises UsageError."""
    path = data_dir("models") / "ear" / "stand_ins.toml"
    table = load_toml(path)
    for word, ways in table.items():
        if not isinstance(ways, list) or not all(isinstance(way, str) and way for way in ways):
            raise UsageError(f'{path}: {word} must be a list of texts, as in ["re envido"].')
    return {word: tuple(ways) for word, ways in table.items()}


# ---- Which of the lexicon's phrases a speech model can hear -------------------------------------
# Vosk drops a word that its model lacks and keeps the rest of the phrase, so that "hay órdago"
# would become "hay". Here a phrase is whole or it is left out, and what is left out is known. A
# word that is lacking may have a stand-in (``stand_ins``), by which its phrases are heard.


UNKNOWN = "[unk]"
"""Vosk's word for speech that is none of its words. It stays in what is heard: the lexicon takes
it for table talk."""


@dataclass(frozen=True, slots=True)
class Grammar:
    """The phrases that can be heard, those that cannot, and the words that the model lacks.

    ``phrases`` are in the model's words, the others in ours.
    """

    phrases: tuple[str, ...]
    left_out: tuple[str, ...]
    missing: tuple[str, ...]


def fit(
    phrases: Iterable[str], knows: Callable[[str], bool], stand_ins: StandIns = NONE
) -> Grammar:
    """Split ``phrases`` by whether a model that ``knows`` words can hear them; ``[unk]`` it can.

    A phrase whose words have stand-ins is kept by these.
    """
    kept: list[str] = []
    left_out: dict[str, None] = {}
    verdicts: dict[str, bool] = {UNKNOWN: True}
    weights = Counter(phrases)  # a phrase weighs as often as it stands there
    for phrase, weight in weights.items():
        words = tuple(phrase.lower().split())
        for word in words:
            if word not in verdicts:
                verdicts[word] = knows(word)
        if words and all(verdicts[word] or word in stand_ins.chosen for word in words):
            kept += [" ".join(way) for way in stand_ins.phrases(words)] * weight
        elif words:
            left_out[" ".join(words)] = None
    missing = sorted(word for word, known in verdicts.items() if not known)
    return Grammar(tuple(kept), tuple(left_out), tuple(missing))


def vocabulary(phrases: Iterable[str]) -> frozenset[str]:
    """The words that phrases are made of, ``[unk]`` not among them."""
    return frozenset(word for phrase in phrases for word in phrase.lower().split()) - {UNKNOWN}
