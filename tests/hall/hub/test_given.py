"""Juegos that a referee gives to a pair, at its table and in the result from that table."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Engine

from assistant.files.resources import load_phrases
from assistant.hall.hub.calls import CallingThread
from assistant.hall.hub.desk import Desk
from assistant.hall.hub.ledger import Ledger
from assistant.hall.hub.scoring import Played, Scorer, result_of
from assistant.hall.hub.service import Hub
from assistant.hall.hub.store import JournalReader, Store
from assistant.hall.hub.wire import Called, WireError, game_id, pack_called, packed, read_called
from assistant.hall.tournament import (
    Act,
    Degree,
    Drawn,
    Format,
    FormatSheet,
    MatchStopped,
    Opened,
    Options,
    PairLate,
    PenaltyLifted,
    ResultEntered,
    RoundClockSet,
    RoundResumed,
    Sanctioned,
    Stage,
    StageKind,
    TableAssigned,
    Times,
    TimesSet,
    Tournament,
    TournamentError,
    check,
    draw,
    fold,
    players,
)
from assistant.hall.uplinked import NO_NOTE, MatchNote, Uplinked
from assistant.messages import Command, Pressed, Refused, Told
from assistant.messages.codec import event_to_json
from assistant.rules.calls import Bet, Cut, Refuse
from assistant.rules.events import JuegoWon
from assistant.rules.history import Record, number
from assistant.school.players import Novice
from scripts.lab.hubbench.servers import Broker, until
from scripts.lab.playing.juego import FORTY_STONES, moves
from tests.hall.hub.test_called import PAIRS as CALLED_PAIRS
from tests.hall.hub.test_called import Room, called
from tests.hall.hub.test_tournaments import NAMES, PAIRS, Clock, batch_of
from tests.tables import each_row

SQLITE = pytest.mark.parametrize("where", ["sqlite"], indirect=True)
TIMES = TimesSet(Times(10, 10), "Juez")


# ---- The result, by what the journal says and what was given -------------------------------------


def late(pair: int, minutes: int = 10) -> Act:
    return PairLate("K1.1", pair, minutes, "Juez")


def fault(pair: int) -> Act:
    return Sanctioned(pair, Degree.JUEGO, "6.b", "Juez", "Hablar", "K1.1")


def tournament(juegos: int, vacas: int, *acts: Act) -> Tournament:
    """Pair 1 meets pair 2 at mesa-1."""
    sheet = FormatSheet("vacas", (), (Stage(StageKind.KNOCKOUT, juegos=juegos, vacas=vacas),))
    opened = Opened("San Blas", Format.SHEET, Options(juegos=juegos), sheet=sheet)
    if vacas == 1:
        opened = Opened("San Blas", Format.KNOCKOUT, Options(juegos=juegos))
    drawn = fold([opened, *PAIRS])
    order = draw(drawn.pairs.values(), 7)
    return fold([opened, *PAIRS, Drawn(7, order), TIMES, TableAssigned("K1.1", "mesa-1"), *acts])


def ended(
    juegos: int,
    each: str,
    *acts: Act,
    vacas: int = 1,
    opened: tuple[int, int] = (0, 0),
    over: bool = True,
) -> tuple[int, int] | str:
    """What pairs 1 and 2 won, and who won the juegos of the game ("A" is pair 1), or why not."""
    now = tournament(juegos, vacas, *acts)
    end = Played(
        profile=replace(FORTY_STONES, juegos=juegos, vacas=vacas),
        names=((NAMES[0], NAMES[2]), (NAMES[1], NAMES[3])),
        juegos=(each.count("A"), each.count("B")),
        stones=(40 * len(each), 10 * len(each)),
        vacas=(0, 0),
        each=tuple([(side, (40, 10)) for side in each]),
        over=over,
        given=opened if any(opened) else (),
    )
    told = result_of(now, "K1.1", "game-1", end)
    if isinstance(told, str):
        return told
    one, other = told.juegos if players(now, "K1.1") == (1, 2) else told.juegos[::-1]
    return one, other


@each_row(
    "told, expected",
    [
        # Pair 2 was late: pair 1 needs one juego of two.
        (lambda: ended(2, "A", late(2), over=False), (2, 0)),
        (lambda: ended(2, "BA", late(2), over=False), (2, 1)),
        (lambda: ended(2, "BB", late(2)), (1, 2)),
        (lambda: ended(2, "AB", late(2), over=False), (2, 0)),  # they played on
        (lambda: ended(3, "A", late(2), over=False), "unfinished"),
        # The game began with the juego, so its own end is the end.
        (lambda: ended(2, "A", late(2), opened=(1, 0)), (2, 0)),
        (lambda: ended(2, "BB", late(2), opened=(1, 0)), (1, 2)),
        # It was given back after the game had ended with it: somebody has to say what follows.
        (lambda: ended(2, "A", opened=(1, 0)), "given"),
        (lambda: ended(2, "AA", late(2), PenaltyLifted(1, "Juez", "Error")), (2, 0)),
        # A sanction has no place in the journal. It is taken where all readings agree.
        (lambda: ended(3, "AAA", fault(1)), (3, 1)),
        (lambda: ended(2, "A", fault(2), over=False), (2, 0)),
        (lambda: ended(2, "AB", fault(2), over=False), "given"),
        (lambda: ended(2, "ABA", fault(2)), "given"),
        (lambda: ended(2, "B", fault(2), over=False), "unfinished"),
        (lambda: ended(2, "A", fault(2), opened=(1, 0)), (2, 0)),  # it came before the game
        (lambda: ended(3, "BA", late(2), fault(2), opened=(2, 0)), (3, 1)),
    ],
)
def test_a_result_counts_what_was_given_where_the_journal_leaves_no_doubt(
    told: object, expected: tuple[int, int] | str
) -> None:
    assert callable(told)
    assert told() == expected


@each_row(
    "told, expected",
    [
        # To two vacas of two juegos; the juego that was given is in the first one.
        (lambda: ended(2, "ABBA", late(2), vacas=2, over=False), "unfinished"),
        (lambda: ended(2, "AAA", late(2), vacas=2, over=False), (2, 0)),
        (lambda: ended(2, "BBABAA", late(2), vacas=2, over=False), "unfinished"),
        (lambda: ended(2, "BBABAAA", late(2), vacas=2, over=False), (2, 1)),
        (lambda: ended(2, "BBABB", late(2), vacas=2), (0, 2)),
        (lambda: ended(2, "AA", late(2, 20), vacas=2, over=False), (2, 0)),  # a whole vaca
        # In which vaca a sanction came changes who has won, or how.
        (lambda: ended(2, "AAAA", fault(1), vacas=2), (2, 0)),
        (lambda: ended(2, "AABAA", fault(1), vacas=2), "given"),
        (lambda: ended(2, "BABAAA", fault(1), vacas=2), "given"),
    ],
)
def test_a_juego_given_counts_in_the_vaca_in_which_it_was_given(
    told: object, expected: tuple[int, int] | str
) -> None:
    assert callable(told)
    assert told() == expected


def test_the_result_of_a_match_by_vacas_has_the_vacas_that_were_given_whole() -> None:
    now = tournament(2, 2, late(2, 20))
    given = now.given("K1.1", players(now, "K1.1"))
    assert sorted(given) == [0, 2]
    assert sorted(now.least("K1.1", players(now, "K1.1"))) == [0, 1]


def first_juego(given: tuple[int, ...] = ()) -> list[Record]:
    """A game to two juegos, after its first one."""
    records: list[Record] = []
    profile = replace(FORTY_STONES, juegos=2)
    for _, events in moves([Novice()] * 4, 5, seats=NAMES, profile=profile, given=given):
        records += number(events, len(records), 1000.0 + len(records))
        if any(isinstance(event, JuegoWon) for event in events):
            return records
    raise AssertionError


@SQLITE
def test_a_juego_that_is_given_after_the_pairs_stopped_brings_the_result(engine: Engine) -> None:
    """They stop and call the referee, who gives the juego when the game was looked at already."""
    clock = Clock()
    ledger = Ledger(engine, clock)
    one = ledger.open(Opened("San Blas", Format.KNOCKOUT, Options(juegos=2), by="Juez"))
    ledger.do(one, lambda _t: PAIRS)
    ledger.do(one, lambda t: [Drawn(7, draw(t.pairs.values(), 7)), TIMES])
    ledger.do(one, lambda _t: [TableAssigned("K1.1", "mesa-1")])
    records = first_juego()
    side = next(r.event.side for r in records if isinstance(r.event, JuegoWon))
    name = game_id("game-1", records[0].at, event_to_json(records[0].event))
    Store(engine, clock).take([batch_of(records, game=name)])
    clock.now += 60
    scorer = Scorer(ledger, JournalReader(engine), clock=clock)
    assert scorer.score() == 0
    loser = 2 if side == "A" else 1
    ledger.do(one, lambda _t: [fault(loser)])
    assert scorer.score() == 1
    assert ledger.standing(one).tournament.results["K1.1"].winner == 3 - loser


# ---- What a table is told ------------------------------------------------------------------------


MATCH = Called("San Blas K1.1", ("Ana", "Eva", "Luis", "Jon"), 3)


@each_row(
    "match",
    [
        replace(MATCH, given=(1, 0)),
        replace(MATCH, given=(0, 2), rules="kings=4"),
        replace(MATCH, given=(4, 1), vacas=2),
    ],
)
def test_a_called_match_tells_what_was_given(match: Called) -> None:
    assert read_called(pack_called(match)) == match


@each_row("given", [[3, 0], [1], [1, -1], "1-0", [1, 0, 0], [True, False], None])
def test_juegos_that_nobody_can_have_been_given_are_refused(given: object) -> None:
    body = {"v": 1, "match": "K1.1", "seats": list(MATCH.seats), "juegos": 3, "given": given}
    with pytest.raises(WireError):
        read_called(packed(body))


# ---- At the table: as ``mus play --hub`` wires it ------------------------------------------------


@pytest.fixture
def room(tmp_path: Path, broker: Broker) -> Iterator[Room]:
    with ExitStack() as stack:
        yield Room(stack, tmp_path, broker)


def sits(room: Room, match: Called) -> None:
    """Call a match to the table, where nobody plays."""
    room.line._call(match)
    until(lambda: room.seats == match.seats)


def begun(room: Room) -> str:
    """Somebody has spoken in the game at the table; returns the game's name."""
    room.runner.post(Pressed(Cut(seat=1))).result(5)
    return room.runner.journal.table_id


def assert_match_runs(room: Room) -> None:
    """ "Nueva partida" is refused, and the game goes on."""
    [answer] = room.runner.post(Pressed(Command.NEW_GAME)).result(5)
    assert isinstance(answer, Refused)
    assert answer.code == "match_running"


def test_a_game_in_which_nobody_has_spoken_begins_anew_with_the_juego_of_a_late_pair(
    room: Room,
) -> None:
    sits(room, MATCH)
    room.line._call(replace(MATCH, given=(0, 1)))
    until(lambda: room.runner.table.state.juegos == (0, 1))
    assert room.line.note() == NO_NOTE  # the game counts it
    room.line._call(MATCH)  # it was given back
    until(lambda: room.runner.table.state.juegos == (0, 0))
    assert room.seats == MATCH.seats


def test_a_juego_given_in_the_middle_of_a_game_is_shown_and_interrupts_nothing(
    room: Room,
) -> None:
    sits(room, MATCH)
    game = begun(room)
    room.line._call(replace(MATCH, given=(1, 0)))
    room.runner.drain()
    assert room.runner.journal.table_id == game
    assert room.line.note() == MatchNote(more=(1, 0))
    room.line._call(replace(MATCH, juegos=3, given=(2, 0)))
    assert room.line.note() == MatchNote(more=(2, 0))
    room.line._call(MATCH)
    assert room.line.note() == NO_NOTE


def test_a_table_tells_who_has_enough_with_the_juegos_that_were_given(room: Room) -> None:
    short = replace(MATCH, juegos=1)
    sits(room, short)
    begun(room)
    room.line._call(replace(short, given=(0, 1)))
    note = room.line.note()
    assert note == MatchNote(more=(0, 1), winner="B")
    state = room.runner.table.state
    said = load_phrases("es").of_the_match(state, note.more, note.winner)
    assert said == "Eva y Jon ganan la partida, por decisión del juez."


def test_a_table_is_told_once_that_its_round_is_about_to_end_by_itself(room: Room) -> None:
    """In the middle of a game, which goes on; and what was given is told with it."""
    sits(room, MATCH)
    game = begun(room)
    told: list[MatchNote] = []
    room.line._on_note = told.append
    warned = replace(MATCH, ends=1_800_000_000)
    for _ in range(2):
        room.line._call(warned)
    assert told == [MatchNote(ends=1_800_000_000)]
    room.line._call(replace(warned, given=(1, 0)))
    assert told[1:] == [MatchNote(more=(1, 0), ends=1_800_000_000)]
    room.line._call(MATCH)  # the hour is over, and the referee decides this match
    assert told[2:] == [NO_NOTE]
    room.runner.drain()
    assert room.runner.journal.table_id == game
    spanish = load_phrases("es")
    assert spanish.round_ends("20:30") == "La ronda acaba a las 20:30, con lo que marque la mesa."
    assert spanish.round_ends_in(10).startswith("La ronda acaba dentro de diez minutos")
    assert spanish.round_ends_in(1).startswith("La ronda acaba dentro de un minuto")


def test_the_next_match_sits_down_though_the_game_of_a_decided_one_is_not_over(
    room: Room,
) -> None:
    """It was stopped, or the juegos given sufficed: its game never ends by itself."""
    sits(room, MATCH)
    game = begun(room)
    room.line._call(None)
    assert room.line.note() == MatchNote(decided=True)
    room.runner.drain()
    assert room.runner.journal.table_id == game  # who wants to may play on
    following = Called("San Blas K2.1", ("Ana", "Iker", "Luis", "Unai"), 3)
    room.line._call(following)
    until(lambda: room.seats == following.seats)
    assert room.line.note() == NO_NOTE


def test_the_game_of_a_match_whose_result_was_voided_goes_on(room: Room) -> None:
    sits(room, MATCH)
    game = begun(room)
    room.line._call(None)
    room.line._call(MATCH)
    room.runner.drain()
    assert room.runner.journal.table_id == game
    assert room.line.note() == NO_NOTE


def test_a_game_that_no_hall_called_is_left_for_a_match_only_when_somebody_says_so(
    room: Room,
) -> None:
    game = begun(room)
    assert_match_runs(room)
    room.line._call(MATCH)
    room.line._call(replace(MATCH, match="San Blas K1.2"))
    room.runner.drain()
    assert room.runner.journal.table_id == game
    assert room.line.note() == MatchNote(seats=MATCH.seats)
    assert room.runner.post(Pressed(Command.NEW_GAME)).result(5) == (Told(Command.NEW_GAME),)
    assert room.seats == MATCH.seats
    assert room.line.note() == NO_NOTE
    begun(room)  # now they play, and nobody else is called
    assert_match_runs(room)


def test_a_table_that_was_started_anew_is_freed_by_a_word_for_the_next_match(room: Room) -> None:
    """On another machine it cannot know that its game was a match, which has its result by now."""
    sits(room, MATCH)
    begun(room)
    room.line._match = ""
    following = Called("San Blas K2.1", ("Ana", "Iker", "Luis", "Unai"), 3)
    room.line._call(following)
    room.runner.drain()
    assert room.seats == MATCH.seats
    room.runner.post(Pressed(Command.NEW_GAME)).result(5)
    assert room.seats == following.seats


def started_anew(room: Room, broker: Broker, stack: ExitStack) -> None:
    """The table's process ends and begins again, in the middle of its game."""
    room.line.close()
    room.runner.listeners.remove(room.line)
    room.line = Uplinked(broker.address("mesa-1"), room.journal, room.runner)
    stack.callback(room.line.close)
    room.runner.listeners.append(room.line)
    room.line.start()


@SQLITE
@pytest.mark.usefixtures("frequent_looks")
def test_a_table_that_was_started_anew_learns_that_its_match_was_decided_and_takes_the_next(
    engine: Engine, broker: Broker, room: Room
) -> None:
    """Nobody says a word there, and nobody taps."""
    hub = Hub(broker.address("hub"), engine)
    hub.start()
    with ExitStack() as stack:
        stack.callback(hub.stop)
        one = called(hub)
        until(lambda: set(room.seats) == {"Ana", "Luis", "Eva", "Jon"})
        game = begun(room)
        room.line.close()
        until(lambda: not hub.hall.view("mesa-1")["online"])  # type: ignore[index]
        stop = MatchStopped("K1.1", (1, 0), (30, 20), "Juez")
        hub.ledger.do(one, lambda _t: [stop])
        until(lambda: "mesa-1" not in hub.scorer.called)
        started_anew(room, broker, stack)
        until(lambda: room.line.note().decided)
        assert room.runner.journal.table_id == game  # who wants to may play on
        other = hub.ledger.open(Opened("San Juan", Format.KNOCKOUT, Options(juegos=2)))
        hub.ledger.do(other, lambda _t: [
            replace(CALLED_PAIRS[0], players=("Iker", "Unai")), CALLED_PAIRS[1],
        ])  # fmt: skip
        hub.ledger.do(other, lambda t: [Drawn(7, draw(t.pairs.values(), 7))])
        hub.ledger.do(other, lambda _t: [TableAssigned("K1.1", "mesa-1")])
        until(lambda: set(room.seats) == {"Iker", "Unai", "Eva", "Jon"})


def test_a_table_that_was_started_anew_in_its_match_goes_on_with_it(
    room: Room, broker: Broker
) -> None:
    sits(room, MATCH)
    game = begun(room)
    with ExitStack() as stack:
        started_anew(room, broker, stack)
        room.line._call(MATCH)
        room.line._call(replace(MATCH, given=(1, 0)))
        room.runner.drain()
        assert room.runner.journal.table_id == game
        assert room.line.note() == MatchNote(more=(1, 0))


def test_a_game_of_friends_after_a_match_is_not_taken_for_it_by_a_table_started_anew(
    room: Room, broker: Broker
) -> None:
    """The same four go on at the table, and then it is started anew: nobody interrupts them."""
    sits(room, MATCH)
    begun(room)
    room.line._call(None)
    room.runner.begin_anew(lambda _table: True).result(5)
    game = begun(room)
    with ExitStack() as stack:
        started_anew(room, broker, stack)
        following = Called("San Blas K2.1", ("Ana", "Iker", "Luis", "Unai"), 3)
        room.line._call(following)
        room.runner.drain()
        assert room.runner.journal.table_id == game
        assert room.line.note() == MatchNote(seats=following.seats)


@SQLITE
@pytest.mark.usefixtures("frequent_looks")
def test_a_stopped_match_frees_its_table_for_the_next_one(
    engine: Engine, broker: Broker, room: Room
) -> None:
    """From the referee's desk over the broker to the table."""
    hub = Hub(broker.address("hub"), engine)
    hub.start()
    try:
        one = called(hub)
        until(lambda: set(room.seats) == {"Ana", "Luis", "Eva", "Jon"})
        begun(room)
        now = hub.ledger.standing(one).tournament
        winner = players(now, "K1.1")[0]
        assert isinstance(winner, int)
        hub.ledger.do(one, lambda _t: [TIMES, PairLate("K1.1", winner, 10, "Juez")])
        until(lambda: any(room.line.note().more))
        stop = MatchStopped("K1.1", (1, 1), (30, 20), "Juez", winner)
        hub.ledger.do(one, lambda _t: [stop])
        until(lambda: room.line.note().decided)
        other = hub.ledger.open(Opened("San Juan", Format.KNOCKOUT, Options(juegos=2)))
        hub.ledger.do(other, lambda _t: [
            replace(CALLED_PAIRS[0], players=("Iker", "Unai")), CALLED_PAIRS[1],
        ])  # fmt: skip
        hub.ledger.do(other, lambda t: [Drawn(7, draw(t.pairs.values(), 7))])
        hub.ledger.do(other, lambda _t: [TableAssigned("K1.1", "mesa-1")])
        until(lambda: set(room.seats) == {"Iker", "Unai", "Eva", "Jon"})
    finally:
        hub.stop()


@SQLITE
@pytest.mark.usefixtures("frequent_looks")
def test_a_round_ends_by_itself_from_the_clock_over_the_hub_to_the_table_and_back(
    engine: Engine, broker: Broker, room: Room
) -> None:
    """A real table: it is warned, its match ends with what it shows, and goes on again."""
    hub = Hub(broker.address("hub"), engine)
    hub.start()
    calls = CallingThread(Desk(hub.ledger, hub.tables), every=0.1, look=hub.hall.view)
    try:
        one = called(hub)
        until(lambda: set(room.seats) == {"Ana", "Luis", "Eva", "Jon"})
        game = begun(room)
        for call in (Bet(seat=1), Refuse(seat=2, plural=True)):
            room.runner.post(Pressed(call)).result(5)
        assert sum(room.runner.table.state.whole) > 0
        until(lambda: any(hub.hall.view("mesa-1")["brief"]["whole"]))  # type: ignore[index]
        now = hub.ledger.standing(one).tournament
        late = players(now, "K1.1")[0]
        assert isinstance(late, int)
        ends = int(time.time()) + 3
        hub.ledger.do(one, lambda _t: [
            TimesSet(Times(10, 10, stops=True)), PairLate("K1.1", late, 10, "Juez"),
            RoundClockSet(ends),
        ])  # fmt: skip
        calls.start()
        until(lambda: room.line.note().ends == ends)
        until(lambda: room.line.note().decided)
        result = hub.ledger.standing(one).tournament.results["K1.1"]
        assert (result.juegos, result.how) == ((0, 1), "time")
        assert sum(result.stones) == sum(room.runner.table.state.whole)
        assert time.time() >= ends
        hub.ledger.do(one, lambda _t: [RoundResumed("Juez", "El reloj iba mal")])
        until(lambda: any(room.line.note().more))
        assert not room.line.note().decided
        assert room.runner.journal.table_id == game
        assert hub.ledger.standing(one).tournament.results == {}
    finally:
        calls.stop()
        hub.stop()


def test_a_result_entered_by_people_keeps_to_what_was_given() -> None:
    now = tournament(2, 2, late(2, 20))
    side = players(now, "K1.1").index(1)
    wrong = (0, 2) if side == 0 else (2, 0)
    with pytest.raises(TournamentError) as refused:
        check(now, ResultEntered("K1.1", wrong, (0, 0), "Ana"))
    assert refused.value.code == "given_left_out"
