"""The recipe of the shipped model: amounts of each source, rounds, and the network's size."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from . import text_voices

SENTENCES: dict[str, int] = {
    "it_lp": 275, "it_pc": 275, "cz_dita": 250, "cz_krb": 250, "cz_machac": 250, "cz_ph": 250,
    "fi_lj": 250, "fi_mv": 300, "hi_nsk": 175, "te_nsk": 175, "mr_nsk": 175, "en_kal": 100,
    "en_ked": 100, "ca_ona": 300, text_voices.PICO: 650, "espeak": 1250,
}  # fmt: skip
"""Sentences per voice in one of the first parts; espeak's variants count as one voice."""

MORE_SENTENCES: dict[str, int] = {
    "pico_it": 600, "pico_fr": 500, "pico_de": 550, "pico_gb": 300, "pico_us": 350,
    "flite_awb": 300, "flite_rms": 300, "us_slt": 150, "en_kal": 50, "en_ked": 50,
}  # fmt: skip
"""The same in one of the last parts: voices that came later and say less of Spanish."""

PARTS, MORE_PARTS, TABLE_PARTS = 12, 4, 4
"""The synthetic speech is made in parts, so that training can begin on the first. The last parts
are what a table says: hands, and each wording of the lexicon (table_sentences.py)."""

TABLE_SHARE = 6
"""Each voice says this many times less in one of these than in one of the others."""

NEURAL_PARTS, NEURAL_SENTENCES = 90, 300
"""The speech of neural voices: nine hours, in parts of six minutes."""

NEURAL_TABLE_PARTS = 4
"""The same of what a table says."""

COPIES = 2
"""Augmented copies of each synthetic clip: one light, one heavy (see augment.py)."""

HUMAN_COPIES, READERS_COPIES = 10, 4
"""Augmented copies of each human clip, because people are few and every one counts. People who
describe pictures in another language count for less."""

SILENT_CLIPS = 300
"""Clips of noise and knocks alone, per part and copy: they teach the silence model."""


@dataclass(frozen=True, slots=True)
class Round:
    """A stretch of training: its steps, peak learning rate and synthetic parts.

    It counts steps and not minutes, so that the same seed makes the same network on any machine of
    a kind. `people` are parts whose texts are judged before they train. `human_repeats` is how
    often an epoch has each copy of a person's or a neural voice's clip, except for those who
    describe pictures. `noise` and `talk` are the shares of utterances that get noise, or people who
    talk, behind them anew at every step. The network is kept apart every `keep_every` steps; 0
    means never.
    """

    steps: int
    rate: float
    parts: tuple[str, ...]
    dropout: float = 0.1
    people: tuple[str, ...] = ()
    human_repeats: int = 1
    noise: float = 0.0
    talk: float = 0.0
    keep_every: int = 0


@dataclass(frozen=True, slots=True)
class NetSize:
    """Widths of the network: the first layer, the others."""

    first: int = 192
    hidden: int = 384


SIZES = {"small": NetSize(), "large": NetSize(first=256, hidden=640)}
"""Networks of 2.2 and of 5.9 million weights."""

TABLE = "table"
TABLE_NAMES = tuple(f"{TABLE}-{number}" for number in range(1, TABLE_PARTS + 1))
MIXED_NAMES = tuple(str(number) for number in range(1, PARTS + MORE_PARTS + 1))
ALL_PARTS = (*MIXED_NAMES, *TABLE_NAMES)
FIRST_PARTS = ALL_PARTS[:PARTS]
NEURAL_NAMES = tuple(f"neural-{number}" for number in range(1, NEURAL_PARTS + 1))
NEURAL_TABLE = tuple(f"neural-{TABLE}-{number}" for number in range(1, NEURAL_TABLE_PARTS + 1))
RUSSIAN, READERS = "russian", "readers"
PEOPLE_PARTS = ("human", "packaged", "neighbours", READERS)
"""People whose texts are judged first: recordings in a folder, and those in Debian's packages."""

JUDGED_PARTS = (*PEOPLE_PARTS, *NEURAL_NAMES, *NEURAL_TABLE)
"""Parts whose texts are judged: a neural voice, too, may say something else than it was given."""

PART_NAMES = (*MIXED_NAMES, RUSSIAN, *JUDGED_PARTS, *TABLE_NAMES)
ROUNDS = (
    Round(2_000, 1.5e-3, FIRST_PARTS[:2]),
    Round(
        22_000, 1.5e-3, (*ALL_PARTS, RUSSIAN), people=JUDGED_PARTS, human_repeats=2, dropout=0.15,
        noise=0.4, talk=0.25,
    ),
    Round(
        15_000, 1.0e-3, (*ALL_PARTS, RUSSIAN), people=JUDGED_PARTS, human_repeats=2, dropout=0.2,
        noise=0.4, talk=0.25,
    ),
)  # fmt: skip
"""The first learns enough to judge what people are said to say; the others learn from all, the last
from a fresh start of the learning rate and with more dropped out."""


GOING_ON_RATE = 4e-5
"""The learning rate of a run that goes on. Its norms are kept, so nothing makes its weights free of
scale: six times the rate undoes in 1,500 steps what 37,000 have learnt (docs/speech-model.md)."""


def going_on(parts: Sequence[str], rate: float | None = None) -> Round:
    """Return the only round of a run that goes on from a finished network, with these parts."""
    return Round(
        9_000, rate or GOING_ON_RATE, (*parts, RUSSIAN), people=JUDGED_PARTS, human_repeats=2,
        dropout=0.15, noise=0.4, talk=0.3, keep_every=3000,
    )  # fmt: skip


def copies(part: str, most: int = HUMAN_COPIES) -> int:
    """Return the number of augmented copies of each clip of a part; of people's at most `most`."""
    if part in PEOPLE_PARTS:
        return min(most, READERS_COPIES if part == READERS else HUMAN_COPIES)
    return COPIES


def repeats(part: str, human_repeats: int) -> int:
    """Return how often an epoch has each copy of a judged part.

    Clips of people who describe pictures in another language are not repeated, because they say no
    Spanish.
    """
    return 1 if part == READERS else human_repeats


def sentences(part: str) -> dict[str, int]:
    """Return the number of sentences that each voice says in a part of the synthetic speech."""
    if part in TABLE_NAMES:
        every = Counter(SENTENCES) + Counter(MORE_SENTENCES)
        return {voice: round(count / TABLE_SHARE) for voice, count in every.items()}
    return SENTENCES if part in FIRST_PARTS else MORE_SENTENCES


def neural(parts: int | None) -> tuple[str, ...]:
    """Return the parts that neural voices say: this many mixed ones, and a table's; none for 0."""
    return (*NEURAL_NAMES[:parts], *NEURAL_TABLE) if parts != 0 else ()


def is_of_a_table(part: str) -> bool:
    """Tell whether a part holds only what a table says."""
    return TABLE in part
