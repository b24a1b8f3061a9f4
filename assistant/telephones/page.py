"""The telephones' web page: its routes, and the WebSocket conversation with each telephone.

A telephone takes a seat as its microphone, sends sound, and gets reports of how it is heard.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Protocol, TypedDict

from flask import Blueprint, Response, current_app, jsonify, render_template, request
from werkzeug.exceptions import NotFound

from assistant.ear.audio import RATE
from assistant.page.app import feature_pages
from assistant.page.asgi import LET_IN, Conversation
from assistant.page.authority import SECURE, SecureDoor
from assistant.page.door import check_may_touch, table_pin
from assistant.page.guard import AT_HOME, check_socket_origin, plain_url, qr_svg, secure_url
from assistant.page.house import House
from assistant.telephones.seats import (
    BURST_S,
    MOST_RATE,
    TEXTS_A_SECOND,
    TEXTS_AT_ONCE,
    Allowance,
    Closing,
    Goodbye,
    SeatedTelephone,
    SeatHeld,
    SoundGaps,
    SoundLines,
    TelephoneError,
    TelephoneSeats,
    TelephoneView,
    message,
    read_frame,
    read_hello,
    read_said,
)

# ---- The page and its addresses -----------------------------------------------------------------


PAGE = "/microphone"
SOUND = "/microphone/sound"
CERTIFICATE = "application/x-x509-ca-cert"
"""The content type for which iOS and Android offer to install a certificate."""


class ChairView(TypedDict):
    """A seat to choose: its number and player, and its telephone if it has or had one."""

    seat: int
    player: str
    telephone: TelephoneView | None


class SeatsPort(Protocol):
    """The port of ``TelephoneSeats``, as far as the page needs it."""

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
        """The address as a QR code. It holds the PIN, so only devices with the PIN may see it."""
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


# ---- The conversation with one telephone, by its WebSocket --------------------------------------


HELLO_S = 10.0
"""Seconds within which a telephone says who it is."""
QUIET_S = 10.0
"""Seconds without a message after which a telephone is gone; it sends one each second."""
STATUS_S = 0.5
"""Seconds between two reports to a telephone."""


async def converse(talk: Conversation, seats: TelephoneSeats, changed: Callable[[], None]) -> None:
    """Hold the conversation with one telephone, to its end.

    ``changed`` is called, in the event loop, when the telephone comes or goes, or its state
    changes.
    """
    try:
        if not talk.secure and talk.address not in AT_HOME:
            raise TelephoneError(Closing.INSECURE)
        await _seated(talk, seats, changed)
    except SeatHeld as held:
        await talk.say(message("taken", name=held.name))
        await talk.close(held.closing, str(held))
    except TelephoneError as error:
        await talk.close(error.closing, str(error))
    except TimeoutError:
        late = TelephoneError(Closing.TOO_SLOW)
        await talk.close(late.closing, str(late))


async def _seated(talk: Conversation, seats: TelephoneSeats, changed: Callable[[], None]) -> None:
    first = await talk.next(HELLO_S)
    if first is None:
        return
    if isinstance(first, bytes):
        raise TelephoneError(Closing.BAD)
    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    taker = ""

    def replaced(name: str) -> None:
        nonlocal taker
        taker = name
        loop.call_soon_threadsafe(ended.set)

    seated, missed = seats.sit(read_hello(first), replaced), True
    changed()
    try:
        await talk.say(message("seated", seat=seated.hello.seat))
        hearing = asyncio.ensure_future(_hear(talk, seated, seats.clock))
        telling = asyncio.ensure_future(_tell(talk, seated, seats.clock, changed))
        ending = asyncio.ensure_future(ended.wait())
        tasks = (hearing, telling, ending)
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if ended.is_set():
                await talk.say(message("replaced", name=taker))
                raise TelephoneError(Closing.REPLACED)
            if hearing.done():
                missed = not hearing.result()
            else:
                telling.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
    finally:
        seats.leave(seated, missed=missed)
        changed()


async def _hear(talk: Conversation, seated: SeatedTelephone, clock: Callable[[], float]) -> bool:
    """Take the telephone's messages until it has gone; return whether it said goodbye.

    Raises TelephoneError, TimeoutError.
    """
    sound = Allowance(MOST_RATE * RATE, BURST_S * RATE, clock)
    texts = Allowance(TEXTS_A_SECOND, TEXTS_AT_ONCE, clock)
    gaps = SoundGaps()
    while (said := await talk.next(QUIET_S)) is not None:
        if isinstance(said, str):
            texts.spend(1)
            word = read_said(said)
            if isinstance(word, Goodbye):
                return True
            seated.battery, seated.charging = word.battery, word.charging
            await talk.say(message("pong", at=word.at))
            continue
        frame = read_frame(said)
        sound.spend(len(frame.samples))
        lost = gaps.missing(frame.number) * len(frame.samples)
        seated.hear(frame.samples, frame.at, lost, clock())
    return False


async def _tell(
    talk: Conversation,
    seated: SeatedTelephone,
    clock: Callable[[], float],
    changed: Callable[[], None],
) -> None:
    """Report to the telephone how it is heard, and to the table when that changes."""
    shown = None
    while True:
        status, view = seated.line.status(), seated.view(clock())
        if view != shown:
            shown = view
            changed()
        await talk.say(
            message(
                "status",
                state=view["state"],
                level=status.level,
                delay=status.delay,
                drift=status.drift,
                heard=status.heard,
                lost=status.lost,
            )
        )
        await asyncio.sleep(STATUS_S)


# ---- The feature --------------------------------------------------------------------------------


def install(house: House, lines: SoundLines) -> TelephoneSeats:
    """Let telephones be the microphones of a house. ``lines``: where their sound goes."""
    telephones = TelephoneSeats(lines, len(house.runner.table.state.seats))

    def changed() -> None:
        # The board may be busy for a moment, and the event loop must not wait for it.
        asyncio.get_running_loop().run_in_executor(None, house.board.refresh)

    async def handler(talk: Conversation) -> None:
        await converse(talk, telephones, changed)

    house.board.extend(lambda: {"telephones": telephones.views()})
    house.show(telephone_pages(telephones, lambda: house.runner.table.state.seats))
    house.talk(SOUND, handler)
    return telephones
