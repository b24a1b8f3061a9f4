"""The decoding graph: the lexicon with a free phone loop for [unk], for Vosk's grammars.

Vosk composes HCLr.fst (an olabel look-ahead transducer of phones to words, with relabelled word
numbers) with the grammar that it gets at run time. The graph is made with OpenFst's commands
(Debian: libfst-tools) and kaldifst's determinisation. Sources: Vosk's src/recognizer.cc and
model.cc; Kaldi's egs/wsj/s5/utils/prepare_lang.sh and mkgraph_lookahead.sh.
"""

import math
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from . import lexicon_fst, phones
from .vocabulary import Vocabulary

_LOOKAHEAD = "libfstlookahead.so.22"
UNKNOWN = "[unk]"
BIGRAM_FILE = "phones/bigram.txt"
PRONUNCIATION_FILE = "phones/pronunciations.txt"
_PLACE_NAMES = {"_B": "begin", "_E": "end", "_I": "internal", "_S": "singleton"}


class MissingToolError(Exception):
    """A command of libfst-tools is not installed."""


def build(
    folder: Path, vocabulary: Vocabulary, bigram: npt.NDArray[np.float64], costs: lexicon_fst.Costs
) -> None:
    """Write graph/ into `folder`. `bigram` holds log-probabilities of phone pairs, (P, P).

    Raises MissingToolError if OpenFst's commands are not there.
    """
    if shutil.which("fstconvert") is None:
        raise MissingToolError("OpenFst's commands are missing: install Debian's libfst-tools")
    (folder / "phones").mkdir(parents=True, exist_ok=True)
    words = ["<eps>", *vocabulary.all_words, UNKNOWN, "#0"]
    lexicon = lexicon_fst.compose_lexicon(vocabulary, words, bigram, costs)
    with tempfile.TemporaryDirectory(prefix="mus-graph-") as name:
        scratch = Path(name)
        _determinized(lexicon.arcs, scratch)
        _context_free_hmm(scratch, lexicon.disambiguation)
        relabelled = _lookahead(scratch, folder, words)
        _default_grammar(scratch, folder, relabelled)
    _write_tables(folder, relabelled, lexicon, bigram, vocabulary)


def _run(*command: str, environment: dict[str, str] | None = None) -> None:
    subprocess.run(command, check=True, env=environment)


def _determinized(arcs: Sequence[str], scratch: Path) -> None:
    (scratch / "L.txt").write_text("\n".join(arcs) + "\n", encoding="utf-8")
    _run("fstcompile", str(scratch / "L.txt"), str(scratch / "L.fst"))
    import kaldifst  # only here, because a process that has it hangs when Vosk loads a model

    lexicon = kaldifst.StdVectorFst.read(str(scratch / "L.fst"))
    kaldifst.determinize_star(lexicon)
    lexicon.write(str(scratch / "Ldet.fst"))
    _run("fstprint", str(scratch / "Ldet.fst"), str(scratch / "Ldet.txt"))


def _context_free_hmm(scratch: Path, disambiguation: dict[str, int]) -> None:
    """Turn phones into transition ids. A state keeps the phone whose self-loop it has."""
    machine = lexicon_fst.read_text(scratch / "Ldet.txt")
    arcs = lexicon_fst.phones_to_transitions(machine, disambiguation)
    (scratch / "HCL.txt").write_text("\n".join(arcs) + "\n", encoding="utf-8")
    _run("fstcompile", str(scratch / "HCL.txt"), str(scratch / "HCL0.fst"))
    _run("fstarcsort", "--sort_type=olabel", str(scratch / "HCL0.fst"), str(scratch / "HCL.fst"))


def _lookahead(scratch: Path, folder: Path, words: Sequence[str]) -> dict[str, int]:
    """Write HCLr.fst and return the number it gives to each word."""
    pairs = scratch / "relabel"
    _run(
        "env", f"LD_PRELOAD={_LOOKAHEAD}", "fstconvert", "--fst_type=olabel_lookahead",
        f"--save_relabel_opairs={pairs}", str(scratch / "HCL.fst"), str(folder / "HCLr.fst"),
    )  # fmt: skip
    lines = pairs.read_text(encoding="utf-8").split("\n")
    moved = {int(old): int(new) for old, new in (line.split() for line in lines if line)}
    numbers = {word: moved[old] for old, word in enumerate(words) if old in moved}
    numbers["<eps>"] = 0
    for word in words:  # words that the graph does not hold ("#0") come last
        numbers.setdefault(word, max(numbers.values()) + 1)
    return numbers


def _default_grammar(scratch: Path, folder: Path, numbers: dict[str, int]) -> None:
    """Write Gr.fst, which is used without a grammar: any words in any order."""
    spoken = [number for word, number in numbers.items() if word not in ("<eps>", "#0")]
    cost = math.log(len(spoken) + 1)
    lines = [f"0 0 {number} {number} {cost:.4f}" for number in sorted(spoken)]
    text = "\n".join([*lines, f"0 {cost:.4f}"]) + "\n"
    (scratch / "G.txt").write_text(text, encoding="utf-8")
    _run("fstcompile", str(scratch / "G.txt"), str(scratch / "G0.fst"))
    _run("fstarcsort", "--sort_type=ilabel", str(scratch / "G0.fst"), str(scratch / "G1.fst"))
    _run("fstconvert", "--fst_type=const", str(scratch / "G1.fst"), str(folder / "Gr.fst"))


def _write_tables(
    folder: Path, numbers: dict[str, int], lexicon: lexicon_fst.Lexicon,
    bigram: npt.NDArray[np.float64], vocabulary: Vocabulary,
) -> None:  # fmt: skip
    def lines(path: str, rows: Sequence[str]) -> None:
        (folder / path).write_text("\n".join(rows) + "\n", encoding="utf-8")

    by_number = sorted(numbers.items(), key=lambda pair: pair[1])
    lines("words.txt", [f"{word} {number}" for word, number in by_number])
    symbols = sorted((phones.PHONE_ID | lexicon.disambiguation).items(), key=lambda pair: pair[1])
    lines("phones.txt", ["<eps> 0", *(f"{symbol} {number}" for symbol, number in symbols)])
    first = phones.TRANSITIONS + 1
    lines("disambig_tid.int", [str(first + k) for k in range(len(lexicon.disambiguation))])
    places = [
        f"{number} {_PLACE_NAMES.get(phone[-2:], 'nonword')}"
        for phone, number in phones.PHONE_ID.items()
    ]
    lines("phones/word_boundary.int", places)
    lines(PRONUNCIATION_FILE, pronunciations(vocabulary))
    lines(BIGRAM_FILE, [" ".join(f"{value:.3f}" for value in row) for row in bigram])


def pronunciations(vocabulary: Vocabulary) -> list[str]:
    """Return a line for each way to say each word, names left out: the word, then its phones.

    The assistant learns by it how the players of a table speak (assistant/speakers).
    """
    return [
        " ".join((word, *sounds))
        for word in vocabulary.words
        for sounds in vocabulary.pronunciations(word)
    ]


def read_bigram(folder: Path) -> npt.NDArray[np.float64]:
    """Return the phone bigram that `build` keeps beside a graph, to build it again."""
    return np.loadtxt(folder / BIGRAM_FILE, dtype=np.float64, ndmin=2)
