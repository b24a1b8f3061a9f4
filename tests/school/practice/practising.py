"""A practice game in this process: fast, silent, and played by taps."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from assistant.files.resources import load_phrases
from assistant.messages import Outcome, Pressed
from assistant.messages.codec import call_from_dict
from assistant.page.board import TableBoard
from assistant.rules.calls import Call, NextDeal
from assistant.rules.engine import open_game
from assistant.rules.history import number
from assistant.rules.profile import Corrido, Penalty, Profile
from assistant.school.practice.dealer import Dealer, Pace
from assistant.school.practice.game import load_company, player_of, signing_of
from assistant.school.practice.page import show_practice
from assistant.table.journal import Journal, MemoryJournal
from assistant.table.runner import Runner
from assistant.table.table import Table
from tests.lexicons import spanish

WAIT = 60.0
NAMES = ("Álex", "Ander", "Maite", "Julián")


class Voices:
    """Keeps every sentence with its seat, and counts how often the voices were silenced."""

    def __init__(self) -> None:
        self.said: list[tuple[int, str]] = []
        self.hushed = 0
        self.busy = False

    def call(self, seat: int, text: str, _seq: int) -> None:
        self.said.append((seat, text))

    def silence(self) -> None:
        self.hushed += 1
        self.busy = False


class Practising:
    """A running game. ``seen`` keeps every snapshot that a page would have got."""

    def __init__(self, seed: int, speed: float, profile: Profile) -> None:
        table = Table(spanish(), number(open_game(profile, NAMES, None), 0, 0.0))
        self.voices = Voices()
        journal = MemoryJournal()
        journal.append(table.records)
        self.runner = Runner(table, journal, self._none)
        phrases = load_phrases()
        self.dice = random.Random(seed)
        self.dealer = Dealer(
            table, self.runner.post, self.voices, phrases.label, Pace(speed), self.dice
        )
        self.dealer.signing = signing_of(profile.senas, "es", self.dice)
        self.seen: list[dict[str, Any]] = []
        self.board = TableBoard(self.runner, phrases)
        show_practice(self.board, self.dealer, phrases, table)
        self.runner.may_undo = self.dealer.may_undo
        self.runner.listeners += [self.dealer, self.board]
        self._done = threading.Event()
        self._watcher = threading.Thread(target=self._watch, daemon=True)

    def _none(self) -> tuple[Journal, Table]:
        raise AssertionError("nobody asked for a new game")

    def _watch(self) -> None:
        version = 0
        while not self._done.is_set():
            if new := self.board.wait(version, 0.2):
                version = new["version"]
                self.seen.append(dict(new))

    def begin(self, level: str, *, senas: bool = False) -> None:
        players = {
            seat: player_of(
                one, level, self.runner.table.state.profile, self.dealer.strength, self.dice
            )
            for seat, one in enumerate(load_company(), start=2)
        }
        self.dealer.seat(players, level, senas=senas)

    def view(self) -> dict[str, Any]:
        """The practice part of the present snapshot."""
        found: dict[str, Any] = dict(self.board.snapshot())["practice"]  # type: ignore[assignment]
        return found

    def tap(self, call: Call) -> tuple[Outcome, ...]:
        return self.runner.post(Pressed(call, self.runner.table.seq)).result(WAIT)

    def until(self, true: Callable[[], Any]) -> Any:
        """Wait until a condition is true; returns its value."""
        deadline = time.monotonic() + WAIT
        while not (found := true()):
            assert time.monotonic() < deadline, self.board.snapshot()["log"][-3:]
            time.sleep(0.002)
        return found

    def turn(self) -> dict[str, Any]:
        """Wait until the person has something to do or the deal is over."""
        self.until(
            lambda: (
                (view := self.view())["offers"]
                or view["throws"]
                or (view["begun"] and self.board.snapshot()["phase"] in ("count", "over"))
            )
        )
        return self.view()

    def play(self, choose: Callable[[dict[str, Any]], Call]) -> None:
        """Play until the juego is over: throw as advised, and make the chosen calls."""
        while True:
            view = self.turn()
            if view["throws"]:
                self.dealer.throw((view["hint"] or {"places": [0]})["places"])
            elif view["offers"]:
                self.tap(choose(view))
            elif self.board.snapshot()["over"]:
                return
            elif self.board.snapshot()["phase"] == "count":
                self.tap(NextDeal())


def offered(view: dict[str, Any], *kinds: str) -> Call:
    """The first of these kinds of calls that is offered, otherwise the first offer."""
    by_kind = {offer["kind"]: offer["call"] for offer in view["offers"]}
    found = next((by_kind[kind] for kind in kinds if kind in by_kind), view["offers"][0]["call"])
    call = call_from_dict(found)
    assert isinstance(call, Call)
    return call


@contextmanager
def practising(
    seed: int = 1, speed: float = 1000.0, target: int = 40, profile: Profile | None = None
) -> Iterator[Practising]:
    """Open the game, by the plainest rules unless told. It is closed in any case."""
    plain = Profile(juegos=1, corrido=Corrido.OFF, penalty=Penalty.OFF, target=target)
    game = Practising(seed, speed, profile or plain)
    game.runner.start()
    game.dealer.start()
    game._watcher.start()
    try:
        yield game
    finally:
        game._done.set()
        game.dealer.close()
        game.runner.stop()
        game.board.close()


__all__ = ["Practising", "Voices", "offered", "practising"]
