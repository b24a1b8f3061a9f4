"""Utterances heard once more with the narrowed grammar: when the second result is believed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.messages import (
    Accepted,
    Ask,
    Heard,
    Hypothesis,
    Ignored,
    Narrowed,
    Outcome,
    Word,
)
from assistant.rules import calls as c
from assistant.table import expected
from assistant.table.asked import DEAR, STAKED
from assistant.table.table import Table
from tests.table.sounds import later, take, words
from tests.table.test_answers import table_at, who


def heard(
    *, first: str = "[unk]", again: str = "paso", probability: float, part: bool = False
) -> Heard:
    """An utterance with its first hypothesis and a narrowed one of this probability."""
    narrowed = Narrowed((Hypothesis(words(again), 1.0),), 0.0, probability, part)
    return Heard(words(first), hypotheses=(Hypothesis(words(first), 1.0),), narrowed=narrowed)


def soon(said: Heard) -> Heard:
    """The same utterance, shortly after the last one."""
    assert said.narrowed is not None
    again = later(replace(said, hypotheses=said.narrowed.hypotheses), 0.5)
    narrowed = replace(said.narrowed, hypotheses=again.hypotheses)
    return replace(later(said, 0.5), narrowed=narrowed)


def _torn(one: str, share: float, other: str, rest: float) -> Heard:
    """An utterance about which the table has to ask."""
    ways = (Hypothesis(words(one), share), Hypothesis(words(other), rest))
    return Heard(words(one), hypotheses=ways)


@pytest.fixture
def grande(table: Table) -> Table:
    """A table where the mus is cut and Norte (1) speaks first."""
    take(table, Heard(words("no hay mus")))
    return table


def test_a_probable_narrowed_call_counts_where_nothing_was_understood_first(grande: Table) -> None:
    (outcome,) = take(grande, heard(probability=0.8))
    assert isinstance(outcome, Accepted)
    assert isinstance(outcome.call, c.Pass)


def test_a_doubtful_narrowed_call_is_asked_about(grande: Table) -> None:
    (outcome,) = take(grande, heard(again="envido", probability=0.6))
    assert isinstance(outcome, Ask)
    assert (outcome.code, outcome.options) == ("sure", (c.Bet(stones=2),))


def test_an_improbable_narrowed_call_is_ignored(grande: Table) -> None:
    (outcome,) = take(grande, heard(probability=0.4))
    assert isinstance(outcome, Ignored)


def test_an_ordago_needs_a_higher_probability_than_a_bet(grande: Table) -> None:
    (outcome,) = take(grande, heard(again="órdago", probability=0.8))
    assert isinstance(outcome, Ask)
    assert outcome.code == "sure_ordago"


def test_an_utterance_of_several_calls_keeps_its_first_hypothesis(grande: Table) -> None:
    both = heard(first="paso paso", again="paso", probability=0.9)
    assert len(take(grande, both)) == 2


@pytest.mark.parametrize(
    ("share", "calls"), [(0.7, [c.Pass()]), (1.0, [c.Pass(), c.Bet(stones=8)])]
)
def test_one_surer_call_in_as_many_words_takes_the_place_of_two(
    grande: Table, share: float, calls: list[c.Call]
) -> None:
    ways = (Hypothesis(words("paso ocho"), share), Hypothesis(words("[unk]"), 1.0 - share))
    again = heard(again="paso yo", probability=0.92, part=True)
    both = replace(again, words=ways[0].words, hypotheses=ways)
    found = [one.call for one in take(grande, both) if isinstance(one, Accepted)]
    assert found == calls


def test_a_part_does_not_replace_an_utterance_that_is_one_call(grande: Table) -> None:
    (outcome,) = take(
        grande, heard(first="envido cinco", again="envido", probability=0.9, part=True)
    )
    assert isinstance(outcome, Accepted)
    assert outcome.call == c.Bet(stones=5)


def test_two_calls_that_sound_alike_are_both_asked_about(grande: Table) -> None:
    ways = (Hypothesis(words("envido seis"), 0.6), Hypothesis(words("envido tres"), 0.4))
    unsure = replace(heard(probability=0.6), narrowed=Narrowed(ways, 0.0, 0.6))
    (outcome,) = take(grande, unsure)
    assert isinstance(outcome, Ask)
    assert outcome.code == "which_said"


@pytest.mark.parametrize("first_knows", [True, False])
def test_rare_stones_are_asked_about_if_either_hearing_knows_usual_ones_beside_them(
    grande: Table, first_knows: bool
) -> None:
    alone = (Hypothesis(words("envido veinte"), 1.0),)
    both = (Hypothesis(words("envido veinte"), 0.95), Hypothesis(words("envido tres"), 0.05))
    first, second = (both, alone) if first_knows else (alone, both)
    sure = Heard(words("envido veinte"), hypotheses=first, narrowed=Narrowed(second, 0.0, 0.9))
    (outcome,) = take(grande, sure)
    assert isinstance(outcome, Ask)
    assert outcome.options == (c.Bet(stones=20), c.Bet(stones=3))


def test_a_narrowed_yes_answers_a_question(grande: Table) -> None:
    (asked,) = take(grande, heard(again="envido", probability=0.6))
    assert isinstance(asked, Ask)
    (outcome,) = take(grande, heard(first="seis", again="sí", probability=0.8))
    assert isinstance(outcome, Accepted)
    assert outcome.call == c.Bet(stones=2)


@pytest.mark.parametrize(("said", "counts"), [("eso es", True), ("qué va", False)])
def test_a_narrowed_answer_that_is_no_call_answers_a_question(
    grande: Table, said: str, counts: bool
) -> None:
    take(grande, heard(again="envido", probability=0.6))
    (outcome,) = take(grande, heard(first="seis", again=said, probability=0.8))
    assert isinstance(outcome, Accepted) is counts
    assert counts or outcome == Ignored("taken_back", said)


@pytest.mark.parametrize(("said", "counts"), [("sí", True), ("no", False)])
def test_a_faint_yes_or_no_answers_a_pending_question(
    grande: Table, said: str, counts: bool
) -> None:
    take(grande, heard(again="envido", probability=0.6))
    (outcome,) = take(grande, heard(first="a", again=said, probability=0.3))
    assert isinstance(outcome, Accepted) is counts
    assert counts or outcome == Ignored("taken_back", said)


@pytest.mark.parametrize("noisy", [False, True])
@pytest.mark.parametrize(("number", "either"), [("uno", "que no"), ("cinco", "que sí")])
def test_a_number_that_sounds_like_a_yes_or_a_no_does_not_hide_the_answer(
    grande: Table, number: str, either: str, noisy: bool
) -> None:
    take(grande, Heard(words("envido")))
    take(grande, _torn("quiero", 0.6, "no quiero", 0.4))
    assert grande.asked == "which_said"
    ways = (Hypothesis(words(number), 0.7), Hypothesis(words(either), 0.3))
    said = Heard(words(number), hypotheses=ways, narrowed=Narrowed(ways, 0.0, 0.9), noisy=noisy)
    (outcome,) = take(grande, said)
    assert isinstance(outcome, Accepted)
    assert isinstance(outcome.call, c.Accept if either == "que sí" else c.Refuse)


def test_a_number_that_the_question_offers_answers_it(grande: Table) -> None:
    take(grande, _torn("envido cinco", 0.6, "envido seis", 0.4))
    assert grande.asked == "which_said"
    ways = (Hypothesis(words("cinco"), 0.7), Hypothesis(words("sí"), 0.3))
    said = replace(heard(probability=0.9, first="cinco"), narrowed=Narrowed(ways, 0.0, 0.9))
    (outcome,) = take(grande, said)
    assert isinstance(outcome, Accepted)
    assert outcome.call == c.Bet(stones=5)


@pytest.mark.parametrize(
    ("said", "other", "call"), [("no hay mus", "hay mus", c.Cut), ("mus", "no hay mus", c.Mus)]
)
def test_the_call_said_again_is_waited_for_as_much_as_a_yes_or_a_no(
    said: str, other: str, call: type[c.Call]
) -> None:
    table = table_at("es")
    take(table, _torn("mus", 0.6, "no hay mus", 0.4))
    assert table.asked == "which_said"
    ways = (Hypothesis(words(said), 0.8), Hypothesis(words(other), 0.2))
    again = replace(heard(probability=0.9, first=said), narrowed=Narrowed(ways, 0.0, 0.9))
    (outcome,) = take(table, again)
    assert isinstance(outcome, Accepted)
    assert isinstance(outcome.call, call)


def test_an_offered_call_that_is_said_again_is_not_two_calls(grande: Table) -> None:
    take(grande, _torn("envido treinta", 0.6, "envido veinte", 0.4))
    again = heard(first="cinco envido veinte", again="envido veinte", probability=0.9)
    (outcome,) = take(grande, again)
    assert isinstance(outcome, Accepted)
    assert outcome.call == c.Bet(stones=20)


@pytest.mark.parametrize(("share", "counts"), [(0.7, False), (0.8, True)])
def test_a_name_that_another_sounds_like_has_to_be_clear(share: float, counts: bool) -> None:
    asked = who("es", "player")
    ways = (Hypothesis(words("ha sido este"), share), Hypothesis(words("ha sido oeste"), 1 - share))
    narrowed = Narrowed(ways, 0.0, 0.95 * share)
    said = replace(heard(first="ha sido este", probability=0.9), narrowed=narrowed, noisy=True)
    outcomes = take(asked.table, said)
    assert any(isinstance(outcome, Accepted) for outcome in outcomes) is counts


def test_a_rival_hypothesis_does_not_prevent_a_yes_to_a_pending_question(
    grande: Table,
) -> None:
    take(grande, heard(again="envido", probability=0.6))
    ways = (Hypothesis(words("seis"), 0.7), Hypothesis(words("sí"), 0.3))
    (outcome,) = take(grande, replace(heard(probability=0.7), narrowed=Narrowed(ways, 0.0, 0.7)))
    assert isinstance(outcome, Accepted)
    assert outcome.call == c.Bet(stones=2)


@pytest.mark.parametrize("said", ["paso", "envido cinco"])
def test_a_pending_question_makes_no_faint_call_more_probable(grande: Table, said: str) -> None:
    take(grande, heard(again="envido", probability=0.6))
    (outcome,) = take(grande, heard(again=said, probability=0.3))
    assert isinstance(outcome, Ignored)


def test_a_faint_yes_does_not_choose_between_two_numbers(grande: Table) -> None:
    take(grande, heard(first="envido", again="envido", probability=0.95))
    (asked,) = take(grande, heard(first="cinco", again="cinco", probability=0.95))
    assert isinstance(asked, Ask)
    assert asked.code == "bare_raise"
    (outcome,) = take(grande, heard(again="sí", probability=0.3))
    assert isinstance(outcome, Ignored)


def test_a_faint_yes_accepts_no_ordago(grande: Table) -> None:
    (asked,) = take(grande, heard(again="órdago", probability=0.8))
    assert isinstance(asked, Ask)
    (outcome,) = take(grande, heard(first="a", again="sí", probability=0.3))
    assert isinstance(outcome, Ignored)
    (outcome,) = take(grande, heard(first="a", again="sí", probability=0.6))
    assert isinstance(outcome, Accepted)
    assert isinstance(outcome.call, c.Ordago)


def test_an_answer_has_the_same_limits_as_the_call_that_it_makes() -> None:
    assert (STAKED, DEAR) == (expected.SURE, expected.DEAR)


def test_a_faint_yes_in_noise_moves_no_stones(grande: Table) -> None:
    take(grande, heard(again="envido", probability=0.6))
    for probability in (0.3, 0.7):
        faint = replace(heard(first="a", again="sí", probability=probability), noisy=True)
        (outcome,) = take(grande, faint)
        assert isinstance(outcome, Ignored)
    (outcome,) = take(grande, replace(heard(first="a", again="sí", probability=0.8), noisy=True))
    assert isinstance(outcome, Accepted)


def test_an_illegal_call_is_no_rival_hypothesis(grande: Table) -> None:
    ways = (Hypothesis(words("quiero"), 0.7), Hypothesis(words("paso"), 0.3))
    (outcome,) = take(grande, replace(heard(probability=0.8), narrowed=Narrowed(ways, 0.0, 0.8)))
    assert isinstance(outcome, Accepted)


def over(again: str, probability: float) -> Heard:
    """An utterance during the assistant's own speech."""
    return replace(heard(first=again, again=again, probability=probability), over=True)


@pytest.mark.parametrize("call", ["paso", "envido cinco"])
def test_a_clear_call_over_the_assistants_voice_counts(grande: Table, call: str) -> None:
    (outcome,) = take(grande, over(call, 0.9))
    assert isinstance(outcome, Accepted)


def test_a_doubtful_call_over_the_assistants_voice_must_be_repeated(grande: Table) -> None:
    (outcome,) = take(grande, over("paso", 0.8))
    assert isinstance(outcome, Ask)
    assert outcome.code == "spoken_over"


def test_a_call_over_the_voice_that_may_have_lost_its_no_must_be_repeated(grande: Table) -> None:
    take(grande, Heard(words("envido")))
    (outcome,) = take(grande, over("quiero", 0.95))
    assert isinstance(outcome, Ask)
    assert outcome.code == "spoken_over"


def test_nothing_counts_over_the_voice_while_the_table_is_paused(grande: Table) -> None:
    grande.paused = True
    (outcome,) = take(grande, over("paso", 0.95))
    assert isinstance(outcome, Ignored)


def test_unknown_speech_before_a_sure_call_does_not_make_it_talk(grande: Table) -> None:
    """It may be somebody behind the table, or a breath.

    The call in front is also heard by itself.
    """
    again = heard(again="paso", probability=0.9, part=True)
    blurred = (Hypothesis(words("[unk] paso"), 0.7), Hypothesis(words("pares paso"), 0.3))
    (outcome,) = take(grande, replace(again, hypotheses=blurred))
    assert isinstance(outcome, Accepted)
    assert isinstance(outcome.call, c.Pass)


def test_a_narrowed_call_opposite_to_a_sure_first_hypothesis_is_asked_about(grande: Table) -> None:
    take(grande, Heard(words("envido")))
    lost = heard(first="no quiero", again="quiero", probability=0.75)
    (outcome,) = take(grande, lost)
    assert isinstance(outcome, Ask)
    assert {type(option) for option in outcome.options} == {c.Accept, c.Refuse}


def test_a_probable_narrowed_call_counts_right_after_talk(grande: Table) -> None:
    take(grande, heard(first="[unk]", again="paso", probability=0.1))
    (outcome,) = take(grande, soon(heard(first="[unk]", again="paso", probability=0.8)))
    assert isinstance(outcome, Accepted)


@pytest.mark.parametrize("noisy", [False, True])
def test_a_quiero_needs_a_higher_probability_where_people_talk(grande: Table, noisy: bool) -> None:
    """Noise may have covered a "no" before it."""
    take(grande, Heard(words("envido")))
    (outcome,) = take(grande, replace(heard(again="quiero", probability=0.85), noisy=noisy))
    if not noisy:
        assert isinstance(outcome, Accepted)
        return
    assert isinstance(outcome, Ask)
    assert outcome.code == "which_said"
    (refused,) = take(grande, Heard(words("no")))
    assert isinstance(refused, Accepted)
    assert refused.call == c.Refuse()


def test_a_part_that_says_the_opposite_of_the_whole_is_believed(grande: Table) -> None:
    """Noise had covered the "no", which is heard in the part of the sound where it stood alone."""
    take(grande, Heard(words("envido")))
    (outcome,) = take(grande, heard(first="quiero", again="no quiero", probability=0.94, part=True))
    assert isinstance(outcome, Accepted)
    assert outcome.call == c.Refuse()


def two_calls(first: tuple[tuple[str, float], ...], probability: float) -> Heard:
    """One utterance of several words in front, and of "no quiero", which is also heard again."""
    end = (Word("no", 1.95, 2.25), Word("quiero", 2.25, 2.65))
    ways = []
    for said, share in first:
        told = said.split()
        front = tuple(Word(text, 0.5 + at, 1.4 + at) for at, text in enumerate(told[:1]))
        between = tuple(Word(text, 1.7, 1.85) for text in told[1:])
        ways.append(Hypothesis((*front, *between, *end), share))
    again = (Word("no", 2.05, 2.26), Word("quiero", 2.26, 2.66))
    narrowed = Narrowed((Hypothesis(again, 1.0),), 0.03, probability, part=True)
    return Heard(ways[0].words, hypotheses=tuple(ways), narrowed=narrowed, noisy=True)


ORDAGO_ALONE_IS_SURE = (("órdago", 0.46), ("órdago la", 0.42), ("órdago a", 0.12))


def test_a_part_that_is_the_last_of_two_calls_does_not_drop_the_first(grande: Table) -> None:
    """A bet, "órdago", and the answer to it: by itself the answer would refuse the bet."""
    take(grande, Heard(words("envido")))
    ordago, refused = take(grande, two_calls(ORDAGO_ALONE_IS_SURE, 0.9))
    assert isinstance(ordago, Accepted)
    assert ordago.call == c.Ordago()
    assert isinstance(refused, Accepted)
    assert refused.call == c.Refuse()


def test_two_calls_of_which_the_last_is_doubtful_are_asked_about(grande: Table) -> None:
    take(grande, Heard(words("envido")))
    (outcome,) = take(grande, two_calls(ORDAGO_ALONE_IS_SURE, 0.7))
    assert isinstance(outcome, Ask)
    assert outcome.code == "sure_ordago"


def test_the_last_of_two_calls_counts_alone_where_the_first_was_hardly_heard(
    grande: Table,
) -> None:
    take(grande, Heard(words("envido")))
    hardly = (("órdago", 0.4), ("[unk]", 0.35), ("pues", 0.25))
    (outcome,) = take(grande, two_calls(hardly, 0.95))
    assert isinstance(outcome, Accepted)
    assert outcome.call == c.Refuse()


def test_a_call_beside_the_one_that_both_hearings_agree_on_is_not_added(table: Table) -> None:
    for call in ("paso", "paso", "paso", "paso") * 2:
        take(table, Heard(words(call)))
    own = (Word("yo", 0.5, 0.7), Word("no", 0.7, 1.0))
    ways = (
        Hypothesis(own, 0.84),
        Hypothesis((Word("tengo", 0.5, 0.7), Word("no", 0.7, 1.0)), 0.16),
    )
    narrowed = Narrowed((Hypothesis(own, 1.0),), 0.0, 0.93, part=True)
    (outcome,) = take(table, Heard(own, hypotheses=ways, narrowed=narrowed))
    assert isinstance(outcome, Accepted)
    assert outcome.call == c.Declare(holds=False)


TORN = {
    "the part begins where the no ends": ((0.2, 0.5), (0.5, 0.8), 0.5),
    "the no is taken to last until the next word": ((0.0, 2.34), (2.34, 2.64), 2.21),
    "a short no reaches into the part": ((0.4, 0.52), (0.52, 0.8), 0.44),
}
"""First hearing: "no", then "las". Second hearing: where "las" begins. Seconds."""


@pytest.mark.parametrize("times", TORN.values(), ids=TORN.keys())
def test_a_part_that_leaves_out_the_no_is_not_believed(
    grande: Table, times: tuple[tuple[float, float], tuple[float, float], float]
) -> None:
    """The pause after "no" cuts "no las quiero" in two, and its end alone accepts."""
    no, las, part = times
    take(grande, Heard(words("envido")))
    said = heard(first="no las quiero", again="las quiero", probability=0.94, part=True)
    assert said.narrowed is not None
    first = (Word("no", *no), Word("las", *las), Word("quiero", las[1], las[1] + 0.5))
    again = (Word("las", part, las[1] + 0.02), Word("quiero", las[1] + 0.02, las[1] + 0.52))
    narrowed = replace(said.narrowed, hypotheses=(Hypothesis(again, 1.0),))
    said = replace(said, words=first, hypotheses=(Hypothesis(first, 1.0),), narrowed=narrowed)
    (outcome,) = take(grande, said)
    assert isinstance(outcome, Accepted)
    assert outcome.call == c.Refuse()


@pytest.mark.parametrize("part", [False, True])
def test_where_both_hearings_agree_the_surer_one_counts(grande: Table, part: bool) -> None:
    take(grande, Heard(words("envido")))
    said = heard(first="no quiero", again="no quiero", probability=0.94, part=part)
    ways = (Hypothesis(words("no quiero"), 0.62), Hypothesis(words("quiero"), 0.38))
    (outcome,) = take(grande, replace(said, hypotheses=ways))
    assert isinstance(outcome, Accepted)
    assert outcome.call == c.Refuse()


@pytest.mark.parametrize(("share", "kind"), [(0.9, Ask), (0.6, Accepted)])
def test_a_no_that_only_the_first_hearing_is_sure_of_is_asked_about(
    grande: Table, share: float, kind: type[Outcome]
) -> None:
    """The second one begins as late as it can, and "quiero" is left of "no quiero"."""
    take(grande, Heard(words("envido")))
    said = heard(first="no quiero", again="quiero", probability=0.92)
    ways = (Hypothesis(words("no quiero"), share), Hypothesis(words("[unk]"), 1 - share))
    (outcome,) = take(grande, replace(said, hypotheses=ways))
    assert isinstance(outcome, kind)


@pytest.mark.parametrize(("noisy", "kind"), [(False, Accepted), (True, Ask)])
def test_where_people_talk_a_call_that_the_narrowed_result_does_not_confirm_is_asked_about(
    grande: Table, noisy: bool, kind: type[Outcome]
) -> None:
    blurred = (Hypothesis(words("paso"), 0.7), Hypothesis(words("[unk]"), 0.3))
    unsure = heard(first="paso", again="paso", probability=0.3)
    (outcome,) = take(grande, replace(unsure, hypotheses=blurred, noisy=noisy))
    assert isinstance(outcome, kind)


def test_right_after_talk_a_call_that_the_narrowed_result_does_not_confirm_must_be_clear(
    grande: Table,
) -> None:
    take(grande, heard(first="[unk]", again="paso", probability=0.1))
    blurred = (Hypothesis(words("paso"), 0.79), Hypothesis(words("[unk]"), 0.21))
    piece = heard(first="paso", again="paso", probability=0.3)
    (outcome,) = take(grande, soon(replace(piece, hypotheses=blurred, noisy=True)))
    assert isinstance(outcome, Ignored)


def both(noisy: bool, first: tuple[float, float], second: tuple[float, float]) -> Heard:
    """A refusal or a yes, as likely as both hearings say, the refusal first."""
    said = "no quiero", "lo quiero"
    ways, again = (tuple(map(Hypothesis, map(words, said), shares)) for shares in (first, second))
    narrowed = Narrowed(tuple(sorted(again, key=lambda way: -way.probability)), 0.0, 0.95)
    return Heard(words(said[0]), hypotheses=ways, narrowed=narrowed, noisy=noisy)


@pytest.mark.parametrize(("noisy", "kind"), [(False, Accepted), (True, Ask)])
def test_in_quiet_what_both_hearings_have_needs_no_question(
    grande: Table, noisy: bool, kind: type[Outcome]
) -> None:
    take(grande, heard(again="envido", probability=0.95))
    (outcome,) = take(grande, both(noisy, (0.9, 0.1), (0.7, 0.3)))
    assert isinstance(outcome, kind)


def test_where_the_two_hearings_differ_the_table_is_asked(grande: Table) -> None:
    take(grande, heard(again="envido", probability=0.95))
    (outcome,) = take(grande, both(False, (0.6, 0.4), (0.3, 0.7)))
    assert isinstance(outcome, Ask)
    assert set(map(type, outcome.options)) == {c.Accept, c.Refuse}


@pytest.mark.parametrize(("probability", "asked"), [(0.95, True), (0.7, False)])
def test_a_number_alone_over_a_bet_must_be_clear_to_be_asked_about(
    grande: Table, probability: float, asked: bool
) -> None:
    take(grande, heard(again="envido", probability=0.95))
    (outcome,) = take(grande, heard(first="[unk]", again="cinco", probability=probability))
    assert isinstance(outcome, Ask if asked else Ignored)


def test_resume_is_no_call_where_nothing_is_paused(grande: Table) -> None:
    for _ in range(2):
        take(grande, Heard(words("paso ... paso ... paso ... paso")))
    ways = (Hypothesis(words("sigue"), 0.56), Hypothesis(words("sí llevo"), 0.44))
    said = Heard(words("sigue"), hypotheses=ways, narrowed=Narrowed(ways, 0.0, 0.95))
    (outcome,) = take(grande, said)
    assert isinstance(outcome, Accepted)
    assert isinstance(outcome.call, c.Declare)


def test_a_certain_narrowed_call_leaves_its_opposite_no_probability(grande: Table) -> None:
    take(grande, heard(first="envido", again="envido", probability=0.95))
    take(grande, Heard(words("quiero")))
    take(grande, Heard(words("corrige")))
    ways = (Hypothesis(words("lo quiero"), 0.5), Hypothesis(words("quiero"), 0.5))
    first = (Hypothesis(words("no quiero"), 0.7), Hypothesis(words("[unk]"), 0.3))
    said = Heard(words("no quiero"), hypotheses=first, narrowed=Narrowed(ways, 0.0, 1.0))
    (asked,) = take(grande, said)  # it was undone just before
    assert isinstance(asked, Ask)
    assert asked.code == "which_said"
    (outcome,) = take(grande, heard(first="no", again="no", probability=0.9))
    assert isinstance(outcome, Accepted)
    assert isinstance(outcome.call, c.Refuse)


# ---- Several players in one utterance -----------------------------------------------------------


def in_turn(*calls: tuple[str, float], first: str = "[unk]", pause: float = 0.2) -> Heard:
    """An utterance in which these calls follow one another, each with its probability.

    ``first``: what the first hearing made of it all.
    """
    turns, at = [], 0.0
    for text, probability in calls:
        way = later(Heard(words(text), hypotheses=(Hypothesis(words(text), 1.0),)), at)
        turns.append(Narrowed(way.hypotheses, 0.0, probability, part=True))
        at = way.words[-1].end + pause
    narrowed = replace(turns[0], turns=tuple(turns))
    whole = words(first)
    return Heard(whole, hypotheses=(Hypothesis(whole, 1.0),), narrowed=narrowed)


def calls_of(outcomes: tuple[Outcome, ...]) -> list[str]:
    return [
        type(outcome.call).__name__ if isinstance(outcome, Accepted) else type(outcome).__name__
        for outcome in outcomes
    ]


def test_each_call_of_several_players_counts_by_its_own_probability(grande: Table) -> None:
    said = in_turn(("paso", 0.8), ("envido", 0.8), ("no quiero", 0.8), ("no quiero", 0.8))
    assert calls_of(take(grande, said)) == ["Pass", "Bet", "Refuse", "Refuse"]
    assert grande.state.pending is None


def test_a_doubtful_call_in_turn_is_asked_about_and_the_next_wait(grande: Table) -> None:
    said = in_turn(("paso", 0.9), ("envido", 0.65), ("quiero", 0.9))
    outcomes = take(grande, said)
    assert calls_of(outcomes) == ["Pass", "Ask"]
    (asked,) = outcomes[-1:]
    assert isinstance(asked, Ask)
    assert asked.options == (c.Bet(stones=2),)
    yes = later(Heard(words("sí"), hypotheses=(Hypothesis(words("sí"), 1.0),)), 3.0)
    assert calls_of(take(grande, yes)) == ["Bet"]


def test_after_a_call_that_is_not_legal_none_counts(grande: Table) -> None:
    said = in_turn(("paso", 0.9), ("quiero", 0.9), ("paso", 0.9))
    assert calls_of(take(grande, said)) == ["Pass"]


def test_a_sure_first_hearing_of_as_many_calls_is_kept(grande: Table) -> None:
    said = in_turn(("paso", 0.9), ("paso", 0.9), first="paso ... envido")
    assert calls_of(take(grande, said)) == ["Pass", "Bet"]


def test_an_answer_close_to_a_bet_is_another_players_but_not_to_an_ordago(grande: Table) -> None:
    close = in_turn(("envido", 0.95), ("quiero", 0.95), pause=0.15)
    assert calls_of(grande.propose(close)) == ["Bet", "Accept"]
    same_breath = in_turn(("envido", 0.95), ("quiero", 0.95), pause=0.1)
    assert calls_of(grande.propose(same_breath)) == ["Bet", "Ask"]
    ordago = in_turn(("órdago", 0.95), ("quiero", 0.95), pause=0.2)
    assert calls_of(grande.propose(ordago)) == ["Ordago", "Ask"]


@pytest.mark.parametrize("first", ["paso perdón envido", "[unk]"])
def test_a_second_thought_is_not_split_into_the_calls_of_two_players(
    grande: Table, first: str
) -> None:
    outcomes = take(grande, in_turn(("paso", 0.95), ("perdón envido", 0.95), first=first))
    made = [one.call for one in outcomes if isinstance(one, Accepted)]
    assert made == ([c.Bet()] if first != "[unk]" else [])


def test_a_part_of_a_second_thought_does_not_replace_the_whole(grande: Table) -> None:
    said = heard(first="paso perdón envido", again="paso", probability=0.9, part=True)
    assert [one.call for one in take(grande, said) if isinstance(one, Accepted)] == [c.Bet()]


def test_bueno_after_words_that_are_no_call_does_not_hide_the_call_after_it(grande: Table) -> None:
    said = heard(first="[unk] bueno envido", again="envido", probability=0.95, part=True)
    assert [one.call for one in take(grande, said) if isinstance(one, Accepted)] == [c.Bet()]
