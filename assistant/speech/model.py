"""Opening a speech model: checked first, for Vosk ends the process over some broken files."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from assistant.speech.errors import ModelError

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
