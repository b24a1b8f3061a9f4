"""One mouth, one call: in one breath nobody's words become the next player's declaration or bet."""

from __future__ import annotations

import pytest

from assistant.files.resources import load_lexicon
from assistant.language.lexicon import Lexicon
from assistant.messages import Accepted, Ask, Heard, Hypothesis, Outcome, SpeakerEvidence
from assistant.rules.calls import Accept, Bet, Call, Cut, Mus, Ordago, Pass, Refuse
from assistant.rules.engine import open_game
from assistant.rules.history import number
from assistant.rules.phases import Phase
from assistant.rules.profile import Profile
from assistant.table.table import Table
from tests.rules import oracle
from tests.table.sounds import later, sounding, take, words

EIGHT_PASSES = ("no hay mus", *["paso"] * 8)
FOUR_NOES = ("no",) * 4


def table_after(lexicon: Lexicon, *lines: str) -> Table:
    """A table of Norte, Oeste, Sur and Este, where these utterances have been heard."""
    seats = ("Norte", "Oeste", "Sur", "Este")
    table = Table(lexicon, number(open_game(Profile(), seats, 1), 0, at=0.0))
    for line in lines:
        hear(table, line)
    return table


def hear(table: Table, line: str, seat: int | None = None) -> tuple[Outcome, ...]:
    """Hear an utterance; from one ``seat``, where it is known."""
    heard = Heard(words(line), seat=seat) if seat else sounding(**{line.replace(" ", "_"): 1.0})
    return take(table, later(heard, 3.0 * table.seq))


def calls(outcomes: tuple[Outcome, ...]) -> list[object]:
    return [one.call for one in outcomes if isinstance(one, Accepted)]


def asked(outcomes: tuple[Outcome, ...]) -> tuple[Call, ...]:
    assert isinstance(outcomes[-1], Ask)
    assert outcomes[-1].code == "which_said"
    return outcomes[-1].options


# ---- declarations --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "holds"),
    [
        ("yo no tengo pares", False), ("yo no tengo", False), ("yo no llevo", False),
        ("pares no tengo", False), ("pares no llevo", False), ("pares no llevo nada", False),
        ("a pares no llevo nada", False), ("tampoco tengo", False), ("no yo no tengo", False),
        ("sí tengo pareja", True), ("sí duples", True), ("sí medias", True), ("llevo un par", True),
        ("tengo pares sí", True), ("yo también llevo", True), ("tengo sí", True),
    ],
)  # fmt: skip
def test_what_one_player_says_of_his_pares_declares_nothing_for_the_next(
    lexicon: Lexicon, said: str, holds: bool
) -> None:
    table = table_after(lexicon, *EIGHT_PASSES, said)
    assert table.state.pares == (holds, None, None, None)


@pytest.mark.parametrize(
    "said",
    ["juego no tengo", "juego no llevo", "yo no llevo juego", "tampoco tengo", "no al punto"],
)
def test_what_one_player_says_of_his_juego_declares_nothing_for_the_next(
    lexicon: Lexicon, said: str
) -> None:
    table = table_after(lexicon, *EIGHT_PASSES, *FOUR_NOES, said)
    assert table.state.juego == (False, None, None, None)


def test_a_known_player_who_has_no_pares_is_not_taken_to_have_them(lexicon: Lexicon) -> None:
    table = table_after(lexicon, *EIGHT_PASSES)
    hear(table, "yo no tengo pares", seat=1)
    assert table.state.pares == (False, None, None, None)


@pytest.mark.parametrize(
    "said", ["nik ez daukat parerik", "parerik ez dut", "ez ez dut", "jokorik ez daukat"]
)
def test_one_player_declares_for_himself_alone_in_basque(said: str) -> None:
    lines = ("musik ez", *["paso"] * 8, *(["ez"] * 4 if "joko" in said else []))
    table = table_after(load_lexicon(("eu",)), *lines, said)
    declared = table.state.juego if "joko" in said else table.state.pares
    assert declared == (False, None, None, None)


@pytest.mark.parametrize("said", ["tengo no tengo", "no tengo tengo", "pares sí pares no"])
def test_two_declarations_that_are_not_short_move_nothing_in_one_breath(
    lexicon: Lexicon, said: str
) -> None:
    table = table_after(lexicon, *EIGHT_PASSES, said)
    assert table.state.pares == (None, None, None, None)


@pytest.mark.parametrize(
    ("said", "declared"),
    [
        ("no sí no no", (False, True, False, False)),
        ("pares no no sí sí", (False, False, True, True)),
    ],
)
def test_short_declarations_in_one_breath_are_one_players_each(
    lexicon: Lexicon, said: str, declared: tuple[bool, ...]
) -> None:
    assert table_after(lexicon, *EIGHT_PASSES, said).state.pares == declared


def test_cards_told_to_a_partner_close_no_lance(lexicon: Lexicon) -> None:
    table = table_after(lexicon, "no hay mus", "a pares no llevo nada")
    assert table.state.phase is Phase.GRANDE
    assert table.state.pares == (None, None, None, None)


def test_a_deal_counts_as_the_rules_say_where_a_player_denies_his_pares_at_length(
    lexicon: Lexicon,
) -> None:
    table = table_after(
        lexicon, *EIGHT_PASSES, "yo no tengo pares", "no", "sí", "sí", "envido", "quiero",
        *FOUR_NOES, *["paso"] * 4, "norte rey caballo cinco cuatro", "oeste rey siete seis cuatro",
        "sur dos sietes sota cuatro", "este dos seises caballo as",
    )  # fmt: skip
    hands = ("RC54", "R764", "77S4", "66C1")
    talk = {lance: oracle.Talk() for lance in ("grande", "chica", "punto")}
    talk["pares"] = oracle.Talk(3, (2,), False, True)
    assert table.state.pares == (False, False, True, True)
    assert table.state.stones == oracle.score(oracle.Deal(1, hands, talk)).stones


# ---- a player corrects himself -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "said", "meant"),
    [
        ("no hay mus", "paso perdón envido", Bet()),
        ("no hay mus", "envido perdón paso", Pass()),
        ("no hay mus", "envido cinco perdón seis", Bet(stones=6)),
        ("no hay mus", "paso bueno perdón órdago", Ordago()),
        ("no hay mus envido", "no quiero perdón quiero", Accept()),
        ("no hay mus envido", "quiero perdón no quiero", Refuse()),
        ("", "mus perdón no hay mus", Cut()),
        ("", "no hay mus perdón mus", Mus()),
    ],
)
def test_a_call_after_perdon_stands_in_the_place_of_the_call_before(
    lexicon: Lexicon, before: str, said: str, meant: Call
) -> None:
    lines = [before.removesuffix(" envido"), *(["envido"] if "envido" in before else [])]
    table = table_after(lexicon, *filter(None, lines))
    turn = table.state.pending
    outcomes = hear(table, said)
    assert calls(outcomes) == [meant]
    assert not isinstance(outcomes[-1], Ask)
    if isinstance(meant, Bet | Ordago):
        assert turn is None
        assert table.state.pending is not None
        assert table.state.pending.seat == 1, "he bets himself, and not the rival after him"


def test_a_wrong_declaration_is_put_right_after_perdon(lexicon: Lexicon) -> None:
    for said in ("no perdón sí", "pares no perdón pares sí"):
        table = table_after(lexicon, *EIGHT_PASSES, said)
        assert table.state.pares == (True, None, None, None)


def test_only_the_last_call_before_perdon_is_dropped(lexicon: Lexicon) -> None:
    table = table_after(lexicon, "no hay mus")
    assert calls(hear(table, "paso paso perdón envido")) == [Pass(), Bet()]
    assert table.state.pending is not None
    assert table.state.pending.seat == 2


@pytest.mark.parametrize("said", ["envido perdón quiero", "envido perdón veo"])
def test_perdon_before_a_call_that_the_player_cannot_have_made_moves_nothing(
    lexicon: Lexicon, said: str
) -> None:
    table = table_after(lexicon, "no hay mus")
    seq = table.seq
    hear(table, said)
    assert table.seq == seq


def test_corrige_after_perdon_takes_back_just_that_call(lexicon: Lexicon) -> None:
    table = table_after(lexicon, "no hay mus", "paso", "paso perdón corrige")
    assert table.state.phase is Phase.GRANDE
    hear(table, "envido")
    assert table.state.pending is not None
    assert table.state.pending.seat == 2, "Norte's paso still counts"


@pytest.mark.parametrize(
    ("said", "options"),
    [
        ("paso eh envido cinco", (Pass(), Bet(stones=5))),
        ("paso bueno órdago", (Pass(), Ordago())),
        ("paso venga envido", (Pass(), Bet())),
        ("envido bueno envido cinco", (Bet(), Bet(stones=5))),
    ],
)
def test_the_table_asks_which_call_counts_after_a_hesitation(
    lexicon: Lexicon, said: str, options: tuple[Call, ...]
) -> None:
    table = table_after(lexicon, "no hay mus")
    outcomes = hear(table, said)
    assert not calls(outcomes)
    assert asked(outcomes) == options


def test_the_table_asks_whether_the_bet_is_wanted_after_a_hesitation(lexicon: Lexicon) -> None:
    table = table_after(lexicon, "no hay mus", "envido")
    assert asked(hear(table, "no quiero bueno quiero")) == (Refuse(), Accept())


@pytest.mark.parametrize(
    ("answer", "made"), [("envido", Bet(stones=5)), ("cinco", Bet(stones=5)), ("paso", Pass())]
)
def test_the_answer_makes_the_call_for_the_player_who_hesitated(
    lexicon: Lexicon, answer: str, made: Call
) -> None:
    table = table_after(lexicon, "no hay mus", "paso eh envido cinco")
    assert calls(take(table, later(sounding(**{answer: 1.0}), 3.0 * table.seq + 2.0))) == [made]
    if isinstance(made, Bet):
        assert table.state.pending is not None
        assert table.state.pending.seat == 1


@pytest.mark.parametrize(
    ("before", "said", "made"),
    [
        (("no hay mus",), "paso pues envido", [Pass(), Bet()]),
        (("no hay mus",), "paso bueno paso", [Pass(), Pass()]),
        ((), "mus bueno no hay mus", [Mus(), Cut()]),
    ],
)
def test_words_between_the_calls_of_two_players_cause_no_question(
    lexicon: Lexicon, before: tuple[str, ...], said: str, made: list[Call]
) -> None:
    outcomes = hear(table_after(lexicon, *before), said)
    assert calls(outcomes) == made
    assert not isinstance(outcomes[-1], Ask)


def test_two_clear_voices_are_two_players_whatever_stands_between(lexicon: Lexicon) -> None:
    for between in ("perdón", "bueno"):
        table = table_after(lexicon, "no hay mus")
        said = words(f"paso {between} envido")
        norte, oeste = (0.97, 0.01, 0.01, 0.01), (0.01, 0.97, 0.01, 0.01)
        voices = (
            SpeakerEvidence(said[0].start, said[0].end, norte),
            SpeakerEvidence(said[2].start, said[2].end, oeste),
        )
        heard = Heard(said, hypotheses=(Hypothesis(said, 1.0),), voices=voices)
        assert [type(call) for call in calls(take(table, heard))] == [Pass, Bet]


def test_a_deal_counts_as_the_rules_say_where_a_player_turns_his_paso_into_a_bet(
    lexicon: Lexicon,
) -> None:
    table = table_after(
        lexicon, "no hay mus", "paso perdón envido", "no queremos", *["paso"] * 4, "no", "no", "sí",
        "sí", "envido", "quiero", *FOUR_NOES, *["paso"] * 4, "norte rey caballo cinco cuatro",
        "oeste rey siete seis cuatro", "sur dos sietes sota cuatro", "este dos seises caballo as",
    )  # fmt: skip
    hands = ("RC54", "R764", "77S4", "66C1")
    talk = {"grande": oracle.Talk(1, (2,), False, False)}
    talk |= {"chica": oracle.Talk(), "pares": oracle.Talk(3, (2,), False, True)}
    talk |= {"punto": oracle.Talk()}
    assert table.state.stones == oracle.score(oracle.Deal(1, hands, talk)).stones


# ---- quiero órdago -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "said",
    ["quiero órdago", "quiero y órdago", "veo y órdago", "y órdago", "quiero y echo órdago"],
)
def test_quiero_ordago_raises_the_bet_of_this_lance(lexicon: Lexicon, said: str) -> None:
    table = table_after(lexicon, "no hay mus", "envido", said)
    bet = table.state.pending
    assert table.state.phase is Phase.GRANDE
    assert bet is not None
    assert (bet.seat, bet.ordago) == (2, True)


def test_quiero_ordago_accepts_an_ordago(lexicon: Lexicon) -> None:
    for said in ("quiero órdago", "quiero el órdago"):
        table = table_after(lexicon, "no hay mus", "órdago", said)
        assert table.state.phase is Phase.SHOWDOWN


def test_no_quiero_ordago_refuses_the_bet_whatever_it_is(lexicon: Lexicon) -> None:
    for bet in ("órdago", "envido"):
        for said in ("no quiero órdago", "no quiero el órdago"):
            table = table_after(lexicon, "no hay mus", bet)
            assert calls(hear(table, said)) == [Refuse()]


@pytest.mark.parametrize(
    "said",
    ["no quiero y órdago", "no quiero órdago a la grande", "no quiero echo órdago", "no órdago"],
)
def test_a_refusal_and_an_ordago_in_one_breath_make_no_ordago(lexicon: Lexicon, said: str) -> None:
    table = table_after(lexicon, "no hay mus", "envido")
    seq = table.seq
    hear(table, said)
    assert table.seq == seq


def test_an_ordago_at_another_lance_may_follow_an_answer(lexicon: Lexicon) -> None:
    table = table_after(lexicon, "no hay mus", "envido", "quiero y órdago a la chica")
    assert table.state.phase is Phase.CHICA
    assert table.state.pending is not None
    assert table.state.pending.ordago
