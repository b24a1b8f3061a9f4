"""Imports go down only, the rules stay pure, and no file names a place that is not everybody's.

The ranks are those of the README: rules (0) < vocabulary of the table (1) < table (2) < adapters
to the world (3) < app (4). Every check returns sentences `file:line: what is wrong`, so that the
checks can themselves be checked on bad snippets.
"""

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parent.parent

RANKS = {
    "rules": 0,
    **dict.fromkeys(
        "documents messages lexicon phrases snapshot showdown script forms codec odds record "
        "chronicle players practice report apprentice lessons tournament".split(),
        1,
    ),
    **dict.fromkeys(("asked", "doubt", "expected", "hands", "histories", "table", "who"), 2),
    **dict.fromkeys(("journal", "speech", "vision", "announce", "dashboard", "hub"), 3),
    "app": 4,
}
# Stands beside the ranks: it is asked by those that touch the world, and asks nobody.
PATHS = "paths"
THIRD_PARTY_FROM = 3
NUMPY_TOO = {"odds", "players"}
IMPURE = frozenset(
    "asyncio datetime importlib io logging multiprocessing os pathlib random secrets shutil "
    "signal socket sqlite3 subprocess tempfile threading time urllib".split()
)
IMPURE_CALLS = frozenset({"open", "print", "input", "__import__", "exec", "eval"})
LONGEST_MODULE = 400


@dataclass(frozen=True, slots=True)
class Import:
    """One imported module, by its full name, and the line that asks for it."""

    module: str
    line: int


def room_of(module: str) -> str:
    """The part of `assistant` that a module belongs to; "" for the package itself."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else ""


def module_of(path: Path) -> str:
    """The full name of the module in a file, given from the checkout."""
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(tree: ast.Module, module: str, is_package: bool) -> Iterator[Import]:
    """All imports, those inside functions too; relative ones by their full name."""
    package = module.split(".") if is_package else module.split(".")[:-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (Import(alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            name = ".".join([*base, *([node.module] if node.module else [])])
            if name == "assistant":  # `from assistant import x` asks for assistant.x
                yield from (Import(f"{name}.{alias.name}", node.lineno) for alias in node.names)
            else:
                yield Import(name, node.lineno)


def wrong_import(room: str, asked: Import) -> str | None:
    """What is wrong with a room's import, if anything."""
    rank = RANKS.get(room)
    top = asked.module.split(".")[0]
    if top == "assistant":
        return _wrong_inside(room, rank, room_of(asked.module))
    if top in sys.stdlib_module_names:
        if rank == 0 and top in IMPURE:
            return f"rules stay pure: no clock, chance, files or threads, so no '{top}'"
        return None
    if (rank is not None and rank >= THIRD_PARTY_FROM) or (top == "numpy" and room in NUMPY_TOO):
        return None
    return f"third-party '{top}' belongs to rank 3 and 4; '{room}' is below"


def _wrong_inside(room: str, rank: int | None, target: str) -> str | None:
    if target in {"", "__version__", room}:
        return None
    if rank is None:
        return f"'{room or 'assistant'}' imports nothing of ours, not even '{target}'"
    if target == PATHS:
        return None if rank >= THIRD_PARTY_FROM else f"'{PATHS}' is for rank 3 and 4"
    if target not in RANKS:
        return f"'{target}' has no rank"
    if RANKS[target] > rank:
        return f"imports go down only: '{room}' is rank {rank}, '{target}' rank {RANKS[target]}"
    if RANKS[target] == rank == THIRD_PARTY_FROM:
        return f"adapters meet in app alone: '{room}' may not import its neighbour '{target}'"
    return None


def faults(path: Path, source: str) -> list[str]:
    """Everything wrong with one module of `assistant`; `path` is given from the checkout."""
    module = module_of(path)
    room = room_of(module)
    tree = ast.parse(source)
    if room == "__main__":
        room = "app"
    found = []
    if room and room != PATHS and room not in RANKS:
        found.append(f"{path}:1: '{room}' has no rank; give it one in RANKS")
    for asked in imports_of(tree, module, path.name == "__init__.py"):
        wrong = wrong_import(room, asked)
        if wrong:
            found.append(f"{path}:{asked.line}: {wrong}")
    if room == "rules":
        found += [
            f"{path}:{node.lineno}: rules stay pure: no {node.func.id}()"
            for node in ast.walk(tree)
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in IMPURE_CALLS
        ]
    lines = source.count("\n")
    if lines > LONGEST_MODULE:
        found.append(f"{path}:{lines}: more than {LONGEST_MODULE} lines; split it")
    return found


def neighbours(sources: dict[Path, str]) -> dict[str, set[str]]:
    """room -> the rooms of the same rank that it imports."""
    asks: dict[str, set[str]] = {}
    for path, source in sources.items():
        module = module_of(path)
        room = room_of(module)
        for asked in imports_of(ast.parse(source), module, path.name == "__init__.py"):
            target = room_of(asked.module) if asked.module.startswith("assistant.") else ""
            if target != room and target in RANKS and RANKS[target] == RANKS.get(room):
                asks.setdefault(room, set()).add(target)
    return asks


def circle(asks: dict[str, set[str]]) -> list[str]:
    """Rooms that import each other in a circle, in order; empty if there is none."""

    def walk(trail: list[str]) -> list[str]:
        for target in sorted(asks.get(trail[-1], ())):
            if target in trail:
                return [*trail[trail.index(target) :], target]
            if found := walk([*trail, target]):
                return found
        return []

    return next((found for room in sorted(asks) if (found := walk([room]))), [])


def modules() -> dict[Path, str]:
    """All modules of `assistant`: path from the checkout -> source."""
    return {
        path.relative_to(CHECKOUT): path.read_text("utf-8")
        for path in sorted((CHECKOUT / "assistant").rglob("*.py"))
    }


def test_imports_go_down_only_and_rules_stay_pure() -> None:
    found = [fault for path, source in modules().items() for fault in faults(path, source)]
    assert not found, "\n" + "\n".join(found)


def test_no_room_imports_itself_in_a_circle() -> None:
    assert circle(neighbours(modules())) == []


@pytest.mark.parametrize(
    ("path", "source", "expected"),
    [
        ("assistant/rules/x.py", "import random", ":1: rules stay pure"),
        ("assistant/rules/x.py", "def f():\n    from time import time", ":2: rules stay pure"),
        ("assistant/rules/x.py", "print(1)", ":1: rules stay pure"),
        ("assistant/rules/x.py", "import numpy", ":1: third-party 'numpy'"),
        ("assistant/rules/x.py", "from ..lexicon import parse", ":1: imports go down only"),
        ("assistant/rules/__init__.py", "from .. import table", ":1: imports go down only"),
        ("assistant/script.py", "from assistant import table", ":1: imports go down only"),
        ("assistant/codec.py", "from assistant.paths import data_dir", ":1: 'paths' is for rank"),
        ("assistant/table.py", "import assistant.journal.sqlite", ":1: imports go down only"),
        ("assistant/table.py", "\nimport vosk", ":2: third-party 'vosk'"),
        ("assistant/speech/gate.py", "from assistant.announce import voice", ":1: adapters meet"),
        ("assistant/hub/x.py", "from assistant.app.cli import main", ":1: imports go down only"),
        ("assistant/paths.py", "import assistant.rules", ":1: 'paths' imports nothing"),
        ("assistant/__init__.py", "from .rules import cards", ":1: 'assistant' imports nothing"),
        ("assistant/extra.py", "", ":1: 'extra' has no rank"),
        ("assistant/odds.py", "\n" * 401, ":401: more than 400 lines"),
    ],
)
def test_a_module_that_breaks_a_rule_is_named(path: str, source: str, expected: str) -> None:
    found = faults(Path(path), source)
    assert len(found) == 1
    assert found[0].startswith(path + expected)


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("assistant/rules/engine.py", "from fractions import Fraction\nfrom .cards import Card"),
        ("assistant/odds.py", "import numpy as np\nfrom assistant.rules.hands import grande"),
        ("assistant/script.py", "import tomllib\nfrom assistant import lexicon, messages"),
        ("assistant/speech/ear.py", "import vosk\nfrom assistant.paths import data_dir"),
        ("assistant/app/cli.py", "from assistant import __version__, speech, announce"),
    ],
)
def test_a_module_that_keeps_the_rules_is_left_alone(path: str, source: str) -> None:
    assert faults(Path(path), source) == []


def test_a_circle_of_neighbours_is_found() -> None:
    sources = {
        Path("assistant/script.py"): "from assistant import lexicon",
        Path("assistant/lexicon/words.py"): "from assistant.script import read",
    }
    assert circle(neighbours(sources)) == ["lexicon", "script", "lexicon"]


# Put together here, or this file would be the first to be found.
PRIVATE_PLACES = tuple(
    "".join(parts).encode()
    for parts in (
        ("py", "pi", ".", "org"),
        ("python", "hosted"),
        ("/ho", "me/"),
        ("/ro", "ot/"),
        ("/Us", "ers/"),
        ("/wo", "rk/"),
    )
)


def shipped_files(tracked: frozenset[str] | None) -> list[Path]:
    """The files of the project: those that git knows, or all of an unpacked archive."""
    if tracked is not None:
        return [CHECKOUT / name for name in sorted(tracked)]
    return [path for path in sorted(CHECKOUT.rglob("*")) if path.is_file() and not _made(path)]


def _made(path: Path) -> bool:
    """Whether a file was made by a tool rather than written: caches and environments."""
    folders = path.relative_to(CHECKOUT).parts[:-1]
    return any(name == "__pycache__" or (name[0] == "." and name != ".ci") for name in folders)


def private_places(name: str, content: bytes) -> list[str]:
    """The lines of a file, text or not, that name a place on somebody's machine or network."""
    return [
        f"{name}:{content[:at].count(10) + 1}: names {place.decode()}"
        for place in PRIVATE_PLACES
        if (at := content.find(place)) >= 0
    ]


def test_no_file_names_an_index_host_or_a_home_folder(tracked: frozenset[str] | None) -> None:
    found = [
        fault
        for path in shipped_files(tracked)
        for fault in private_places(str(path.relative_to(CHECKOUT)), path.read_bytes())
    ]
    assert not found, "\n" + "\n".join(found)


@pytest.mark.parametrize("place", PRIVATE_PLACES)
def test_a_private_place_is_named_with_its_line(place: bytes) -> None:
    assert private_places("x.toml", b"first\nsee " + place) == [f"x.toml:2: names {place.decode()}"]
