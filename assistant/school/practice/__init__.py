"""The practice game's pure part: the virtual pack of cards, and the reasons for calls."""

from assistant.school.practice.reasons import Pack, Reason, changed, dealt, why

__all__ = ["Pack", "Reason", "changed", "dealt", "why"]
