"""The numbers of phones, outputs and transitions in network, graph and model file.

Words are spelled in phones that know their place in the word (a_B begins, a_I inside, a_E ends, a_S
alone), so that Vosk can time words. The network knows only the base phone. Each base phone has two
outputs: its first frame (forward) and its further frames (self-loop), which is the chain topology
with one state of Povey et al. (2016).
"""

from collections.abc import Sequence

from . import g2p

SIL = "SIL"
BASES: tuple[str, ...] = (SIL, *g2p.PHONES)
INDEX = {phone: index for index, phone in enumerate(BASES)}
OUTPUTS = 2 * len(BASES)

PLACES = ("_B", "_E", "_I", "_S")
POSITIONED: tuple[str, ...] = (SIL, *(p + place for p in g2p.PHONES for place in PLACES))
PHONE_ID = {phone: index + 1 for index, phone in enumerate(POSITIONED)}
TRANSITIONS = 2 * len(POSITIONED)


def base_of(positioned: str) -> int:
    """Return the index of the base phone of `positioned`."""
    return INDEX[positioned if positioned == SIL else positioned[:-2]]


def forward_output(base: int) -> int:
    """Return the network's output for the first frame of a base phone."""
    return 2 * base


def loop_output(base: int) -> int:
    """Return the network's output for each further frame of a base phone."""
    return 2 * base + 1


def loop_transition(phone_id: int) -> int:
    """Return Kaldi's transition id for staying in a phone."""
    return 2 * phone_id - 1


def forward_transition(phone_id: int) -> int:
    """Return Kaldi's transition id for entering (and leaving) a phone."""
    return 2 * phone_id


def in_word(phones: Sequence[str]) -> tuple[str, ...]:
    """Mark each phone of a word with its place."""
    if len(phones) == 1:
        return (phones[0] + "_S",)
    inside = (phone + "_I" for phone in phones[1:-1])
    return (phones[0] + "_B", *inside, phones[-1] + "_E")
