"""The rules of the architecture: imports go down only, rules are pure, private names stay private.

MAY_ASK is the table of docs/design.md, room by room. Every check returns sentences `file:line: what
is wrong`, so that the checks can be tested on bad snippets.
"""

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.tables import each_row

CHECKOUT = Path(__file__).resolve().parent.parent

MAY_ASK = {
    room: frozenset(asked.split())
    for room, asked in {
        "rules": "",
        "messages": "rules",
        "odds": "rules",
        "language": "rules messages",
        "table": "rules messages language",
        "files": "rules messages language",
        "page": "rules messages language table files",
        "voice": "rules messages language table files page",
        "ear": "rules messages language files page",
        "speakers": "rules messages language table files page ear",
        "eye": "rules messages table files page",
        "telephones": "rules messages page ear",
        "review": "rules messages odds language table files page eye",
        "school": "rules messages odds language table files page voice ear speakers review",
        "hall": "rules messages table files page voice review",
    }.items()
}
"""Room -> the other rooms that it may import."""
TOP = "cli"
"""The composition root: it may import every room, and no room imports it."""
STANDARD_LIBRARY_ALONE = (
    *("rules", "messages", "language", "table", "files"),
    *("review.record", "review.chronicle", "hall.tournament"),
)
"""Rooms and parts of rooms that import nothing outside the standard library."""
NUMPY_ALONE = ("odds", "school.players", "school.judge")
"""Rooms and parts of rooms that import NumPy and nothing else from outside."""
IMPURE = frozenset(
    "asyncio datetime importlib io logging multiprocessing os pathlib random secrets shutil "
    "signal socket sqlite3 subprocess tempfile threading time urllib".split()
)
IMPURE_CALLS = frozenset({"open", "print", "input", "__import__", "exec", "eval"})
SMALL = 40
"""Fewer lines of code than this make a module with one importer part of that importer."""


@dataclass(frozen=True, slots=True)
class Import:
    """One imported module with its full name, and the line of the import."""

    module: str
    line: int


def room_of(module: str) -> str:
    """The room of `assistant` that a module belongs to; "" for the package itself."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else ""


def module_of(path: Path) -> str:
    """The full name of the module in a file, whose path is relative to the checkout."""
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(tree: ast.Module, module: str, is_package: bool) -> Iterator[Import]:
    """All imports with full names, including relative ones and those inside functions."""
    package = module.split(".") if is_package else module.split(".")[:-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (Import(alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            name = ".".join([*base, *([node.module] if node.module else [])])
            if name == "assistant":  # `from assistant import x` imports assistant.x
                yield from (Import(f"{name}.{alias.name}", node.lineno) for alias in node.names)
            else:
                yield Import(name, node.lineno)


def wrong_import(module: str, room: str, asked: Import) -> str | None:
    """What is wrong with a module's import, or None."""
    top = asked.module.split(".")[0]
    if top == "assistant":
        return _wrong_inside(room, room_of(asked.module))
    if top in sys.stdlib_module_names:
        if room == "rules" and top in IMPURE:
            return f"rules stay pure: no clock, chance, files or threads, so no '{top}'"
        return None
    if _is_in(module, STANDARD_LIBRARY_ALONE) or (_is_in(module, NUMPY_ALONE) and top != "numpy"):
        return f"third-party '{top}' stays out of '{room}'"
    return None


def _is_in(module: str, parts: tuple[str, ...]) -> bool:
    return f"{module}.".startswith(tuple(f"assistant.{part}." for part in parts))


def _wrong_inside(room: str, target: str) -> str | None:
    if target in {"", "__version__", room}:
        return None
    if room == TOP and target in MAY_ASK:
        return None
    if target in MAY_ASK.get(room, ()):
        return None
    return f"'{room or 'assistant'}' may not import '{target}' (docs/design.md has the table)"


def faults(path: Path, source: str) -> list[str]:
    """All faults of one module of `assistant`; `path` is relative to the checkout."""
    module = module_of(path)
    room = room_of(module)
    tree = parsed(source)
    if room == "__main__":
        room = TOP
    found = []
    if room and room not in MAY_ASK and room != TOP:
        found.append(f"{path}:1: '{room}' is no room; give it one in MAY_ASK and docs/design.md")
    for asked in imports_of(tree, module, path.name == "__init__.py"):
        wrong = wrong_import(module, room, asked)
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
    return found


def circle(asks: dict[str, frozenset[str]]) -> list[str]:
    """Rooms that import each other in a circle, in order; empty if there are none."""

    def walk(trail: list[str]) -> list[str]:
        for target in sorted(asks.get(trail[-1], ())):
            if target in trail:
                return [*trail[trail.index(target) :], target]
            if found := walk([*trail, target]):
                return found
        return []

    return next((found for room in sorted(asks) if (found := walk([room]))), [])


@cache
def modules() -> dict[Path, str]:
    """All modules of `assistant`: path relative to the checkout -> source."""
    return {
        path.relative_to(CHECKOUT): path.read_text("utf-8")
        for path in sorted((CHECKOUT / "assistant").rglob("*.py"))
    }


def test_imports_go_down_only_and_the_rules_are_pure() -> None:
    found = [fault for path, source in modules().items() for fault in faults(path, source)]
    assert not found, "\n" + "\n".join(found)


def test_no_rooms_import_each_other_in_a_circle() -> None:
    assert circle(MAY_ASK) == []


def test_every_import_that_the_table_allows_is_used() -> None:
    """The table then says exactly how the house is built."""
    used = {
        (room_of(module_of(path)), room_of(asked.module))
        for path, source in modules().items()
        for asked in imports_of(parsed(source), module_of(path), path.name == "__init__.py")
        if asked.module.startswith("assistant.")
    }
    idle = {(room, other) for room, others in MAY_ASK.items() for other in others} - used
    assert not idle


def test_the_table_of_imports_equals_that_of_the_docs() -> None:
    rows = re.findall(
        r"^\| `(\w+)/` \| ([a-z, -]+) \|",
        (CHECKOUT / "docs/design.md").read_text("utf-8"),
        re.MULTILINE,
    )
    told = {room: frozenset(re.findall(r"[a-z]+", asked)) - {"nothing"} for room, asked in rows}
    assert told == MAY_ASK


def test_the_walk_of_a_spoken_call_in_the_docs_names_what_there_is() -> None:
    text = (CHECKOUT / "docs/design.md").read_text("utf-8")
    places = re.findall(r"^\d\. `([\w/]+\.py):(\w+)`", text, re.MULTILINE)
    assert len(places) == 7
    for path, name in places:
        tree = parsed(modules()[Path("assistant") / path])
        assert name in {getattr(node, "name", "") for node in tree.body}, f"{path}:{name}"


@cache
def parsed(source: str) -> ast.Module:
    """The syntax tree of a module. Three tests read all of them, and none changes them."""
    return ast.parse(source)


DOORS = {
    "post": "source",
    "tell": "listener",
    "show": "blueprint",
    "talk": "socket",
    "runner": "reader",
}
"""door of the house -> the role of a feature that uses it, in the order of docs/design.md"""


def installs() -> dict[str, tuple[str, str]]:
    """The modules with an ``install(house, ...)``: each feature, and what it provides."""
    found = {}
    for path, source in modules().items():
        tree = parsed(source)
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and node.name == "install":
                if node.args.args[0].arg != "house":
                    continue  # this one belongs to a speech model
                used = {
                    attribute.attr
                    for attribute in ast.walk(tree)
                    if isinstance(attribute, ast.Attribute)
                    and ast.unparse(attribute.value) in ("house", "self._house")
                }
                gives = ast.unparse(node.returns) if node.returns else ""
                found[str(path.relative_to("assistant"))] = (
                    ", ".join(what for door, what in DOORS.items() if door in used),
                    gives.removesuffix(" | None"),
                )
    return found


def test_the_table_of_features_equals_that_of_the_docs() -> None:
    rows = re.findall(
        r"^\| [^|]+ \| `([\w/]+\.py)` \| ([a-z, ]+) \| (`\w+`|nothing) \|$",
        (CHECKOUT / "docs/design.md").read_text("utf-8"),
        re.MULTILINE,
    )
    told = {path: (what, "None" if gives == "nothing" else gives.strip("`"))
            for path, what, gives in rows}  # fmt: skip
    assert told == installs()


def test_the_composition_root_installs_every_feature() -> None:
    path = Path("assistant/cli/app.py")
    tree = parsed(modules()[path])
    names = {
        alias.asname or alias.name: f"{node.module}.{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    called = {
        names[node.value.id]
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr == "install"
        if isinstance(node.value, ast.Name)
    }
    assert called == {module_of(Path("assistant", path)) for path in installs()}


def code_lines(tree: ast.Module) -> int:
    """The number of lines with code: no comments, no docstrings, no empty lines."""
    held = set()
    for node in ast.walk(tree):
        told = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node, ast.stmt) and not told:
            body = getattr(node, "body", None)
            end = body[0].lineno - 1 if body else node.end_lineno or node.lineno
            held |= set(range(node.lineno, max(end, node.lineno) + 1))
    return len(held)


def too_small(sources: dict[Path, str]) -> list[str]:
    """The small modules that a single other module imports.

    The front of a package and a command's module are exempt.
    """
    trees = {module_of(path): parsed(source) for path, source in sources.items()}
    fronts = {module_of(path) for path in sources if path.name == "__init__.py"}
    asked_by: dict[str, set[str]] = {}
    for module, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                base = node.module or ""
                names = {base, *(f"{base}.{alias.name}" for alias in node.names)} - {module}
                for target in names & trees.keys():
                    asked_by.setdefault(target, set()).add(module)
    return [
        f"{module}: {code_lines(trees[module])} lines of code, for {min(by)} alone"
        for module, by in sorted(asked_by.items())
        if len(by) == 1 and module not in fronts and code_lines(trees[module]) < SMALL
        if not module.rpartition(".")[2].startswith("mus_")
    ]


def test_no_small_module_serves_a_single_other_one() -> None:
    assert too_small(modules()) == []


def test_class_names_are_unique() -> None:
    found: dict[str, list[str]] = {}
    for path, source in modules().items():
        for node in ast.walk(parsed(source)):
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, []).append(str(path))
    assert {name: paths for name, paths in found.items() if len(paths) > 1} == {}


def test_too_small_finds_a_module_that_serves_a_single_other_one() -> None:
    sources = {
        Path(
            "assistant/ear/long.py"
        ): "from assistant.ear import short\nfrom assistant.ear.b import c",
        Path("assistant/ear/other.py"): "from assistant.ear.b import d",
        Path("assistant/ear/short.py"): '"""Short."""\n\nX = 1\n',
        Path("assistant/ear/b.py"): "c = d = 1",
    }
    assert too_small(sources) == [
        "assistant.ear.short: 1 lines of code, for assistant.ear.long alone"
    ]


@each_row(
    "path, source, expected",
    [
        ("assistant/rules/x.py", "import random", ":1: rules stay pure"),
        ("assistant/rules/x.py", "def f():\n    from time import time", ":2: rules stay pure"),
        ("assistant/rules/x.py", "print(1)", ":1: rules stay pure"),
        ("assistant/rules/x.py", "import numpy", ":1: third-party 'numpy'"),
        ("assistant/rules/x.py", "from ..language import x", ":1: 'rules' may not import"),
        ("assistant/rules/__init__.py", "from .. import table", ":1: 'rules' may not import"),
        ("assistant/language/x.py", "from assistant import table", ":1: 'language' may not"),
        ("assistant/messages/x.py", "from assistant.files.paths import y", ":1: 'messages' may"),
        ("assistant/table/x.py", "import assistant.page.server", ":1: 'table' may not import"),
        ("assistant/table/x.py", "\nimport vosk", ":2: third-party 'vosk'"),
        ("assistant/odds/x.py", "import cv2", ":1: third-party 'cv2'"),
        ("assistant/ear/echo.py", "from assistant.voice import x", ":1: 'ear' may not import"),
        ("assistant/hall/x.py", "from assistant.cli.main import x", ":1: 'hall' may not import"),
        ("assistant/__init__.py", "from .rules import cards", ":1: 'assistant' may not import"),
        ("assistant/extra.py", "", ":1: 'extra' is no room"),
    ],
)
def test_faults_finds_a_module_that_breaks_a_rule(path: str, source: str, expected: str) -> None:
    found = faults(Path(path), source)
    assert len(found) == 1
    assert found[0].startswith(path + expected)


@each_row(
    "path, source",
    [
        ("assistant/rules/engine.py", "from fractions import Fraction\nfrom .cards import Card"),
        ("assistant/odds/x.py", "import numpy as np\nfrom assistant.rules.hands import grande"),
        ("assistant/language/x.py", "import tomllib\nfrom assistant import rules, messages"),
        ("assistant/ear/ear.py", "import vosk\nfrom assistant.files.paths import data_dir"),
        ("assistant/cli/main.py", "from assistant import __version__, ear, voice"),
    ],
)
def test_faults_accepts_a_module_that_keeps_the_rules(path: str, source: str) -> None:
    assert faults(Path(path), source) == []


def test_circle_finds_a_circle_of_rooms() -> None:
    rooms = {"ear": frozenset({"eye"}), "eye": frozenset({"voice", "ear"})}
    assert circle(rooms) == ["ear", "eye", "ear"]


# Built from parts, because the check would find this file first.
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
    """The project's files: those that git tracks, or all of an unpacked archive."""
    if tracked is not None:
        return [CHECKOUT / name for name in sorted(tracked)]
    return [path for path in sorted(CHECKOUT.rglob("*")) if path.is_file() and not _made(path)]


def _made(path: Path) -> bool:
    """Whether a tool made the file: caches and environments."""
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


@each_row("place", PRIVATE_PLACES)
def test_private_places_finds_a_place_with_its_line(place: bytes) -> None:
    assert private_places("x.toml", b"first\nsee " + place) == [f"x.toml:2: names {place.decode()}"]
