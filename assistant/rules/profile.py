"""The house rules of a table. They travel in the first event of a game and never change in it.

Each house rule is one record: a field of ``Profile`` with its default, its values, its row of
docs/rules.md, its meaning, and what contradicts it. Whatever reads, writes or lists rules takes
them from ``OPTIONS``. The texts for players are in ``models/<lang>/options.toml``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from enum import StrEnum
from typing import Any

from assistant.rules.cards import Hand, Rank
from assistant.rules.errors import ProfileError, Translatable
from assistant.rules.values import (
    CARDS,
    LANGUAGE,
    LANGUAGES,
    OFF_OR_ONE,
    SWITCH,
    Values,
    from_to,
    numbers,
    one_of,
    value_text,
)

MAX_TARGET = 200
MAX_JUEGOS = 20
MAX_VACAS = 20


class Sides(StrEnum):
    """Who plays together (R56): two camps, seat by seat in turn, or each for himself."""

    TWO = "two"
    EACH = "each"


class Corrido(StrEnum):
    """When a mus corrido is played: without señas, and whoever cuts becomes mano (R06)."""

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
    """How the table deals with an irregularity: its article is proposed, applied, or ignored."""

    WARN = "warn"
    INTERPENAS = "interpenas"
    OFF = "off"


class Articles(StrEnum):
    """The regulations whose articles are cited for an irregularity (R47), or none."""

    OFF = "off"
    INTERPENAS = "interpenas"
    FFM = "ffm"


class Exposed(StrEnum):
    """What follows a card exposed in dealing (R08): a new deal, or a mus that nobody cuts.

    ``FIRST``: a new deal as long as nobody has changed cards; after a mus the game goes on.
    """

    REDEAL = "redeal"
    FIRST = "first"
    MUS = "mus"


class Senas(StrEnum):
    """Whose list of señas is taught (R58), or that nobody makes any.

    The assistant reads none at the table.
    """

    FEM = "fem"
    INTERPENAS = "interpenas"
    EUSKADI = "euskadi"
    OFF = "off"


KINGS = numbers("8|4", (4, 8), "8 or 4 kings, as in a deck of Mus")
STONES = numbers("1-", range(1, MAX_TARGET + 1), "1 stone or more")


# ---- The house rules, one record each ------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Never:
    """Settings that contradict each other: the reason, and a test whether a profile has them."""

    why: str
    when: Callable[[Profile], bool]


@dataclass(frozen=True, slots=True)
class HouseRule:
    """One option of a table.

    ``row`` is that of the rule table in docs/rules.md ("R21"; "" for a language). ``refusal`` is
    the English sentence for a call that this rule alone refuses; its code is the key, and
    ``models/<lang>/options.toml`` has its texts. It is "" where the rule refuses nothing, or with
    a common code.
    """

    key: str
    default: object
    values: Values
    row: str
    means: str
    never: tuple[Never, ...] = ()
    refusal: str = ""


def _rule(
    values: Values, row: str, means: str, *never: Never, refusal: str = ""
) -> Mapping[str, Any]:
    """What ``HouseRule`` says of a field of ``Profile``, beside its name and default."""
    return {"values": values, "row": row, "means": means, "never": never, "refusal": refusal}


@dataclass(frozen=True, slots=True)
class Profile:
    """House rules. Each default is the default column of the rule table."""

    kings: int = field(
        default=8,
        metadata=_rule(
            KINGS, "R01", "reyes in the deck: with 8, treses are reyes and doses are ases"
        ),
    )
    target: int = field(
        default=40,
        metadata=_rule(from_to(5, MAX_TARGET, "stones"), "R02", "stones that win a juego"),
    )
    juegos: int = field(
        default=3, metadata=_rule(from_to(1, MAX_JUEGOS, "juegos"), "R41", "juegos that win a vaca")
    )
    vacas: int = field(
        default=1, metadata=_rule(from_to(1, MAX_VACAS, "vacas"), "R41", "vacas that win the match")
    )
    sides: Sides = field(
        default=Sides.TWO,
        metadata=_rule(
            one_of(Sides),
            "R56",
            "two camps (2, 4 or 6 players), or each for himself (2 to 6)",
        ),
    )
    corrido: Corrido = field(
        default=Corrido.MATCH,
        metadata=_rule(one_of(Corrido), "R06", "where the first mus is run and the cutter is mano"),
    )
    order: Order = field(
        default=Order.FREE,
        metadata=_rule(one_of(Order), "R03", "whether one may cut and open a bet out of turn"),
    )
    mus_order: MusOrder = field(
        default=MusOrder.SEAT,
        metadata=_rule(
            one_of(MusOrder),
            "R03",
            "who is asked for mus after mano: next seat, or partner",
            Never(
                "who plays for himself has no partner to ask (sides=each).",
                lambda p: p.mus_order is MusOrder.PAIR and p.sides is Sides.EACH,
            ),
        ),
    )
    paso_cuts: bool = field(
        default=True, metadata=_rule(SWITCH, "R09", '"paso" while mus is talked of cuts it')
    )
    min_bet: int = field(
        default=2,
        metadata=_rule(
            STONES,
            "R21",
            "smallest first bet",
            Never("a first bet cannot be more than the target.", lambda p: p.min_bet > p.target),
            refusal="A first bet is larger.",
        ),
    )
    min_raise: int = field(
        default=1,
        metadata=_rule(
            STONES,
            "R21",
            "smallest raise",
            Never("a raise cannot be more than the target.", lambda p: p.min_raise > p.target),
            refusal="A raise is larger.",
        ),
    )
    bare_raise: BareRaise = field(
        default=BareRaise.ASK,
        metadata=_rule(
            one_of(BareRaise),
            "R22",
            "a number alone in reply: asked, that many more, up to it",
        ),
    )
    reenvido: ReenvidoIs = field(
        default=ReenvidoIs.DOUBLE,
        metadata=_rule(
            one_of(ReenvidoIs),
            "R23",
            '"reenvido": twice the bet (asked if it is not 2), or +2',
        ),
    )
    both: bool = field(
        default=True, metadata=_rule(SWITCH, "R55", '"a las dos" bets at grande and at chica')
    )
    auto_declare: bool = field(
        default=False, metadata=_rule(SWITCH, "R16", "whoever bets has it, who was silent has not")
    )
    answer: Answer = field(
        default=Answer.BOTH,
        metadata=_rule(
            one_of(Answer),
            "R35",
            'a "no quiero" waits for the partner, or binds the pair',
        ),
    )
    partner_conflict: PartnerConflict = field(
        default=PartnerConflict.HIGHEST,
        metadata=_rule(
            one_of(PartnerConflict),
            "R35",
            "of two bets by partners: the highest, or the rivals choose",
        ),
    )
    implicit_no: bool = field(
        default=False,
        metadata=_rule(
            SWITCH, "R36", "talking of the next lance refuses the bet; off: it is asked"
        ),
    )
    show_is_accept: bool = field(
        default=False,
        metadata=_rule(SWITCH, "R37", "showing cards during a bet accepts it; off: a warning"),
    )
    real31: Real31 = field(
        default=Real31.OFF,
        metadata=_rule(one_of(Real31), "R40", "three sevens and a ten that beat every 31"),
    )
    real31_cards: Hand = field(
        default=(),
        metadata=_rule(
            CARDS,
            "R40",
            "the four cards of real31=suits: So 7o 7c 7e",
            Never(
                "real31=suits needs real31_cards, and no other real31 has them.",
                lambda p: (p.real31 is Real31.SUITS) != bool(p.real31_cards),
            ),
            Never(
                "three sevens and a figure, each with its suit, as in 'So 7o 7c 7e'.",
                lambda p: bool(p.real31_cards) and not _is_real_of_suits(p.real31_cards),
            ),
        ),
    )
    pedrete: int = field(
        default=0,
        metadata=_rule(OFF_OR_ONE, "R54", "4-5-6-7 sung in the mus: one stone and new cards"),
    )
    adentro: bool = field(
        default=True, metadata=_rule(SWITCH, "R43", '"adentro" is said at five from the target')
    )
    late_claims: bool = field(
        default=False,
        metadata=_rule(
            SWITCH,
            "R45",
            "stones may be claimed after the next deal has begun",
            Never(
                "article 8.4 of penalty=interpenas closes them.",
                lambda p: p.late_claims and p.penalty is Penalty.INTERPENAS,
            ),
        ),
    )
    penalty: Penalty = field(
        default=Penalty.WARN,
        metadata=_rule(
            one_of(Penalty), "R47", "irregularities: proposed, applied, or not looked at"
        ),
    )
    articles: Articles = field(
        default=Articles.OFF,
        metadata=_rule(
            one_of(Articles),
            "R47",
            "the regulations whose articles are cited, by number and in their words",
            Never(
                "penalty=interpenas applies the articles of Interpeñas and cites no others.",
                lambda p: p.penalty is Penalty.INTERPENAS and p.articles is Articles.FFM,
            ),
        ),
    )
    exposed: Exposed = field(
        default=Exposed.REDEAL,
        metadata=_rule(
            one_of(Exposed),
            "R08",
            "a card exposed in dealing: dealt again (first: before a mus alone), or the mus is "
            "forced",
        ),
    )
    senas: Senas = field(
        default=Senas.FEM,
        metadata=_rule(one_of(Senas), "R58", "the señas that are taught; off: none"),
    )
    calls: tuple[str, ...] = field(
        default=("es",),
        metadata=_rule(
            LANGUAGES, "", "languages of the calls, joined: es+eu, iparralde, interpenas"
        ),
    )
    voice: str = field(
        default="es", metadata=_rule(LANGUAGE, "", "language of voice and screen: es, eu or en")
    )

    def __post_init__(self) -> None:
        for key, rule in OPTIONS.items():
            rule.values.check(key, getattr(self, key))
        for key, rule in OPTIONS.items():
            for never in rule.never:
                if never.when(self):
                    raise ProfileError(
                        Translatable(
                            "{key}={value}: {why}",
                            key=key,
                            value=value_text(getattr(self, key)),
                            why=never.why,
                        ),
                        key,
                    )


def _is_real_of_suits(cards: Hand) -> bool:
    ranks = [card.rank for card in cards]
    return ranks.count(Rank.SIETE) == 3 and len(cards) == 4 and all(card.suit for card in cards)


OPTIONS: dict[str, HouseRule] = {
    option.name: HouseRule(key=option.name, default=option.default, **option.metadata)
    for option in fields(Profile)
}
"""Every house rule by its key, in the order of the rule table."""


# ---- House rules as text and back ---------------------------------------------------------------


def profile_from(values: Mapping[str, object], base: Profile | None = None) -> Profile:
    """Build a profile from text or TOML values; missing rules are as in ``base``.

    Raises ProfileError, with the key, for an unknown key or a value that cannot be.
    """
    base = base or Profile()
    read = read_values(values)
    taken: dict[str, Any] = {key: read.get(key, getattr(base, key)) for key in OPTIONS}
    return Profile(**taken)


def read_values(values: Mapping[str, object]) -> dict[str, Any]:
    """Single rules from text or TOML, each checked by itself; together they may be impossible.

    Raises ProfileError, with the key, for an unknown key or a value that cannot be.
    """
    read: dict[str, Any] = {}
    for key, value in values.items():
        if key not in OPTIONS:
            *firsts, last = _alike(key) or [""]
            if firsts:
                alike = Translatable("{firsts} or {last}", firsts=", ".join(firsts), last=last)
                told = Translatable("Unknown rule {key!r}: is it {alike}?", key=key, alike=alike)
            elif last:
                told = Translatable("Unknown rule {key!r}: is it {alike}?", key=key, alike=last)
            else:
                known = ", ".join(sorted(OPTIONS))
                told = Translatable(
                    "Unknown rule {key!r}: is it one of {known}?", key=key, known=known
                )
            raise ProfileError(told, key)
        read[key] = OPTIONS[key].values.read(key, value)
        OPTIONS[key].values.check(key, read[key])
    return read


def _alike(unknown: str) -> list[str]:
    """The rules that may have been meant: spelt nearly so, or with the word in their meaning."""
    word = unknown.lower()
    near = get_close_matches(word, OPTIONS, n=2, cutoff=0.7)
    return near or [key for key, rule in OPTIONS.items() if word in rule.means.split()][:2]


def rules_of(profile: Profile) -> dict[str, str]:
    """Every rule as text, as ``profile_from`` reads it."""
    return {key: value_text(getattr(profile, key)) for key in OPTIONS}


def differences(profile: Profile, base: Profile | None = None) -> dict[str, str]:
    """The rules that are not those of ``base`` (the default table), as text."""
    plain = rules_of(base or Profile())
    return {key: text for key, text in rules_of(profile).items() if text != plain[key]}
