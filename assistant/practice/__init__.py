"""The practice game's own part: the virtual pack, and calls told in reasons. Pure."""

from assistant.practice.pack import Pack, changed, dealt
from assistant.practice.reasons import Advice, Reason, advice, why

__all__ = ["Advice", "Pack", "Reason", "advice", "changed", "dealt", "why"]
