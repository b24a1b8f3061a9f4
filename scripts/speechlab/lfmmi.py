"""Lattice-free MMI from a flat start: no alignments, one state a phone.

After Hadian, Sameti, Povey, Khudanpur (2018), "End-to-end speech recognition using lattice-free
MMI": the numerator sums over all alignments of the transcript with optional silence between words,
the denominator over all phone strings under a phone bigram.
"""

from dataclasses import dataclass

import torch
from torch.nn.functional import pad

_NEVER = -1e30


@dataclass(frozen=True, slots=True)
class Transcripts:
    """A batch of phone strings, padded: base phones, 1 where a silence may be skipped, lengths."""

    phones: torch.Tensor
    optional: torch.Tensor
    lengths: torch.Tensor

    def to(self, device: torch.device) -> "Transcripts":
        """Return the same on another device."""
        return Transcripts(
            self.phones.to(device), self.optional.to(device), self.lengths.to(device)
        )


@dataclass(frozen=True, slots=True)
class Bigram:
    """Log-probabilities of one base phone after another, shape (P, P), and of the first, (P,)."""

    follows: torch.Tensor
    begins: torch.Tensor

    def to(self, device: torch.device) -> "Bigram":
        """Return the same on another device."""
        return Bigram(self.follows.to(device), self.begins.to(device))


def denominator(answers: torch.Tensor, lengths: torch.Tensor, bigram: Bigram) -> torch.Tensor:
    """Return the log-sum over all phone strings, shape (batch,), of answers (batch, T, outputs)."""
    forward, loop = answers[:, :, 0::2], answers[:, :, 1::2]
    peak = answers.amax(2, keepdim=True).detach()
    forward, loop, steps = (forward - peak).exp(), (loop - peak).exp(), bigram.follows.exp()
    alpha = bigram.begins.exp() * forward[:, 0]
    scale = alpha.sum(1)
    alpha, total = alpha / scale[:, None], scale.log() + peak[:, 0, 0]
    for time in range(1, answers.shape[1]):
        stepped = (alpha @ steps) * forward[:, time] + alpha * loop[:, time]
        scale = stepped.sum(1)
        alive = time < lengths
        total = total + torch.where(alive, scale.log() + peak[:, time, 0], torch.zeros_like(scale))
        alpha = torch.where(alive[:, None], stepped / scale[:, None], alpha)
    return total


def numerator(
    answers: torch.Tensor, lengths: torch.Tensor, transcripts: Transcripts
) -> torch.Tensor:
    """Return the log-sum over all alignments of each transcript, shape (batch,)."""
    batch, times, _ = answers.shape
    states = transcripts.phones.shape[1]
    pick = (2 * transcripts.phones)[:, None, :].expand(batch, times, states)
    forward, loop = answers.gather(2, pick), answers.gather(2, pick + 1)
    skips = torch.full((batch, states), _NEVER, device=answers.device)
    skips[:, 2:] = torch.where(transcripts.optional[:, 1:-1] > 0, 0.0, _NEVER)
    alpha = torch.full((batch, states), _NEVER, device=answers.device)
    alpha[:, :2] = 0.0
    alpha = alpha + forward[:, 0]
    for time in range(1, times):
        stepped = pad(alpha[:, :-1], (1, 0), value=_NEVER)
        skipped = pad(alpha[:, :-2], (2, 0), value=_NEVER) + skips
        entered = torch.logaddexp(stepped, skipped) + forward[:, time]
        moved = torch.logaddexp(entered, alpha + loop[:, time])
        alpha = torch.where((time < lengths)[:, None], moved, alpha)
    ends = torch.stack([transcripts.lengths - 1, transcripts.lengths - 2], 1)
    return torch.logsumexp(alpha.gather(1, ends), 1)


def losses(
    answers: torch.Tensor, lengths: torch.Tensor, transcripts: Transcripts, bigram: Bigram
) -> torch.Tensor:
    """Return the loss of each utterance, shape (batch,): denominator less numerator."""
    answers = answers.float()
    return denominator(answers, lengths, bigram) - numerator(answers, lengths, transcripts)
