"""The practice game's own part: the virtual pack, and calls told in reasons. Pure."""

from assistant.school.practice.reasons import Advice, Pack, Reason, advice, changed, dealt, why

__all__ = ["Advice", "Pack", "Reason", "advice", "changed", "dealt", "why"]
