"""Jobs of ``mus tournament`` for the draw, time and order: draw, pair, times, move, stop, ..."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from assistant.files.process import UsageError
from assistant.files.terminal import output_text
from assistant.hall.format_files import in_words
from assistant.hall.mus_hub import add_database, need_parts
from assistant.hall.tournament import Degree, Times, Tournament, TournamentError, players
from assistant.messages.codec import CodecError
from assistant.rules.errors import Translatable

USUAL_COURTESY = 10
"""Minutes, as most regulations have it."""
Asked = dict[str, Any]
Answer = Callable[[Tournament], str]
"""Makes the sentence that a job prints, from the tournament after it."""


def add_order_jobs(jobs: Any, tell: Callable[[str], None]) -> None:
    """Declare the jobs; ``tell`` prints what a job answers."""
    for add in (
        _add_draw,
        _add_pair_round,
        _add_times,
        _add_calls,
        _add_move,
        _add_late,
        _add_stop,
        _add_both,
        _add_sanction,
        _add_lift,
        _add_resume,
    ):
        add(jobs).set_defaults(tell=tell)


def _job(jobs: Any, name: str, *, named: bool = True, **texts: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = jobs.add_parser(name, **texts)
    parser.add_argument("tournament", type=int, metavar="NUMBER", help="as in /tournaments/NUMBER")
    parser.add_argument("--by", metavar="NAME", required=named, default="", help="who does it")
    return parser


def _ends(
    parser: argparse.ArgumentParser, run: Callable[[argparse.Namespace], int]
) -> argparse.ArgumentParser:
    add_database(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)
    return parser


# ---- The draw, and the rounds that are paired one by one -----------------------------------------


def _add_draw(jobs: Any) -> argparse.ArgumentParser:
    parser = _job(
        jobs,
        "draw",
        help="draw, by a seed or from a bag",
        description="Make the draw: by a seed that is printed, or by the numbers that people drew "
        "from a bag.",
        epilog="example: mus tournament draw 1 --bag 7,3,12,1 --by Maite",
    )
    parser.add_argument("--seed", type=int, metavar="N", help="the seed; by default a new one")
    _add_bag(parser)
    parser.add_argument(
        "--namesakes", action="store_true", help="players of one name are different people"
    )
    return _ends(parser, _draw)


def _add_bag(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--bag", type=_drawn, metavar="NUMBERS", help="as they were drawn, as in 7,3,12"
    )


def _drawn(text: str) -> list[int]:
    words = text.replace(",", " ").split()
    if not words or not all(word.isascii() and word.isdigit() for word in words):
        raise argparse.ArgumentTypeError(
            Translatable(
                "{text} is no list of numbers: write them as in 4,7.", text=repr(text[:40])
            )
        )
    return [int(word[:9]) for word in words]


def _draw(args: argparse.Namespace) -> int:
    body: Asked = {"by": args.by, "namesakes": args.namesakes, "bag": args.bag or []}
    if args.seed is not None:
        body["seed"] = args.seed

    def told(now: Tournament) -> str:
        order = ", ".join(map(str, now.order))
        if args.bag:
            return output_text("Drawn from the bag: {order}", order=order)
        return output_text("Drawn by the seed {seed}: {order}", seed=now.seed, order=order)

    return _do(args, lambda _now: [("draw", body)], told)


def _add_pair_round(jobs: Any) -> argparse.ArgumentParser:
    parser = _job(
        jobs,
        "pair",
        help="pair the next round, by the seed or from a bag",
        description="Pair the next round, where rounds are paired one by one: by the seed of the "
        "draw, or by the numbers that people drew from a bag.",
        epilog="example: mus tournament pair 1 --by Maite",
    )
    _add_bag(parser)
    return _ends(parser, _pair_round)


def _pair_round(args: argparse.Namespace) -> int:
    body: Asked = {"by": args.by, "bag": args.bag or []}

    def told(now: Tournament) -> str:
        lines = []
        for match in now.matches:
            both = [now.pairs[p].name for p in players(now, match) if isinstance(p, int)]
            if both and match not in now.results:
                lines.append(f"{match}: {' – '.join(both)}")
        return "\n".join(lines)

    return _do(args, lambda _now: [("pair", body)], told)


# ---- The times of the tournament, and the hall's clock -------------------------------------------


def _add_times(jobs: Any) -> argparse.ArgumentParser:
    parser = _job(
        jobs,
        "times",
        named=False,
        help="set how long a pair is waited for, and when the round ends",
        description="Set how many minutes of courtesy a pair has after the call, and what it loses "
        "then; or when the round ends on the hall's clock. What is left out stays.",
        epilog="example: mus tournament times 1 --courtesy 10 --each 15 --ends 19:45",
    )
    parser.add_argument("--courtesy", type=int, metavar="MINUTES", help="of courtesy after a call")
    parser.add_argument(
        "--each", type=int, metavar="MINUTES", help="that cost a juego; 0: the match is lost"
    )
    parser.add_argument(
        "--first",
        choices=("now", "later"),
        help="whether the first juego is lost with the courtesy, or so many minutes later",
    )
    parser.add_argument("--round", type=int, metavar="MINUTES", help="that a round lasts")
    parser.add_argument(
        "--by-itself",
        choices=("on", "off"),
        help="whether a round ends at its hour by itself, with what the tables show then",
    )
    parser.add_argument(
        "--ends", type=_clock_time, metavar="TIME", help="when the round ends; 0: no end is shown"
    )
    return _ends(parser, _times)


def _clock_time(text: str) -> int:
    """The next time that a clock on the wall shows this, in Unix seconds; 0 for "0"."""
    if text == "0":
        return 0
    try:
        asked = time.strptime(text, "%H:%M")
    except ValueError:
        raise argparse.ArgumentTypeError(
            Translatable("{text!r} is no time of day: write it as 19:45.", text=text[:20])
        ) from None
    now = time.localtime()
    day = now.tm_mday
    found = 0.0
    while found <= time.time():
        at = (now.tm_year, now.tm_mon, day, asked.tm_hour, asked.tm_min, 0, 0, 0, -1)
        found = time.mktime(at)
        day += 1
    return int(found)


def _times(args: argparse.Namespace) -> int:
    given = {
        "courtesy": args.courtesy,
        "each": args.each,
        "at_once": None if args.first is None else args.first == "now",
        "playing": args.round,
        "stops": None if args.by_itself is None else args.by_itself == "on",
    }
    wanted = {key: value for key, value in given.items() if value is not None}
    if not wanted and args.ends is None:
        raise UsageError(
            "Say what to set: --courtesy, --each, --first, --round, --by-itself or --ends."
        )

    def asked(now: Tournament) -> list[tuple[str, Asked]]:
        found: list[tuple[str, Asked]] = []
        if wanted:
            times = asdict(now.times or Times(USUAL_COURTESY)) | wanted
            found.append(_act("TimesSet", args, times=times))
        if args.ends is not None:
            found.append(_act("RoundClockSet", args, ends=args.ends))
        return found

    return _do(args, asked, lambda _now: output_text("It holds from now on."))


# ---- Automatic calls of tables -------------------------------------------------------------------


def _add_calls(jobs: Any) -> argparse.ArgumentParser:
    parser = _job(
        jobs,
        "calls",
        named=False,
        help="call the free tables by themselves, or pause that",
        description="Let the hub call each match to a free table as soon as it can be played, or "
        "pause that.",
        epilog="example: mus tournament calls 1 on --tables 32",
    )
    parser.add_argument("state", choices=("on", "pause"), help="call, or pause")
    parser.add_argument(
        "--tables", type=int, metavar="N", help="mesa-1 to mesa-N are there, without a device, too"
    )
    return _ends(parser, _calls)


def _calls(args: argparse.Namespace) -> int:
    def asked(now: Tournament) -> list[tuple[str, Asked]]:
        tables = now.numbered if args.tables is None else args.tables
        return [_act("CallingSet", args, on=args.state == "on", tables=tables)]

    return _do(args, asked, lambda _now: output_text("It holds from now on."))


# ---- A match of a league on another day ----------------------------------------------------------


def _add_move(jobs: Any) -> argparse.ArgumentParser:
    parser = _job(
        jobs,
        "move",
        help="let a match be played on another day than its round",
        description="Let a match be played on another day than its round. It is called to a table "
        "from then on, and loses the table that it has.",
        epilog="example: mus tournament move 1 R2.3 2027-02-14 --why 'they work' --by Maite",
    )
    _add_match(parser)
    parser.add_argument("date", metavar="DATE", help="as 2027-01-31; round: with its round again")
    _add_why(parser)
    return _ends(parser, _move)


def _move(args: argparse.Namespace) -> int:
    day = "" if args.date == "round" else args.date
    act = _act("MatchMoved", args, match=args.match, date=day, reason=args.why)

    def told(_now: Tournament) -> str:
        if not day:
            return output_text("{match} is played with its round.", match=args.match)
        return output_text("{match} is played on {date}.", match=args.match, date=day)

    return _do(args, lambda _now: [act], told)


# ---- A pair that is not there, and a match that ends without a winner ----------------------------


def _add_match(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("match", metavar="MATCH", help="as K1.3")


def _add_late(jobs: Any) -> argparse.ArgumentParser:
    parser = _job(
        jobs,
        "late",
        help="note that a pair has not come to its table",
        description="Note that a pair is not at its table. What it loses follows from the times "
        "and from the minutes since the call.",
        epilog="example: mus tournament late 1 K1.3 7 --by Maite",
    )
    _add_match(parser)
    _add_pair(parser)
    parser.add_argument("--minutes", type=int, metavar="N", help="since the call, if not by now")
    return _ends(parser, _late)


def _add_pair(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("pair", type=int, metavar="PAIR", help="its number")


def _late(args: argparse.Namespace) -> int:
    body: Asked = {"match": args.match, "pair": args.pair, "by": args.by}
    if args.minutes is not None:
        body["minutes"] = args.minutes

    def told(now: Tournament) -> str:
        penalty = now.penalties[-1]
        return output_text(
            "Sanction {number}: {name} is {minutes} minutes late and loses {juegos} juegos.",
            number=penalty.number,
            name=now.pairs[penalty.pair].name,
            minutes=penalty.minutes,
            juegos=penalty.juegos,
        )

    return _do(args, lambda _now: [("late", body)], told)


def _add_stop(jobs: Any) -> argparse.ArgumentParser:
    parser = _job(
        jobs,
        "stop",
        help="let a match count as it stands, because time is up",
        description="Time is up: a match counts with the juegos that its table shows now. If they "
        "are level, say who wins.",
        epilog="example: mus tournament stop 1 K1.3 2-2 --winner 7 --by Maite",
    )
    _add_match(parser)
    parser.add_argument("juegos", type=_score, metavar="2-1", help="of both pairs, in their order")
    parser.add_argument("--stones", type=_score, metavar="95-80", help="of the whole match")
    parser.add_argument("--winner", type=int, metavar="PAIR", help="who wins where it is level")
    return _ends(parser, _stop)


def _score(text: str) -> list[int]:
    """Two numbers with a dash between them."""
    one, dash, other = text.partition("-")
    if dash and one.isdecimal() and other.isdecimal():
        return [int(one[:6]), int(other[:6])]
    raise argparse.ArgumentTypeError(
        Translatable("{text!r} is no score: write it as 2-1.", text=text[:20])
    )


def _stop(args: argparse.Namespace) -> int:
    one = {"match": args.match, "juegos": args.juegos, "stones": args.stones or [0, 0]}
    body = {"matches": [one | {"winner": args.winner}], "by": args.by}
    return _do(args, lambda _now: [("stop", body)], lambda now: _ended(now, args.match))


def _ended(now: Tournament, match: str) -> str:
    result = now.results[match]
    if result.winner is None:
        return output_text("{match} is over: nobody has won it.", match=match)
    name = now.pairs[result.winner].name
    return output_text("{match} is over: {name} wins it.", match=match, name=name)


def _add_both(jobs: Any) -> argparse.ArgumentParser:
    parser = _job(
        jobs,
        "both-lost",
        help="let both pairs of a match lose it",
        description="Both pairs of a match lose it, as where neither came.",
        epilog="example: mus tournament both-lost 1 K1.3 --why 'nobody came' --by Maite",
    )
    _add_match(parser)
    _add_why(parser)
    return _ends(parser, _both)


def _add_why(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--why", required=True, metavar="TEXT", help="the reason")


def _both(args: argparse.Namespace) -> int:
    act = _act("BothLost", args, match=args.match, reason=args.why)
    return _do(args, lambda _now: [act], lambda now: _ended(now, args.match))


# ---- Sanctions, and what takes one back ----------------------------------------------------------


def _add_sanction(jobs: Any) -> argparse.ArgumentParser:
    parser = _job(
        jobs,
        "sanction",
        help="sanction a pair: warning, juego, match or expulsion",
        description="Sanction a pair by an article of the regulations: a warning, the loss of a "
        "juego or of the match, or expulsion from the tournament.",
        epilog="example: mus tournament sanction 1 7 juego --match K1.3 --article 'Interpeñas 9.1' "
        "--why 'thought with a seña' --by Maite",
    )
    _add_pair(parser)
    parser.add_argument("degree", choices=[degree.value for degree in Degree], help="what it loses")
    parser.add_argument("--article", required=True, metavar="TEXT", help="of the regulations")
    _add_why(parser)
    parser.add_argument("--match", default="", metavar="MATCH", help="in which it happened")
    parser.add_argument("--player", default="", metavar="NAME", help="which of the two it was")
    return _ends(parser, _sanction)


def _sanction(args: argparse.Namespace) -> int:
    fields = {"degree": args.degree, "article": args.article, "reason": args.why}
    act = _act("Sanctioned", args, pair=args.pair, match=args.match, player=args.player, **fields)

    def told(now: Tournament) -> str:
        penalty = now.penalties[-1]
        name = now.pairs[penalty.pair].name
        return output_text("Sanction {number}: {name}", number=penalty.number, name=name)

    return _do(args, lambda _now: [act], told)


def _add_lift(jobs: Any) -> argparse.ArgumentParser:
    parser = _job(
        jobs,
        "lift",
        help="take a sanction or a lateness back",
        description="Take a sanction or a lateness back: what it cost is given back.",
        epilog="example: mus tournament lift 1 3 --why 'they were at the bar' --by Maite",
    )
    parser.add_argument("number", type=int, metavar="SANCTION", help="its number")
    _add_why(parser)
    return _ends(parser, _lift)


def _lift(args: argparse.Namespace) -> int:
    act = _act("PenaltyLifted", args, number=args.number, reason=args.why)
    text = output_text("Sanction {number} is taken back.", number=args.number)
    return _do(args, lambda _now: [act], lambda _now: text)


def _add_resume(jobs: Any) -> argparse.ArgumentParser:
    parser = _job(
        jobs,
        "resume",
        help="take the end of a round back that came by itself",
        description="Take the end of a round back that came by itself: its matches are played on, "
        "at their tables. Set another hour afterwards.",
        epilog="example: mus tournament resume 1 --why 'the clock was wrong' --by Maite",
    )
    _add_why(parser)
    return _ends(parser, _resume)


def _resume(args: argparse.Namespace) -> int:
    act = _act("RoundResumed", args, reason=args.why)
    return _do(args, lambda _now: [act], lambda _now: output_text("The round goes on."))


# ---- The one way to the desk ---------------------------------------------------------------------


def _act(kind: str, args: argparse.Namespace, **fields: object) -> tuple[str, Asked]:
    return "act", {"act": {"type": kind, "v": 1, "by": args.by, **fields}}


def _do(
    args: argparse.Namespace,
    asked: Callable[[Tournament], list[tuple[str, Asked]]],
    told: Answer,
) -> int:
    """Send a request to the desk of the hall's database, and print the result."""
    need_parts()
    from assistant.hall.hub.database import opened_hall
    from assistant.hall.hub.desk import Desk
    from assistant.hall.hub.ledger import Ledger

    with opened_hall(args.database) as engine:
        ledger = Ledger(engine)
        desk = Desk(ledger, tuple)
        seq = 0
        try:
            for what, body in asked(ledger.standing(args.tournament).tournament):
                seq = desk.do(args.tournament, what, body)
        except (TournamentError, CodecError) as error:
            name = f"/tournaments/{args.tournament}"
            raise UsageError("{name}: {why}", name=name, why=why_refused(error)) from None
        now = ledger.standing(args.tournament).tournament
    args.tell(json.dumps({"seq": seq}) if args.json else told(now))
    return 0


def why_refused(error: BaseException | None) -> str:
    """Why the desk refused, in the language of the terminal."""
    text = str(error)
    while error is not None and not isinstance(error, TournamentError):
        error = error.__cause__
    return text if error is None else in_words(error)
