"""Judgement of people's clips by a first model: does the sound fit the text, and theta or s?

The texts of collected recordings come from file names. If a clip's loss is far above what the model
gives to others of its kind, the clip is wrong, cut or noise, and must not teach.
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


_AT_ONCE = 64
"""Utterances that the network answers for together."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The clips to train on, which speakers say s for theta, and how many were thrown out."""

    kept: list[Utterance]
    seseo: dict[str, bool]
    refused: int


def judge(net: Net, store: FeatureStore, bigram: lfmmi.Bigram) -> Judged:
    """Judge each clip by its first, light copy. Its other copies share the result."""
    copies = _copies(store)
    seseo = _seseo(net, store, bigram, [rows[0] for rows in copies])
    says_s = []
    for rows in copies:
        first = store.transcripts[rows[0]]
        says_s.append(seseo[first.voice] if first.seseo is None else first.seseo)
    probes = [batches.utterance(store, rows[0], s) for rows, s in zip(copies, says_s, strict=True)]
    losses = dict(zip(_present(probes), _losses(net, _present(probes), bigram), strict=True))
    kept: list[Utterance] = []
    refused = 0
    for rows, s, probe in zip(copies, says_s, probes, strict=True):
        if probe is None or losses[probe] / probe.optional.count(False) > WORST_LOSS:
            refused += 1
            continue
        kept += _present([batches.utterance(store, row, s) for row in rows])
    silences = (index for index, row in enumerate(store.transcripts) if not row.text)
    kept += _present([batches.utterance(store, index, False) for index in silences])
    return Judged(kept, seseo, refused)


def _present(made: Sequence[Utterance | None]) -> list[Utterance]:
    return [one for one in made if one is not None]


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
    """Return, for each speaker, whether s fits most words better in place of Castilian theta.

    A voice for which this is known is not judged.
    """
    balance: dict[str, int] = defaultdict(int)
    pairs: list[Utterance] = []
    for index in firsts:
        row = store.transcripts[index]
        if row.seseo is not None:
            continue
        balance[row.voice] += 0
        if "T" in {phone for word in row.text.split() for phone in g2p.phones_of(word)}:
            pair = [batches.utterance(store, index, says_s) for says_s in (False, True)]
            pairs += _present(pair) if None not in pair else []
    losses = _losses(net, pairs, bigram)
    for one, theta, s in zip(pairs[::2], losses[::2], losses[1::2], strict=True):
        balance[one.voice] += 1 if s < theta else -1
    return {voice: gain > 0 for voice, gain in balance.items()}


def _losses(net: Net, all_of_them: Sequence[Utterance], bigram: lfmmi.Bigram) -> list[float]:
    """Return the loss of each utterance in nats. Those of similar length are computed together."""
    net.eval()
    losses = [0.0] * len(all_of_them)
    in_order = sorted(range(len(all_of_them)), key=lambda at: all_of_them[at].frames)
    for start in range(0, len(in_order), _AT_ONCE):
        places = in_order[start : start + _AT_ONCE]
        batch = batches.collate([all_of_them[at] for at in places]).to(net.device())
        with torch.no_grad():
            answers = net(batch.frames)
            of_bigram = bigram.to(answers.device)
            each = lfmmi.losses(answers, batch.lengths, batch.transcripts, of_bigram)
        for at, loss in zip(places, each.tolist(), strict=True):
            losses[at] = loss
    return losses
