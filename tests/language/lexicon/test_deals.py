"""Whole deals in words, each read in the context that the rules have reached."""

from typing import cast

from assistant.files.resources import load_lexicon
from assistant.language.lexicon import Lexicon, Moment, Spoken, Talk, context_of, words_of
from assistant.messages import Accepted, Heard, Ignored, batches
from assistant.rules.calls import Call
from assistant.rules.engine import apply, decide, open_game
from assistant.rules.history import number
from assistant.rules.phases import Lance, Phase
from assistant.rules.profile import Profile
from assistant.rules.state import State
from assistant.table.table import Table
from tests.tables import each_row

SEATS = ("Norte", "Oeste", "Sur", "Este")


def opened() -> State:
    state: State | None = None
    for event in open_game(Profile(), SEATS):
        state = apply(state, event)
    return cast(State, state)


def play(lexicon: Lexicon, state: State, *lines: str) -> State:
    """Say line after line. None of them may be talk."""
    for line in lines:
        words = words_of(line)
        while words:
            reading = lexicon.read(words, context_of(state))
            assert not isinstance(reading, Talk), f"{line!r} in {state.phase}: {reading}"
            if isinstance(reading, Spoken):
                for event in decide(state, cast(Call, reading.what)).events:
                    state = apply(state, event)
            words = words[reading.taken :]
    return state


def test_a_deal_is_played_in_words_alone(es: Lexicon) -> None:
    state = play(
        es,
        opened(),
        "mus", "mus", "venga, mus", "hay mus",
        "mus", "no hay mus",
        "paso", "envido cinco", "y cinco más", "no queremos",
        "paso paso paso paso",
        "sí", "no", "duples", "pares no",
        "juego no no sí no",
    )  # fmt: skip
    assert state.phase is Phase.SHOWDOWN
    assert state.stones == (5, 0)
    state = play(
        es,
        state,
        "mano: dos reyes caballo as",
        "siete sota seis cuatro",
        "rey rey sota sota",
        "caballo siete cinco cuatro",
    )
    assert state.phase is Phase.COUNT
    assert play(es, state, "nueva mano").phase is Phase.MUS


def test_an_answer_and_the_next_bet_may_come_in_one_breath(es: Lexicon) -> None:
    state = play(es, opened(), "no hay mus", "envido")
    state = play(es, state, "un envite es un convite y dos a pequeña")
    assert state.phase is Phase.CHICA
    assert state.pending is not None
    assert state.pending.stones == 2


@each_row(
    "lines, moment",
    [
        ((), Moment.MUS),
        (("mus mus mus mus",), Moment.DISCARD),
        (("corto",), Moment.OPEN),
        (("corto", "envido"), Moment.BET),
        (("corto", "paso paso paso paso", "paso paso paso paso"), Moment.PARES),
        (("corto", "paso paso paso paso", "paso paso paso paso", "no no no no"), Moment.JUEGO),
        (("corto", "órdago", "quiero"), Moment.SHOWDOWN),
    ],
)
def test_the_moment_follows_from_the_words_of_the_deal(
    es: Lexicon, lines: tuple[str, ...], moment: Moment
) -> None:
    assert context_of(play(es, opened(), *lines)).moment is moment


def test_the_context_has_the_mano_and_the_names() -> None:
    context = context_of(opened())
    assert (context.mano, context.seats, context.sides) == (1, SEATS, 2)


def test_the_context_has_a_pending_ordago(es: Lexicon) -> None:
    assert not context_of(play(es, opened(), "corto", "envido")).ordago
    assert context_of(play(es, opened(), "corto", "envido", "órdago")).ordago


def table_of(codes: tuple[str, ...]) -> Table:
    records = number(open_game(Profile(), SEATS), after=0, at=0.0)
    return Table(load_lexicon(codes), records)


def say(table: Table, *lines: str) -> State:
    """Say line after line at a table and return its state. Each line must move the game."""
    for line in lines:
        outcomes = table.propose(Heard(words_of(line)))
        assert outcomes, line
        assert all(isinstance(outcome, Accepted) for outcome in outcomes), f"{line!r}: {outcomes}"
        table.commit(batches(outcomes, table.seq, at=0.0))
    return table.state


def test_a_whole_deal_is_played_in_basque() -> None:
    table = table_of(("eu",))
    state = say(
        table,
        "mus", "bai", "musa", "ea, mus",
        "mus", "musik ez",
        "paso", "bost enbido", "beste bost", "ez dugu nahi",
        "paso paso paso paso",
        "bai", "ez", "dupleak", "parerik ez",
        "jokoa bai", "jokorik ez", "ez", "bai",
        "enbido", "nahi dut",
    )  # fmt: skip
    assert state.phase is Phase.SHOWDOWN
    assert state.stones == (5, 0)
    state = say(
        table,
        "esku: bi errege zaldi as",
        "zazpi sei bost lau",
        "bi lauko eta bi txota",
        "zaldi txanka zazpiko lau",
    )
    assert state.phase is Phase.COUNT
    # Chica 1; pares 1 and 3, uncontested; juego 2, and 3 for mano's 31.
    assert state.stones == (5 + 1 + 4 + 5, 0)
    assert say(table, "esku berria").phase is Phase.MUS


def test_a_deal_is_played_in_two_languages_at_once() -> None:
    table = table_of(("es", "iparralde"))
    say(table, "mus", "mintza", "envido", "nahi dut", "imido txikira", "tira tira")
    assert [result.lance for result in table.state.results] == [Lance.GRANDE, Lance.CHICA]
    assert sum(table.state.stones) == 1


def test_corrections_in_words_move_a_real_table() -> None:
    table = table_of(("es",))
    assert isinstance(table.propose(Heard(words_of("se perdona")))[0], Ignored)
    say(table, "mus visto")
    assert context_of(table.state).proposal
    assert not context_of(say(table, "se perdona")).proposal
    state = say(table, "corto", "envido", "quiero", "la grande eran cinco")
    assert [result.stones for result in state.results] == [5]
    state = say(table, "paso paso paso paso", "no no no no", "no no no no", "paso paso paso paso")
    assert state.phase is Phase.SHOWDOWN
    state = say(
        table,
        "la grande para Norte y Sur, la chica para Oeste",
        "punto para Sur",
    )
    assert state.phase is Phase.COUNT
    assert state.stones == (5 + 1, 1)
    assert say(table, "asistente quita dos a Norte").stones == (4, 1)
    assert say(table, "asistente pon dos a Norte y Sur").stones == (6, 1)
