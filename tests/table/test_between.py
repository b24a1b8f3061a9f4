"""Between two deals: which calls begin the next one, and what is said of missing cards."""

from __future__ import annotations

import pytest

from assistant.files.resources import load_phrases
from assistant.language.phrases import Level
from assistant.messages import Accepted, Ask, Command, Ignored, Outcome, Pressed, Refused
from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.phases import Lance, Phase
from assistant.rules.profile import Profile
from assistant.table.between import REMINDED, REMINDED_AGAIN
from assistant.table.table import Table
from tests.table.sounds import later, sounding, take
from tests.table.test_answers import BET_AND_SHOWN, counted, handle, open_at, table_at
from tests.tables import each_row


class Room:
    """A table that hears one utterance every three seconds."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.now = 10.0

    def hear(self, *said: str, share: float = 0.97) -> tuple[Outcome, ...]:
        """Hear utterances; return the outcomes of the last."""
        outcomes: tuple[Outcome, ...] = ()
        for text in said:
            self.now += 3.0
            ways = {text.replace(" ", "_"): share, "UNK": 1.0 - share}
            outcomes = take(self.table, later(sounding(**ways), self.now))
        return outcomes


@pytest.fixture
def room() -> Room:
    """A room whose table has counted its first deal; Oeste is the next mano."""
    return Room(counted("es"))


@pytest.fixture
def showing() -> Room:
    """A room whose table waits for the cards."""
    return Room(table_at("es", *BET_AND_SHOWN))


def asks(outcomes: tuple[Outcome, ...]) -> str | None:
    return outcomes[0].code if len(outcomes) == 1 and isinstance(outcomes[0], Ask) else None


def reminds(outcomes: tuple[Outcome, ...]) -> bool:
    return any(isinstance(one, Refused) and one.code == "cards_missing" for one in outcomes)


def moves_nothing(outcomes: tuple[Outcome, ...]) -> bool:
    return all(isinstance(one, Ignored | Refused) for one in outcomes)


# ---- After the count -----------------------------------------------------------------------------


@each_row(
    "code, first",
    [
        *(
            ("es", said)
            for said in ("paso", "envido", "envido cinco", "órdago", "quita", "se corta")
        ),
        *(("es", said) for said in ("quito", "yo paso", "a la grande envido tres", "hasta aquí")),
        *(("eu", said) for said in ("paso", "enbido", "bost enbido", "hordago", "nik paso")),
    ],
)
def test_r09_any_call_that_cuts_begins_a_later_deal_once_the_table_says_yes(
    code: str, first: str
) -> None:
    room = Room(counted(code))
    assert asks(room.hear(first)) == "new_deal"
    assert room.table.state.deal == 1
    room.hear("sí" if code == "es" else "bai")
    state = room.table.state
    assert (state.deal, state.mano, state.phase) == (2, 2, Phase.GRANDE)


def test_r09_the_call_before_the_yes_counts_and_is_manos(room: Room) -> None:
    room.hear("envido cinco", "sí")
    bet = room.table.state.pending
    assert bet is not None
    assert (bet.seat, bet.stones, bet.lance) == (2, 5, Lance.GRANDE)


@each_row(
    "said, seat, stones, lance",
    [
        (("paso", "envido"), 3, 2, Lance.GRANDE),
        (("paso", "paso", "envido cinco"), 4, 5, Lance.GRANDE),
        (("quita", "envido"), 2, 2, Lance.GRANDE),
        (("envido", "quiero", "envido"), 2, 2, Lance.CHICA),
        (("envido", "dos más"), 3, 4, Lance.GRANDE),
    ],
)
def test_a_second_call_that_fits_begins_the_deal_with_both(
    said: tuple[str, ...], seat: int, stones: int, lance: Lance
) -> None:
    room = Room(counted("es"))
    room.hear(*said)
    bet = room.table.state.pending
    assert bet is not None
    assert (room.table.state.deal, room.table.state.mano) == (2, 2)
    assert (bet.seat, bet.stones, bet.lance) == (seat, stones, lance)


def test_the_call_that_was_kept_is_told_and_each_call_can_be_taken_back(room: Room) -> None:
    room.hear("paso")
    new, kept, last = room.hear("envido")
    assert isinstance(new, Accepted)
    assert isinstance(kept, Accepted)
    assert isinstance(last, Accepted)
    assert new.events == (e.DealStarted(2, 2, implied=True),)
    assert kept.understood == (e.Passed(2, Lance.GRANDE),)
    told = load_phrases().answer(kept, room.table.state, level=Level.ESSENTIAL)
    assert told == "Entiendo: Oeste había pasado a la grande."
    room.hear("corrige")
    assert room.table.state.pending is None
    assert room.table.state.spoken == (2,)


@each_row("first", ["órdago", "envido treinta"])
def test_a_great_bet_and_its_answer_begin_no_deal_before_a_yes(first: str) -> None:
    room = Room(counted("es"))
    room.hear(first)
    assert asks(room.hear("quiero")) == "new_deal"
    assert room.table.state.deal == 1
    room.hear("sí")
    assert [one.lance for one in room.table.state.results] == [Lance.GRANDE]


def test_a_bet_said_again_is_no_second_bet(room: Room) -> None:
    room.hear("envido", "envido")
    bet = room.table.state.pending
    assert bet is not None
    assert (bet.seat, bet.stones) == (2, 2)


def test_one_call_after_the_count_begins_no_deal(room: Room) -> None:
    assert asks(room.hear("paso")) == "new_deal"
    room.now += 60.0
    assert asks(room.hear("envido")) == "new_deal", "the two do not belong together"
    assert room.table.state.deal == 1


@each_row(
    "chat",
    [
        "paso de todo", "envido yo siempre", "dos a la grande", "a la grande dos", "quita dos",
        "no", "cinco", "qué mano", "quiero una cerveza", "tengo juego", "quiero", "pasa",
    ],
)  # fmt: skip
def test_chat_after_the_count_asks_nothing_and_begins_nothing(chat: str) -> None:
    room = Room(counted("es"))
    assert moves_nothing(room.hear(chat, chat))
    assert room.table.state.deal == 1


def test_a_faint_call_after_the_count_asks_nothing(room: Room) -> None:
    assert moves_nothing(room.hear("paso", share=0.5))


def test_after_a_no_one_call_asks_nothing_and_a_second_one_asks_again(room: Room) -> None:
    room.hear("paso")
    (denied,) = room.hear("no")
    assert denied == Ignored("taken_back", "no")
    assert moves_nothing(room.hear("paso"))
    assert asks(room.hear("envido")) == "new_deal"
    room.hear("sí")
    bet = room.table.state.pending
    assert bet is not None
    assert (room.table.state.mano, bet.seat) == (2, 3)


def test_mus_after_a_stray_paso_begins_the_deal_with_mano(room: Room) -> None:
    room.hear("paso", "mus")
    state = room.table.state
    assert (state.deal, state.mano, state.phase, state.spoken) == (2, 2, Phase.MUS, (2,))


def test_a_tap_on_the_question_begins_the_deal_with_the_call(room: Room) -> None:
    room.hear("envido cinco")
    handle(room.table, Pressed(c.NextDeal()))
    bet = room.table.state.pending
    assert bet is not None
    assert (bet.seat, bet.stones) == (2, 5)


def test_a_tap_denies_the_question(room: Room) -> None:
    room.hear("envido")
    handle(room.table, Pressed(Command.NOT_SAID))
    assert room.table.asked is None
    handle(room.table, Pressed(c.NextDeal()))
    assert (room.table.state.phase, room.table.state.mano) == (Phase.MUS, 2)


def test_a_paso_asks_nothing_where_it_does_not_cut() -> None:
    table = counted("es", Profile(paso_cuts=False))
    assert moves_nothing(Room(table).hear("paso", "paso"))
    assert asks(Room(table).hear("envido")) == "new_deal"


def test_the_first_deal_still_begins_with_one_call() -> None:
    room = Room(open_at("es"))
    room.hear("paso")
    assert (room.table.state.deal, room.table.state.phase) == (1, Phase.GRANDE)


@each_row(
    "code, lines",
    [
        (
            "es",
            "paso|envido|quiero|paso|paso|paso|paso|no|no|no|no|no|no|no|no|paso|paso|paso|paso|"
            "Oeste rey siete seis cuatro|Norte rey caballo cinco cuatro|"
            "Sur siete seis cinco cuatro|Este siete seis caballo as|mus",
        ),
        (
            "eu",
            "paso|enbido|nahi dut|paso|paso|paso|paso|ez|ez|ez|ez|ez|ez|ez|ez|paso|paso|paso|paso|"
            "Oeste errege zazpi sei lau|Norte errege zaldi bost lau|Sur zazpi sei bost lau|"
            "Este zazpi sei zaldi bateko|mus",
        ),
    ],
)
def test_the_deal_after_one_that_a_paso_began_has_the_right_mano(code: str, lines: str) -> None:
    room = Room(counted(code))
    room.hear(*lines.split("|"))
    state = room.table.state
    assert (state.deal, state.mano, state.phase) == (3, 3, Phase.MUS)


# ---- At the showdown -----------------------------------------------------------------------------


def test_a_table_that_plays_on_without_its_cards_is_told_which_are_missing(showing: Room) -> None:
    told = [reminds(showing.hear(said)) for said in ("mus", "mus", "no hay mus", "paso", "envido")]
    assert told == [False, False, True, False, False]


def test_the_reminder_comes_again_only_after_many_more_calls(showing: Room) -> None:
    told = [reminds(showing.hear("paso")) for _ in range(REMINDED + 2 * REMINDED_AGAIN)]
    assert [at for at, one in enumerate(told, start=1) if one] == [
        REMINDED,
        REMINDED + REMINDED_AGAIN,
        REMINDED + 2 * REMINDED_AGAIN,
    ]


def test_a_shown_hand_begins_the_number_again(showing: Room) -> None:
    showing.hear("paso", "paso", "Norte rey caballo cinco cuatro")
    assert [reminds(showing.hear("paso")) for _ in range(3)] == [False, False, True]


@each_row("chat", ["no", "sí", "cinco", "dos a la grande", "tengo", "qué mano", "paso de todo"])
def test_chat_at_the_showdown_brings_no_reminder(chat: str) -> None:
    room = Room(table_at("es", *BET_AND_SHOWN))
    assert not any(reminds(room.hear(chat)) for _ in range(8))


def test_a_new_deal_is_refused_until_the_cards_are_shown(showing: Room) -> None:
    (refused,) = showing.hear("nueva mano")
    assert isinstance(refused, Refused)
    assert (refused.code, refused.call) == ("cards_missing", c.NextDeal())


def test_a_table_may_go_on_by_saying_who_wins_each_lance(showing: Room) -> None:
    showing.hear(
        "la grande para Norte y Sur", "la chica para Norte y Sur", "punto para Oeste y Este"
    )
    assert showing.table.state.phase is Phase.COUNT


# ---- Going back ----------------------------------------------------------------------------------


PARES = "no hay mus|paso|paso|paso|paso|paso|paso|paso|paso|sí|sí|no|no|envido cinco|quiero"
BET_AT_PARES = f"{PARES}|no|no|no|no|paso|paso|paso|paso"


def at_the_end() -> Room:
    """A room at the showdown, after an accepted bet of five at pares."""
    room = Room(table_at("es"))
    room.hear(*BET_AT_PARES.split("|"))
    assert room.table.state.phase is Phase.SHOWDOWN
    return room


@each_row(
    "said",
    [
        "vamos a pares", "vamos a la chica", "estamos en pares", "ahora vamos a pares",
        "en la grande", "nadie tiene pares", "hay cuatro a la grande",
    ],
)  # fmt: skip
def test_at_the_showdown_the_table_is_asked_before_the_deal_goes_back(said: str) -> None:
    room = at_the_end()
    seq = room.table.seq
    assert asks(room.hear(said)) == "sure"
    assert room.table.seq == seq
    room.hear("no")
    assert room.table.seq == seq


def test_a_yes_goes_back() -> None:
    room = at_the_end()
    (asked,) = room.hear("vamos a pares")
    assert load_phrases().answer(asked, room.table.state) == "¿Has dicho «Otra vez a pares»?"
    room.hear("sí")
    assert room.table.state.phase is Phase.PARES_SAY


def test_a_count_aloud_is_asked_about_only_once_and_takes_nothing_back() -> None:
    room = at_the_end()
    assert asks(room.hear("vamos a la grande")) == "sure"
    for said in ("vamos a la chica", "vamos a pares", "vamos a punto"):
        assert moves_nothing(room.hear(said))
    room.hear("Norte rey rey seis cinco", "vamos a pares")
    assert room.table.state.phase is Phase.SHOWDOWN
    assert [one.stones for one in room.table.state.results if one.lance is Lance.PARES] == [5]


@each_row("said", ["otra vez desde los pares", "repetimos los pares"])
def test_otra_vez_goes_back_without_a_question(said: str) -> None:
    room = at_the_end()
    room.hear(said)
    assert room.table.state.phase is Phase.PARES_SAY


@each_row(
    "code, said", [("es", "vamos a pares"), ("eu", "pareetan gaude"), ("eu", "pareetara goaz")]
)
def test_in_both_languages_no_accepted_bet_is_taken_back_without_a_question(
    code: str, said: str
) -> None:
    calls = (
        c.Cut(seat=1), *(c.Pass() for _ in range(8)),
        *(c.Declare(holds=seat < 3) for seat in range(1, 5)), c.Bet(stones=5), c.Accept(),
    )  # fmt: skip
    room = Room(table_at(code, *calls))
    assert room.table.state.phase is Phase.JUEGO_SAY
    assert asks(room.hear(said)) == "sure"
    assert room.table.state.result(Lance.PARES) is not None


def test_going_back_over_passes_alone_needs_no_question_while_lances_are_played() -> None:
    room = Room(table_at("es"))
    room.hear("no hay mus", "paso", "paso", "paso", "paso", "paso", "estamos en grande")
    assert room.table.state.phase is Phase.GRANDE


def test_nobody_goes_back_to_the_mus_from_the_showdown() -> None:
    room = at_the_end()
    assert reminds(room.hear("estamos en mus"))
    assert room.table.state.phase is Phase.SHOWDOWN
