"""Any Spanish text as a prompt with which a reading can be compared."""

from __future__ import annotations

from assistant.ear.network import BaseNetwork
from assistant.speakers.enrolment import BETWEEN, Prompt, prompts_from

from . import g2p


def prompt_of(text: str, base: BaseNetwork) -> Prompt:
    """The text with its sounds in Castile and with seseo. Raises ValueError for foreign letters."""
    words = [g2p.phones_of(word) for word in text.lower().split()]
    ways = [[g2p.seseo(word) for word in words], words]
    sounds = [f" {BETWEEN} ".join(" ".join(word) for word in way) for way in ways]
    call = {"say": text, "sounds": list(dict.fromkeys(sounds))}
    return prompts_from({"calls": [call]}, base.phones)[0]
