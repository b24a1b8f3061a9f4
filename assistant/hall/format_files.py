"""Formats of tournaments as TOML files, which organisers may write.

The shipped ones lie in ``models/formats``, an organiser's own in ``$XDG_CONFIG_HOME/mus/formats``.
An own one wins over a shipped one of the same name. An error in a file is reported in one sentence,
with the file and the line.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import fields
from datetime import date
from pathlib import Path
from typing import Any, NoReturn

from assistant.files.paths import data_dir, named_files, own_config_dir
from assistant.files.process import UsageError
from assistant.files.profile_files import (
    MAX_LETTERS,
    MAX_LINES,
    NAME,
    SUFFIX,
    ProfileFileError,
    line_of,
    parsed_toml,
)
from assistant.files.resources import load_texts, read_text
from assistant.files.terminal import terminal_language
from assistant.hall.tournament import FormatSheet, SheetError, Stage, StageKind, TournamentError
from assistant.hall.tournament.formats import Words
from assistant.messages.codec import short
from assistant.rules.errors import Translatable

KEYS = ("name", "title", "explains", "juegos", "stage")
OF_A_STAGE = (
    "name",
    "from",
    "places",
    *(field.name for field in fields(Stage) if field.name not in {"source", "first", "last"}),
)
"""The keys of a stage, as a file has them."""
DATES = ("starts", "dates")


class FormatFileError(ProfileFileError):
    """A file that is no format: "FILE:LINE: what is wrong"."""


def own_formats() -> Path:
    """The folder of an organiser's own formats (XDG); it need not exist."""
    return own_config_dir() / "formats"


def shipped_formats() -> Path:
    """The folder of the formats that come with mus."""
    return data_dir("models") / "formats"


def format_paths() -> dict[str, Path]:
    """Name -> file, of all formats."""
    return named_files(shipped_formats(), own_formats())


def find_format(wanted: str) -> FormatSheet:
    """The format with a name, or of a path that ends in .toml. Raises UsageError."""
    if wanted.endswith(SUFFIX):
        return load_format(Path(wanted).expanduser())
    paths = format_paths()
    if wanted not in paths:
        raise UsageError(
            "There is no format {wanted!r}: choose from {known}, or name a file that ends in "
            ".toml.",
            wanted=wanted[:40],
            known=", ".join(paths),
        )
    return load_format(paths[wanted])


def all_formats() -> dict[str, FormatSheet]:
    """All formats by name; a broken file does not keep the others from being listed."""
    found = {}
    for name, path in format_paths().items():
        with suppress(UsageError):
            found[name] = load_format(path)
    return found


def load_format(path: Path) -> FormatSheet:
    """Read a format. Raises FormatFileError, or UsageError if the file cannot be read."""
    text = read_text(path)
    if len(text) > MAX_LETTERS or text.count("\n") > MAX_LINES:
        raise UsageError(
            "{path} is longer than {lines} lines or {letters} letters: is it the right file?",
            path=path,
            lines=MAX_LINES,
            letters=MAX_LETTERS,
        )
    return _Reading(path, text).sheet()


class _Reading:
    """Reads one file; it knows the line of each key."""

    def __init__(self, path: Path, text: str) -> None:
        self._path = path
        self._text = text
        self._table = parsed_toml(path, text)

    def sheet(self) -> FormatSheet:
        """The format in it. Raises FormatFileError."""
        table = self._table
        for key in table:
            if key not in KEYS:
                self._unknown((key,), key, KEYS)
        if not NAME.fullmatch(self._path.stem) or table.get("name") != self._path.stem:
            told = Translatable(
                'a format is called as its file: write name = "{name}".', name=self._path.stem
            )
            self._wrong(("name",), told)
        if "title" not in table:
            self._wrong(("title",), 'title is missing: write title = "..." in words.')
        stages = table.get("stage")
        if not isinstance(stages, list) or not stages:
            self._wrong(("stage",), "a format has stages: write [[stage]] before each of them.")
        read: list[Stage] = []
        for number, one in enumerate(stages, 1):
            read.append(self._stage(number, one, stages))
        try:
            return FormatSheet(
                name=table["name"],
                title=self._words(("title",), table["title"]),
                stages=tuple(read),
                explains=self._words(("explains",), table.get("explains", {})),
                juegos=self._typed(("juegos",), table.get("juegos", 3), int),
            )
        except SheetError as error:
            self._refused(("stage", error.stage - 1, error.key), error)
        except TournamentError as error:
            self._refused((), error)

    def _stage(self, number: int, table: Any, stages: list[Any]) -> Stage:
        place: tuple[str | int, ...] = ("stage", number - 1)
        if not isinstance(table, dict):
            self._wrong(place, "a format has stages: write [[stage]] before each of them.")
        for key in table:
            if key not in OF_A_STAGE:
                self._unknown((*place, key), key, OF_A_STAGE)
        kinds = [kind.value for kind in StageKind]
        if table.get("kind") not in kinds:
            told = Translatable(
                "kind is one of {known}: write one of them.", known=", ".join(kinds)
            )
            self._wrong((*place, "kind"), told)
        values: dict[str, Any] = {"kind": StageKind(table["kind"])}
        for field in fields(Stage):
            key = field.name
            if key == "title" and key in table:
                values[key] = self._words((*place, key), table[key])
            elif key in DATES and key in table:
                values[key] = self._dates((*place, key), table[key], many=key == "dates")
            elif key in table and key not in values:
                values[key] = self._typed((*place, key), table[key], type(field.default))
        values |= self._source(place, table, stages[: number - 1])
        for key, value in values.items():  # each by itself first, to know which is wrong
            try:
                Stage(values["kind"], **({key: value} if key != "kind" else {}))
            except TournamentError as error:
                written = {"source": "from", "first": "places", "last": "places"}.get(key, key)
                self._refused((*place, written), error)
        return Stage(**values)

    def _source(
        self, place: tuple[str | int, ...], table: Mapping[str, Any], before: list[Any]
    ) -> dict[str, int]:
        found: dict[str, int] = {}
        if "from" in table:
            wanted = table["from"]
            names = [one.get("name") for one in before]
            if isinstance(wanted, str) and wanted in names:
                found["source"] = names.index(wanted) + 1
            elif type(wanted) is int and 1 <= wanted <= len(before):
                found["source"] = wanted
            else:
                told = Translatable(
                    "from names a stage that is written before this one, not {wanted}.",
                    wanted=short(wanted),
                )
                self._wrong((*place, "from"), told)
        if "places" in table:
            places = table["places"]
            if not isinstance(places, list) or [type(one) for one in places] != [int, int]:
                self._wrong((*place, "places"), "places are two numbers: write places = [1, 2].")
            found |= {"first": places[0], "last": places[1]}
        return found

    def _words(self, place: tuple[str | int, ...], value: object) -> Words:
        if isinstance(value, str):
            return (("", " ".join(value.split())),)
        if not isinstance(value, dict) or not all(isinstance(t, str) for t in value.values()):
            self._wrong(place, 'write a text, or one in each language: { es = "...", eu = "..." }.')
        return tuple((code, " ".join(text.split())) for code, text in value.items())

    def _dates(self, place: tuple[str | int, ...], value: object, *, many: bool) -> Any:
        listed = value if many and isinstance(value, list) else [value]
        texts = [one.isoformat() if isinstance(one, date) else one for one in listed]
        if not all(isinstance(text, str) for text in texts):
            self._wrong(place, "write a date as 2027-01-31.")
        return tuple(texts) if many else texts[0]

    def _typed(self, place: tuple[str | int, ...], value: object, kind: type) -> Any:
        if type(value) is not kind:
            told = {int: "a whole number is needed.", bool: "true or false is needed."}
            self._wrong(place, told.get(kind, "a text is needed."))
        return value

    def _unknown(self, place: tuple[str | int, ...], key: str, known: tuple[str, ...]) -> NoReturn:
        told = Translatable(
            "{key!r} is unknown; here may stand {known}.", key=key[:40], known=", ".join(known)
        )
        self._wrong(place, told)

    def _refused(self, place: tuple[str | int, ...], error: TournamentError) -> NoReturn:
        raise FormatFileError(self._path, self._line(place), in_words(error)) from None

    def _wrong(self, place: tuple[str | int, ...], told: str) -> NoReturn:
        raise FormatFileError(self._path, self._line(place), told)

    def _line(self, place: tuple[str | int, ...]) -> int:
        """The line of a key; that of its table if the key is missing."""
        while place and not _stands(self._table, place):
            place = place[:-1]
        return line_of(self._text, place) if place else 1


def _stands(table: Any, place: tuple[str | int, ...]) -> bool:
    try:
        for key in place:
            table = table[key]
    except (KeyError, IndexError, TypeError):
        return False
    return True


def in_words(error: TournamentError) -> str:
    """A refusal in the language of the terminal, in the words of the page."""
    language = terminal_language()
    if language == "en":
        return str(error)
    texts = load_texts("page/refusals", language)
    sentence, what = texts["why"].get(error.code), texts["what"]
    if not isinstance(sentence, str):
        return str(error)
    facts = {key: what.get(value, value) for key, value in error.facts.items()
             if isinstance(value, str | int)}  # fmt: skip
    thing = str(facts.get("what", "")).lower()
    return sentence.format(**{**error.facts, **facts, "thing": thing, "because": ""})
