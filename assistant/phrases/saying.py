"""What is said aloud of one batch of events: as little as an experienced player would say.

Nothing here tells a card before the showdown: only the count looks at hands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from assistant.phrases.count import count_aloud
from assistant.phrases.language import Language, sentence
from assistant.phrases.standing import juegos, score
from assistant.phrases.undo import undone
from assistant.rules import events as e
from assistant.rules.changes import apply
from assistant.rules.engine import to_speak
from assistant.rules.history import Record
from assistant.rules.phases import Lance
from assistant.rules.state import State


class Level(StrEnum):
    """How much the voice says."""

    SILENT = "silent"
    ESSENTIAL = "essential"
    FULL = "full"


@dataclass(slots=True)
class Scene:
    """One batch as it is walked through: the table right after each event."""

    language: Language
    state: State
    after: State
    history: Sequence[Record]
    full: bool
    won: list[e.StonesWon] = field(default_factory=list)
    """Stones of the count that are still to be told."""

    def name(self, seat: int) -> str:
        """The name of a player."""
        return self.state.seats[seat - 1]

    def side(self, side: str) -> str:
        """The names of a side."""
        return self.language.side(self.state, side)

    def score(self, side: str) -> str:
        """A side's stones at this moment."""
        return self.language.score(self.state.stones_of(side))


def say(
    language: Language,
    events: Sequence[e.Event],
    before: State | None,
    after: State,
    history: Sequence[Record],
    full: bool,
) -> str | None:
    """The sentences for one batch, or ``None`` where an experienced player would be silent."""
    scene = Scene(language, before or after, after, history, full)
    told = [sentence(text) for text in _sentences(scene, events, before) if text]
    return " ".join(told) or None


def _sentences(
    scene: Scene, events: Sequence[e.Event], before: State | None
) -> Iterator[str | None]:
    for event in events:
        scene.state = _step(scene, event, before)
        before = scene.state
        if isinstance(event, e.StonesWon) and event.why is not e.Why.DEJE:
            scene.won.append(event)
            continue
        if scene.won and not isinstance(event, e.LanceDecided):
            yield count_aloud(scene.language, scene.won, scene.state)
            scene.won.clear()
        if (teller := _TELLERS.get(type(event))) and (scene.full or type(event) not in FULL_ONLY):
            yield teller(scene, event)


def _step(scene: Scene, event: e.Event, before: State | None) -> State:
    if isinstance(event, e.Retracted):
        return scene.after  # what is left is known only when all records are folded
    return apply(before, event)


def _game(scene: Scene, _event: e.GameOpened) -> str | None:
    return scene.language.fill(
        "say.game",
        target=scene.language.stones(scene.state.profile.target),
        name=scene.name(scene.after.mano),
    )


def _deal(scene: Scene, event: e.DealStarted) -> str | None:
    # The first mano is told with the game.
    return None if event.deal == 1 else scene.language.fill("say.deal", name=scene.name(event.mano))


def _discard(scene: Scene, _event: e.DiscardBegan) -> str:
    return scene.language.texts["say.discard"]


def _cut(scene: Scene, event: e.MusCut) -> str | None:
    if event.implied and scene.full:
        return None  # the bet that cut it is told
    return scene.language.fill("say.cut", name=scene.name(event.seat))


def _bet(scene: Scene, event: e.BetMade) -> str:
    key = "say.bet_second" if event.implied else "say.bet_both" if event.both else "say.bet"
    return _call(scene, key, event)


def _raise(scene: Scene, event: e.BetRaised) -> str:
    total = scene.state.pending.stones if scene.state.pending else event.stones
    return _call(scene, "say.raise", event, total=scene.language.stones(total))


def _ordago(scene: Scene, event: e.OrdagoMade) -> str:
    return _call(scene, "say.ordago_both" if event.both else "say.ordago", event)


def _accept(scene: Scene, event: e.BetAccepted) -> str | None:
    bet = scene.state.pending
    if bet is None:
        return None
    if bet.ordago:
        return _call(scene, "say.ordago_accepted", event)
    if not scene.full:
        return None
    return _call(scene, "say.accept", event, stones=scene.language.stones(bet.stones))


def _refuse(scene: Scene, event: e.BetRefused) -> str | None:
    # A refusal that closes the lance is told by its deje.
    still_open = scene.after.pending and scene.after.pending.lance is event.lance
    return _call(scene, "say.refuse", event) if still_open and not event.implied else None


def _call(scene: Scene, key: str, event: Any, **words: str) -> str:
    if "stones" not in words and hasattr(event, "stones"):
        words["stones"] = scene.language.stones(event.stones)
    lance = scene.language.lance(event.lance, "to")
    return scene.language.fill(key, name=scene.name(event.seat), lance=lance, **words)


def _open(scene: Scene, event: e.LanceOpened) -> str:
    key = "say.open_punto" if event.lance is Lance.PUNTO else "say.open_lance"
    name = scene.name(to_speak(scene.state) or scene.state.mano)
    return scene.language.fill(key, lance=scene.language.lance(event.lance, "to"), name=name)


def _closed(scene: Scene, event: e.LanceClosed) -> str | None:
    lance = scene.language.lance(event.lance)
    if event.how is e.How.NOBODY:
        return scene.language.fill("say.nobody", lance=lance)
    if event.how is e.How.UNCONTESTED and event.side:
        return scene.language.fill("say.uncontested", lance=lance, side=scene.side(event.side))
    return None


def _disproved(scene: Scene, event: e.DeclarationDisproved) -> str:
    key = "say.disproved_holds" if event.holds else "say.disproved_lacks"
    lance = scene.language.lance(event.lance)
    return scene.language.fill(key, name=scene.name(event.seat), lance=lance)


def _deje(scene: Scene, event: e.StonesWon) -> str:
    return scene.language.fill(
        "say.deje",
        side=scene.side(event.side),
        stones=scene.language.stones(event.stones),
        score=scene.score(event.side),
        lance=scene.language.lance(event.lance, "to"),
    )


def _total(scene: Scene, _event: e.DealCounted) -> str:
    return scene.language.fill("say.total", score=score(scene.language, scene.state))


def _juego(scene: Scene, event: e.JuegoWon) -> str:
    words = {
        "side": scene.side(event.side),
        "juegos": juegos(scene.language, scene.state, event.side),
    }
    if event.by is e.WonBy.ORDAGO:
        winner = next((r.seat for r in scene.state.results if r.how is e.How.ORDAGO), None)
        words["name"] = scene.name(winner) if winner else words["side"]
        return scene.language.fill("say.juego_ordago", **words)
    return scene.language.fill("say.juego", **words)


def _match(scene: Scene, event: e.MatchWon) -> str:
    return scene.language.fill("say.match", side=scene.side(event.side))


def _set(scene: Scene, _event: e.StonesSet) -> str:
    return scene.language.fill("say.set", score=score(scene.language, scene.state))


def _retracted(scene: Scene, event: e.Retracted) -> str:
    return undone(scene.language, event, scene.history, scene.state, scene.language.stones)


_TELLERS: dict[type[e.Event], Callable[[Scene, Any], str | None]] = {
    e.GameOpened: _game,
    e.DealStarted: _deal,
    e.DiscardBegan: _discard,
    e.MusCut: _cut,
    e.LanceOpened: _open,
    e.BetMade: _bet,
    e.BetRaised: _raise,
    e.OrdagoMade: _ordago,
    e.BetAccepted: _accept,
    e.BetRefused: _refuse,
    e.LanceClosed: _closed,
    e.DeclarationDisproved: _disproved,
    e.StonesWon: _deje,
    e.DealCounted: _total,
    e.JuegoWon: _juego,
    e.MatchWon: _match,
    e.StonesSet: _set,
    e.Retracted: _retracted,
}

FULL_ONLY = frozenset(
    {
        e.DealStarted,
        e.DiscardBegan,
        e.LanceOpened,
        e.BetMade,
        e.BetRaised,
        e.BetRefused,
        e.LanceClosed,
    }
)
"""Told at level "full" alone; an accepted órdago, but no other "quiero", is essential."""
