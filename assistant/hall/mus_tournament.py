"""``mus tournament``: the formats of tournaments, and the opening of one in the hall."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import fields
from functools import partial
from typing import Any

from assistant.files.process import UsageError
from assistant.files.profile_files import house_rules
from assistant.files.terminal import in_terminal_language, output_text, terminal_language
from assistant.hall.format_files import (
    find_format,
    format_paths,
    load_format,
    own_formats,
    shipped_formats,
)
from assistant.hall.mus_hub import add_database, need_parts
from assistant.hall.mus_order import add_order_jobs, why_refused
from assistant.hall.mus_people import add_jobs
from assistant.hall.tournament import FormatSheet, Stage, StageKind, TournamentError
from assistant.hall.tournament.formats import Words, needs_start
from assistant.messages.codec import CodecError

KINDS = {
    StageKind.KNOCKOUT: "knock-out",
    StageKind.DOUBLE: "double elimination",
    StageKind.ROBIN: "all meet all",
    StageKind.SWISS: "Swiss rounds",
    StageKind.REDRAW: "knock-out drawn anew each round",
    StageKind.LIVES: "out after so many defeats",
    StageKind.INDIVIDUAL: "a new partner each round",
}
"""The kinds of stages in words, which the output translates."""


def add_parser(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "tournament",
        help="tournaments: their formats, their pairs, their time and their results",
        description="List and explain the formats of tournaments, open a tournament in the hall, "
        "enrol its pairs, and keep its time and order. Its page does the rest.",
        epilog="example: mus tournament formats --format tres-ceros",
    )
    parser.set_defaults(run=_formats, format=None, json=False)
    jobs = parser.add_subparsers(title="jobs", metavar="JOB")
    _add_formats(jobs)
    _add_open(jobs)
    add_jobs(jobs, partial(print, flush=True))
    add_order_jobs(jobs, print)


def _add_formats(jobs: Any) -> None:
    parser = jobs.add_parser(
        "formats",
        help="list the formats, or explain one",
        description="List the formats of tournaments: those that ship, and your own. With --format "
        "explain one, or look whether a file of yours is right.",
        epilog="A format is a TOML file: copy one that ships, and change it (docs/tournament.md).",
    )
    _add_format(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=_formats)


def _add_format(parser: argparse.ArgumentParser, *, required: bool = False) -> None:
    parser.add_argument(
        "--format",
        metavar="NAME|FILE.toml",
        required=required,
        help="a format by its name, or its file",
    )


def _add_open(jobs: Any) -> None:
    parser = jobs.add_parser(
        "open",
        help="open a tournament in the hall",
        description="Open a tournament in the hall's database: its page then takes the pairs, "
        "draws and calls to the tables.",
        epilog="example: mus tournament open 'San Blas' --format tres-ceros --by Maite",
    )
    parser.add_argument("name", metavar="NAME", help="of the tournament")
    _add_format(parser, required=True)
    parser.add_argument("--juegos", type=int, metavar="N", help="juegos that win a match")
    parser.add_argument("--starts", default="", metavar="DATE", help="first day, as 2027-01-31")
    parser.add_argument("--profile", default="", metavar="NAME", help="its house rules, by name")
    parser.add_argument("--rules", default="", metavar="KEY=VALUE", help="house rules on top")
    parser.add_argument("--apart", action="store_true", help="keep clubs apart at the beginning")
    parser.add_argument("--by", default="", metavar="NAME", help="who opens it")
    add_database(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=_open)


def _formats(args: argparse.Namespace) -> int:
    if args.format is not None:
        return _explain(find_format(args.format), args.json)
    found: list[FormatSheet] = []
    broken: list[UsageError] = []
    for path in format_paths().values():
        try:
            found.append(load_format(path))
        except UsageError as error:
            broken.append(error)
    if args.json:
        listed = [_brief(sheet) for sheet in found]
        print(json.dumps({"formats": listed}, ensure_ascii=False))
    else:
        for sheet in found:
            print(f"{sheet.name}: {_said(sheet.title)}")
            print(f"  {_said(sheet.explains)}")
        print(
            output_text(
                "The files: {shipped}; your own: {own}",
                shipped=shipped_formats(),
                own=own_formats(),
            )
        )
    for reason in broken:
        print(f"mus: {in_terminal_language(reason)}", file=sys.stderr)
    return 2 if broken else 0


def _brief(sheet: FormatSheet) -> dict[str, Any]:
    stages = [{"kind": stage.kind, **_settings(stage)} for stage in sheet.stages]
    return {
        "name": sheet.name,
        "title": dict(sheet.title),
        "explains": dict(sheet.explains),
        "juegos": sheet.juegos,
        "stages": stages,
    }


def _settings(stage: Stage) -> dict[str, Any]:
    """The settings of a stage, by the keys of its file."""
    found: dict[str, Any] = {}
    for field in fields(Stage):
        value = getattr(stage, field.name)
        if field.name not in {"kind", "title", "first", "last"} and value != field.default:
            key = "from" if field.name == "source" else field.name
            found[key] = list(value) if isinstance(value, tuple) else value
    if stage.last:
        found["places"] = [stage.first, stage.last]
    return found


def _explain(sheet: FormatSheet, as_json: bool) -> int:
    if as_json:
        print(json.dumps(_brief(sheet), ensure_ascii=False))
        return 0
    print(f"{sheet.name}: {_said(sheet.title)}")
    if sheet.explains:
        print(_said(sheet.explains))
    print(output_text("Juegos that win a match: {n}", n=sheet.juegos))
    for number, stage in enumerate(sheet.stages, 1):
        title = _said(stage.title)
        kind = output_text(KINDS[stage.kind])
        settings = ", ".join(f"{key} = {json.dumps(v)}" for key, v in _settings(stage).items())
        print(f"{number}. " + "; ".join(filter(None, (title, kind, settings))))
    return 0


def _said(words: Words) -> str:
    """A text of a format in the language of the terminal, or in the first that it has."""
    texts = dict(words)
    return texts.get(terminal_language()) or next(iter(texts.values()), "")


def _open(args: argparse.Namespace) -> int:
    need_parts()
    from assistant.hall.hub.database import migrate, opened
    from assistant.hall.hub.desk import Desk
    from assistant.hall.hub.ledger import Ledger

    sheet = find_format(args.format)
    if needs_start(sheet.stages) and not args.starts:
        raise UsageError("{name} has dates: say when it begins: --starts DATE.", name=sheet.name)
    options: dict[str, Any] = {"profile": args.profile, "rules": args.rules}
    options |= {"clubs_apart": args.apart}
    if args.juegos is not None:
        options["juegos"] = args.juegos
    act = {"type": "Opened", "v": 1, "name": args.name, "format": "sheet", "by": args.by}
    with opened(args.database) as engine:
        migrate(engine)
        desk = Desk(Ledger(engine), tuple, house=house_rules, sheets=lambda: {sheet.name: sheet})
        try:
            asked = {"act": act | {"options": options}, "sheet": sheet.name, "starts": args.starts}
            number = desk.open(asked)
        except (TournamentError, CodecError) as error:
            raise UsageError("{name}: {why}", name=args.name, why=why_refused(error)) from None
    if args.json:
        print(json.dumps({"id": number, "name": args.name, "format": sheet.name}))
    else:
        print(output_text("{name} is open: /tournaments/{number}", name=args.name, number=number))
    return 0
