"""Judge people's clips by a first model: does the sound fit the text, and theta or s?

Texts of collected recordings come from file names. A clip whose loss is far above what the
model gives to others of its kind is wrong, cut or noise, and must not teach.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import torch

from . import batches, g2p, lfmmi
from .batches import Utterance
from .features import FeatureStore
from .net import Net

WORST_LOSS = 1.0
"""Loss a phone (nats, denominator less numerator) above which the text is not believed.

Clear speech lies between -4 and 0 with the model of the first round.
"""


@dataclass(frozen=True, slots=True)
class Judged:
    """The clips to train on, which speakers say s for theta, and how many were thrown out."""

    kept: list[Utterance]
    seseo: dict[str, bool]
    refused: int


def judge(net: Net, store: FeatureStore, bigram: lfmmi.Bigram) -> Judged:
    """Judge each clip by its first, light copy; the other copies share its fate."""
    copies = _copies(store)
    seseo = _seseo(net, store, bigram, [rows[0] for rows in copies])
    kept: list[Utterance] = []
    refused = 0
    for rows in copies:
        first = rows[0]
        known = store.transcripts[first].seseo
        says_s = seseo[store.transcripts[first].voice] if known is None else known
        probe = batches.utterance(store, first, says_s)
        if probe is None or _loss_a_phone(net, probe, bigram) > WORST_LOSS:
            refused += 1
            continue
        made = (batches.utterance(store, row, says_s) for row in rows)
        kept += [one for one in made if one is not None]
    silences = (i for i, row in enumerate(store.transcripts) if not row.text)
    quiet = (batches.utterance(store, index, False) for index in silences)
    return Judged(kept + [one for one in quiet if one is not None], seseo, refused)


def _copies(store: FeatureStore) -> list[list[int]]:
    """Return the indices of the copies of each clip of speech."""
    found = defaultdict(list)
    for index, row in enumerate(store.transcripts):
        if row.text:
            found[row.clip].append(index)
    return list(found.values())


def _seseo(
    net: Net, store: FeatureStore, bigram: lfmmi.Bigram, firsts: Sequence[int]
) -> dict[str, bool]:
    """Return, for each speaker, whether s fits most words better where Castilian has theta.

    Of a voice of which that is known nothing is asked.
    """
    balance: dict[str, int] = defaultdict(int)
    for index in firsts:
        row = store.transcripts[index]
        if row.seseo is not None:
            continue
        balance[row.voice] += 0
        if "T" not in {phone for word in row.text.split() for phone in g2p.phones_of(word)}:
            continue
        pair = [batches.utterance(store, index, says_s) for says_s in (False, True)]
        both = [one for one in pair if one is not None]
        if len(both) == 2:
            theta, s = _losses(net, both, bigram)
            balance[row.voice] += 1 if s < theta else -1
    return {voice: gain > 0 for voice, gain in balance.items()}


def _loss_a_phone(net: Net, one: Utterance, bigram: lfmmi.Bigram) -> float:
    return _losses(net, [one], bigram)[0] / one.optional.count(False)


def _losses(net: Net, group: Sequence[Utterance], bigram: lfmmi.Bigram) -> list[float]:
    """Return the loss of each utterance in nats."""
    net.eval()
    batch = batches.collate(group).to(net.device())
    with torch.no_grad():
        answers = net(batch.frames)
        each = lfmmi.losses(answers, batch.lengths, batch.transcripts, bigram.to(answers.device))
    values: list[float] = each.tolist()
    return values
