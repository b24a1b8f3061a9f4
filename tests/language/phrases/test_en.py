"""The English phrases: complete, with correct numbers, and silent exactly where Spanish is."""

from __future__ import annotations

import re

from assistant.language.phrases import Level, Phrases
from assistant.language.phrases.keys import SHAPE
from assistant.rules import calls as c
from tests.language.phrases.aloud import Aloud, Case, recorded
from tests.language.phrases.test_eu import DEAL
from tests.language.phrases.test_phrases import CASES
from tests.rules.play import SEATS
from tests.tables import each_row

TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
SMALL = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen
""".split()


def value(words: str) -> int:
    """The value of an English number by the rules of English, not by the table that wrote it."""
    hundreds, hundred, rest = words.partition(" hundred")
    if hundred:
        return 100 * SMALL.index(hundreds) + (value(rest.removeprefix(" and ")) if rest else 0)
    ten, _, one = words.partition("-")
    if ten in TENS:
        return 20 + 10 * TENS.index(ten) + (SMALL.index(one) if one else 0)
    return SMALL.index(words)


def test_english_numbers_have_their_value(en: Phrases) -> None:
    assert [value(en.language.stones(n)) for n in range(300)] == list(range(300))


@each_row(
    "n, words",
    [
        (0, "zero"),
        (1, "one"),
        (13, "thirteen"),
        (20, "twenty"),
        (21, "twenty-one"),
        (31, "thirty-one"),
        (40, "forty"),
        (99, "ninety-nine"),
        (100, "one hundred"),
        (101, "one hundred and one"),
        (131, "one hundred and thirty-one"),
        (210, "two hundred and ten"),
    ],
)
def test_a_number_is_written_in_english(en: Phrases, n: int, words: str) -> None:
    assert en.language.number(n) == words
    assert en.language.stones(n) == words


def test_every_english_phrase_is_filled_in(en: Phrases) -> None:
    empty = {key for key in SHAPE if not en.language.texts[key].strip()}
    assert empty == {"join.soft_before"}, '"and" is the same before every name'


def test_every_phrase_of_the_file_is_said_by_a_case(en: Phrases) -> None:
    phrases, texts = recorded(en)
    for case in CASES:
        case.tell(phrases)
    # Two names are always joined by "and", so the other form of it is never used.
    assert set(SHAPE) - texts.used == {"join.and_soft"}


@each_row("key", sorted(SHAPE))
def test_english_names_take_no_ending(en: Phrases, key: str) -> None:
    assert not re.search(r"\{(name|names|side|rivals|lance|the)\}\w|\}['’]", en.language.texts[key])


def test_every_word_with_a_spelling_for_the_voice_occurs_in_a_phrase(en: Phrases) -> None:
    said = " ".join([*en.language.texts.values(), *SEATS]).lower()
    assert en.sounds
    assert set(en.sounds) <= set(re.findall(r"[^\W\d_]+", said))
    assert {"juego", "órdago", "deje"} <= set(en.sounds)


SPANISH = re.compile(
    r"[áéíóúñ¿¡«»]|\b(el|la|los|las|y|de|del|para|que|se|con|es|un|una|dos|piedras?|lance|deshecho)\b"
)
OF_MUS = re.compile(
    "Iñaki|Inés|Interpeñas|faltaban de la chica|órdago|sí|corrige|cómo vamos|qué se debe|"
    "No hay mus",
    re.I,
)
"""Calls and commands, which stay Spanish, names, and reasons in a player's words."""


@each_row("case", CASES, name=lambda case: case.name)
def test_english_is_silent_exactly_where_spanish_is(en: Phrases, case: Case) -> None:
    told = case.tell(en)
    assert (told is None) is (case.expected is None)
    if told and case.expected and case.expected != "es":
        assert told[0].islower() is case.expected[0].islower()
        assert not SPANISH.search(OF_MUS.sub("", told).lower()), told


@each_row(
    "name, told",
    [
        ("the language of the voice", "en"),
        ("a match begins", "To forty stones. Sur is mano."),
        ("the mus is cut", "Oeste cuts."),
        ("a bet", "Oeste bets five on grande."),
        ("a raise", "One more from Oeste: that makes three."),
        ("an órdago is read back", "Norte calls órdago on grande."),
        (
            "only the cards that decide are asked for",
            "Órdago accepted. Norte and Oeste, cards.",
        ),
        ("a deje on the spot", "One for Norte and Sur. Four to zero."),
        (
            "adentro, once",
            "One for Norte and Sur. Thirty-five to zero, adentro.",
        ),
        ("nobody has juego", "Nobody has juego. On punto, Norte to speak."),
        ("pares were denied", "Careful: Norte does have pares."),
        ("juego was claimed", "Careful: Norte has no juego."),
        (
            "the count with hands, with everything told",
            "Grande, five for Norte and Sur. Chica passed, one for Oeste and Este. Pares, two from "
            "the bet, and five from duples of kings and jacks, and medias of sevens for Norte and "
            "Sur; juego of forty, two. Norte and Sur, three amarracos; Oeste and Este, one stone.",
        ),
        (
            "the count of the treinta y una",
            "Norte and Sur, grande one, chica one and juego five. Seven to zero.",
        ),
        (
            "the count of the real",
            "Norte and Sur, two, the others seven. Two to seven.",
        ),
        (
            "the count of the treinta y una, with everything told",
            "Grande passed, one for Norte and Sur; chica passed, one; thirty-one, and juego of "
            "thirty-two, five. Norte and Sur, one amarraco and two; Oeste and Este, no stones.",
        ),
        (
            "score near the end",
            "Norte and Sur, seven amarracos and one, adentro; Oeste and Este, one amarraco and "
            "one.",
        ),
        ("a number in reply", "Five more, or up to five?"),
        ("a bet heard faintly", "Did you say “Envido 5”?"),
        ("an answer that may be its opposite", "Is it wanted, yes or no?"),
        ("which of two bets", "Which do you accept: two or five?"),
        ("a number that raises, or is bet at the next lance", "5 more, or envido 5 on chica?"),
        ("is it refused", "Nobody accepts?"),
        ("who has no partner is asked alone", "You do not accept?"),
        (
            "an article is proposed",
            "Article 5.3: Oeste denied pares, so pares and the deje go to Norte and Sur. Does it "
            "apply?",
        ),
        (
            "what is owed after two lances",
            "On grande, five accepted. On chica, deje of one for Norte and Sur, scored already. "
            "Nothing else.",
        ),
        (
            "log: passes that nobody said",
            "Oeste, paso (understood) | Sur, paso (understood) | Este, paso (understood) | Grande: "
            "passed | Oeste bets 2 on chica",
        ),
        (
            "log: names before an i",
            "A match begins: to 40 stones and 3 games. Ana, Iñaki and Hilario against Jon, Pilar "
            "and Inés",
        ),
        (
            "juegos of three who play for themselves",
            "Game to Luis: Luis one, Ana zero, Eva two.",
        ),
    ],
)
def test_a_case_is_told_in_english(en: Phrases, name: str, told: str) -> None:
    (case,) = (case for case in CASES if case.name == name)
    assert case.tell(en) == told


@each_row(
    "call, text",
    [
        (c.Cut(seat=1), "No hay mus"),
        (c.Bet(seat=1, stones=5), "Envido 5"),
        (c.Accept(seat=1), "Quiero"),
        (c.Refuse(seat=1), "No quiero"),
        (c.Ordago(seat=1), "Órdago"),
    ],
)
def test_a_call_is_offered_in_the_words_of_the_table(
    en: Phrases, es: Phrases, call: c.Call, text: str
) -> None:
    assert en.label(call) == es.label(call) == text


def test_a_whole_deal_is_told_in_english(en: Phrases) -> None:
    aloud = Aloud(en)
    told = [aloud.voice(call, Level.FULL) for call in DEAL]
    assert [text for text in told if text] == [
        "Oeste cuts.",
        "Oeste bets five on grande.",
        "Norte accepts five on grande.",
        "Pares?",
        "On pares: Norte to speak.",
        "Norte bets two on pares.",
        "One for Norte and Sur. In all, one stone. Juego?",
        "Nobody has juego. On punto, Norte to speak.",
        "Sur bets two on punto.",
        "Este accepts two on punto. Cards up, from Norte on.",
        "Este, your cards.",
        "Grande, five for Norte and Sur. Chica passed, one for Oeste and Este. Pair of kings, one "
        "for Norte and Sur; punto, two from the bet, and one more. Norte and Sur, two amarracos; "
        "Oeste and Este, one stone.",
    ]
