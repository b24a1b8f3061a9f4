"""Mus corrido (R06) and vacas (R41): who is mano, when the mus is run, and what begins again."""

from __future__ import annotations

from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.engine import to_speak
from assistant.rules.phases import Phase
from assistant.rules.profile import Corrido, Order
from tests.rules.play import corto, envido, mus, no_queremos, nueva_mano, ordago, paso, quiero
from tests.rules.tables import Table, each, refused
from tests.tables import each_row


def next_juego(table: Table, seat: int = 1) -> Table:
    """Win the juego for the side of ``seat`` by a first bet at grande, and deal the next."""
    win(table, seat)
    table.say(nueva_mano())
    return table


def win(table: Table, seat: int) -> Table:
    stones = [0] * table.state.sides
    stones[(seat - 1) % table.state.sides] = table.state.profile.target - 1
    table.say(c.SetStones(stones=tuple(stones)), envido(seat), no_queremos(seat % 4 + 1))
    assert table.state.juego_won is not None
    return table


# --- who is mano ----------------------------------------------------------------------------------


@each_row("seat", [1, 2, 3, 4])
def test_r06_the_player_who_cuts_a_run_mus_is_mano(seat: int) -> None:
    table = Table(corrido=Corrido.MATCH).say(corto(seat))
    assert table.state.mano == seat
    assert to_speak(table.state) == seat
    assert table.last[1:] == (() if seat == 1 else (e.ManoChanged(seat),))


@each_row("call", [envido(3), paso(3), ordago(3), envido(3, both=True)])
def test_r06_cutting_a_run_mus_by_a_call_at_grande_makes_mano_too(call: c.Call) -> None:
    table = Table(corrido=Corrido.MATCH).say(mus(1), call)
    assert table.last[:2] == (e.MusCut(3, implied=True), e.ManoChanged(3))
    assert table.state.mano == 3


def test_r06_after_each_discard_the_deal_and_mano_move_one_seat() -> None:
    table = Table(corrido=Corrido.MATCH, mano=3)
    for turn, mano in ((3, 4), (4, 1), (1, 2)):
        assert to_speak(table.state) == turn
        table.say(*(mus(seat) for seat in table.state.order()))
        assert table.last[-2:] == (e.DiscardBegan(), e.ManoChanged(mano))
    assert table.say(mus(2), corto(4)).state.mano == 4


def test_r06_the_next_deal_follows_the_last_mano_of_a_run_mus() -> None:
    table = Table(corrido=Corrido.MATCH).say(corto(3)).all_pass(2).declare("no no no no")
    table.declare("no no no no").all_pass()
    table.show("R C 5 4", "R C 5 4", "S 7 6 4", "S 7 6 4").say(nueva_mano())
    assert (table.state.mano, table.state.corrido) == (4, False)
    assert table.say(corto(2)).state.mano == 4


def test_r06_ties_go_to_the_new_mano() -> None:
    table = Table(corrido=Corrido.MATCH).say(ordago(4), quiero(1))
    table.show("R C 5 4", "7 7 5 1", "7 6 6 1", "R C 5 4")
    assert table.state.juego_won == "B"


def test_r06_by_turn_each_round_of_a_run_mus_begins_at_its_mano() -> None:
    table = Table(corrido=Corrido.MATCH, order=Order.STRICT)
    table.say(*(mus(seat) for seat in (1, 2, 3, 4)))
    assert refused(table, corto(1)) == "not_your_turn"
    assert table.say(mus(2), corto(3)).state.mano == 3


def test_r06_in_pair_order_an_unknown_voice_that_cuts_is_the_player_whose_turn_it_is() -> None:
    table = Table(corrido=Corrido.MATCH).say(mus(1), corto(None))
    assert table.said(e.SeatInferred) == [e.SeatInferred(2, "turn")]
    assert table.state.mano == 2


def test_r06_a_mus_is_run_where_each_plays_for_himself() -> None:
    table = each(3, corrido=Corrido.MATCH).say(mus(1), mus(2), mus(3), corto(1))
    assert table.state.mano == 1


def test_r06_undo_gives_mano_back() -> None:
    table = Table(corrido=Corrido.MATCH).say(corto(3))
    assert table.undo().state.mano == 1
    assert table.redo().state.mano == 3


# --- when it is run -------------------------------------------------------------------------------


def run_at(corrido: Corrido, juegos: int = 2, vacas: int = 2) -> list[bool]:
    """Whether the mus is run: at first, after a deal, and after each juego of A up to the match."""
    table = Table(corrido=corrido, juegos=juegos, vacas=vacas)
    run = [table.state.corrido]
    table.say(corto(1)).all_pass(2).declare("no no no no").declare("no no no no").all_pass()
    table.show("R C 5 4", "R C 5 4", "S 7 6 4", "S 7 6 4").say(nueva_mano())
    run.append(table.state.corrido)
    for _ in range(juegos * vacas - 1):
        next_juego(table)
        run.append(table.state.corrido)
    assert win(table, 1).state.winner == "A"
    return run


@each_row(
    "corrido, run",
    [
        (Corrido.OFF, [False, False, False, False, False]),
        (Corrido.MATCH, [True, False, False, False, False]),
        (Corrido.VACA, [True, False, False, True, False]),
        (Corrido.JUEGO, [True, False, True, True, True]),
    ],
)
def test_r06_the_mus_is_run_when_the_house_runs_it(corrido: Corrido, run: list[bool]) -> None:
    assert run_at(corrido) == run


def test_r06_cutting_does_not_move_mano_where_the_mus_is_not_run() -> None:
    table = Table(corrido=Corrido.OFF).say(mus(1), mus(2), mus(3), mus(4), corto(3))
    assert table.state.mano == 1


@each_row("corrido", [Corrido.MATCH, Corrido.OFF])
def test_r06_a_deal_dealt_again_keeps_its_mano_and_its_run_mus(corrido: Corrido) -> None:
    table = Table(corrido=corrido).say(mus(1), mus(2), mus(3), mus(4), corto(4), c.Redeal())
    assert table.said(e.DealVoided) == [e.DealVoided(1)]
    table.say(nueva_mano())
    assert (table.state.mano, table.state.corrido) == (1, corrido is Corrido.MATCH)


def test_r06_the_mus_is_not_run_in_a_later_deal_that_is_dealt_again() -> None:
    table = next_juego(Table(corrido=Corrido.MATCH)).say(corto(2), c.Redeal(), nueva_mano())
    assert (table.state.mano, table.state.corrido) == (2, False)


def test_r06_a_pedrete_in_a_run_mus_leaves_mano_where_it_was() -> None:
    table = Table(corrido=Corrido.MATCH, pedrete=1).say(c.Pedrete(seat=3))
    assert (table.state.mano, table.stones) == (1, (1, 0))


def test_r05_after_a_run_mus_the_mano_who_played_may_not_be_mano_again() -> None:
    """S2 1.6 speaks of the player who played as mano, not of the one the cards were dealt from."""
    table = Table(corrido=Corrido.MATCH).say(corto(3)).all_pass(2).declare("no no no no")
    table.declare("no no no no").all_pass().show("R C 5 4", "R C 5 4", "S 7 6 4", "S 7 6 4")
    table.say(nueva_mano(3))
    assert table.state.last_mano == 3


def test_r05_a_deal_dealt_again_does_not_count_as_the_same_mano_twice() -> None:
    table = Table().say(corto(1)).all_pass(2).declare("no no no no").declare("no no no no")
    table.all_pass().show("R C 5 4", "R C 5 4", "S 7 6 4", "S 7 6 4").say(nueva_mano())
    table.say(c.Redeal(), nueva_mano())
    assert (table.state.mano, table.state.last_mano) == (2, 1)
    assert refused(table, c.Report(kind=e.Irregularity.SAME_MANO)) == "not_now"


# --- R41: vacas -----------------------------------------------------------------------------------


def test_r41_a_vaca_is_won_by_its_number_of_juegos_and_then_they_count_from_none() -> None:
    table = win(next_juego(Table(juegos=2, vacas=2)), 1)
    assert table.last[-2:] == (e.JuegoWon("A", e.WonBy.TARGET), e.VacaWon("A"))
    assert (table.state.juegos, table.state.vacas, table.phase) == ((2, 0), (1, 0), Phase.COUNT)
    table.say(nueva_mano())
    assert (table.state.juegos, table.state.vacas, table.stones) == ((0, 0), (1, 0), (0, 0))


def test_r41_the_match_goes_to_the_first_side_with_its_vacas() -> None:
    table = Table(juegos=1, vacas=2)
    for seat in (1, 2):
        next_juego(table, seat)
    assert (table.state.vacas, table.state.juegos) == ((1, 1), (0, 0))
    win(table, 2)
    assert table.last[-2:] == (e.VacaWon("B"), e.MatchWon("B"))
    assert (table.state.winner, table.phase, table.state.vacas) == ("B", Phase.OVER, (1, 2))


def test_r41_a_vaca_goes_on_while_each_side_wins_juegos() -> None:
    table = Table(juegos=2, vacas=2)
    for seat in (1, 2):
        next_juego(table, seat)
    assert (table.state.juegos, table.state.vacas) == ((1, 1), (0, 0))


def test_r41_where_there_is_one_vaca_no_event_speaks_of_it() -> None:
    table = win(Table(juegos=1, vacas=1), 1)
    assert table.said(e.VacaWon) == []
    assert table.said(e.MatchWon) == [e.MatchWon("A")]


def test_r41_an_ordago_wins_a_vaca_like_any_juego() -> None:
    table = Table(juegos=1, vacas=3).say(ordago(2), quiero(1))
    table.show("R C 5 4", "R R 5 4", "S 7 6 4", "S 7 6 4")
    assert table.said(e.VacaWon) == [e.VacaWon("B")]
    assert (table.state.winner, table.phase) == (None, Phase.COUNT)


def test_r41_where_each_plays_for_himself_each_has_his_own_vacas() -> None:
    table = each(3, juegos=1, vacas=2)
    for seat in (3, 1):
        stones = tuple(39 if s == seat else 0 for s in (1, 2, 3))
        table.say(c.SetStones(stones=stones), corto(seat), envido(seat))
        table.say(*(c.Refuse(seat=s) for s in table.state.answerers()))
        table.say(nueva_mano())
    assert table.state.vacas == (1, 0, 1)


def test_r41_a_won_vaca_is_undone_with_its_last_juego() -> None:
    table = win(next_juego(Table(juegos=2, vacas=2)), 1).undo()
    assert (table.state.juegos, table.state.vacas, table.state.vaca_won) == ((1, 0), (0, 0), None)
    assert table.redo().state.vacas == (1, 0)
