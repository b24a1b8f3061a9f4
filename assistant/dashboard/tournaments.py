"""Tournaments over HTTP: everybody reads them, the referee writes, a pair signs its results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from flask import Flask, Response, jsonify, render_template, request
from werkzeug.exceptions import Forbidden

from assistant.dashboard.address import qr_svg
from assistant.dashboard.door import MAY_TOUCH
from assistant.dashboard.guesses import Guesses
from assistant.dashboard.incoming import body_of
from assistant.dashboard.tournament_csv import LISTS, as_csv
from assistant.tournament import TournamentError

SIGN = "/sign"
"""How the paths end that ask for a pair's own code in place of the PIN."""
MOST = 2_000_000
"""Bytes that a referee may send: a list of 2,600 pairs has a tenth of it."""


class Desk(Protocol):
    """The tournaments of a hall. Each method raises MusError where it cannot be done."""

    def listed(self) -> Sequence[Mapping[str, Any]]:
        """All of them."""

    def profiles(self) -> Sequence[str]:
        """The names of house rules that one may be played by."""

    def show(self, number: int) -> Mapping[str, Any]:
        """One of them."""

    def seq(self, number: int) -> int:
        """How much was done in it."""

    def version(self, number: int) -> str:
        """Another one whenever it is to be shown anew."""

    def history(self, number: int) -> Sequence[Mapping[str, Any]]:
        """What was done in it."""

    def codes(self, number: int) -> Mapping[int, str]:
        """What each pair proves with that it is itself."""

    def is_pair(self, number: int, pair: object, code: object) -> bool:
        """Whether a pair's code is right."""

    def open(self, asked: Mapping[str, Any]) -> int:
        """Begin one; returns its number."""

    def do(self, number: int, what: str, asked: Mapping[str, Any]) -> int:
        """Do one thing in it."""

    def sign(self, number: int, pair: int, asked: Mapping[str, Any]) -> int:
        """Let a pair enter or countersign a result of its own."""


def is_free(path: str) -> bool:
    """Whether a path asks for a proof of its own."""
    return path.startswith("/api/tournaments/") and path.endswith(SIGN)


def refusal(error: BaseException | None) -> dict[str, Any]:
    """Why an act was refused, for a page that says it in its own language; {} for other faults.

    {"code", "facts"}, and "because" with the same of what it hangs on.
    """
    while error is not None and not isinstance(error, TournamentError):
        error = error.__cause__  # what could not be read, for what it would have been
    if error is None:
        return {}
    because = refusal(error.__cause__)
    return {"code": error.code, "facts": error.facts} | ({"because": because} if because else {})


def add_tournaments(
    app: Flask, desk: Desk, address: Callable[[], str], guesses: Guesses | None = None
) -> None:
    """Add what is asked and told of tournaments; the door stands before what writes.

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

    @app.get("/tournaments/<int:number>/sign.svg")
    def sign_code(number: int) -> Response:
        desk.seq(number)
        pair = request.args.get("pair", type=int)  # a pair's own slip: it need not choose itself
        own = f"?pair={pair}" if pair else ""
        code = qr_svg(f"{address()}tournaments/{number}/sign{own}")
        return Response(code, mimetype="image/svg+xml")

    @app.get("/tournaments/<int:number>/<any(pairs, matches, standings):what>.csv")
    def listed(number: int, what: str) -> Response:
        answer = Response(as_csv(LISTS[what](desk.show(number))), mimetype="text/csv")
        answer.headers["Content-Disposition"] = f"attachment; filename=mus-{number}-{what}.csv"
        return answer

    @app.get("/api/tournaments")
    def tournaments() -> Response:
        return jsonify(tournaments=desk.listed(), profiles=desk.profiles())

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
        assert isinstance(pair, int)  # or the code was not its own
        if "act" not in body:  # it only asks whether the code is right, before it does anything
            return jsonify(pair=pair)
        return jsonify(seq=desk.sign(number, pair, body))
