"""The words that events explain themselves with: how a lance closed, what stones were won for."""

from __future__ import annotations

from enum import StrEnum

VOICE = "voice"
"""Why a seat was inferred, where no rule told it."""


class How(StrEnum):
    """How a lance was closed."""

    PASSED = "passed"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    UNCONTESTED = "uncontested"
    NOBODY = "nobody"
    ORDAGO = "ordago"
    VOID = "void"


class Why(StrEnum):
    """What stones were won for."""

    DEJE = "deje"
    PASO = "paso"
    BET = "bet"
    PARES = "pares"
    JUEGO = "juego"
    PUNTO = "punto"
    PENALTY = "penalty"


class WonBy(StrEnum):
    """What ended a juego."""

    TARGET = "target"
    ORDAGO = "ordago"


class Irregularity(StrEnum):
    """What goes wrong at a table and no shown card proves: somebody has to say it."""

    EXPOSED_CARD = "exposed_card"
    CARD_COUNT = "card_count"
    SAME_MANO = "same_mano"
    PEEKED = "peeked"
    IN_DECK = "in_deck"


OF_ONE = (Irregularity.CARD_COUNT, Irregularity.PEEKED, Irregularity.IN_DECK)
"""Irregularities that one player is named for."""


class Remedy(StrEnum):
    """What an article does about an irregularity (see ``penalties``)."""

    REDEAL = "redeal"
    OUT = "out"
    SHORT = "short"
    SING = "sing"
    DENIED = "denied"
    VOID = "void"
    NO_QUIERO = "no_quiero"
    LIMIT = "limit"
