"""The loss of lattice-free MMI from a flat start: no alignments, and one state for each phone.

After Hadian, Sameti, Povey, Khudanpur (2018), "End-to-end speech recognition using lattice-free
MMI": the numerator sums over all alignments of the transcript with optional silence between words,
and the denominator over all phone strings under a phone bigram.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

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
    return _run(_Denominator, answers, lengths, bigram)


def numerator(
    answers: torch.Tensor, lengths: torch.Tensor, transcripts: Transcripts
) -> torch.Tensor:
    """Return the log-sum over all alignments of each transcript, shape (batch,)."""
    return _run(_Numerator, answers, lengths, transcripts)


def _run(function: type[torch.autograd.Function], *inputs: object) -> torch.Tensor:
    """Call a function that has its own gradient, because torch gives its ``apply`` no types."""
    apply: Callable[..., torch.Tensor] = function.apply
    return apply(*inputs)


class _Denominator(torch.autograd.Function):
    """Forward-backward over all phones, with every moment scaled to a sum of one (Rabiner 1989).

    The gradient of the log-sum is the probability of each output. It is written down here, because
    recording thousands of small steps would take an eighth of the time of training.
    """

    @staticmethod
    def forward(
        ctx: Any, answers: torch.Tensor, lengths: torch.Tensor, bigram: Bigram
    ) -> torch.Tensor:
        heard = answers.detach().transpose(0, 1)
        peak = heard.amax(2)
        emitted = (heard - peak[:, :, None]).exp()
        enter, stay = emitted[..., 0::2].contiguous(), emitted[..., 1::2].contiguous()
        steps = bigram.follows.exp()
        alpha, arrived, scale = (
            torch.empty_like(enter),
            torch.empty_like(enter),
            enter.new_ones(enter.shape[:2]),
        )
        arrived[0] = bigram.begins.exp()
        for time in range(len(enter)):
            if time:
                torch.mm(alpha[time - 1], steps, out=arrived[time])
            now = arrived[time] * enter[time]
            if time:
                now += alpha[time - 1] * stay[time]
            scale[time] = now.sum(1)
            torch.div(now, scale[time, :, None], out=alpha[time])
        alive = torch.arange(len(enter), device=lengths.device)[:, None] < lengths
        ctx.save_for_backward(enter, stay, steps, alpha, arrived, scale, lengths)
        return ((scale.log() + peak) * alive).sum(0)

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor) -> tuple[torch.Tensor, None, None]:
        enter, stay, steps, alpha, arrived, scale, lengths = ctx.saved_tensors
        beta = torch.ones_like(alpha)
        entered, stayed, back = enter / scale[..., None], stay / scale[..., None], steps.T
        going = torch.arange(1, len(alpha), device=lengths.device)[:, None, None] < lengths[:, None]
        for time in range(len(alpha) - 1, 0, -1):
            before = (entered[time] * beta[time]) @ back + stayed[time] * beta[time]
            beta[time - 1] = torch.where(going[time - 1], before, 1.0)
        share = alpha.new_zeros(*alpha.shape[:2], 2 * alpha.shape[2])
        share[..., 0::2] = arrived * entered * beta
        share[1:, :, 1::2] = alpha[:-1] * stayed[1:] * beta[1:]
        share *= torch.arange(len(alpha), device=lengths.device)[:, None, None] < lengths[:, None]
        return share.transpose(0, 1) * grads[0][:, None, None], None, None


class _Numerator(torch.autograd.Function):
    """Forward-backward over the alignments of a transcript, in logarithms.

    Nothing is scaled away, because a path far behind the others may be the only one that ends well.
    """

    @staticmethod
    def forward(
        ctx: Any, answers: torch.Tensor, lengths: torch.Tensor, transcripts: Transcripts
    ) -> torch.Tensor:
        heard = answers.detach()
        (batch, times, _), states = heard.shape, transcripts.phones.shape[1]
        pick = (2 * transcripts.phones)[:, None, :].expand(batch, times, states)
        enter = heard.gather(2, pick).transpose(0, 1).contiguous()
        stay = heard.gather(2, pick + 1).transpose(0, 1).contiguous()
        skips = heard.new_full((batch, states), _NEVER)
        skips[:, 2:] = torch.where(transcripts.optional[:, 1:-1] > 0, 0.0, _NEVER)
        alpha = heard.new_full((times, batch, states + 2), _NEVER)  # two states before the first
        alpha[0, :, 2:4] = enter[0, :, :2]
        for time in range(1, times):
            last = alpha[time - 1]
            arrived = torch.logaddexp(last[:, 1:-1], last[:, :-2] + skips).add_(enter[time])
            torch.logaddexp(arrived, last[:, 2:] + stay[time], out=alpha[time, :, 2:])
        ends = torch.stack([transcripts.lengths - 1, transcripts.lengths - 2], 1)
        rows = torch.arange(batch, device=heard.device)
        total = torch.logsumexp(alpha[lengths - 1, rows, 2:].gather(1, ends), 1)
        ctx.save_for_backward(pick, enter, stay, skips, alpha, lengths, ends, total)
        ctx.outputs = heard.shape[2]
        return total

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor) -> tuple[torch.Tensor, None, None]:
        pick, enter, stay, skips, alpha, lengths, ends, total = ctx.saved_tensors
        times, batch, states = enter.shape
        last = torch.full_like(enter[0], _NEVER).scatter_(1, ends, 0.0)
        beta = enter.new_full((times, batch, states + 2), _NEVER)  # two states after the last
        here = torch.arange(times, device=lengths.device)[:, None] == lengths - 1
        over = pad(skips[:, 2:], (0, 2), value=_NEVER)
        for time in range(times - 1, -1, -1):
            if time == times - 1:
                beta[time, :, :-2] = last
                continue
            ahead = beta[time + 1].clone()
            leave = ahead[:, :-2] + stay[time + 1]
            ahead[:, :-2] += enter[time + 1]
            moved = torch.logaddexp(ahead[:, 1:-1], ahead[:, 2:] + over)
            moved = torch.logaddexp(moved, leave)
            beta[time, :, :-2] = torch.where(here[time, :, None], last, moved)
        reach = beta[..., :-2] - total[:, None]
        entered = torch.empty_like(enter)
        entered[0] = alpha[0, :, 2:]
        before = alpha[:-1]
        entered[1:] = torch.logaddexp(before[..., 1:-1], before[..., :-2] + skips) + enter[1:]
        stayed = torch.full_like(enter, _NEVER)
        stayed[1:] = before[..., 2:] + stay[1:]
        alive = torch.arange(times, device=lengths.device)[:, None, None] < lengths[:, None]
        reach = torch.where(alive, reach, _NEVER)
        share = enter.new_zeros(batch, times, ctx.outputs)
        share.scatter_add_(2, pick, (entered + reach).exp().transpose(0, 1))
        share.scatter_add_(2, pick + 1, (stayed + reach).exp().transpose(0, 1))
        return share * grads[0][:, None, None], None, None


def losses(
    answers: torch.Tensor, lengths: torch.Tensor, transcripts: Transcripts, bigram: Bigram
) -> torch.Tensor:
    """Return the loss of each utterance, shape (batch,): denominator less numerator."""
    answers = answers.float()
    return denominator(answers, lengths, bigram) - numerator(answers, lengths, transcripts)
