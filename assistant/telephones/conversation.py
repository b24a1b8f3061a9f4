"""The conversation with one telephone: it takes a seat, sends sound, and is told how it does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from assistant.ear.audio import RATE
from assistant.page.guard import AT_HOME
from assistant.page.sockets import Conversation
from assistant.telephones.protocol import (
    BURST_S,
    MOST_RATE,
    TEXTS_A_SECOND,
    TEXTS_AT_ONCE,
    Allowance,
    Closing,
    Goodbye,
    SoundGaps,
    TelephoneError,
    message,
    read_frame,
    read_hello,
    read_said,
)
from assistant.telephones.seats import SeatedTelephone, SeatHeld, TelephoneSeats

HELLO_S = 10.0
"""Seconds within which a telephone says who it is."""
QUIET_S = 10.0
"""Seconds without a message after which a telephone is gone; it says something each second."""
STATUS_S = 0.5
"""Seconds between two reports to a telephone."""


async def converse(talk: Conversation, seats: TelephoneSeats, changed: Callable[[], None]) -> None:
    """Hold the conversation with one telephone, to its end.

    ``changed`` is called, in the event loop, when the telephone comes, goes or does otherwise.
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
    """Take what it sends until it has gone, and tell whether it said goodbye.

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
    """Tell the telephone how it is heard, and the table when that changes."""
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
