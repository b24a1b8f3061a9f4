#!/usr/bin/env python3
"""How fast are the rules and the journal, on a fixed set of varied deals?

    python scripts/lab/bench_rules.py
    python scripts/lab/bench_rules.py --deals 40 --json

Four simulated people with cards in their hands choose among ``legal_calls`` by a seeded generator.
They declare what they hold, bet, raise and refuse; now and then somebody speaks out of turn, or
nobody knows who spoke. The same calls are then played again and timed.

The lines are: deals and calls a second in memory; one decide and one apply; deals a second into a
journal on disk that is synced at each call; one commit; reading and folding everything, the first
time and again; and one listing of the legal calls.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from assistant.messages.codec import event_from_json
from assistant.rules import calls as c
from assistant.rules.cards import DECK, HAND_SIZE, Hand
from assistant.rules.engine import apply, decide, legal_calls, missing_hands, open_game, to_speak
from assistant.rules.errors import CallError
from assistant.rules.events import Event
from assistant.rules.hands import value
from assistant.rules.history import fold, number
from assistant.rules.phases import BEFORE_LANCES, DECLARING, Lance, Phase
from assistant.rules.profile import MAX_JUEGOS, Profile
from assistant.rules.state import State
from assistant.table.journal import Journal, JournalError, MemoryJournal, SqliteJournal

SEATS = ("Norte", "Oeste", "Sur", "Este")
# A match of twenty juegos lasts an evening. If one ends sooner, another one follows.
PROFILE = Profile(juegos=MAX_JUEGOS)
SEED = 31
START = 1_700_000_000.0

LIKING: dict[type[c.Call], float] = {
    c.Mus: 6,
    c.Cut: 2,
    c.Pass: 6,
    c.Bet: 2,
    c.Accept: 3,
    c.Refuse: 2,
    c.Raise: 1.5,
    c.Reenvido: 1,
    c.Ordago: 0.04,
}
"""How often a call is chosen, relative to the other legal calls."""
RARE = 0.1
"""How much less often people bet "a las dos", or bet before the mus is cut."""
OUT_OF_TURN = 0.04
SPEAKER_UNKNOWN = 0.3

Calls = tuple[c.Call, ...]


class Players:
    """Four people at one table."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._hands: tuple[Hand, ...] = ()

    def take_cards(self) -> None:
        """Take new cards for all, after a deal or a discard."""
        deck = list(DECK)
        self._chance.shuffle(deck)
        self._hands = tuple(
            tuple(deck[i : i + HAND_SIZE]) for i in range(0, HAND_SIZE * len(SEATS), HAND_SIZE)
        )

    def next_call(self, state: State) -> c.Call:
        """The next call that somebody makes."""
        turn = to_speak(state)
        if state.phase is Phase.SHOWDOWN:
            seat = missing_hands(state)[0]
            return c.ShowHand(seat=seat, cards=self._hands[seat - 1])
        if state.phase in DECLARING and turn:
            return self._without_name(state, c.Declare(seat=turn, holds=self._holds(state, turn)))
        legal = [one.call for one in legal_calls(state) if type(one.call) in LIKING]
        if not legal:
            return c.NextDeal()
        if self._chance.random() > OUT_OF_TURN:
            legal = [call for call in legal if call.seat == turn] or legal
        liked = self._chance.choices(legal, [_liking(state, call) for call in legal])[0]
        call = self._with_stones(state, liked)
        return self._without_name(state, call) if call.seat == turn else call

    def _holds(self, state: State, seat: int) -> bool:
        hand = value(self._hands[seat - 1], state.profile)
        return hand.pares is not None if state.lance is Lance.PARES else hand.juego

    def _with_stones(self, state: State, call: c.Call) -> c.Call:
        """The same call with more stones, if it is still understood."""
        more: c.Call = call
        if isinstance(call, c.Bet):
            more = replace(call, stones=self._chance.choice((2, 2, 2, 3, 4, 5, 6)))
        elif isinstance(call, c.Raise):
            more = replace(call, stones=self._chance.choice((1, 2, 2, 3, 5, 10)))
        return more if _is_understood(state, more) else call

    def _without_name(self, state: State, call: c.Call) -> c.Call:
        """The same call by an unknown speaker, if it is still understood."""
        if self._chance.random() > SPEAKER_UNKNOWN:
            return call
        nameless = replace(call, seat=None)
        return nameless if _is_understood(state, nameless) else call


def _is_understood(state: State, call: c.Call) -> bool:
    try:
        decide(state, call)
    except CallError:
        return False
    return True


def _liking(state: State, call: c.Call) -> float:
    rare = getattr(call, "both", False) or (
        state.phase in BEFORE_LANCES and not isinstance(call, c.Mus | c.Cut)
    )
    return LIKING[type(call)] * (RARE if rare else 1)


def matches(deals: int, seed: int = SEED) -> list[Calls]:
    """The calls of this many deals, match by match. The same seed gives the same calls."""
    chance = random.Random(seed)
    players = Players(chance)
    played: list[Calls] = []
    while deals > 0:
        state = _opened()
        said: list[c.Call] = []
        players.take_cards()
        while state.phase is not Phase.OVER:
            call = players.next_call(state)
            if isinstance(call, c.NextDeal) and state.deal == deals:
                break
            before, state = state, decide(state, call).state
            said.append(call)
            if state.deal != before.deal or state.phase is Phase.DISCARD is not before.phase:
                players.take_cards()
        deals -= state.deal
        played.append(tuple(said))
    return played


def _opened() -> State:
    opened, deal = open_game(PROFILE, SEATS)
    return apply(apply(None, opened), deal)


def play_into(journal: Journal, said: Calls) -> list[float]:
    """Play a match as the table does: decide, commit, go on. Returns the seconds of each commit."""
    events = open_game(PROFILE, SEATS)
    journal.append(number(events, 0, START))
    state, seq = _opened(), len(events)
    commits = []
    for call in said:
        decision = decide(state, call)
        records = number(decision.events, seq, START + seq)
        start = time.perf_counter()
        journal.append(records)
        commits.append(time.perf_counter() - start)
        seq += len(records)
        state = decision.state
    return commits


def states(said: Calls) -> Iterator[State]:
    """The state before each call of a match."""
    state = _opened()
    for call in said:
        yield state
        state = decide(state, call).state


def _changes(said: Calls) -> Iterator[tuple[State, Event]]:
    """Each event of a match, with the state before it."""
    for call, state in zip(said, states(said), strict=True):
        table = state
        for event in decide(state, call).events:
            yield table, event
            table = apply(table, event)


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of a run. Each name ends with its unit."""

    deals: int
    calls: int
    events: int
    memory_deals_per_s: float
    memory_calls_per_s: float
    decide_us: float
    apply_us: float
    sqlite_deals_per_s: float
    commit_p50_ms: float
    commit_p95_ms: float
    replay_ms: float
    replay_again_ms: float
    legal_calls_us: float


def measure(deals: int, folder: Path, repeats: int) -> Figures:
    """Play the deals in every way. Each way is repeated, and its best time counts."""
    played = matches(deals)
    in_memory = _best(repeats, lambda: [play_into(MemoryJournal(), said) for said in played])
    path = folder / "bench.sqlite3"
    commits: list[float] = []
    start = time.perf_counter()
    for n, said in enumerate(played):
        with closing(SqliteJournal(path, f"match-{n}")) as journal:
            commits += play_into(journal, said)
    on_disk = time.perf_counter() - start
    cold, warm, events = _replay(path, len(played), repeats)
    percentiles = statistics.quantiles(commits, n=20)
    tables = [state for said in played for state in states(said)]
    listing = _best(repeats, lambda: [legal_calls(state) for state in tables])
    asked = list(zip(tables, [call for said in played for call in said], strict=True))
    deciding = _best(repeats, lambda: [decide(state, call) for state, call in asked])
    changes = [change for said in played for change in _changes(said)]
    applying = _best(repeats, lambda: [apply(state, event) for state, event in changes])
    return Figures(
        deals=deals,
        calls=len(commits),
        events=events,
        memory_deals_per_s=round(deals / in_memory, 1),
        memory_calls_per_s=round(len(commits) / in_memory),
        decide_us=round(deciding / len(asked) * 1e6, 1),
        apply_us=round(applying / len(changes) * 1e6, 2),
        sqlite_deals_per_s=round(deals / on_disk, 1),
        commit_p50_ms=round(percentiles[9] * 1e3, 3),
        commit_p95_ms=round(percentiles[18] * 1e3, 3),
        replay_ms=round(cold * 1e3, 1),
        replay_again_ms=round(warm * 1e3, 1),
        legal_calls_us=round(listing / len(tables) * 1e6, 1),
    )


def _replay(path: Path, matches: int, repeats: int) -> tuple[float, float, int]:
    """Seconds to read and fold everything, with an empty and a full cache of the codec; events."""
    events = 0

    def replay() -> None:
        nonlocal events
        events = 0
        for n in range(matches):
            with closing(SqliteJournal(path, f"match-{n}", read_only=True)) as journal:
                records = journal.read()
            fold(records)
            events += len(records)

    def replay_cold() -> None:
        event_from_json.cache_clear()
        replay()

    return _best(repeats, replay_cold), _best(repeats, replay), events


def _best(repeats: int, work: Callable[[], object]) -> float:
    """The least seconds of several runs of the work, when nothing else disturbs the machine."""
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


TABLE = """\
{deals} deals, {calls} calls, {events} events
played in memory      {memory_deals_per_s:>9} deals/s, {memory_calls_per_s} calls/s
one decide            {decide_us:>9} µs, one apply {apply_us} µs
synced at each call   {sqlite_deals_per_s:>9} deals/s
one commit            {commit_p50_ms:>9} ms, p95 {commit_p95_ms} ms
all read and folded   {replay_ms:>9} ms, again in the same process {replay_again_ms} ms
one legal_calls       {legal_calls_us:>9} µs"""


def main(arguments: list[str] | None = None) -> int:
    """Measure and print. The exit status is 2 if the command cannot be carried out."""
    parser = argparse.ArgumentParser(
        description="How fast are the rules and the journal, on a fixed set of varied deals?"
    )
    parser.add_argument("--deals", type=int, default=200, help="number of deals (200)")
    parser.add_argument(
        "--repeats",
        type=int,
        default=5,
        help="how often each thing is timed (5); the best time counts",
    )
    parser.add_argument(
        "--folder",
        type=Path,
        help="folder for the journals, on the disk to be measured (a temporary one)",
    )
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    options = parser.parse_args(arguments)
    if options.deals < 1 or options.repeats < 1:
        parser.error("--deals and --repeats are 1 at least.")
    if options.folder and not options.folder.is_dir():
        parser.error(f"--folder {options.folder} is no folder.")
    try:
        with tempfile.TemporaryDirectory(dir=options.folder, prefix="bench-") as folder:
            figures = asdict(measure(options.deals, Path(folder), options.repeats))
    except (JournalError, OSError) as error:
        print(f"bench_rules: {error}", file=sys.stderr)
        return 2
    print(json.dumps(figures) if options.json else TABLE.format(**figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
