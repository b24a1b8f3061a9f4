"""Painted tables, which are not played: the fullest snapshots that a page may have to show."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from assistant.messages.codec import call_to_dict
from assistant.page import DashboardServer, serve
from assistant.rules.calls import ClaimLance, CorrectBet, Verdict
from assistant.rules.phases import Lance
from assistant.rules.profile import Profile, Sides
from assistant.table.snapshot import LogPhrases, Snapshot
from tests.page.apps import create_app
from tests.page.fake_board import PaintedBoard

PLAYERS = ("Norte", "Oeste", "Sur", "Este", "Maritxu", "Bartolomé")
HANDS = ("RRC1", "4456", "R777", "CCSS", "RC65", "S764")


@contextmanager
def painted(
    spanish: LogPhrases, checkout: Path, players: int = 4, sides: int = 2
) -> Iterator[tuple[PaintedBoard, DashboardServer]]:
    each = Sides.EACH if sides == players else Sides.TWO
    board = PaintedBoard(spanish, Profile(vacas=3, sides=each), PLAYERS[:players])
    server = serve(create_app(board, web_dir=checkout / "web"), "127.0.0.1", 0)
    server.start()
    try:
        yield board, server
    finally:
        server.stop()


def put(view: Any, **changes: object) -> None:
    """Change some fields of a part of the snapshot, which its type does not allow."""
    assert changes.keys() <= view.keys()
    view.update(changes)


def scores(picture: Snapshot) -> None:
    for side, stones in zip(picture["sides"], (28, 39, 7, 13, 0, 22), strict=False):
        side["stones"], side["adentro"] = stones, stones >= 35
        side["amarracos"], side["piedras"] = divmod(stones, 5)


def telephones(picture: Any) -> None:
    """Put a telephone before each player, a part that a feature adds to the snapshot."""
    states = ("heard", "there", "silent", "gone", "heard", "there")
    picture["telephones"] = [
        {"seat": seat["seat"], "name": "Pixel 7", "state": state, "low": seat["seat"] == 2}
        for seat, state in zip(picture["seats"], states, strict=False)
    ]


def full_of_tags(picture: Snapshot) -> None:
    """Fill the tags of each player with the longest texts, and his telephone, over an órdago."""
    scores(picture)
    telephones(picture)
    for seat in picture["seats"]:
        put(seat, pares=True, juego=False, refused=True, out=seat["seat"] == 3)
    picture["phase"] = "pares"
    picture["pending"] = {
        "lance": "pares",
        "seat": 1,
        "side": "A",
        "stones": 40,
        "deje": 12,
        "ordago": True,
        "refused": [2],
        "accepted": [],
        "choices": [],
    }


def cards_on_the_table(picture: Snapshot) -> None:
    """A showdown in which seat 1 has still to show, and every lance can be claimed."""
    scores(picture)
    picture["phase"], picture["actions"], picture["missing"] = "showdown", [], [1]
    for seat, hand in zip(picture["seats"], HANDS, strict=False):
        first = seat["seat"] == 1
        put(seat, hand=None if first else list(hand), may_show=True, may_speak=False, turn=first)
    for lance in picture["lances"]:
        put(lance, status="closed", how="accepted", bet=5)
    picture["incidents"]["claims"] = [
        {
            "lance": lance,
            "side": side["side"],
            "values": [[]] if lance is Lance.GRANDE else [[1], [2], [3]],
            "call": call_to_dict(ClaimLance(lance=lance, side=side["side"])),
        }
        for lance in (Lance.GRANDE, Lance.PARES)
        for side in picture["sides"]
    ]
    bet = CorrectBet(lance=Lance.GRANDE)
    picture["incidents"]["bets"] = [{"lance": "grande", "stones": 5, "call": call_to_dict(bet)}]


def an_article(picture: Snapshot) -> None:
    """Article 5.2 waits for the decision of the table."""
    full_of_tags(picture)
    verdicts = (Verdict(apply=True), Verdict(apply=False))
    picture["proposal"] = {
        "article": "5.2",
        "cited": {
            "number": "5.2",
            "text": "Los pares negados no contarán.",
            "source": "Interpeñas",
        },
        "remedy": "denied",
        "seat": 2,
        "lance": "pares",
        "text": "Oeste negó pares que tenía: sus pares no cuentan.",
        "options": [
            {"label": label, "call": call_to_dict(call)}
            for label, call in zip(("Se aplica", "Se perdona"), verdicts, strict=True)
        ],
    }


PICTURES = {"tags": full_of_tags, "cards": cards_on_the_table, "article": an_article}
