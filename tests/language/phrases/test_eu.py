"""The Basque phrases: complete, with correct numbers, and silent exactly where Spanish is."""

from __future__ import annotations

import re

from assistant.language.phrases import Level, Phrases
from assistant.language.phrases.keys import SHAPE
from assistant.rules import calls as c
from tests.language.phrases.aloud import Aloud, Case, recorded
from tests.language.phrases.test_phrases import CASES
from tests.rules.play import cards, corto, envido, mus, no_queremos, paso, quiero
from tests.tables import each_row

TENS = {"hogei": 20, "berrogei": 40, "hirurogei": 60, "laurogei": 80}
HUNDREDS = {"ehun": 100, "berrehun": 200}
SMALL = """
    zero bat bi hiru lau bost sei zazpi zortzi bederatzi hamar hamaika hamabi hamahiru hamalau
    hamabost hamasei hamazazpi hemezortzi hemeretzi
""".split()


def value(words: str) -> int:
    """The value of a Basque number by the rule of twenties, not by the table that wrote it."""
    head, _, rest = words.partition(" eta ")
    if head in HUNDREDS:
        return HUNDREDS[head] + (value(rest) if rest else 0)
    if words in TENS:
        return TENS[words]
    twenty, _, rest = words.partition("ta ")
    return TENS[twenty] + SMALL.index(rest) if rest else SMALL.index(words)


def test_basque_numbers_have_their_value(eu: Phrases) -> None:
    assert [value(eu.language.stones(n)) for n in range(400)] == list(range(400))


@each_row(
    "n, words",
    [
        (0, "zero"),
        (11, "hamaika"),
        (18, "hemezortzi"),
        (20, "hogei"),
        (21, "hogeita bat"),
        (30, "hogeita hamar"),
        (31, "hogeita hamaika"),
        (40, "berrogei"),
        (50, "berrogeita hamar"),
        (60, "hirurogei"),
        (79, "hirurogeita hemeretzi"),
        (99, "laurogeita hemeretzi"),
        (100, "ehun"),
        (101, "ehun eta bat"),
        (131, "ehun eta hogeita hamaika"),
        (200, "berrehun"),
        (210, "berrehun eta hamar"),
    ],
)
def test_a_number_is_written_in_basque(eu: Phrases, n: int, words: str) -> None:
    assert eu.language.number(n) == words
    assert eu.language.stones(n) == words


def test_every_basque_phrase_is_filled_in(eu: Phrases) -> None:
    empty = {key for key in SHAPE if not eu.language.texts[key].strip()}
    assert empty == {"join.soft_before"}, '"eta" is the same before every name'


def test_every_phrase_of_the_file_is_said_by_a_case(eu: Phrases) -> None:
    phrases, texts = recorded(eu)
    for case in CASES:
        case.tell(phrases)
    # Two names are always joined by "eta", so the other form of it is never used.
    assert set(SHAPE) - texts.used == {"join.and_soft"}


SPANISH = re.compile(
    r"[áéíóúñ¿¡]|\b(el|la|los|las|y|de|del|para|que|no|se|con|es|un|una|dos|juego|grande|chica)\b"
)
SAID_BY_PEOPLE = re.compile("Iñaki|Inés|Interpeñas|faltaban de la chica")
"""Names, and reasons in a player's words."""


@each_row("case", CASES, name=lambda case: case.name)
def test_basque_is_silent_exactly_where_spanish_is(eu: Phrases, case: Case) -> None:
    told = case.tell(eu)
    assert (told is None) is (case.expected is None)
    if told and case.expected and case.expected != "es":
        assert told[0].islower() is case.expected[0].islower()
        assert not SPANISH.search(SAID_BY_PEOPLE.sub("", told).lower()), told


@each_row(
    "name, told",
    [
        ("the language of the voice", "eu"),
        ("the mus is cut", "Musa moztuta: Oeste."),
        ("a bet", "Oeste: bost enbido handira."),
        ("a raise", "Oeste: bat gehiago. Guztira, hiru."),
        ("an órdago is read back", "Norte: hordago handira."),
        (
            "only the cards that decide are asked for",
            "Hordagoa onartuta. Norte eta Oeste, kartak.",
        ),
        ("a deje on the spot", "Bat: Norte eta Sur. Lau-zero."),
        ("nobody has juego", "Inork ez du jokorik: puntura. Hitza: Norte."),
        (
            "the count of what is uncontested",
            "Oeste eta Este, handia bat, txikia bat, pareak lau eta jokoa bi. Zero-zortzi.",
        ),
        (
            "the count of what is uncontested, with everything told",
            "Handia pasoan, bat: Oeste eta Este; txikia pasoan, bat; erregeen duplak, eta seikoen "
            "parea, lau; berrogei puntuko jokoa, bi. Norte eta Sur, tantorik ez; Oeste eta Este, "
            "hamarreko bat eta hiru.",
        ),
        (
            "score near the end",
            "Norte eta Sur, zazpi hamarreko eta bat, barruan; Oeste eta Este, hamarreko "
            "bat eta bat.",
        ),
        ("a number in reply", "Bost gehiago, ala bost arte?"),
        ("is it refused", "Ez duzue nahi?"),
        ("a number that raises, or is bet at the next lance", "5 gehiago, ala 5 enbido txikira?"),
        (
            "an article is proposed",
            "5.3 artikulua: Oeste, pareak ukatuta, pareak eta ezezkoa besteentzat, Norte eta Sur. "
            "Aplikatuko da?",
        ),
        (
            "what is owed after two lances",
            "Handira, bost onartuta. Txikira, ezezkoagatik bat, jada idatzita: Norte eta Sur. "
            "Besterik ez.",
        ),
        (
            "log: passes that nobody said",
            "Oeste: paso (ulertzen da) | Sur: paso (ulertzen da) | Este: paso (ulertzen da) | "
            "Handia: pasoan | Oeste: 2 enbido txikira",
        ),
        (
            "juegos of three who play for themselves",
            "Jokoaren irabazlea: Luis. Jokoak: Luis bat, Ana zero, Eva bi.",
        ),
    ],
)
def test_a_case_is_told_in_basque(eu: Phrases, name: str, told: str) -> None:
    (case,) = (case for case in CASES if case.name == name)
    assert case.tell(eu) == told


DEAL: tuple[c.Call, ...] = (
    *(mus(1), corto(2), paso(1), envido(2, 5), quiero(1)),
    *(paso(1), paso(2), paso(3), paso(4)),
    *(c.Declare(seat=1), c.Declare(seat=2)),
    *(c.Declare(seat=3, holds=False), c.Declare(seat=4, holds=False)),
    *(envido(1), no_queremos(2)),
    *(c.Declare(seat=seat, holds=False) for seat in (1, 2, 3, 4)),
    *(paso(1), paso(2), envido(3), quiero(4)),
    *(cards(1, "RR54"), cards(2, "1167"), cards(3, "RC54"), cards(4, "S754")),
)
"""A plain deal: grande accepted, chica passed, pares refused, punto bet."""


def test_a_whole_deal_is_told_in_basque(eu: Phrases) -> None:
    aloud = Aloud(eu)
    told = [aloud.voice(call, Level.FULL) for call in DEAL]
    assert [text for text in told if text] == [
        "Musa moztuta: Oeste.",
        "Oeste: bost enbido handira.",
        "Norte: nahi du, bost handira.",
        "Parerik?",
        "Pareetara. Hitza: Norte.",
        "Norte: bi enbido pareetara.",
        "Bat: Norte eta Sur. Guztira, tanto bat. Jokorik?",
        "Inork ez du jokorik: puntura. Hitza: Norte.",
        "Sur: bi enbido puntura.",
        "Este: nahi du, bi puntura. Kartak erakutsi, Norte lehenik.",
        "Este, zure kartak.",
        "Handia, bost: Norte eta Sur. Txikia pasoan, bat: Oeste eta Este. Erregeen parea, bat: "
        "Norte eta Sur; puntua, enbidotik bi, eta bat gehiago. Norte eta Sur, bi hamarreko; Oeste "
        "eta Este, tanto bat.",
    ]
