"""Exact odds: the chances of each lance, and the average stones that a call brings.

They come from enumerating multisets of ranks, without random numbers, clock or files.
"""

from assistant.odds.deck import OddsError
from assistant.odds.rivals import Known, LanceChance
from assistant.odds.stones import Assumptions, CallWorth, StakesSaid, chances, expected

__all__ = [
    "Assumptions",
    "CallWorth",
    "Known",
    "LanceChance",
    "OddsError",
    "StakesSaid",
    "chances",
    "expected",
]
