"""The house rules of a table. They travel in the first event of a game and never change in it.

Every option of the rule table is one field; ``OPTIONS`` tells what each means, and is what the
pages, the scripts and the profile files are checked against.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from enum import StrEnum
from typing import Any

from assistant.rules.cards import Hand, Rank, parse_hand
from assistant.rules.errors import CardError, ProfileError

MAX_TARGET = 200
MAX_JUEGOS = 20
MAX_VACAS = 20
MAX_LANGUAGES = 4


class Sides(StrEnum):
    """Who plays together (R56): two camps, seat by seat in turn, or each for himself."""

    TWO = "two"
    EACH = "each"


class Corrido(StrEnum):
    """When the mus is run without señas, and whoever cuts becomes mano (R06)."""

    OFF = "off"
    MATCH = "match"
    VACA = "vaca"
    JUEGO = "juego"


class Order(StrEnum):
    """Whether one may cut and bet out of turn (R03)."""

    FREE = "free"
    STRICT = "strict"


class MusOrder(StrEnum):
    """Who is asked for mus after mano: the next seat, or mano's partner (R03)."""

    SEAT = "seat"
    PAIR = "pair"


class BareRaise(StrEnum):
    """What a number alone means in reply to a bet (R22)."""

    ASK = "ask"
    BY = "by"
    TO = "to"


class ReenvidoIs(StrEnum):
    """What "reenvido" does to a bet (R23)."""

    DOUBLE = "double"
    PLUS2 = "plus2"


class Answer(StrEnum):
    """Whose "no quiero" refuses a bet: both partners', or that of any one of them (R35)."""

    BOTH = "both"
    ANY = "any"


class PartnerConflict(StrEnum):
    """Which of two bets by partners stands (R35): the highest, or the one the rivals choose."""

    HIGHEST = "highest"
    RIVALS_CHOOSE = "rivals_choose"


class Real31(StrEnum):
    """Which three sevens and a ten beat every other 31, in any seat (R40)."""

    OFF = "off"
    SOTA = "sota"
    FIGURA = "figura"
    SUITS = "suits"


class Penalty(StrEnum):
    """What becomes of an irregularity: proposed to the table, applied by the article, or not."""

    WARN = "warn"
    INTERPENAS = "interpenas"
    OFF = "off"


class Exposed(StrEnum):
    """What a card exposed in dealing brings (R08): a new deal, or a mus that nobody cuts."""

    REDEAL = "redeal"
    MUS = "mus"


class Senas(StrEnum):
    """Whose list of señas is taught (R58); nobody reads them at the table."""

    FEM = "fem"
    INTERPENAS = "interpenas"
    EUSKADI = "euskadi"


@dataclass(frozen=True, slots=True)
class Profile:
    """House rules; each default is the default column of the rule table. See ``OPTIONS``."""

    kings: int = 8
    target: int = 40
    juegos: int = 3
    vacas: int = 1
    sides: Sides = Sides.TWO
    corrido: Corrido = Corrido.MATCH
    order: Order = Order.FREE
    mus_order: MusOrder = MusOrder.SEAT
    paso_cuts: bool = True
    min_bet: int = 2
    min_raise: int = 1
    bare_raise: BareRaise = BareRaise.ASK
    reenvido: ReenvidoIs = ReenvidoIs.DOUBLE
    both: bool = True
    auto_declare: bool = False
    answer: Answer = Answer.BOTH
    partner_conflict: PartnerConflict = PartnerConflict.HIGHEST
    implicit_no: bool = False
    show_is_accept: bool = False
    real31: Real31 = Real31.OFF
    real31_cards: Hand = ()
    pedrete: int = 0
    adentro: bool = True
    late_claims: bool = False
    penalty: Penalty = Penalty.WARN
    exposed: Exposed = Exposed.REDEAL
    senas: Senas = Senas.FEM
    calls: tuple[str, ...] = ("es",)
    voice: str = "es"

    def __post_init__(self) -> None:
        _check_range("kings", self.kings, (4, 8), "a deck of Mus has 8 or 4 kings")
        _check_range("target", self.target, range(5, MAX_TARGET + 1), f"5 to {MAX_TARGET} stones")
        _check_range("juegos", self.juegos, range(1, MAX_JUEGOS + 1), f"1 to {MAX_JUEGOS} juegos")
        _check_range("vacas", self.vacas, range(1, MAX_VACAS + 1), f"1 to {MAX_VACAS} vacas")
        _check_range("min_bet", self.min_bet, range(1, MAX_TARGET + 1), "1 stone or more")
        _check_range("min_raise", self.min_raise, range(1, MAX_TARGET + 1), "1 stone or more")
        _check_range("pedrete", self.pedrete, (0, 1), "off, or 1 stone")
        _check_languages(self)
        for key, wrong, message in _contradictions(self):
            if wrong:
                raise ProfileError(f"{key}={_text(getattr(self, key))}: {message}", key)


def _check_range(key: str, value: int, allowed: range | tuple[int, ...], meaning: str) -> None:
    if value not in allowed:
        raise ProfileError(f"{key}={value}: choose {meaning}.", key)


def _check_languages(profile: Profile) -> None:
    for key, codes in (("calls", profile.calls), ("voice", (profile.voice,))):
        plain = all(code.replace("-", "").isalnum() and code.isascii() for code in codes)
        if not plain or not 1 <= len(codes) <= MAX_LANGUAGES or len(set(codes)) != len(codes):
            raise ProfileError(f"{key}={_text(codes)}: name a language, as in 'es' or 'eu'.", key)


def _contradictions(p: Profile) -> tuple[tuple[str, bool, str], ...]:
    """Settings that cannot be true together: the key to look at, whether, and why."""
    suits = p.real31 is Real31.SUITS
    return (
        ("min_bet", p.min_bet > p.target, "a first bet cannot be more than the target."),
        ("min_raise", p.min_raise > p.target, "a raise cannot be more than the target."),
        (
            "real31_cards",
            suits != bool(p.real31_cards),
            "real31=suits needs real31_cards, and no other real31 has them.",
        ),
        (
            "real31_cards",
            suits and bool(p.real31_cards) and not _is_real_of_suits(p.real31_cards),
            "three sevens and a figure, each with its suit, as in 'So 7o 7c 7e'.",
        ),
        (
            "mus_order",
            p.mus_order is MusOrder.PAIR and p.sides is Sides.EACH,
            "who plays for himself has no partner to ask (sides=each).",
        ),
        (
            "late_claims",
            p.late_claims and p.penalty is Penalty.INTERPENAS,
            "article 8.4 of penalty=interpenas closes them.",
        ),
    )


def _is_real_of_suits(cards: Hand) -> bool:
    ranks = [card.rank for card in cards]
    return ranks.count(Rank.SIETE) == 3 and len(cards) == 4 and all(card.suit for card in cards)


def profile_from(values: Mapping[str, object], base: Profile | None = None) -> Profile:
    """Build a profile from text or TOML values; what is left out is as in ``base``.

    Raises ProfileError, with the key, for an unknown key or a value that cannot be.
    """
    base = base or Profile()
    known = {field.name for field in fields(Profile)}
    for key in values:
        if key not in known:
            meant = " or ".join(_alike(key)) or f"one of {', '.join(sorted(known))}"
            raise ProfileError(f"Unknown rule {key!r}: is it {meant}?", key)
    taken: dict[str, Any] = {
        name: _READERS[name](name, values[name]) if name in values else getattr(base, name)
        for name in known
    }
    return Profile(**taken)


def _alike(unknown: str) -> list[str]:
    """The rules that somebody may have meant: written nearly so, or about that very thing."""
    word = unknown.lower()
    near = get_close_matches(word, OPTIONS, n=2, cutoff=0.7)
    return near or [key for key, (_, _, about) in OPTIONS.items() if word in about.split()][:2]


def rules_of(profile: Profile) -> dict[str, str]:
    """Every rule as text, as ``profile_from`` reads it."""
    return {field.name: _text(getattr(profile, field.name)) for field in fields(Profile)}


def differences(profile: Profile, base: Profile | None = None) -> dict[str, str]:
    """The rules that are not those of ``base`` (the default table), as text."""
    plain = rules_of(base or Profile())
    return {key: text for key, text in rules_of(profile).items() if text != plain[key]}


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return "+".join(map(str, value)) or "off"
    return str(value)


Reader = Callable[[str, object], Any]


def _number(key: str, value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 6:
        return int(value)
    raise ProfileError(f"{key}={value}: a whole number is needed.", key)


def _off_or_number(key: str, value: object) -> int:
    return 0 if value in ("off", False) else _number(key, value)


def _switch(key: str, value: object) -> bool:
    match value:
        case True | "on" | "true" | "yes":
            return True
        case False | "off" | "false" | "no":
            return False
    raise ProfileError(f"{key}={value}: choose on or off.", key)


def _choice(kind: type[StrEnum]) -> Reader:
    def read(key: str, value: object) -> StrEnum:
        try:
            return kind(str(value))
        except ValueError:
            raise ProfileError(f"{key}={value}: choose one of {', '.join(kind)}.", key) from None

    return read


def _cards(key: str, value: object) -> Hand:
    text = str(value).replace("+", " ")
    if text == "off":
        return ()
    try:
        return parse_hand(text)
    except CardError as error:
        raise ProfileError(f"{key}={value}: {error}", key) from None


def _codes(_key: str, value: object) -> tuple[str, ...]:
    parts = list(value) if isinstance(value, list | tuple) else str(value).split("+")
    return tuple(str(part).strip() for part in parts)


def _code(_key: str, value: object) -> str:
    return str(value)


_READERS: dict[str, Reader] = {
    "kings": _number,
    "target": _number,
    "juegos": _number,
    "vacas": _number,
    "sides": _choice(Sides),
    "corrido": _choice(Corrido),
    "order": _choice(Order),
    "mus_order": _choice(MusOrder),
    "paso_cuts": _switch,
    "min_bet": _number,
    "min_raise": _number,
    "bare_raise": _choice(BareRaise),
    "reenvido": _choice(ReenvidoIs),
    "both": _switch,
    "auto_declare": _switch,
    "answer": _choice(Answer),
    "partner_conflict": _choice(PartnerConflict),
    "implicit_no": _switch,
    "show_is_accept": _switch,
    "real31": _choice(Real31),
    "real31_cards": _cards,
    "pedrete": _off_or_number,
    "adentro": _switch,
    "late_claims": _switch,
    "penalty": _choice(Penalty),
    "exposed": _choice(Exposed),
    "senas": _choice(Senas),
    "calls": _codes,
    "voice": _code,
}

OPTIONS: dict[str, tuple[str, str, str]] = {
    "kings": ("8|4", "R01", "reyes in the deck: with 8, treses are reyes and doses are ases"),
    "target": ("5-200", "R02", "stones that win a juego"),
    "juegos": ("1-20", "R41", "juegos that win a vaca"),
    "vacas": ("1-20", "R41", "vacas that win the match"),
    "sides": ("two|each", "R56", "two camps (2, 4 or 6 players), or each for himself (2 to 6)"),
    "corrido": ("off|match|vaca|juego", "R06", "where the first mus is run and the cutter is mano"),
    "order": ("free|strict", "R03", "whether one may cut and open a bet out of turn"),
    "mus_order": ("seat|pair", "R03", "who is asked for mus after mano: next seat, or partner"),
    "paso_cuts": ("on|off", "R09", '"paso" while mus is talked of cuts it'),
    "min_bet": ("1-", "R21", "smallest first bet"),
    "min_raise": ("1-", "R21", "smallest raise"),
    "bare_raise": ("ask|by|to", "R22", "a number alone in reply: asked, that many more, up to it"),
    "reenvido": ("double|plus2", "R23", '"reenvido": twice the bet (asked if it is not 2), or +2'),
    "both": ("on|off", "R55", '"a las dos" bets at grande and at chica'),
    "auto_declare": ("on|off", "R16", "whoever bets has it, who was silent has not"),
    "answer": ("both|any", "R35", 'a "no quiero" waits for the partner, or binds the pair'),
    "partner_conflict": (
        "highest|rivals_choose",
        "R35",
        "of two bets by partners: the highest, or the rivals choose",
    ),
    "implicit_no": ("on|off", "R36", "talking of the next lance refuses the bet; off: it is asked"),
    "show_is_accept": ("on|off", "R37", "showing cards during a bet accepts it; off: a warning"),
    "real31": ("off|sota|figura|suits", "R40", "three sevens and a ten that beat every 31"),
    "real31_cards": ("cards", "R40", "the four cards of real31=suits: So 7o 7c 7e"),
    "pedrete": ("off|1", "R54", "4-5-6-7 sung in the mus: one stone and new cards"),
    "adentro": ("on|off", "R43", '"adentro" is said at five from the target'),
    "late_claims": ("on|off", "R45", "stones may be claimed after the next deal has begun"),
    "penalty": (
        "warn|interpenas|off",
        "R47",
        "irregularities: proposed, applied, or not looked at",
    ),
    "exposed": (
        "redeal|mus",
        "R08",
        "a card exposed in dealing: dealt again, or the mus is forced",
    ),
    "senas": ("fem|interpenas|euskadi", "R58", "the señas that are taught"),
    "calls": (
        "languages",
        "",
        "languages of the calls, joined: es+eu, iparralde, interpenas",
    ),
    "voice": ("language", "", "language of voice and screen: es, eu or en"),
}
"""Key -> the values it takes, its row in the rule table, and what it means."""
