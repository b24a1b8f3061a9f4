"""The page that makes a telephone a seat's microphone, and the feature that offers it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Protocol, TypedDict

from flask import Blueprint, Response, current_app, jsonify, render_template, request
from werkzeug.exceptions import NotFound

from assistant.page.app import feature_pages
from assistant.page.authority import SECURE, SecureDoor
from assistant.page.door import check_may_touch, table_pin
from assistant.page.guard import AT_HOME, check_socket_origin, plain_url, qr_svg, secure_url
from assistant.page.house import House
from assistant.page.sockets import LET_IN, Conversation
from assistant.telephones.conversation import converse
from assistant.telephones.seats import SoundLines, TelephoneSeats, TelephoneView

PAGE = "/microphone"
SOUND = "/microphone/sound"
CERTIFICATE = "application/x-x509-ca-cert"
"""The type by which iOS and Android offer to install a certificate."""


class ChairView(TypedDict):
    """A seat to choose: its number and player, and its telephone if it has or had one."""

    seat: int
    player: str
    telephone: TelephoneView | None


class SeatsPort(Protocol):
    """What the page asks of the telephones."""

    def views(self) -> list[TelephoneView]:
        """The telephones by their seats, those that have gone too."""


def telephone_pages(telephones: SeatsPort, players: Callable[[], Sequence[str]]) -> Blueprint:
    """Make the page and its routes. ``players``: the names at the seats, in their order."""
    pages = feature_pages("telephones", menu="telephones")

    @pages.get(PAGE)
    def microphone() -> str:
        secure = secure_url(request)
        return render_template(
            "microphone.html",
            secure=f"{secure}{PAGE.removeprefix('/')}" if secure else "",
            here=request.remote_addr in AT_HOME,
        )

    @pages.get("/api/telephones")
    def seats() -> Response:
        there = {view["seat"]: view for view in telephones.views()}
        found: list[ChairView] = [
            {"seat": seat, "player": player, "telephone": there.get(seat)}
            for seat, player in enumerate(players(), start=1)
        ]
        return jsonify(seats=found)

    @pages.get(SOUND)
    def let_in() -> Response:
        """Let a WebSocket in: of our own page, on a device that may touch the table."""
        check_socket_origin(request)
        check_may_touch()
        return Response(status=LET_IN)

    @pages.get("/microphone.svg")
    def code() -> Response:
        """The address as a QR code. It brings the PIN along, so only those see it who have it."""
        check_may_touch()
        pin = table_pin()
        address = f"{plain_url(request)}{PAGE.removeprefix('/')}"
        return Response(qr_svg(f"{address}#{pin}" if pin else address), mimetype="image/svg+xml")

    @pages.get("/authority.crt")
    def certificate() -> Response:
        secure: SecureDoor | None = current_app.extensions[SECURE]
        if secure is None:
            raise NotFound("This table has no secure page.")
        answer = Response(secure.authority.certificate, mimetype=CERTIFICATE)
        answer.headers["Content-Disposition"] = "attachment; filename=mus.crt"
        return answer

    return pages


def install(house: House, lines: SoundLines) -> TelephoneSeats:
    """Let telephones be the microphones of a house. ``lines``: where their sound goes."""
    telephones = TelephoneSeats(lines, len(house.runner.table.state.seats))

    def changed() -> None:
        # The board may be busy for a moment; the event loop does not wait for it.
        asyncio.get_running_loop().run_in_executor(None, house.board.refresh)

    async def handler(talk: Conversation) -> None:
        await converse(talk, telephones, changed)

    house.board.extend(lambda: {"telephones": telephones.views()})
    house.show(telephone_pages(telephones, lambda: house.runner.table.state.seats))
    house.talk(SOUND, handler)
    return telephones
