"""``mus tournament enrol``, ``add``, ``fees``, ``forget``, ``standings`` and ``publish``."""

from __future__ import annotations

import argparse
import json
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.files.process import UsageError, stop_on_signals
from assistant.files.terminal import (
    in_terminal_language,
    output_text,
    output_word,
    terminal_language,
)
from assistant.hall.format_files import in_words
from assistant.hall.mus_hub import add_database, need_parts
from assistant.hall.published import LANGUAGES, publish, standings_told
from assistant.hall.tournament import TournamentError
from assistant.hall.tournament.errors import normalized
from assistant.hall.tournament.lists import FIELDS, columns_named, decoded
from assistant.messages.codec import CodecError

if TYPE_CHECKING:  # mus tournament --help works where SQLAlchemy is not installed
    from assistant.hall.hub.desk import Desk

MOST_BYTES = 2_000_000
"""Bytes of a list of pairs."""
SHORTEST_S, LONGEST_S = 5, 86_400
"""Seconds between two publications."""
MARKS = {"\t": "tab"}
"""Names of separators of columns that are invisible."""


def add_jobs(jobs: Any, tell: Callable[[str], None]) -> None:
    """Declare the jobs; ``tell`` writes a line to the terminal."""
    for add in (_add_enrol, _add_one, _add_fees, _add_forget, _add_standings, _add_publish):
        add(jobs).set_defaults(tell=tell)


def _add_tournament(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tournament", type=int, metavar="NUMBER", help="as in /tournaments/NUMBER")


def _add_rest(parser: argparse.ArgumentParser) -> None:
    add_database(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def _add_enrol(jobs: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = jobs.add_parser(
        "enrol",
        help="enrol the pairs of a list",
        description="Enrol the pairs of a CSV file, whatever its columns are called and however it "
        "was saved. Nothing is enrolled where a line is wrong or a person seems to be in twice.",
        epilog="example: mus tournament enrol 3 list.csv --preview",
    )
    _add_tournament(parser)
    parser.add_argument(
        "file", type=Path, metavar="FILE.csv", help="the list; - reads it from a pipe"
    )
    parser.add_argument(
        "--columns",
        metavar="LIST",
        help="what the columns hold, in their order, as in 'player 1,player 2,-,telephone'",
    )
    parser.add_argument("--preview", action="store_true", help="show what would be enrolled")
    parser.add_argument(
        "--namesakes",
        metavar="LINES",
        help="lines with people who seem to be in twice and are not, as in 4,17, or all",
    )
    parser.add_argument("--by", default="", metavar="NAME", help="who enrols them")
    _add_rest(parser)
    parser.set_defaults(run=_enrol)
    return parser


def _add_one(jobs: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = jobs.add_parser(
        "add",
        help="enrol one pair, also one that comes after the draw",
        description="Enrol one pair, or one player where everybody enrols alone. After the draw a "
        "pair takes the place of a bye, if there is one.",
        epilog="example: mus tournament add 3 'Ana Ruiz' 'Luis Gil' --club Alta --by Maite",
    )
    _add_tournament(parser)
    parser.add_argument("players", nargs="+", metavar="PLAYER", help="both names, or the one")
    parser.add_argument("--name", default="", help="of the pair, if it has one of its own")
    parser.add_argument("--club", default="", metavar="NAME", help="its club, or peña")
    parser.add_argument("--category", default="", metavar="NAME", help="among whom it has a podium")
    parser.add_argument("--bar", default="", metavar="NAME", help="where it plays at first")
    parser.add_argument("--telephone", default="", metavar="NUMBER", help="for the organisers")
    parser.add_argument("--paid", action="store_true", help="it has paid the fee")
    parser.add_argument(
        "--namesakes", action="store_true", help="who seems to be in twice is somebody else"
    )
    parser.add_argument("--by", required=True, metavar="NAME", help="who enrols it")
    _add_rest(parser)
    parser.set_defaults(run=_one)
    return parser


def _add_fees(jobs: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = jobs.add_parser(
        "fees",
        help="tell who has paid, who still owes, and the total",
        description="Show or write down who has paid. Payments and telephones are for the "
        "organisers alone: they are in no act, no public page and no released file.",
        epilog="example: mus tournament fees 3 --fee 20 --paid 4,7 --by Maite",
    )
    _add_tournament(parser)
    parser.add_argument("--fee", metavar="AMOUNT", help="what a pair pays, as 20 or 20.50")
    parser.add_argument("--paid", metavar="PAIRS", help="these pairs have paid, as in 4,7")
    parser.add_argument("--unpaid", metavar="PAIRS", help="these pairs have not paid after all")
    parser.add_argument("--by", default="", metavar="NAME", help="who took the money")
    _add_rest(parser)
    parser.set_defaults(run=_fees)
    return parser


def _add_forget(jobs: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = jobs.add_parser(
        "forget",
        help="delete the telephones of a tournament",
        description="Delete the telephones of a tournament's pairs, once nobody has to be called.",
    )
    _add_tournament(parser)
    _add_rest(parser)
    parser.set_defaults(run=_forget)
    return parser


def _add_standings(jobs: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = jobs.add_parser(
        "standings",
        help="show the standings, also of one category",
        description="Show the standings of a tournament that is played for points. With --category "
        "those of its pairs alone, with their places among each other.",
        epilog="example: mus tournament standings 3 --category Mixta",
    )
    _add_tournament(parser)
    parser.add_argument("--category", default="", metavar="NAME", help="one of the tournament's")
    _add_rest(parser)
    parser.set_defaults(run=_standings)
    return parser


def _add_publish(jobs: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = jobs.add_parser(
        "publish",
        help="write the public results as a folder for any web host",
        description="Write the results as a folder of pages that need no script and no server. "
        "They have names and results, and nothing else about people. Do it again to bring the "
        "folder up to date.",
        epilog="example: mus tournament publish 3 ~/results --every 60",
    )
    _add_tournament(parser)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument(
        "--language", choices=LANGUAGES, help="of the page that opens; default: the terminal's"
    )
    parser.add_argument(
        "--every", type=int, metavar="SECONDS", help="go on, and bring it up to date so often"
    )
    _add_rest(parser)
    parser.set_defaults(run=_publish)
    return parser


@contextmanager
def _desk(args: argparse.Namespace) -> Iterator[Desk]:
    """The desk of a hall's database; its refusals are in the language of the terminal."""
    need_parts()
    from assistant.hall.hub.database import opened_hall
    from assistant.hall.hub.desk import Desk
    from assistant.hall.hub.ledger import Ledger

    with opened_hall(args.database) as engine:
        try:
            yield Desk(Ledger(engine), tuple)
        except (TournamentError, CodecError) as error:
            raise UsageError(
                "Tournament {number}: {why}", number=args.tournament, why=_why(error)
            ) from None


def _why(error: TournamentError | CodecError) -> str:
    return in_words(error) if isinstance(error, TournamentError) else str(error)


# ---- A list --------------------------------------------------------------------------------------


def _enrol(args: argparse.Namespace) -> int:
    asked: dict[str, Any] = {"csv": _list(args.file), "by": args.by}
    with _desk(args) as desk:
        if args.columns is not None:
            asked["columns"] = list(columns_named(args.columns))
        if args.namesakes is not None:
            asked["namesakes"] = _namesakes(args.namesakes)
        told = desk.preview(args.tournament, asked)
        if args.preview or not told["sure"] or told["wrong"] or "why" in told:
            return _previewed(args, told)
        desk.do(args.tournament, "enrol", asked)
        pairs = len(desk.show(args.tournament)["pairs"])
    if args.json:
        args.tell(json.dumps({"enrolled": told["good"], "pairs": pairs}))
    else:
        args.tell(output_text("Enrolled: {n}. In all: {pairs}.", n=told["good"], pairs=pairs))
    return 0


def _one(args: argparse.Namespace) -> int:
    with _desk(args) as desk:
        shown = desk.show(args.tournament)
        alone = shown["individual"]
        if len(args.players) != (1 if alone else 2):
            raise UsageError(
                "One player enrols alone in this tournament."
                if alone
                else "A pair has two players: write each name in quotation marks."
            )
        pair: dict[str, Any] = {"name": args.players[0]} if alone else {"players": args.players}
        pair |= {"name": args.players[0] if alone else args.name}
        pair |= {"club": args.club, "category": args.category, "bar": args.bar}
        pair |= {"telephone": args.telephone, "paid": args.paid}
        pair |= {"late": shown["seed"] is not None}
        asked = {"pair": pair, "by": args.by, "namesakes": args.namesakes}
        desk.do(args.tournament, "enrol", asked)
        made = max((one for one in desk.show(args.tournament)["pairs"] if not one["of"]),
                   key=lambda one: one["pair"])  # fmt: skip
    if args.json:
        args.tell(json.dumps({"pair": made["pair"], "name": made["name"], "late": made["late"]}))
    elif made["late"]:
        args.tell(
            output_text(
                "{n}: {name} takes the place of the last bye.", n=made["pair"], name=made["name"]
            )
        )
    else:
        args.tell(output_text("{n}: {name} is enrolled.", n=made["pair"], name=made["name"]))
    return 0


def _list(file: Path) -> str:
    if str(file) == "-":
        return decoded(sys.stdin.buffer.read(MOST_BYTES + 1)[:MOST_BYTES])
    try:
        with file.open("rb") as opened:
            return decoded(opened.read(MOST_BYTES))
    except OSError as error:
        raise UsageError(
            "{path} cannot be read: {why}.", path=file, why=error.strerror or error
        ) from error


def _namesakes(text: str) -> bool | list[int]:
    return True if text == "all" else _numbers(text)


def _numbers(text: str) -> list[int]:
    words = text.replace(",", " ").split()
    if not all(word.isascii() and word.isdigit() for word in words):
        raise UsageError("{text} is no list of numbers: write them as in 4,7.", text=repr(text))
    return [int(word[:9]) for word in words]


def _previewed(args: argparse.Namespace, told: Mapping[str, Any]) -> int:
    """Show the columns and the lines; the exit status says whether the list could be enrolled."""
    fits = bool(told["sure"] and not told["wrong"] and "why" not in told)
    if args.json:
        args.tell(json.dumps(told, ensure_ascii=False))
        return 0 if fits else 2
    mark = MARKS.get(told["mark"], told["mark"])
    args.tell(output_text("Columns, between {mark}:", mark=mark))
    for at, column in enumerate(told["columns"], 1):
        field = output_word(column["field"]) if column["field"] else "-"
        sample = " | ".join(column["sample"])
        args.tell(f"  {at}. {column['title'] or '…'} = {field}  ({sample})")
    if "why" in told:
        args.tell(_said(told["why"]))
    for line in told["lines"]:
        if "why" not in line:
            extra = [line["club"], line["category"], line["telephone"]]
            told_ = ", ".join(
                filter(None, [*dict.fromkeys([line["name"], *line["players"]]), *extra])
            )
            args.tell(f"  {line['line']}: {told_}")
    for line in told["lines"]:
        if "why" in line:
            args.tell(output_text("Line {line}: {why}", line=line["line"], why=_said(line["why"])))
    args.tell(output_text("Right: {good}. Wrong: {wrong}.", good=told["good"], wrong=told["wrong"]))
    asks = [str(line["line"]) for line in told["lines"] if line.get("asks")]
    if asks:
        args.tell(
            output_text("If they are other people: --namesakes {lines}", lines=",".join(asks))
        )
    if not told["sure"]:
        columns = ",".join(column["field"] or "-" for column in told["columns"])
        args.tell(
            output_text("The columns are guessed. If they are right: --columns {it}", it=columns)
        )
        args.tell(
            output_text("A column holds one of {fields}, or - for none.", fields=", ".join(FIELDS))
        )
    return 0 if fits else 2


def _said(why: Mapping[str, Any]) -> str:
    """A refusal in the language of the terminal."""
    return in_words(TournamentError(why["code"], **why["facts"]))


# ---- Fees, telephones ----------------------------------------------------------------------------


def _fees(args: argparse.Namespace) -> int:
    with _desk(args) as desk:
        number = args.tournament
        desk.note_paid(number, args.by, _numbers(args.paid or ""), _numbers(args.unpaid or ""))
        if args.fee is not None:
            desk.note(number, {"fee": args.fee, "by": args.by})
        book, shown = desk.book(number), desk.show(number)
    names = {pair["pair"]: pair["name"] for pair in shown["pairs"]}
    if args.json:
        args.tell(json.dumps(book))
        return 0
    args.tell(output_text("Fee: {fee}. Paid: {n}, {total} in all.", fee=_money(book["fee"]),
                      n=len(book["paid"]), total=_money(book["total"])))  # fmt: skip
    if book["of_gone"]:
        args.tell(
            output_text("Of pairs that have withdrawn: {money}", money=_money(book["of_gone"]))
        )
    args.tell(output_text("Still owing: {n}", n=len(book["owing"])))
    for pair in book["owing"]:
        telephone = book["telephones"].get(str(pair), "")
        args.tell(f"  {pair}: {names[pair]}{f' ({telephone})' if telephone else ''}")
    return 0


def _money(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02}" if cents % 100 else f"{cents // 100}"


def _forget(args: argparse.Namespace) -> int:
    with _desk(args) as desk:
        deleted = desk.forget_telephones(args.tournament)
    if args.json:
        args.tell(json.dumps({"deleted": deleted}))
    else:
        args.tell(output_text("Telephones deleted: {n}", n=deleted))
    return 0


# ---- The standings -------------------------------------------------------------------------------


def _standings(args: argparse.Namespace) -> int:
    with _desk(args) as desk:
        shown = desk.show(args.tournament)
    known = shown["category_names"]
    wanted = next((one for one in known if normalized(one) == normalized(args.category)), "")
    if args.category and not wanted:
        raise UsageError(
            "There is no category {name}. There are: {known}.",
            name=args.category,
            known=", ".join(known) or "–",
        )
    columns, lists = standings_told(shown, terminal_language(), wanted)
    if args.json:
        told = [{"title": title, "rows": rows} for title, rows in lists]
        found = {"category": wanted, "columns": columns, "standings": told}
        args.tell(json.dumps(found, ensure_ascii=False))
        return 0
    if not lists:
        args.tell(output_text("Nobody plays for points in this tournament, or not yet."))
        return 1
    for title, rows in lists:
        if title:
            args.tell(title)
        for line in _laid_out([columns, *rows]):
            args.tell(line)
    return 0


def _laid_out(rows: Sequence[Sequence[object]]) -> list[str]:
    """Rows of a table with columns of one width, the names to the left."""
    cells = [[str(cell) for cell in row] for row in rows]
    wide = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if at in {1, len(wide) - 1} else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, wide, strict=True))
        ).rstrip()
        for row in cells
    ]


# ---- The folder ----------------------------------------------------------------------------------


def _publish(args: argparse.Namespace) -> int:
    language = args.language or terminal_language()
    if language not in LANGUAGES:
        language = LANGUAGES[0]
    if args.every is not None and not SHORTEST_S <= args.every <= LONGEST_S:
        raise UsageError("--every is {least} to {most} seconds.", least=SHORTEST_S, most=LONGEST_S)
    need_parts()
    from assistant.hall.hub.database import DatabaseError

    stop = threading.Event()
    if args.every is not None:
        stop_on_signals(stop)
    with _desk(args) as desk:
        version = None
        while True:
            try:
                if version != (now := desk.version(args.tournament)):
                    files = publish(desk.show(args.tournament), args.folder.expanduser(), language)
                    version = now
                    _tell(args, files)
            except (DatabaseError, OSError) as error:
                if args.every is None:
                    raise
                args.tell(in_terminal_language(error))  # it may be back the next time
            if args.every is None or stop.wait(args.every):
                return 0


def _tell(args: argparse.Namespace, files: list[str]) -> None:
    if args.json:
        args.tell(json.dumps({"folder": str(args.folder), "files": files}))
    else:
        opens = args.folder / "index.html"
        args.tell(output_text("{n} files; {page} opens them", n=len(files), page=opens))
