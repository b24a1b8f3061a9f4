"""Breaths: a "no" and a call in one breath are no call, and a bare number follows no answer."""

from assistant.files.resources import load_lexicon
from assistant.language.lexicon import Lexicon, Spoken, Talk, context_of
from assistant.language.lexicon.rows import expand
from assistant.messages import Accepted, Heard, Hypothesis, Word
from assistant.rules.calls import Accept, Bet, Call, Cut, Mus, Ordago, Pass, Raise, Reenvido
from assistant.rules.engine import apply, decide
from assistant.table.table import Table
from scripts.lab.rendering.dealing import new_table
from tests.language.lexicon.test_said import file_of
from tests.tables import each_row

TABLES = {"es": "no", "eu": "ez", "iparralde": "ez"}
AFTER = {"open": (Cut(),), "bet": (Cut(), Bet()), "ordago": (Cut(), Ordago())}
SLOTS = {"{n}": ("dos", "bost"), "{lance}": ("a chica", "txikian")}
MOVING = Accept | Pass | Bet | Raise | Reenvido | Ordago


def table_at(lexicon: Lexicon, calls: tuple[Call, ...]) -> Table:
    table = new_table(lexicon)
    for call in calls:
        for event in decide(table.state, call).events:
            table.state = apply(table.state, event)
    return table


def calls_of(table: Table, *parts: str, pause: float = 0.0) -> list[object]:
    """The calls that an utterance makes, with ``pause`` seconds between its parts."""
    words: list[Word] = []
    at = 1.0
    for part in parts:
        for text in part.split():
            words.append(Word(text, at, at + 0.25))
            at += 0.27
        at += pause
    outcomes = table.propose(Heard(tuple(words), hypotheses=(Hypothesis(tuple(words), 1.0),)))
    return [outcome.call for outcome in outcomes if isinstance(outcome, Accepted)]


def calling(code: str) -> list[str]:
    """Every wording of the language that accepts, passes or bets, with its slots filled."""
    spoken = []
    for row in file_of(code)["call"]:
        kinds = ("accept", "pass", "bet", "raise", "reenvido", "ordago")
        if row["means"].removesuffix("_both") in kinds:
            spoken += [wording for phrase in row["phrases"] for wording in expand(phrase)]
    index = 0 if code == "es" else 1
    for slot, filled in SLOTS.items():
        spoken = [wording.replace(slot, filled[index]) for wording in spoken]
    return spoken


@each_row("moment", AFTER)
@each_row("code", TABLES)
def test_no_before_a_call_in_one_breath_does_not_make_that_call(code: str, moment: str) -> None:
    lexicon = load_lexicon(("es",) if code == "es" else ("es", code))
    for said in calling(code):
        calls = calls_of(table_at(lexicon, AFTER[moment]), f"{TABLES[code]} {said}")
        assert not [call for call in calls if isinstance(call, MOVING)], said


@each_row("said", ["acepto", "veo", "vemos", "los quiero", "aceptamos"])
def test_no_and_a_pause_before_an_answer_do_not_accept(es: Lexicon, said: str) -> None:
    calls = calls_of(table_at(es, AFTER["ordago"]), "no", said, pause=0.35)
    assert not [call for call in calls if isinstance(call, MOVING)]


def test_two_players_may_answer_in_one_breath(es: Lexicon) -> None:
    table = table_at(es, AFTER["bet"])
    assert [type(call).__name__ for call in calls_of(table, "no quiero quiero")] == [
        "Refuse",
        "Accept",
    ]


@each_row(
    "moment, said",
    [
        ("bet", "queremos a la grande dos"),
        ("bet", "no quiero cinco"),
        ("bet", "lo quiero cinco"),
        ("open", "envido dos cinco"),
    ],
)
def test_a_bare_number_does_not_follow_an_answer_or_a_bet(
    es: Lexicon, moment: str, said: str
) -> None:
    calls = calls_of(table_at(es, AFTER[moment]), said)
    assert not [call for call in calls if isinstance(call, Bet | Raise) and call.stones in (2, 5)]


def test_a_bare_number_may_follow_a_paso(es: Lexicon) -> None:
    assert calls_of(table_at(es, AFTER["open"]), "paso cinco") == [Pass(), Bet(stones=5)]


@each_row("said", ["quita dos", "quita cinco", "quito tres", "corto dos", "se corta dos"])
def test_taking_away_stones_or_cards_does_not_cut_the_mus(es: Lexicon, said: str) -> None:
    assert not calls_of(table_at(es, ()), said)
    assert not calls_of(table_at(es, (Mus(),)), said)


@each_row("condition", ["si echan órdago", "si envidan"])
@each_row("said", ["quiero", "órdago", "no quiero"])
def test_a_call_after_a_condition_and_a_pause_belongs_to_the_condition(
    es: Lexicon, condition: str, said: str
) -> None:
    table = table_at(es, AFTER["bet"])
    assert not calls_of(table, condition, said, pause=0.35)
    assert calls_of(table, "quiérele", "quiero", pause=0.35) == [Accept()], "the partner answers"


@each_row("words", ["paso", "paso envido", "mus mañana"])
def test_a_breath_of_any_length_is_read_as_calls_or_talk(words: str) -> None:
    """A thousand words in one breath are no error."""
    table = table_at(load_lexicon(("es",)), AFTER["open"])
    said = tuple(Word(word) for word in (words.split() * 1000)[:1000])
    assert isinstance(table.lexicon.read(said, context_of(table.state)), Spoken | Talk)
