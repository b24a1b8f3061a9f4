"""The practice game's own part: the virtual pack, and calls told in reasons. Pure."""

from assistant.school.practice.reasons import Pack, Reason, changed, dealt, why

__all__ = ["Pack", "Reason", "changed", "dealt", "why"]
