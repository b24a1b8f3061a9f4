"""Exact odds: the chances of each lance, and what a call brings on the average.

Pure numbers, by enumeration over multisets of ranks: no dice, no clock, no files.
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
