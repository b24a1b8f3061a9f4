"""Learnt answers to kinds of rivals, and the signs that reveal a kind, kept in maestro's file.

``Retort``s are best responses (``school.Response``) to the compiled rivals of ``rivals``. They are
kept as they are at the end, not as their mean, because a rival who never changes needs no mixing.
Signs are counted in juegos by the real rules (``assistant.school.players.guess`` says what a sign
is).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from assistant.rules.calls import Call
from assistant.rules.phases import BEFORE_LANCES
from assistant.school.players import Player, Sight
from assistant.school.players.guess import SIGNS, Suspicion
from assistant.school.players.maestro import KINDS, LANCES, Lore, Maestro
from assistant.school.players.thinker import Temper, Thinker
from assistant.school.practice.game import temper_named
from scripts.lab.playing.matches import matches, novice, strength, thinker
from scripts.lab.selfplay import learn, rivals
from scripts.lab.selfplay.bots import Arena, zoo
from scripts.lab.selfplay.deal import Arrays, Numbers
from scripts.lab.selfplay.export import coded
from scripts.lab.selfplay.school import WARM, Response
from scripts.lab.selfplay.seated import seat_bot

COMPILED = {"novato": rivals.NOVICE, "fuerte": rivals.THINKER}
WITHOUT_MUS = "sin-mus"
MOODS = 16
FIRST_SEED = 10_000
"""First seed of the juegos in which moods and signs are counted. Benches begin at 0 and 300,000."""
ZOO_SHARE = 3
"""Against each player of the zoo, this many times fewer juegos are played for its signs."""
AGAIN = 0.2
"""The weight of what was learnt against a calm rival, when the rival's moods are added."""


def response_to(lore: Lore, kind: str, moods: Numbers = rivals.CALM) -> Response:
    """A response to a kind of rival before it has learnt. It plays as maestro does."""
    arena = Arena.of(lore)
    if kind == WITHOUT_MUS:
        cuts = arena.policy[1].copy()
        cuts[0::2], cuts[1::2] = 1.0, 0.0
        policy = (arena.policy[0], cuts, arena.policy[2])
        response = Response.to(arena.deck, policy, lore.values)
        response.book[2][:] = WARM * arena.policy[1]
        return response
    return Response.to_rival(
        arena.deck, arena.policy, lore.values, lore.kings, COMPILED[kind], _temper(kind), moods
    )


def go_on(response: Response, book: Arrays, raw: Numbers) -> None:
    """Begin with what another response learnt, which soon counts little."""
    for n, numbers in enumerate(book):
        response.book[n][:] = 0.0 if n in (1, 3, 5) else AGAIN * numbers
    response.raw[:] = raw


def policy_now(response: Response) -> Arrays:
    """The present policy of the response: odds of lances, mus and throws, not scaled."""
    lances, mus, throws = (np.maximum(response.book[n], 0.0) for n in (0, 2, 4))
    return lances, mus, throws


def entries(response: Response, lore: Lore, kind: str) -> dict[str, Any]:
    """The response as the file keeps it."""
    starts = response.deck[4]
    lances, mus, throws = policy_now(response)
    found: dict[str, Any] = {}
    for n, lance in enumerate(LANCES):
        part = lances[starts[n] : starts[n + 1]]
        # A moment that nobody reached has what ``Response.to`` put there: it refuses.
        never = (lore.odds[lance] == 0) & (part.reshape(-1, learn.ACTIONS)[:, 1:].sum(axis=1) <= 0)
        found[f"{kind}/{lance.value}"] = np.where(never, 0, coded(part, 1e-9)).astype(np.uint8)
    both = mus.reshape(-1, 2)
    whole = both.sum(axis=1)
    share = np.where(whole > 0, both[:, 1] / np.maximum(whole, 1e-9), 0.5)
    found[f"{kind}/mus"] = np.rint(255 * share).astype(np.uint8)
    by_hand = throws.reshape(-1, learn.THROWS)
    best = np.where(by_hand.sum(axis=1) > 0, by_hand.argmax(axis=1), 0)
    found[f"{kind}/throws"] = best.astype(np.uint8)
    return found


def put(path: Path, more: dict[str, Any]) -> None:
    """Write the file with further entries, or with new ones in place of its old ones."""
    with np.load(path) as kept:
        whole = {name: kept[name] for name in kept.files} | more
    part = path.with_suffix(".part.npz")
    np.savez_compressed(part, **whole)
    part.replace(path)


# ---- Moods: what a thinker thinks of a pair that plays against it ----------------------------


class _Told(Thinker):
    """A thinker that notes what it thinks of its rivals at each call."""

    moods: list[tuple[float, ...]]

    def call(self, sight: Sight) -> Call:
        said = super().call(sight)
        if sight.state.phase not in BEFORE_LANCES:
            habits = self._habits
            self.moods.append((habits.trust, habits.trust_ordago, habits.folding, habits.wild))
        return said


def moods_of(lore: Lore, kind: str, juegos: int) -> Numbers:
    """The moods of such a rival against the answer to it: a share, then the mood."""
    found: list[tuple[float, ...]] = []

    def rival(seed: int) -> Player:
        made = _Told(strength(), _temper(kind), seed)
        made.moods = found
        return made

    seeds = range(FIRST_SEED, FIRST_SEED + juegos)
    matches(lambda seed: _seat(lore, seed, kind), rival, seeds, jobs=1)
    return _grouped(np.array(found))


def _grouped(told: Numbers) -> Numbers:
    """A few moods in place of many: the means of groups (Lloyd 1982), the most frequent first."""
    scaled = np.log(np.maximum(told, 0.01))
    scaled[:, 3] = 3 * told[:, 3]
    dice = np.random.default_rng(0)
    middles = scaled[dice.choice(len(scaled), MOODS, replace=False)]
    for _ in range(30):
        nearest = ((scaled[:, None] - middles[None]) ** 2).sum(axis=2).argmin(axis=1)
        for n in np.unique(nearest):
            middles[n] = scaled[nearest == n].mean(axis=0)
    rows = [
        [float((nearest == n).mean()), *told[nearest == n].mean(axis=0)] for n in np.unique(nearest)
    ]
    return np.array(sorted(rows, reverse=True))


# ---- Signs ---------------------------------------------------------------------------------------


class _Counting(Maestro):
    """A player that counts what its rivals say."""

    signs: Numbers
    guess: Suspicion

    def call(self, sight: Sight) -> Call:
        for sign in self.guess.look(sight.state, sight.seat):
            self.signs[sign] += 1
        return super().call(sight)


def counted(lore: Lore, juegos: int) -> Numbers:
    """How often each kind of rival made each sign. Shape (1 + kinds + zoo, SIGNS), in that order.

    They sit against maestro's own policy, and against the answers to all kinds. Its own kind is
    maestro at its beginning, and as it plays against itself without mus.
    """
    bots = list(zoo())
    whole = np.zeros((1 + len(KINDS) + len(bots), SIGNS), dtype=np.uint32)
    makers: list[tuple[int, Callable[[int], Player]]] = [
        (0, lambda seed: _seat(lore, seed, None)),
        (0, lambda seed: _seat(lore, seed, WITHOUT_MUS)),
    ]
    makers += [(n + 1, _maker(lore, kind)) for n, kind in enumerate(KINDS)]
    makers += [(1 + len(KINDS) + n, partial(seat_bot, name)) for n, name in enumerate(bots)]
    for row, rival in makers:
        for answer in (None, *KINDS):
            many = juegos if answer is None or KINDS.index(answer) == row - 1 else juegos // 2
            many = many // ZOO_SHARE if row > len(KINDS) else many

            def ours(seed: int, row: int = row, answer: str | None = answer) -> Player:
                made = _Counting(lore, thinker(Temper(), seed), seed, answer=answer)
                made.signs = whole[row]
                made.guess = Suspicion(np.zeros((1, SIGNS)), np.zeros(1))
                return made

            matches(ours, rival, range(FIRST_SEED, FIRST_SEED + many), jobs=1)
    return whole


def _seat(lore: Lore, seed: int, answer: str | None) -> Player:
    return Maestro(lore, thinker(Temper(), seed), seed, answer=answer)


def _temper(kind: str) -> Temper:
    return Temper() if kind == "novato" else temper_named(kind)


def _maker(lore: Lore, kind: str) -> Callable[[int], Player]:
    if kind == "novato":
        return novice
    if kind == WITHOUT_MUS:
        return lambda seed: Maestro(lore, thinker(Temper(), seed), seed, mus=False, answer=None)
    return partial(thinker, temper_named(kind))
