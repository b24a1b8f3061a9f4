"""Models derived from the shipped one: one lacks words, one has the form of Vosk's small ones."""

import shutil
import struct
from pathlib import Path

from assistant.ear.speech_model import FST_MAGIC, GRAPH, HAS_WORDS, SUMS, WORDS

SYMBOLS_MAGIC = 2125658996
"""The first bytes of a symbol table (fst/symbol-table.cc, kSymbolTableMagicNumber)."""


def lacking(model_dir: Path, folder: Path, **renamed: str) -> Path:
    """A copy in which words are spelt otherwise. It sounds the same and lacks those words."""
    shutil.copytree(model_dir, folder)
    (folder / SUMS).unlink()
    names = (folder / WORDS).read_text("utf-8")
    for word, spelling in renamed.items():
        assert f"\n{word} " in names
        names = names.replace(f"\n{word} ", f"\n{spelling} ")
    (folder / WORDS).write_text(names, "utf-8")
    return folder


def named_in_graph(model_dir: Path, folder: Path) -> Path:
    """A copy whose words are named only in its graph, as in Vosk's small models."""
    shutil.copytree(model_dir, folder)
    (folder / SUMS).unlink()
    rows = [line.rsplit(" ", 1) for line in (folder / WORDS).read_text("utf-8").splitlines()]
    (folder / WORDS).unlink()
    names = b"".join(_text(word) + struct.pack("<q", int(number)) for word, number in rows)
    beyond = max(int(number) for _, number in rows) + 1
    table = struct.pack("<i", SYMBOLS_MAGIC) + _text(WORDS)
    table += struct.pack("<qq", beyond, len(rows)) + names
    graph = (folder / GRAPH).read_bytes()
    at = len(FST_MAGIC)
    for _ in ("type", "type of its arcs"):
        at += 4 + struct.unpack_from("<i", graph, at)[0]
    version, flags = struct.unpack_from("<ii", graph, at)
    body = at + 8 + 4 * 8  # properties, start, number of states, number of arcs
    head = graph[:at] + struct.pack("<ii", version, flags | HAS_WORDS) + graph[at + 8 : body]
    (folder / GRAPH).write_bytes(head + table + graph[body:])
    return folder


def _text(text: str) -> bytes:
    data = text.encode()
    return struct.pack("<i", len(data)) + data
