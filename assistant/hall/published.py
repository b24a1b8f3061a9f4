"""The public results of a tournament as a static folder, for any web host or a memory stick.

The pages need no script and no server, and lead to each other by relative links. They have names,
meetings and results from the hall's public pages, but nothing that should not stay public for ever:
no telephone, payment, club, author or reason of a result.
"""

from __future__ import annotations

import io
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import ZIP_DEFLATED, ZipFile

from assistant.files.atomic import sync
from assistant.files.paths import data_dir
from assistant.files.resources import load_texts, load_wording
from assistant.hall.tournament.errors import normalized
from assistant.rules.errors import MusError

if TYPE_CHECKING:
    from jinja2 import Environment

LANGUAGES = ("es", "eu", "en")
TONGUES = {"es": "Español", "eu": "Euskara", "en": "English"}
"""The languages' own names."""
PAGES = ("index", "matches", "pairs")
MARKER = ".mus-results.json"
"""The file that names what was published, so that another run touches nothing else."""
STYLE = "style.css"
LATEST = 16
LOTS = ("redraw", "lives", "individual")
"""Kinds of stages whose rounds are drawn by the seed."""
"""The latest results that the overview shows."""
BROAD = 16
"""The most matches of a round with which a tree is still drawn."""


class PublishError(MusError):
    """A folder that cannot take the results; the text says why."""


def publish(shown: Mapping[str, Any], folder: Path, language: str = "es") -> list[str]:
    """Write the results of a tournament into a folder; returns the paths of its files.

    ``shown`` is what ``Desk.show`` gives. The page with which the folder opens is in ``language``.
    Another run replaces each file atomically, once all of them are complete, and deletes files
    that are not needed any more. Raises PublishError, OSError.
    """
    files = published_files(shown, language)
    before = _published(folder, str(shown["name"]))
    strangers = [path for path in files if path not in before and (folder / path).exists()]
    if strangers:
        raise PublishError(
            "{folder} has a file {name} of its own: name another folder.",
            folder=folder,
            name=strangers[0],
        )
    files[MARKER] = json.dumps({"tournament": shown["name"], "files": sorted(files)})
    _replace(folder, files)
    for path in before - files.keys():
        (folder / path).unlink(missing_ok=True)
    return [path for path in files if path != MARKER]


def published_files(shown: Mapping[str, Any], language: str = "es") -> dict[str, str]:
    """The files of a folder with the results: path -> text; see ``publish``."""
    files = {STYLE: _style()}
    for code in LANGUAGES:
        words = _Words(code)
        for page in PAGES:
            files[f"{code}/{page}.html"] = _page(shown, words, page, "../", code)
    files["index.html"] = _page(shown, _Words(language), "index", "", language)
    return files


def standings_told(
    shown: Mapping[str, Any], language: str, category: str = ""
) -> tuple[list[str], list[tuple[str, list[list[object]]]]]:
    """The titles of the columns, and each list of the standings: its title and its rows.

    With a ``category`` its pairs alone, with their places among each other.
    """
    told = _Told(shown, _Words(language if language in LANGUAGES else LANGUAGES[0]))
    if category:
        return told.columns()[:-1], told.of_category(category)
    return told.columns(), [*told.all_standings(), *told.best()]


def published_zip(shown: Mapping[str, Any], language: str = "es") -> bytes:
    """The same as one ZIP file, to be unpacked on a web host."""
    packed = io.BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for path, text in published_files(shown, language).items():
            archive.writestr(path, text)
    return packed.getvalue()


def _published(folder: Path, name: str) -> set[str]:
    """The files that an earlier run has written. Raises PublishError if they are of another one."""
    try:
        told = json.loads((folder / MARKER).read_text("utf-8"))
        files = {str(path) for path in told["files"]}
        other = str(told["tournament"])
    except FileNotFoundError:
        return set()
    except (ValueError, KeyError, TypeError):
        return set()
    if other != name:
        raise PublishError(
            "{folder} has the results of {name}: name another folder.", folder=folder, name=other
        )
    return {path for path in files if not Path(path).is_absolute() and ".." not in Path(path).parts}


def _replace(folder: Path, files: Mapping[str, str]) -> None:
    """Write all files beside the old ones, and then put each in its place."""
    made: list[tuple[Path, Path]] = []
    try:
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            partly = path.with_name(f".{path.name}.part")
            made.append((partly, path))
            partly.write_text(text, "utf-8")
            sync(partly)
        for partly, path in made:
            partly.replace(path)
    finally:
        for partly, _ in made:
            partly.unlink(missing_ok=True)
    for parent in {path.parent for _, path in made}:
        sync(parent)


def _style() -> str:
    folder = data_dir("web") / "static" / "css"
    return "".join((folder / name).read_text("utf-8") for name in ("base.css", "published.css"))


# ---- The words: those of the hall's pages, and a few of its own ----------------------------------


class _Words:
    """The words of one language."""

    def __init__(self, code: str) -> None:
        self.code = code
        self._hall = load_wording("page/hall", code).texts
        self._own = load_wording("published", code)
        self._lists = load_texts("page/hall", code)["t"]

    def __call__(self, key: str, **values: object) -> str:
        """A text of the hall's pages; of one with forms that for the number ``n``."""
        if key not in self._hall:
            n = values.get("n")
            forms = ["zero"] if n == 0 else []
            forms += ["one" if n == 1 else "many"]
            key = next((f"{key}.{form}" for form in forms if f"{key}.{form}" in self._hall), key)
        return self._hall[key].format(**values)

    def own(self, key: str, **values: str | int) -> str:
        """A text of these pages alone."""
        return self._own(key, **values)

    def has(self, key: str) -> bool:
        """Whether the hall's pages have a text."""
        return key in self._hall

    def listed(self, key: str) -> Sequence[str]:
        """The texts of a list."""
        found: Sequence[str] = self._lists[key]
        return found

    def said(self, words: Mapping[str, str]) -> str:
        """A text of a format from a file."""
        return words.get(self.code) or next(iter(words.values()), "")

    def table(self, name: str) -> str:
        """The name of a table as people say it."""
        number = name.removeprefix("mesa-")
        return self("table", n=number) if number != name else name


# ---- What the pages show -------------------------------------------------------------------------


@dataclass(slots=True)
class _Side:
    name: str
    score: str = ""
    won: bool = False


@dataclass(slots=True)
class _Meeting:
    """A match, in words; ``match`` is its name, and ``state`` as in ``MatchShown``."""

    match: str
    where: str
    state: str
    note: str
    sides: list[_Side]


@dataclass(slots=True)
class _Round:
    title: str
    tree: bool
    meetings: list[_Meeting] = field(default_factory=list)


def _page(shown: Mapping[str, Any], words: _Words, page: str, up: str, code: str) -> str:
    """One page; ``up`` leads from it to the folder."""
    told = _Told(shown, words)
    languages = [(TONGUES[one], f"{up}{one}/{page}.html", one == code, one) for one in LANGUAGES]
    pages = [
        (title, f"{up}{code}/{one}.html", one == page)
        for one, title in (
            ("index", words.own("overview")),
            ("matches", words("page.matches")),
            ("pairs", words("t.players") if shown["individual"] else words("page.pairs")),
        )
    ]
    return (
        _templates()
        .get_template("published.html")
        .render(
            w=words,
            told=told,
            page=page,
            shown=shown,
            code=code,
            style=f"{up}{STYLE}",
            languages=languages,
            pages=pages,
            updated=time.strftime("%Y-%m-%d %H:%M"),
        )
    )


def _templates() -> Environment:
    """The templates of the published pages, which escape every text."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # only where it publishes

    return Environment(
        loader=FileSystemLoader(data_dir("web") / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


class _Told:
    """A tournament in the words of one language, as the page's scripts say it in the hall."""

    def __init__(self, shown: Mapping[str, Any], words: _Words) -> None:
        self._shown = shown
        self._words = words
        self._names = {pair["pair"]: str(pair["name"]) for pair in shown["pairs"]}
        self._categories = {pair["pair"]: normalized(pair["category"]) for pair in shown["pairs"]}
        self._rounds = self._titled()

    def name(self, pair: int) -> str:
        """The name of a pair."""
        return self._names[pair]

    def facts(self) -> str:
        """The format, the length of a match, how many play, and the seeds of the draws."""
        shown, words = self._shown, self._words
        here = sum(pair["here"] and not pair["of"] for pair in shown["pairs"])
        told = [
            words.said(shown["title"]) or words(f"t.formats.{shown['format']}"),
            words("t.toWin", n=shown["juegos"]),
            words("t.people" if shown["individual"] else "t.pairs", n=here),
        ]
        if shown["rounds"]:
            told.append(words("t.ofRounds", n=shown["paired"], all=shown["rounds"]))
        if shown["clubs_apart"]:
            told.append(words("t.clubsApart"))
        if shown["bag"]:
            told.append(words("t.bagged"))
        if shown["seed"] is not None and (not shown["bag"] or self._lots()):
            told.append(words("t.seed", n=shown["seed"]))
        told += [words("t.annulled", n=n, reason=reason) for n, reason in shown["annulled"]]
        return " · ".join(told)

    def _lots(self) -> bool:
        """Whether rounds are drawn by the seed, too."""
        return any(stage["kind"] in LOTS for stage in self._shown["stages"])

    def podiums(self) -> list[tuple[str, list[list[str]]]]:
        """Each podium: of the tournament, of its categories, of its consolations."""
        shown, words = self._shown, self._words
        found = []
        if shown["podium"]:
            found.append((words("page.podium"), shown["podium"]))
        found += [(one["name"], one["podium"]) for one in shown["categories"]]
        found += [(self._kind(one), one["podium"]) for one in shown["stages"] if one["podium"]]
        return [
            (title, [[self.name(pair) for pair in place] for place in places if place])
            for title, places in found
        ]

    def playing(self) -> list[_Meeting]:
        """The matches at the tables."""
        found = [one for one in self._shown["matches"] if one["state"] == "playing"]
        return [self._meeting(one) for one in sorted(found, key=_by_table)]

    def soon(self) -> list[_Meeting]:
        """The matches that can be played next."""
        found = [one for one in self._shown["matches"] if one["state"] == "ready"]
        return [self._meeting(one) for one in found[:LATEST]]

    def latest(self) -> list[_Meeting]:
        """The latest results, the newest first, each with the name of its round."""
        rounds = {m["match"]: title for title, found in self._rounds for m in found}
        matches = {one["match"]: one for one in self._shown["matches"]}
        made = []
        for name in self._shown["latest"][:LATEST]:
            if name in matches:
                meeting = self._meeting(matches[name])
                meeting.where = rounds[name]
                made.append(meeting)
        return made

    def standings(self) -> list[tuple[str, list[list[object]]]]:
        """The standings of each group, with its title; then those of each category in it."""
        found = []
        for (title, told), rows in zip(self.all_standings(), self._shown["standings"], strict=True):
            found.append((title, told))
            for category in self._shown["category_names"]:
                own = self._of(rows, category)
                if 1 < len(own) < len(rows):
                    named = " · ".join(filter(None, (title, category)))
                    found.append((named, self._rows(own, alone=True)))
        return found

    def best(self) -> list[tuple[str, list[list[object]]]]:
        """The best of a place across the groups, with its title; each row tells why, too."""
        words, found = self._words, []
        for one in self._shown["best"]:
            title = words("t.best.title", place=one["place"], n=one["best"])
            stage = self._shown["stages"][one["of"] - 1]
            rows: list[list[object]] = [
                [
                    row["place"],
                    words(
                        "t.best.named",
                        pair=self.name(row["pair"]),
                        group=self._group(stage, row["group"]),
                    ),
                    *(row["played"], row["won"], row["lost"]),
                    *("–".join(map(str, row[of])) for of in ("juegos", "stones")),
                    self._why(row, average=one["average"]),
                ]
                for row in one["rows"]
            ]
            found.append((title if one["settled"] else words("t.best.soFar", title=title), rows))
        return found

    def _why(self, row: Mapping[str, Any], *, average: bool) -> str:
        """Why a pair goes on or not."""
        words, why = self._words, row["why"]
        if not why:
            return words("t.best.all")
        goes, by = row["goes"], why["by"]
        if by == "draw":
            told = words(f"t.best.{'lotGoes' if goes else 'lotStays'}", pair=self.name(why["pair"]))
        else:
            own, other = (self._number(why[of], signed=by != "won") for of in ("own", "other"))
            told = words(
                f"t.best.{'goes' if goes else 'stays'}",
                by=words(f"t.by.{by}"),
                own=own,
                other=other,
            )
        if average:
            told = words("t.best.average", why=told)
        if row["left_out"]:
            names = ", ".join(map(self.name, row["left_out"]))
            told = words("t.best.leftOut", why=told, pairs=names)
        return told

    def _number(self, value: float, *, signed: bool) -> str:
        """A number as the language writes it; a difference with its sign."""
        told = f"{value:{'+' if signed and value else ''}g}"
        return told if self._words.code == "en" else told.replace(".", ",")

    def all_standings(self) -> list[tuple[str, list[list[object]]]]:
        """The standings of each group, with its title."""
        return [
            (self._standing_title(at), self._rows(rows))
            for at, rows in enumerate(self._shown["standings"])
        ]

    def of_category(self, category: str) -> list[tuple[str, list[list[object]]]]:
        """The standings of each group with pairs of a category, among these alone."""
        found = []
        for at, rows in enumerate(self._shown["standings"]):
            if own := self._of(rows, category):
                found.append((self._standing_title(at), self._rows(own, alone=True)))
        return found

    def _of(self, rows: list[Mapping[str, Any]], category: str) -> list[Mapping[str, Any]]:
        return [row for row in rows if self._categories[row["pair"]] == normalized(category)]

    def _rows(self, rows: list[Mapping[str, Any]], *, alone: bool = False) -> list[list[object]]:
        """``alone``: with places among each other, without the criterion that separated them."""
        return [
            [at if alone else row["place"], self.name(row["pair"]), row["played"], row["won"],
             row["lost"], "–".join(map(str, row["juegos"])), "–".join(map(str, row["stones"])),
             *([] if alone else [self._words(f"t.by.{row['by']}")])]
            for at, row in enumerate(rows, 1)]  # fmt: skip

    def columns(self) -> list[str]:
        """The titles of the columns of the standings."""
        columns = list(self._words.listed("columns"))
        if self._shown["individual"]:
            columns[1] = self._words("t.onePlayer")
        return columns

    def tree(self) -> list[_Round]:
        """The rounds of the last knock-out, if it is small enough to be drawn as a tree."""
        return [one for one in self._all_rounds() if one.tree]

    def rounds(self) -> list[_Round]:
        """All other rounds, in the order of play."""
        return [one for one in self._all_rounds() if not one.tree]

    def pairs(self) -> list[tuple[int, str, str, bool]]:
        """Who enrolled: number, name, what else is to say, withdrawn.

        That is the players, where the name does not say who they are, and that it came late.
        """
        found = []
        for pair in self._shown["pairs"]:
            if pair["of"]:
                continue
            name = self.name(pair["pair"])
            told = all(player in name for player in pair["players"])
            more = [] if told else [", ".join(pair["players"])]
            more += [self._words("t.cameLate")] if pair["late"] else []
            more += [] if pair["here"] else [self._words("t.gone")]
            found.append((pair["pair"], name, " · ".join(more), not pair["here"]))
        return found

    def _all_rounds(self) -> list[_Round]:
        stages = self._shown["stages"]
        main = max(
            (n for n, one in enumerate(stages, 1) if one["kind"] == "knockout" and not one["side"]),
            default=0,
        )
        found = []
        for title, matches in self._rounds:
            first = matches[0]
            tree = (
                first["stage"] == "knockout"
                and (first["phase"], first["group"]) == (main, 0)
                and len(matches) <= BROAD
            )
            found.append(_Round(title, tree, [self._meeting(one) for one in matches]))
        return found

    def _meeting(self, match: Mapping[str, Any]) -> _Meeting:
        words, result, state = self._words, match["result"], match["state"]
        sides = [
            _Side(
                self._who(slot),
                won=match["winner"] is not None and slot["pair"] == match["winner"],
            )
            for slot in match["slots"]
        ]
        if result and not result["walkover"]:
            for at, side in enumerate(sides):
                side.score = str(result["juegos"][at])
        bye = any(slot["bye"] for slot in match["slots"])
        unplayed = result is not None and result["walkover"]
        ended = "t.state.void" if unplayed else "t.state.time" if match["how"] == "time" else ""
        note = {
            "ready": words("t.state.ready"),
            "waiting": words.own("provisional"),
            "void": words("t.passes") if bye else words("t.state.void"),
            "over": words(ended) if ended else "",
        }.get(state, "")
        if match["moved"] and state in {"later", "ready", "playing"}:
            note = " · ".join(filter(None, (note, words("t.movedTo", date=match["moved"]))))
        where = words.table(match["table"]) if match["table"] and state == "playing" else ""
        return _Meeting(match["match"], where, state, note, sides)

    def _who(self, slot: Mapping[str, Any]) -> str:
        """A pair's name, or where the pair will come from."""
        if slot["pair"] is not None:
            return self.name(slot["pair"])
        words = self._words
        if slot["bye"]:
            return words("t.bye")
        source: list[Any] = slot["source"]
        if source and source[0] == "of":
            _, phase, group, place = source
            stage = self._shown["stages"][phase - 1]
            where = self._group(stage, group) or self._kind(stage)
            return words("t.source.of", one=where, two=place)
        if source and source[0] in {"best", "rest"}:
            where = self._kind(self._shown["stages"][source[1] - 1])
            return words(f"t.source.{source[0]}", one=where, two=source[2])
        if source and source[0] == "either":
            stage = self._shown["stages"][source[1] - 1]
            groups = [self._group(stage, number) for number in (source[2], source[4])]
            return words("t.source.either", place=source[3], one=groups[0], two=groups[1])
        key = f"t.source.{source[0]}" if source else ""
        one, two, *_ = [*source[1:], "", ""]
        return words(key if words.has(key) else "t.source.other", one=one, two=two)

    def _titled(self) -> list[tuple[str, list[Mapping[str, Any]]]]:
        """The matches in their rounds, in the order of play, each round with its title."""
        shown, stages = self._shown, self._shown["stages"]
        last: dict[tuple[int, int, str], int] = {}
        for match in shown["matches"]:
            key = match["phase"], match["group"], match["stage"]
            last[key] = max(last.get(key, 0), match["round"])
        found: dict[str, list[Mapping[str, Any]]] = {}
        robins = sum(stage["kind"] == "robin" for stage in stages)
        for match in shown["matches"]:
            stage, group = match["stage"], match["group"]
            # The name of a round of a group has the group in it already, unless it is a division.
            named = stage == "group" and not stages[match["phase"] - 1]["divisions"]
            where = (
                "" if named and robins == 1 else self._part(match["phase"], 0 if named else group)
            )
            left = last[match["phase"], group, stage] - match["round"]
            kind = "robin" if stage == "group" and not named else stage
            told = [where, self._round_title(kind, match["round"], group, left), match["date"]]
            found.setdefault(" · ".join(filter(None, told)), []).append(match)
        return list(found.items())

    def _round_title(self, stage: str, number: int, group: int, left: int) -> str:
        finals = self._words.listed("finals")
        if stage == "knockout" and left < len(finals):
            return finals[left]
        kind = "decider" if stage == "final" and number > 1 else stage
        return self._words(f"t.round.{kind}", round=number, group=group)

    def _standing_title(self, at: int) -> str:
        of, stages = self._shown["standing_of"], self._shown["stages"]
        phase, group = of[at]
        several = any(other == phase and number > 1 for other, number in of)
        number = group if several else 0
        if all(other == phase for other, _ in of):
            return self._group(stages[phase - 1], number)
        return self._part(phase, number) or self._kind(stages[phase - 1])

    def _part(self, phase: int, group: int) -> str:
        stage = self._shown["stages"][phase - 1]
        told = (self._words.said(stage["title"]), self._group(stage, group))
        return " · ".join(filter(None, told))

    def _kind(self, stage: Mapping[str, Any]) -> str:
        return self._words.said(stage["title"]) or self._words(f"t.kinds.{stage['kind']}")

    def _group(self, stage: Mapping[str, Any], group: int) -> str:
        if group == 0:
            return ""
        if stage["bars"]:
            return str(stage["bars"][group - 1])
        return self._words("t.division" if stage["divisions"] else "t.group", n=group)


def _by_table(match: Mapping[str, Any]) -> tuple[int, str]:
    table = str(match["table"])
    return len(table), table
