"""Tournaments over HTTP: everybody reads them, the referee writes, a pair signs its result."""

from __future__ import annotations

import csv
import io
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from flask import Flask, Response, jsonify, render_template, request
from werkzeug.exceptions import Forbidden

from assistant.hall.published import LANGUAGES, published_zip
from assistant.hall.tournament import TournamentError
from assistant.hall.tournament.errors import normalized
from assistant.page.app import languages_asked
from assistant.page.door import MAY_TOUCH, REMEMBERED, Patience, must_wait
from assistant.page.guard import qr_svg
from assistant.page.incoming import body_of

# ---- CSV lists for a spreadsheet: pairs, matches, standings -------------------------------------


FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""First letters of a cell that a spreadsheet would take for a formula."""
BY = {
    "won": "ganadas",
    "juegos": "juegos",
    "stones": "piedras",
    "direct": "entre ellas",
    "draw": "sorteo",
}
"""The criterion that separated a pair from the others, in the page's words."""
MORE = {"bar": "bar", "category": "categoría"}
"""Columns of the list of pairs that are there if any pair has something in them."""
ENDED = {
    "time": "se acabó el tiempo",
    "both": "la pierden las dos",
    "late": "retraso",
    "sanction": "sanción",
}
"""How a match ended that nobody won by playing it to its end, in the page's words."""
Shown = Mapping[str, Any]


def pairs(shown: Shown) -> Iterator[list[object]]:
    """The pairs with their numbers; the list can be enrolled again."""
    if shown["individual"]:
        more = [column for column in MORE if any(one[column] for one in shown["pairs"])]
        yield ["número", "jugador", "peña", *(MORE[column] for column in more)]
        for one in shown["pairs"]:
            if one["here"] and not one["of"]:
                yield [one["pair"], one["name"], one["club"], *(one[column] for column in more)]
        return
    more = [column for column in MORE if any(pair[column] for pair in shown["pairs"])]
    names: list[object] = ["número", "pareja", "jugador 1", "jugador 2", "peña", "cabeza"]
    yield [*names, *(MORE[column] for column in more)]
    for pair in shown["pairs"]:
        if pair["here"]:
            row = [pair["pair"], pair["name"], *pair["players"], pair["club"], pair["seed"]]
            yield [*row, *(pair[column] for column in more)]


def matches(shown: Shown) -> Iterator[list[object]]:
    """The matches, each with its result if it has one."""
    names = _names(shown)
    yield [
        *("partida", "mesa", "pareja 1", "pareja 2", "juegos 1", "juegos 2"),
        *("piedras 1", "piedras 2", "gana", "puesto por", "motivo"),
    ]
    for match in shown["matches"]:
        who = [names.get(slot["pair"], "") for slot in match["slots"]]
        result = match["result"] or {}
        score = [*result.get("juegos", ("", "")), *result.get("stones", ("", ""))]
        why = filter(None, (ENDED.get(match["how"], ""), result.get("reason", "")))
        told = [result.get("by", ""), ": ".join(why)]
        yield [match["match"], match["table"], *who, *score, names.get(match["winner"], ""), *told]


def standings(shown: Shown) -> Iterator[list[object]]:
    """The standings of all groups, one after the other.

    If there are categories, also each pair's category, and its place among the pairs of it.
    """
    names = _names(shown)
    more = ("categoría", "puesto en la categoría") if shown["category_names"] else ()
    categories = {pair["pair"]: pair["category"] for pair in shown["pairs"]}
    yield [
        *("grupo", "puesto", "pareja", "jugadas", "ganadas", "perdidas"),
        *("juegos", "juegos en contra", "piedras", "piedras en contra", "por"),
        *more,
    ]
    for (_, group), rows in zip(shown["standing_of"], shown["standings"], strict=True):
        before: Counter[str] = Counter()
        for row in rows:
            category = categories[row["pair"]]
            before[normalized(category)] += 1
            yield [
                *(group, row["place"], names[row["pair"]], row["played"], row["won"], row["lost"]),
                *(*row["juegos"], *row["stones"], BY.get(row["by"], row["by"])),
                *((category, before[normalized(category)] if category else None) if more else ()),
            ]


LISTS: Mapping[str, Callable[[Shown], Iterator[list[object]]]] = {
    "pairs": pairs,
    "matches": matches,
    "standings": standings,
}


def as_csv(rows: Iterator[list[object]]) -> bytes:
    """CSV with semicolons and a byte order mark, which a Spanish spreadsheet opens by itself."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=";", lineterminator="\r\n")
    writer.writerows([_cell(value) for value in row] for row in rows)
    return text.getvalue().encode("utf-8-sig")


def _cell(value: object) -> object:
    if isinstance(value, str) and value.startswith(FORMULA):
        return f"'{value}"
    return "" if value is None else value


def _names(shown: Shown) -> dict[int | None, str]:
    return {pair["pair"]: pair["name"] for pair in shown["pairs"]}


# ---- Rate limits of guesses at the pairs' codes: by device and pair, by device, and by pair -----
# A pair that knows its own code must not win free guesses at another's by mixing the two. Nor must
# anybody keep a pair from signing by guessing at its code.


DEVICE_FREE = 12
"""Wrong codes, for all pairs together, that a device may send before it has to wait: a telephone,
or the hall's own screen, may serve several pairs that mistype."""
PAIR_FREE = 10
"""Wrong codes for one pair that all devices together may send before all of them have to wait."""
PAIR_LONGEST = 20.0
"""The longest such wait in seconds. A device that guesses once a minute leaves the pair two thirds
of the time, and a thousand such devices would still need months."""


class Guesses:
    """Counts wrong codes. ``pair`` is a name that is unique over all tournaments."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._lock = threading.Lock()
        self._each = Patience(clock)
        self._device = Patience(clock, free=DEVICE_FREE)
        self._pair = Patience(clock, free=PAIR_FREE, longest=PAIR_LONGEST)
        self._known: OrderedDict[tuple[str, str], None] = OrderedDict()

    def proved(self, address: str, pair: str, right: bool) -> bool:
        """Count a code of a device for a pair, ``right`` or wrong; returns ``right``.

        Raises TooManyRequests if the device has to wait.
        """
        each = f"{address} {pair}"
        with self._lock:
            left = [self._each.left(each), self._device.left(address)]
            if (address, pair) not in self._known:  # guesses of others must not lock it out
                left.append(self._pair.left(pair))
            if wait := max(left):
                must_wait(wait)
            if right:
                # Its wrong codes for this pair were typing errors; those for others were not.
                mistyped = self._each.right(each)
                self._device.forgive(address, mistyped)
                self._pair.forgive(pair, mistyped)
                self._know(address, pair)
            elif wait := max(
                self._each.wrong(each), self._device.wrong(address), self._pair.wrong(pair)
            ):
                must_wait(wait)
            return right

    def _know(self, address: str, pair: str) -> None:
        self._known[address, pair] = None
        self._known.move_to_end((address, pair))
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)


# ---- The routes ---------------------------------------------------------------------------------


SIGN = "/sign"
"""The end of the paths that ask for a pair's code in place of the PIN."""
MOST = 2_000_000
"""Bytes that a referee may send. A list of 2,600 pairs takes a tenth of it."""


class DeskPort(Protocol):
    """The tournaments of a hall. Each method raises MusError if it cannot be done."""

    def listed(self) -> Sequence[Mapping[str, Any]]:
        """All of them."""

    def profiles(self) -> Sequence[str]:
        """The names of the house rules that a tournament may be played by."""

    def formats(self) -> Sequence[Mapping[str, Any]]:
        """The formats from files, and the questions that each has at the opening."""

    def show(self, number: int) -> Mapping[str, Any]:
        """One of them."""

    def seq(self, number: int) -> int:
        """The number of its acts."""

    def version(self, number: int) -> str:
        """A text that changes whenever it has to be shown anew."""

    def history(self, number: int) -> Sequence[Mapping[str, Any]]:
        """Its acts, described for people."""

    def codes(self, number: int) -> Mapping[int, str]:
        """The secret code of each pair."""

    def is_pair(self, number: int, pair: object, code: object) -> bool:
        """Whether a pair's code is right."""

    def preview(self, number: int, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        """A list of pairs as it would be enrolled; writes nothing."""

    def book(self, number: int) -> Mapping[str, Any]:
        """The organisers' book: telephones, the fee, who has paid."""

    def note(self, number: int, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        """Write into the organisers' book; returns it."""

    def open(self, asked: Mapping[str, Any]) -> int:
        """Begin one; returns its number."""

    def do(self, number: int, what: str, asked: Mapping[str, Any]) -> int:
        """Do one thing in it."""

    def sign(self, number: int, pair: int, asked: Mapping[str, Any]) -> int:
        """Let a pair enter or countersign a result of its own."""


def is_free(path: str) -> bool:
    """Whether a path asks for a pair's code in place of the PIN."""
    return path.startswith("/api/tournaments/") and path.endswith(SIGN)


def refusal(error: BaseException | None) -> dict[str, Any]:
    """Why an act was refused, for a page that says it in its own language; {} for other errors.

    {"code", "facts"}, and "because" with the same of the refusal that caused it, if there is one.
    """
    while error is not None and not isinstance(error, TournamentError):
        error = error.__cause__  # a CodecError has the refusal of the act as its cause
    if error is None:
        return {}
    because = refusal(error.__cause__)
    return {"code": error.code, "facts": error.facts} | ({"because": because} if because else {})


def add_tournaments(
    app: Flask, desk: DeskPort, address: Callable[[], str], guesses: Guesses | None = None
) -> None:
    """Add the routes of the tournaments; the page's door guards those that write.

    ``address``: where telephones find the hall.
    """
    waits = guesses or Guesses()

    @app.get("/tournaments")
    def tournaments_page() -> str:
        return render_template("tournaments.html")

    @app.get("/tournaments/<int:number>")
    def tournament_page(number: int) -> str:
        desk.seq(number)  # there is one
        return render_template("tournament.html", number=number)

    @app.get("/tournaments/<int:number>/screen")
    def tournament_screen(number: int) -> str:
        desk.seq(number)
        url = f"{address()}tournaments/{number}"
        return render_template("tournament-screen.html", number=number, url=url)

    @app.get("/tournaments/<int:number>.svg")
    def tournament_code(number: int) -> Response:
        desk.seq(number)
        return Response(qr_svg(f"{address()}tournaments/{number}"), mimetype="image/svg+xml")

    @app.get("/tournaments/<int:number>/sign")
    def sign_page(number: int) -> str:
        desk.seq(number)
        return render_template("tournament-sign.html", number=number)

    @app.get("/tournaments/<int:number>/slips")
    def slips_page(number: int) -> str:
        desk.seq(number)
        return render_template("tournament-slips.html", number=number)

    @app.get("/tournaments/<int:number>/enrol")
    def enrol_page(number: int) -> str:
        desk.seq(number)
        return render_template("tournament-enrol.html", number=number)

    @app.get("/tournaments/<int:number>/sign.svg")
    def sign_code(number: int) -> Response:
        desk.seq(number)
        pair = request.args.get("pair", type=int)  # on a pair's own slip, which chooses it
        own = f"?pair={pair}" if pair else ""
        code = qr_svg(f"{address()}tournaments/{number}/sign{own}")
        return Response(code, mimetype="image/svg+xml")

    @app.get("/tournaments/<int:number>/<any(pairs, matches, standings):what>.csv")
    def listed(number: int, what: str) -> Response:
        answer = Response(as_csv(LISTS[what](desk.show(number))), mimetype="text/csv")
        answer.headers["Content-Disposition"] = f"attachment; filename=mus-{number}-{what}.csv"
        return answer

    @app.get("/tournaments/<int:number>/results.zip")
    def results(number: int) -> Response:
        asked = next((code for code in languages_asked() if code in LANGUAGES), LANGUAGES[0])
        answer = Response(published_zip(desk.show(number), asked), mimetype="application/zip")
        answer.headers["Content-Disposition"] = f"attachment; filename=mus-{number}.zip"
        return answer

    @app.get("/api/tournaments")
    def tournaments() -> Response:
        return jsonify(tournaments=desk.listed(), profiles=desk.profiles(), formats=desk.formats())

    @app.get("/api/tournaments/<int:number>")
    def tournament(number: int) -> Response | tuple[str, int]:
        if request.args.get("after") == desk.version(number):
            return "", 204
        return jsonify(desk.show(number))

    @app.get("/api/tournaments/<int:number>/acts")
    def acts(number: int) -> Response:
        return jsonify(acts=desk.history(number))

    @app.get("/api/tournaments/<int:number>/codes")
    def pair_codes(number: int) -> Response:
        if not app.extensions[MAY_TOUCH]():
            raise Forbidden("Tell the hall's PIN first: the pairs' codes are not for everybody.")
        return jsonify({str(pair): code for pair, code in desk.codes(number).items()})

    @app.get("/api/tournaments/<int:number>/book")
    def book(number: int) -> Response:
        if not app.extensions[MAY_TOUCH]():
            raise Forbidden("Tell the hall's PIN first: telephones are not for everybody.")
        return jsonify(desk.book(number))

    @app.post("/api/tournaments/<int:number>/book")
    def note(number: int) -> Response:
        return jsonify(desk.note(number, body_of(request)))

    @app.post("/api/tournaments/<int:number>/preview")
    def preview(number: int) -> Response:
        request.max_content_length = MOST
        return jsonify(desk.preview(number, body_of(request)))

    @app.post("/api/tournaments")
    def begin_tournament() -> Response:
        return jsonify(id=desk.open(body_of(request)))

    @app.post("/api/tournaments/<int:number>/<what>")
    def act(number: int, what: str) -> Response:
        request.max_content_length = MOST
        return jsonify(seq=desk.do(number, what, body_of(request)))

    @app.post(f"/api/tournaments/<int:number>{SIGN}")
    def sign(number: int) -> Response:
        body = body_of(request)
        asked = body.get("pair")
        right = desk.is_pair(number, asked, body.get("code"))
        name = f"{number}/{asked!r:.20}" if type(asked) is int else ""
        if not waits.proved(request.remote_addr or "", name, right):
            raise Forbidden("That is not the pair's code: it stands on its slip.")
        pair = body["pair"]
        assert isinstance(pair, int)  # otherwise the code was wrong
        if "act" not in body:  # the page only asks whether the code is right
            return jsonify(pair=pair)
        return jsonify(seq=desk.sign(number, pair, body))
