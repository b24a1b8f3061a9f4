"""The referee's desk: requests become acts of a tournament, each with its author."""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any

import rustworkx
from sqlalchemy import Connection, Engine

from assistant.hall.hub.book import Book, BookPage, cents_of, check_payer
from assistant.hall.hub.database import DatabaseError, get_or_create
from assistant.hall.hub.enrolment import (
    lines_asked,
    looked_over,
    object_of,
    previewed,
    text_of,
)
from assistant.hall.hub.hour import Look, is_due, round_end
from assistant.hall.hub.ledger import ActLog, Ledger
from assistant.hall.hub.scoring import called
from assistant.hall.tournament import (
    Act,
    Drawn,
    FormatSheet,
    MatchStopped,
    Opened,
    Options,
    PairLate,
    RefereeCalled,
    ResultCountersigned,
    ResultEntered,
    TableAssigned,
    Tournament,
    TournamentError,
    act_from_dict,
    act_to_dict,
    assign,
    check,
    check_people,
    order_of,
    pair_name,
    pair_rounds,
    players,
    shown,
)
from assistant.hall.tournament.errors import MAX_MINUTES, MAX_PAIRS, normalized
from assistant.hall.tournament.formats import FOR_POINTS, needs_start, parts_clubs
from assistant.hall.tournament.house_rules import profile_of, written_rules
from assistant.hall.tournament.lists import ListLine, checked_lines, telephone_of
from assistant.hall.tournament.model import Enrolled
from assistant.messages.codec import CodecError, form_of
from assistant.page import Keys
from assistant.page.door import found_keys, keys_as_text, keys_of_text, keys_path, new_keys
from assistant.rules.errors import MusError
from assistant.rules.profile import Profile

# ---- The matcher of Swiss rounds: maximum-weight matching by rustworkx --------------------------


def matcher(edges: Sequence[tuple[int, int, int]]) -> set[tuple[int, int]]:
    """The edges of a maximum-weight matching; each edge of ``edges`` is (one, other, weight)."""
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph()
    nodes = sorted({node for one, other, _ in edges for node in (one, other)})
    places = dict(zip(nodes, graph.add_nodes_from(nodes), strict=True))
    graph.add_edges_from([(places[one], places[other], weight) for one, other, weight in edges])
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return {(graph[one], graph[other]) for one, other in found}


# ---- The keys of a hall: its referee's PIN, and the secret of its slips' codes ------------------
# They lie in the hall's database, and so in its backup. So every process has the same keys, and
# slips that were handed out stay valid wherever the hall is restored.


NAME = "page_keys"


def hall_keys(engine: Engine) -> Keys:
    """The keys in a hall's database, made by its first process. Raises DatabaseError, OSError."""
    text = get_or_create(engine, NAME, lambda: keys_as_text(_first(engine)))
    try:
        return keys_of_text(text)
    except (ValueError, KeyError, TypeError):
        raise DatabaseError(
            "The hall's keys in the database are damaged: restore a backup into an empty one."
        ) from None


def _first(engine: Engine) -> Keys:
    """New keys, or this machine's old ones if slips of an older hall were made with them."""
    old = found_keys(keys_path()) if Ledger(engine).listed() else None
    return old or new_keys()


# ---- The referee's desk -------------------------------------------------------------------------
# Nothing in a request is trusted. The page's door checks who may ask. Acts come as JSON and are
# checked like all others; acts that need a computation (a draw, a round, free tables) are made
# here.


DIGITS = 6
LATEST = 32
"""Latest results that are shown as news."""
NUMBERED = re.compile(r"(?:mesa|mahaia|table)?[ -]*([1-9][0-9]{0,3})", re.ASCII)
"""The ways to write the name of a table that the hall knows as mesa-9."""
NO_TOPIC = frozenset("+#/")
"""Letters that no table's name may have, because the name becomes part of an MQTT topic."""
SEEDS = 1_000_000_000
"""Seeds that the desk draws are below this, because people write them down."""


class Desk:
    """The tournaments of a hall. Methods raise TournamentError, CodecError, DatabaseError."""

    def __init__(
        self,
        ledger: Ledger,
        tables: Callable[[], Sequence[str]],
        secret: bytes = b"",
        doubts: Callable[[int], Collection[str]] = lambda _number: (),
        left: Callable[[int], Mapping[str, str]] = lambda _number: {},
        house: Callable[[], Mapping[str, Profile]] = dict,
        sheets: Callable[[], Mapping[str, FormatSheet]] = dict,
        today: Callable[[], str] = lambda: "",
    ) -> None:
        """Make a desk over a ledger.

        Args:
            ledger: The tournaments in the database.
            tables: The tables that are online.
            secret: The key that the pairs' codes are made with.
            doubts: The matches of a tournament whose journals contradict their results.
            left: The matches whose finished game was not taken as the result, and why.
            house: The named house rules.
            sheets: The formats from files.
            today: The date, as 2027-01-31; "" to call matches whatever their date.
        """
        self._doubts = doubts
        self._left = left
        self._house = house
        self._sheets = sheets
        self._today = today
        self._shown: dict[int, dict[str, Any]] = {}
        self._ledger = ledger
        self._log = ActLog(ledger)
        self._book = Book(ledger.engine, ledger.clock)
        self._tables = tables
        self._secret = secret

    def listed(self) -> list[dict[str, object]]:
        """All tournaments, the newest first: when each was opened, and its progress."""
        return [
            {"id": one.id, "name": one.name, "opened": one.opened, **self._brief(one.id)}
            for one in self._ledger.listed()
        ]

    def profiles(self) -> list[str]:
        """The names of house rules that a tournament may be played by."""
        return list(self._house())

    def formats(self) -> list[dict[str, Any]]:
        """The formats from files, and the questions that each has at the opening.

        ``starts``: on which day it begins. ``apart``: clubs can be kept apart. ``tiebreaks``: there
        are standings.
        """
        return [
            {
                "name": name,
                "title": dict(sheet.title),
                "explains": dict(sheet.explains),
                "juegos": sheet.juegos,
                "starts": needs_start(sheet.stages),
                "apart": parts_clubs(sheet.stages),
                "tiebreaks": any(stage.kind in FOR_POINTS for stage in sheet.stages),
            }
            for name, sheet in self._sheets().items()
        ]

    def show(self, number: int) -> dict[str, Any]:
        """All of a tournament, as the page shows it."""
        version = self.version(number)
        known = self._shown.get(number)
        if known is None or known["version"] != version:
            standing, doubts = self._ledger.standing(number), sorted(self._doubts(number))
            known = {"id": number, "seq": standing.seq, "version": version}
            known |= {"doubts": doubts, "left": dict(self._left(number))}
            known |= {"signed": self._log.signed(number), "called": dict(standing.called)}
            known |= {"latest": self._log.latest(number, LATEST), **shown(standing.tournament)}
            self._shown[number] = known  # cached: every telephone of a hall asks after each act
        return known

    def version(self, number: int) -> str:
        """A text that changes whenever a tournament has to be shown anew."""
        left = [f"{match}={why}" for match, why in self._left(number).items()]
        return " ".join(
            [str(self._ledger.standing(number).seq), *sorted(self._doubts(number)), *sorted(left)]
        )

    def seq(self, number: int) -> int:
        """The number of acts in a tournament."""
        return self._ledger.standing(number).seq

    def history(self, number: int) -> list[dict[str, Any]]:
        """The acts of a tournament in order, described for people."""
        self._ledger.standing(number)
        return self._log.described(number)

    def open(self, asked: Mapping[str, Any]) -> int:
        """Begin a tournament: {"act": {"type": "Opened", ...}}; returns its number.

        {"sheet": name} with it takes the format of a file, and {"starts": date} its first day. Its
        rules and its format are written out, so that a later change of a file changes nothing.
        """
        body = object_of(asked.get("act"))
        if "sheet" in asked:
            sheet = self._sheet(text_of(asked, "sheet"), text_of(asked, "starts"))
            body = body | {"sheet": form_of(FormatSheet).encode(sheet)}
            body["options"] = {"juegos": sheet.juegos} | object_of(body.get("options", {}))
        act = act_from_dict(body)
        if not isinstance(act, Opened):
            raise TournamentError("no_opening")
        return self._ledger.open(replace(act, options=self._ruled(act.options)))

    def codes(self, number: int) -> dict[int, str]:
        """The secret code of each pair, for its slips."""
        return {
            number_: self._code(number, number_)
            for number_, pair in self._now(number).pairs.items()
            if not pair.of
        }

    def is_pair(self, number: int, pair: object, code: object) -> bool:
        """Whether a pair's code is right."""
        if type(pair) is not int or type(code) is not str:
            return False
        known = self._now(number).pairs.get(pair)
        if known is None or known.of:  # made by a round: its players have codes of their own
            return False
        told = code.encode("utf-8", "replace")  # half a letter is no code either
        return hmac.compare_digest(self._code(number, pair).encode(), told)

    def sign(self, number: int, pair: int, asked: Mapping[str, Any]) -> int:
        """Enter or countersign a result of the pair's own match, or call the referee to it.

        That is done in the pair's name. ``asked`` is as for ``do``'s "act".
        """
        body = object_of(asked.get("act"))
        now = self._now(number)
        side_ = now.pairs[_side(now, body.get("match"), pair)]
        act = act_from_dict(body | {"by": pair_name(side_)})
        if not isinstance(act, ResultEntered | ResultCountersigned | RefereeCalled):
            raise TournamentError("no_referee")

        def make(now: Tournament) -> Sequence[Act]:
            side = _side(now, act.match, pair)
            if act.match not in now.matches or side not in players(now, act.match):
                raise TournamentError("not_your_match", pair=pair, match=f"{act.match!r:.40}")
            return self._act(now, {**asked, "act": act_to_dict(act)})

        return self._ledger.do(number, make).seq

    def do(self, number: int, what: str, asked: Mapping[str, Any]) -> int:
        """Do one thing in a tournament; returns the seq after it.

        ``what`` is "act" ({"act": ..., "seen": score}), "enrol" ({"csv": text, "columns": [field]},
        or {"pair": {"name", "players", "club", ...}} for a single pair), "draw" ({"seed": n}),
        "pair" (both with {"bag": [numbers]} where people drew them), "assign", "late" ({"match",
        "pair"}: it is not there; {"minutes": n} if not since the call), or "stop" ({"matches":
        [{"match", "juegos", "stones", "winner"}]}: time is up); each request has "by", too.
        {"namesakes": true} with "enrol" or "draw", or in the act of a correction, confirms that
        players of one name are different people; with a list, [lines] confirms it for these lines
        alone.
        """
        if what == "enrol":
            return self._enrol(number, asked)
        work = _WORK.get(what)
        if what == "late":
            return self._late(number, asked)
        if work is None:
            raise TournamentError("no_such_act", what=f"{what!r:.40}")
        return self._ledger.do(number, lambda now: work(self, now, asked)).seq

    def _enrol(self, number: int, asked: Mapping[str, Any]) -> int:
        """Enrol a pair or a list; telephones and payments go into the organisers' book."""
        by = text_of(asked, "by")
        found: list[tuple[ListLine, Enrolled]] = []

        def make(now: Tournament) -> Sequence[Act]:
            lines = lines_asked(asked, now)
            if "pair" in asked and not isinstance(lines[0].pair, TournamentError):
                check(now, lines[0].pair)
            lines = looked_over(lines, now, self._book_of(number))
            if "pair" in asked and isinstance(lines[0].pair, TournamentError):
                raise lines[0].pair
            found[:] = checked_lines(lines)
            return [pair for _, pair in found]

        def beside(connection: Connection) -> None:
            telephones = {pair.pair: line.telephone for line, pair in found if line.telephone}
            paid = {pair.pair: True for line, pair in found if line.paid}
            self._book.note_in(connection, number, by, telephones, paid)

        return self._ledger.do(number, make, beside).seq

    def preview(self, number: int, asked: Mapping[str, Any]) -> dict[str, Any]:
        """A list as it would be enrolled: {"csv": text, "columns": [field]}; writes nothing."""
        return previewed(asked, self._now(number), self._book_of(number))

    def book(self, number: int) -> dict[str, Any]:
        """The organisers' book: telephones, the fee, who has paid; for nobody else."""
        now, page = self._now(number), self._book_of(number)
        here = {pair for pair, one in now.pairs.items() if not one.of}
        return {
            "fee": page.fee,
            "telephones": {str(pair): told for pair, told in page.telephones.items()},
            "paid": {
                str(pair): {"cents": one.cents or page.fee, "by": one.by, "at": one.at}
                for pair, one in page.paid.items()
            },
            "owing": page.owing(now),
            "total": page.total(),
            "of_gone": page.total(page.paid.keys() - here | now.withdrawn & here),
        }

    def note(self, number: int, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Write into the book; returns it.

        {"fee": "20"}, or {"pair": n} with {"paid": bool}, {"telephone": text}, or both; and "by".
        """
        now, by = self._now(number), text_of(asked, "by")
        if "fee" in asked:
            self._book.set_fee(number, cents_of(text_of(asked, "fee")))
            return self.book(number)
        pair = asked.get("pair")
        if type(pair) is not int:
            raise CodecError("pair is a number.")
        check_payer(now, pair, by)
        telephones = {}
        if "telephone" in asked:
            telephones[pair] = telephone_of(text_of(asked, "telephone"))
        paid = {pair: asked["paid"] is True} if "paid" in asked else {}
        self._book.note(number, by, telephones, paid)
        return self.book(number)

    def note_paid(self, number: int, by: str, paid: Sequence[int], unpaid: Sequence[int]) -> None:
        """Write down who has paid, and whose payment was an error; all of it or nothing."""
        now = self._now(number)
        for pair in (*paid, *unpaid):
            check_payer(now, pair, by)
        said = dict.fromkeys(paid, True) | dict.fromkeys(unpaid, False)
        self._book.note(number, by, paid=said)

    def forget_telephones(self, number: int) -> int:
        """Delete the telephones of a tournament; returns how many pairs had one."""
        self._now(number)
        return self._book.forget_telephones(number)

    def _book_of(self, number: int) -> BookPage:
        return self._book.page(number)

    def call(self) -> int:
        """Call the free tables of every tournament that calls by itself; returns how many.

        Raises DatabaseError.
        """
        found = 0
        for standing in self._ledger.readable():
            now = standing.tournament
            if now.calling and now.order:
                before = len(now.tables)
                after = self._ledger.do(standing.id, lambda now: self._assign(now, {}))
                found += len(after.tournament.tables) - before
        return found

    def end_rounds(self, look: Look) -> int:
        """End the round of every tournament whose hour has come; returns how many matches it ends.

        ``look`` gives what a table shows. Raises DatabaseError.
        """
        found = 0
        clock = self._ledger.clock
        for standing in self._ledger.readable():
            if is_due(standing.tournament, clock()):
                before = standing.tournament.results.keys()
                after = self._ledger.do(
                    standing.id,
                    lambda now: [round_end(now, look)] if is_due(now, clock()) else [],
                )
                found += len(after.tournament.results.keys() - before)
        return found

    def _late(self, number: int, asked: Mapping[str, Any]) -> int:
        """The act for a pair that is late: by the hub's clock, or by the request's minutes."""
        match, pair = text_of(asked, "match"), asked.get("pair")
        if type(pair) is not int:
            raise CodecError("A pair has a number.")

        def make(now: Tournament) -> Sequence[Act]:
            minutes = asked.get("minutes")
            if minutes is None:
                called = self._ledger.standing(number).called.get(match)
                if called is None or match not in now.tables:
                    raise TournamentError("not_called", match=f"{match!r:.40}")
                minutes = int((self._ledger.clock() - called) // 60)
            if type(minutes) is not int:
                raise CodecError("Minutes are a whole number.")
            most = min(max(minutes, 0), MAX_MINUTES)
            return _checked(now, PairLate(match, pair, most, text_of(asked, "by")))

        return self._ledger.do(number, make).seq

    def _ruled(self, options: Options) -> Options:
        if not options.rules and not options.profile:
            return options
        house = self._house()
        if options.profile and options.profile not in house:
            known = ", ".join(house)
            raise TournamentError("no_profile", name=f"{options.profile!r:.40}", known=known)
        rules = written_rules(profile_of(options.rules, house.get(options.profile)))
        return replace(options, rules=rules)

    def _sheet(self, name: str, starts: str) -> FormatSheet:
        sheets = self._sheets()
        if name not in sheets:
            raise TournamentError("no_sheet", name=f"{name!r:.40}", known=", ".join(sheets))
        sheet = sheets[name]
        if not starts or not needs_start(sheet.stages):
            return sheet
        first = next(at for at, stage in enumerate(sheet.stages) if stage.every)
        begun = replace(sheet.stages[first], starts=starts)
        return replace(sheet, stages=(*sheet.stages[:first], begun, *sheet.stages[first + 1 :]))

    def _now(self, number: int) -> Tournament:
        return self._ledger.standing(number).tournament

    def _code(self, number: int, pair: int) -> str:
        digest = hmac.new(self._secret, f"{number}/{pair}".encode(), sha256).digest()
        return f"{int.from_bytes(digest[:8]) % 10**DIGITS:0{DIGITS}}"

    def _act(self, now: Tournament, asked: Mapping[str, Any]) -> Sequence[Act]:
        act = act_from_dict(asked.get("act"))
        if isinstance(act, Opened):
            raise TournamentError("opened_already")
        if isinstance(act, ResultEntered) and act.game:
            raise TournamentError("no_journal")
        if isinstance(act, TableAssigned):
            return [self._by_hand(now, act)]
        if isinstance(act, ResultCountersigned):
            _same_score(now, act, asked.get("seen"))
        return _checked(now, act)

    def _draw(self, now: Tournament, asked: Mapping[str, Any]) -> Sequence[Act]:
        seed = asked.get("seed")
        if seed is None:
            seed = secrets.randbelow(SEEDS)
        if type(seed) is not int:
            raise TournamentError("seed_whole")
        bag = _bag(asked)
        order = order_of(now, seed, bag)
        return _checked(now, Drawn(seed, order, text_of(asked, "by"), _namesakes(asked), bag))

    def _pair(self, now: Tournament, asked: Mapping[str, Any]) -> Sequence[Act]:
        rounds = pair_rounds(now, matcher, _bag(asked))
        return [replace(act, by=text_of(asked, "by")) for act in rounds]

    def _assign(self, now: Tournament, asked: Mapping[str, Any]) -> Sequence[Act]:
        by = text_of(asked, "by")
        return [
            TableAssigned(act.match, act.table, by)
            for act in assign(now, self._free(now), self._today())
        ]

    def _free(self, now: Tournament) -> list[str]:
        """The tables of the hall that no other tournament has, those with devices first."""
        numbered = [f"mesa-{number}" for number in range(1, now.numbered + 1)]
        elsewhere = self._elsewhere(now.name)
        there = dict.fromkeys([*self._tables(), *numbered])
        return [table for table in there if table not in elsewhere]

    def _stop(self, now: Tournament, asked: Mapping[str, Any]) -> Sequence[Act]:
        """The acts for matches that count as they are because time is up, all at once."""
        listed = asked.get("matches")
        if type(listed) is not list or len(listed) > MAX_PAIRS:
            raise CodecError("Matches are a list.")
        by = text_of(asked, "by")
        found: list[Act] = []
        for one in listed:
            act = act_from_dict({**object_of(one), "type": "MatchStopped", "v": 1, "by": by})
            assert isinstance(act, MatchStopped)
            found += _checked(now, act)
        return found

    def _by_hand(self, now: Tournament, act: TableAssigned) -> TableAssigned:
        """The act for a table that the referee chose, also one without a device."""
        table = self._known_as(act.table)
        other = self._elsewhere(now.name).get(table)
        if other:
            raise TournamentError("table_busy", match=other, table=table)
        return TableAssigned(act.match, table, act.by)

    def _known_as(self, name: str) -> str:
        """The hall's name for a table, in whatever way somebody wrote it."""
        written = " ".join(name.split())
        if NO_TOPIC & set(written):
            raise TournamentError("unreadable", what="The table's name")
        wanted = normalized(written).replace("-", " ")
        for table in self._tables():
            if normalized(table).replace("-", " ") == wanted:
                return table
        numbered = NUMBERED.fullmatch(wanted)
        return f"mesa-{numbered[1]}" if numbered else written

    def _elsewhere(self, name: str) -> dict[str, str]:
        """The tables taken by the other tournaments of the hall, with the match at each."""
        now = self._ledger.clock()
        return {
            table: match.match
            for standing in self._ledger.readable()
            if standing.tournament.name != name
            for table, match in called(standing, now).items()
        }

    def _brief(self, number: int) -> dict[str, Any]:
        """The progress of a tournament for the list; empty for one that cannot be read."""
        try:
            whole = self.show(number)
        except MusError:
            return {"stage": None, "pairs": 0}
        here = [pair for pair in whole["pairs"] if pair["here"] and not pair["of"]]
        brief = {"stage": whole["stage"], "pairs": len(here)}
        return brief | ({"individual": True} if whole["individual"] else {})


def _side(now: Tournament, match: object, pair: int) -> int:
    """The side of a match on which a pair plays; for a player, the pair made of him and another."""
    if type(match) is str and match in now.matches:
        for side in players(now, match):
            if isinstance(side, int) and pair in now.pairs[side].of:
                return side
    return pair


def _checked(now: Tournament, act: Act) -> Sequence[Act]:
    """The act, if it may follow and puts nobody in two pairs. Raises TournamentError."""
    check(now, act)
    check_people(now, act)
    return [act]


def _namesakes(asked: Mapping[str, Any]) -> bool:
    """Whether the request confirms that players of one name are different people."""
    return asked.get("namesakes") is True


def _bag(asked: Mapping[str, Any]) -> tuple[int, ...]:
    """The numbers that people drew, in their order; () where the seed draws."""
    listed = asked.get("bag", [])
    if type(listed) is not list or len(listed) > MAX_PAIRS or set(map(type, listed)) - {int}:
        raise CodecError("What was drawn is a list of numbers.")
    return tuple(listed)


def _same_score(now: Tournament, act: ResultCountersigned, seen: object) -> None:
    """Raise TournamentError for a countersignature of another score than the one that was read."""
    result = now.results.get(act.match)
    if result and seen != {"juegos": list(result.juegos), "stones": list(result.stones)}:
        raise TournamentError("score_changed")


_WORK: Mapping[str, Callable[[Desk, Tournament, Mapping[str, Any]], Sequence[Act]]] = {
    "act": Desk._act,
    "draw": Desk._draw,
    "pair": Desk._pair,
    "assign": Desk._assign,
    "stop": Desk._stop,
}
