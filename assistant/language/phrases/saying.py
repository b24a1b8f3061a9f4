"""The sentences for one batch of events, as brief as those of an experienced player.

No sentence names a card before the showdown: only the count looks at hands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import zip_longest
from typing import Any

from assistant.language.phrases.language import Language, StyledTexts, sentence
from assistant.language.phrases.log import (
    article,
    by_article,
    given,
    made_anew,
    proposal,
    rivals_of,
    undone,
    waiting,
)
from assistant.language.phrases.standing import (
    brief_score,
    count_aloud,
    count_in_brief,
    juegos,
    score,
    vacas,
)
from assistant.rules import events as e
from assistant.rules.changes import apply
from assistant.rules.engine import to_speak
from assistant.rules.history import Record, fold, is_retraction, number
from assistant.rules.phases import Lance
from assistant.rules.profile import PartnerConflict
from assistant.rules.state import State


@dataclass(slots=True)
class Scene:
    """What a ``Teller`` gets: the state after an event (``state``), and after its batch."""

    language: Language
    state: State
    after: State
    history: Sequence[Record]
    full: bool
    events: Sequence[e.Event] = ()
    """The whole batch."""
    asked: Sequence[e.PenaltyProposed] = ()
    """The articles that waited for the table before the batch."""
    won: list[e.StonesWon] = field(default_factory=list)
    """Stones of the count that no sentence has named yet."""
    mano_told: int | None = None
    """The mano that an earlier event of the batch has named."""
    following: e.Event | None = None
    """The event after the present one."""
    named: str | None = None
    """The side that was named last; if it wins the juego, it is not named again."""
    told: tuple[int, ...] | None = None
    """The stones of the last score that was said; at first, the stones before the batch."""

    def name(self, seat: int | None) -> str:
        """The name of a player, or "somebody"."""
        return self.language.name(self.state, seat)

    def side(self, side: str) -> str:
        """The names of a side."""
        return self.language.side(self.state, side)

    def with_score(self, what: str, side: str) -> str:
        """``what`` a side was given or lost, and the new score."""
        self.named = side
        if self.full:
            stones = self.language.score(self.state.stones_of(side))
            score = self.language.fill("say.in_all", score=stones)
        elif isinstance(self.following, e.JuegoWon) and self.following.side == side:
            return what  # the stones of a juego that is over mean nothing any more
        else:
            score = self.brief_score()
        return " ".join(part for part in (what, sentence(score)) if part)

    def brief_score(self) -> str:
        """The score in numbers alone, as a sentence."""
        return sentence(self.language.fill("say.total", score=self.numbers()))

    def numbers(self) -> str:
        """The score in numbers alone; with "adentro" for a side that has just got there."""
        score = brief_score(self.language, self.state, self.told)
        self.told = self.state.stones
        return score

    def call(self, key: str, event: Any, **words: str) -> str:
        """A sentence about a call, with the speaker, the lance and the stones of the event."""
        if "stones" not in words and isinstance(getattr(event, "stones", None), int):
            words["stones"] = self.language.stones(event.stones)
        words.setdefault("rivals", rivals_of(self.language, self.state, event.seat))
        words["the"] = self.language.lance(event.lance, "the")
        lance = self.language.lance(event.lance, "to")
        return self.language.fill(key, name=self.name(event.seat), lance=lance, **words)


class Turns:
    """The wordings' turns: an event that is the fifth of its kind in the journal has the fifth."""

    def __init__(self, language: Language, earlier: Sequence[Record]) -> None:
        self._language = language
        several = isinstance(language.texts, StyledTexts)
        self._counts = Counter(_kind(record.event) for record in earlier if several)

    def language_for(self, event: e.Event) -> Language:
        """The language, with the wordings of the right turn, for the next event."""
        turn = self._counts[_kind(event)]
        self._counts[_kind(event)] += 1
        return self._language.at(turn)


def _kind(event: e.Event) -> tuple[str, str]:
    return type(event).__name__, str(getattr(event, "why", ""))


Teller = Callable[[Scene, Any], str | None]
"""Gives the sentence for one event; ``None`` if nothing is said about it."""


# ---- Told aloud: what the table agrees on, puts right, or lets an article decide ----------------


def _pedrete(scene: Scene, event: e.PedreteSung) -> str:
    side = scene.state.side_of(event.seat)
    told = scene.language.fill(
        "say.pedrete", name=scene.name(event.seat), stones=scene.language.stones(event.stones)
    )
    return scene.with_score(told, side)


def _claimed(scene: Scene, event: e.LanceClaimed) -> str | None:
    if not scene.full and any(isinstance(ev, e.DealCounted | e.JuegoWon) for ev in scene.events):
        return None  # the count tells it
    words = {"lance": scene.language.lance(event.lance), "side": scene.side(event.side)}
    if not event.values:
        return scene.language.fill("say.claimed", **words)
    stones = scene.language.stones(sum(event.values))
    return scene.language.fill("say.claimed_values", stones=stones, **words)


def _adjusted(scene: Scene, event: e.StonesAdjusted) -> str:
    told = scene.language.fill(
        "say.adjust_fewer" if event.stones < 0 else "say.adjust_more",
        side=scene.side(event.side),
        stones=scene.language.stones(abs(event.stones)),
    )
    return scene.with_score(told, event.side)


def _corrected(scene: Scene, event: e.BetCorrected) -> str:
    lance = scene.language.lance(event.lance, "to")
    stones = scene.language.stones(event.stones)
    return scene.language.fill("say.bet_corrected", lance=lance, stones=stones)


def _recount(scene: Scene, _event: e.CountReopened) -> str:
    return scene.language.texts["say.recount"]


def _void(scene: Scene, _event: e.DealVoided) -> str | None:
    if any(isinstance(ev, e.PenaltyApplied) for ev in scene.events):
        return None  # the article has said so
    return scene.language.texts["say.deal_void"]


def _reported(scene: Scene, event: e.IrregularityReported) -> str:
    words: dict[str, str] = {}
    if event.kind in e.OF_ONE:
        words["name"] = scene.name(event.seat)
    if event.kind is e.Irregularity.CARD_COUNT:
        # Cards are counted as stones are: by a noun of the same gender, left out.
        words["cards"] = scene.language.stones(event.cards)
    return scene.language.fill(f"say.{event.kind}", **words)


def _proposed(scene: Scene, event: e.PenaltyProposed) -> str | None:
    asked = waiting(scene.after)
    if asked and asked[0] != event:
        return None  # one question at a time
    return proposal(scene.language, scene.state, event)


def _applied(scene: Scene, event: e.PenaltyApplied) -> str:
    if any(asked.article == event.article for asked in scene.asked):  # told with the question
        return by_article(scene.language, scene.state, "say.penalty_agreed", event.article)
    what = article(scene.language, scene.state, event)
    key = "say.penalty_applied"
    return by_article(scene.language, scene.state, key, event.article, what=what)


def _waived(scene: Scene, event: e.PenaltyWaived) -> str:
    return by_article(scene.language, scene.state, "say.penalty_waived", event.article)


def _lost(scene: Scene, event: e.StonesLost) -> str:
    told = by_article(
        scene.language,
        scene.state,
        "say.lost",
        event.article,
        side=scene.side(event.side),
        stones=scene.language.stones(event.stones),
    )
    return scene.with_score(told, event.side)


# ---- The sentences for one batch of events ------------------------------------------------------


class Level(StrEnum):
    """How much the voice says."""

    SILENT = "silent"
    ESSENTIAL = "essential"
    FULL = "full"


def say(
    language: Language,
    events: Sequence[e.Event],
    before: State | None,
    after: State,
    history: Sequence[Record],
    full: bool,
) -> str | None:
    """The sentences for one batch, or ``None`` where an experienced player would be silent."""
    asked = waiting(before) if before else ()
    scene = Scene(language, before or after, after, history, full, events, asked)
    scene.told = before.stones if before else None
    told = [sentence(text) for text in _sentences(scene, events, before) if text]
    return " ".join(told) or None


def _sentences(
    scene: Scene, events: Sequence[e.Event], before: State | None
) -> Iterator[str | None]:
    told: Sequence[e.Event] = events
    if any(isinstance(event, e.Retracted) for event in events) and not is_retraction(events):
        # Other calls replace those taken back: calls that stay the same are not repeated.
        told = made_anew(events, scene.history)
        before = _rewound(events, scene.history)
    last: e.Event | None = None
    turns = Turns(scene.language, scene.history[: -len(events)])
    for event, scene.following in zip_longest(events, events[1:]):
        scene.language = turns.language_for(event)
        if isinstance(event, e.Retracted) and told is not events:
            continue
        scene.state = _step(scene, event, before)
        before = scene.state
        last, previous = event, last
        if event not in told:
            continue
        if isinstance(event, e.StonesWon) and _is_counted(scene, event, previous):
            scene.won.append(event)
            continue
        if scene.won and scene.full and not isinstance(event, e.LanceDecided):
            yield count_aloud(scene.language, scene.won, scene.state)
            scene.won.clear()
        yield tell(scene, event)


def _is_counted(scene: Scene, event: e.StonesWon, last: e.Event | None) -> bool:
    """Whether stones are named with the count: all but a deje, named when its lance closes.

    A deje that an article left to the count is named there, in few words.
    """
    if event.why is not e.Why.DEJE:
        return True
    return not scene.full and not isinstance(last, e.LanceClosed)


def tell(scene: Scene, event: e.Event) -> str | None:
    """The sentence for one event, in the state that it led to (``scene.state``)."""
    teller = _TELLERS.get(type(event))
    full = scene.full or (isinstance(event, e.LanceOpened) and scene.language.turns)
    if teller is None or (type(event) in FULL_ONLY and not full):
        return None
    return teller(scene, event)


def _rewound(events: Sequence[e.Event], history: Sequence[Record]) -> State | None:
    """The state after a batch has taken calls back and before it makes others."""
    earlier = [record for record in history if record.batch < history[-1].batch]
    backs = (event for event in events if isinstance(event, e.Retracted))
    return fold([*earlier, *number(backs, earlier[-1].seq, at=0.0)]) if earlier else None


def _step(scene: Scene, event: e.Event, before: State | None) -> State:
    if isinstance(event, e.Retracted):
        return scene.after  # the remaining state is known only when all records are folded
    return apply(before, event)


def _game(scene: Scene, event: e.GameOpened) -> str | None:
    target = scene.language.stones(scene.state.profile.target)
    ahead = given(scene.language, event, scene.after)
    if scene.after.deal == 0:  # nobody was named mano: the table is asked (R04)
        return " ".join([*ahead, scene.language.fill("say.game_asked", target=target)])
    told = scene.language.fill("say.game", target=target, name=scene.name(scene.after.mano))
    return " ".join([told, *ahead])


def _deal(scene: Scene, event: e.DealStarted) -> str | None:
    if event.deal == 1:  # the first mano is told with the game
        return scene.language.texts["say.corrido"] if event.corrido else None
    if not event.corrido and not scene.full:
        return None
    key = "say.deal_corrido" if event.corrido else "say.deal"
    return scene.language.fill(key, name=scene.name(event.mano))


def _mano(scene: Scene, event: e.ManoChanged) -> str | None:
    if scene.mano_told == event.mano:
        return None
    return scene.language.fill("say.mano", name=scene.name(event.mano))


def _discard(scene: Scene, _event: e.DiscardBegan) -> str:
    return scene.language.texts["say.discard"]


def _cut(scene: Scene, event: e.MusCut) -> str | None:
    ordago = any(isinstance(ev, e.OrdagoMade) for ev in scene.events)
    if event.implied and (scene.full or ordago):
        return None  # the bet that cut it is told
    if any(isinstance(ev, e.ManoChanged) and ev.mano == event.seat for ev in scene.events):
        scene.mano_told = event.seat
        return scene.language.fill("say.cut_mano", name=scene.name(event.seat))
    return scene.language.fill("say.cut", name=scene.name(event.seat))


def _bet(scene: Scene, event: e.BetMade) -> str:
    key = "say.bet_second" if event.implied else "say.bet_both" if event.both else "say.bet"
    return scene.call(key, event)


def _raise(scene: Scene, event: e.BetRaised) -> str:
    total = scene.state.pending.stones if scene.state.pending else event.stones
    return scene.call("say.raise", event, total=scene.language.stones(total))


def _ordago(scene: Scene, event: e.OrdagoMade) -> str:
    return scene.call("say.ordago_both" if event.both else "say.ordago", event)


def _partner_bet(scene: Scene, event: e.PartnerBet) -> str:
    if scene.state.profile.partner_conflict is PartnerConflict.RIVALS_CHOOSE:
        rivals = rivals_of(scene.language, scene.state, event.seat)
        return scene.call("say.partner_bet_choose", event, rivals=rivals)
    total = scene.state.pending.stones if scene.state.pending else event.stones
    return scene.call("say.partner_bet", event, total=scene.language.stones(total))


def _accept(scene: Scene, event: e.BetAccepted) -> str | None:
    bet = scene.state.pending
    if bet is None:
        return None
    if bet.ordago:
        return scene.call("say.ordago_accepted", event)
    stones = scene.language.stones(bet.stones if event.stones is None else event.stones)
    if event.implied:  # by showing the cards: a player who did not mean it should hear it (R37)
        return scene.call("say.accept_shown", event, stones=stones)
    return scene.call("say.accept", event, stones=stones) if scene.full else None


def _reopened(scene: Scene, event: e.LanceReopened) -> str:
    return scene.language.fill("say.reopened", lance=scene.language.lance(event.lance, "to"))


def _refuse(scene: Scene, event: e.BetRefused) -> str | None:
    # A refusal that closes the lance is told by its deje.
    still_open = scene.after.pending and scene.after.pending.lance is event.lance
    return scene.call("say.refuse", event) if still_open and not event.implied else None


def _open(scene: Scene, event: e.LanceOpened) -> str:
    key = "say.open_punto" if event.lance is Lance.PUNTO else "say.open_lance"
    name = scene.name(to_speak(scene.state) or scene.state.mano)
    return scene.language.fill(key, lance=scene.language.lance(event.lance, "to"), name=name)


def _closed(scene: Scene, event: e.LanceClosed) -> str | None:
    lance = scene.language.lance(event.lance)
    if event.how is e.How.NOBODY:
        return scene.language.fill("say.nobody", lance=lance)
    if event.how is e.How.VOID:
        return scene.language.fill("say.void", lance=lance)
    if event.how is e.How.UNCONTESTED and event.side:
        return scene.language.fill("say.uncontested", lance=lance, side=scene.side(event.side))
    return None


def _disproved(scene: Scene, event: e.DeclarationDisproved) -> str:
    key = "say.disproved_holds" if event.holds else "say.disproved_lacks"
    lance = scene.language.lance(event.lance)
    return scene.language.fill(key, name=scene.name(event.seat), lance=lance)


def _claim_disproved(scene: Scene, event: e.ClaimDisproved) -> str:
    words = {"lance": scene.language.lance(event.lance), "side": scene.side(event.side)}
    if event.side == event.claimed:
        stones = scene.language.stones(event.stones)
        return scene.language.fill("say.claim_disproved_values", stones=stones, **words)
    claimed = scene.side(event.claimed)
    return scene.language.fill("say.claim_disproved", claimed=claimed, **words)


def _deje(scene: Scene, event: e.StonesWon) -> str:
    told = scene.language.fill(
        "say.deje",
        side=scene.side(event.side),
        stones=scene.language.stones(event.stones),
        lance=scene.language.lance(event.lance, "to"),
    )
    return scene.with_score(told, event.side)


def _total(scene: Scene, _event: e.DealCounted) -> str:
    if scene.full:
        return scene.language.fill("say.total", score=score(scene.language, scene.state))
    total = scene.brief_score()
    if not scene.won:
        return total
    return count_in_brief(scene.language, scene.won, scene.state, total)


def _juego(scene: Scene, event: e.JuegoWon) -> str:
    if not scene.full and (event.by is e.WonBy.ORDAGO or scene.won or scene.named == event.side):
        return _juego_in_brief(scene, event)
    words = {
        "side": scene.side(event.side),
        "juegos": juegos(scene.language, scene.state, event.side),
    }
    if event.by is e.WonBy.ORDAGO:
        winner = _winner_of_ordago(scene.state)
        words["name"] = scene.name(winner) if winner else words["side"]
        return scene.language.fill("say.juego_ordago", **words)
    return scene.language.fill("say.juego", **words)


def _juego_in_brief(scene: Scene, event: e.JuegoWon) -> str:
    """That a juego is over; the words before it have named the winner."""
    won = juegos(scene.language, scene.state, event.side, named=False)
    told = sentence(scene.language.fill("brief.juego", juegos=won))
    if event.by is e.WonBy.ORDAGO:  # the stones won before it are worth nothing any more
        name = scene.name(_winner_of_ordago(scene.state))
        return f"{scene.language.fill('brief.ordago_won', name=name)} {told}"
    if scene.won:
        return count_in_brief(scene.language, scene.won, scene.state, told, event.side)
    return told


def _winner_of_ordago(state: State) -> int | None:
    return next((result.seat for result in state.results if result.how is e.How.ORDAGO), None)


def _vaca(scene: Scene, event: e.VacaWon) -> str | None:
    if scene.after.winner:
        return None  # the match is told
    if not scene.full and _after_a_juego(scene):
        won = vacas(scene.language, scene.state, event.side, named=False)
        return scene.language.fill("brief.vaca", vacas=won)
    won = vacas(scene.language, scene.state, event.side)
    return scene.language.fill("say.vaca", side=scene.side(event.side), vacas=won)


def _match(scene: Scene, event: e.MatchWon) -> str:
    if not scene.full and _after_a_juego(scene):
        return scene.language.texts["brief.match"]
    return scene.language.fill("say.match", side=scene.side(event.side))


def _after_a_juego(scene: Scene) -> bool:
    """Whether the batch has just named the winner of the juego."""
    return any(isinstance(event, e.JuegoWon) for event in scene.events)


def _set(scene: Scene, _event: e.StonesSet) -> str:
    if scene.full:
        return scene.language.fill("say.set", score=score(scene.language, scene.state))
    return scene.language.fill("say.set", score=scene.numbers())


def _retracted(scene: Scene, event: e.Retracted) -> str:
    return undone(scene.language, event, scene.history, scene.state, scene.language.stones)


_TELLERS: dict[type[e.Event], Teller] = {
    e.GameOpened: _game,
    e.DealStarted: _deal,
    e.ManoChanged: _mano,
    e.DiscardBegan: _discard,
    e.MusCut: _cut,
    e.LanceOpened: _open,
    e.BetMade: _bet,
    e.BetRaised: _raise,
    e.PartnerBet: _partner_bet,
    e.OrdagoMade: _ordago,
    e.BetAccepted: _accept,
    e.LanceReopened: _reopened,
    e.BetRefused: _refuse,
    e.LanceClosed: _closed,
    e.DeclarationDisproved: _disproved,
    e.StonesWon: _deje,
    e.DealCounted: _total,
    e.JuegoWon: _juego,
    e.VacaWon: _vaca,
    e.MatchWon: _match,
    e.StonesSet: _set,
    e.Retracted: _retracted,
    # At every level but silent, because stones are at stake:
    e.PedreteSung: _pedrete,
    e.LanceClaimed: _claimed,
    e.ClaimDisproved: _claim_disproved,
    e.StonesAdjusted: _adjusted,
    e.BetCorrected: _corrected,
    e.CountReopened: _recount,
    e.DealVoided: _void,
    e.IrregularityReported: _reported,
    e.PenaltyProposed: _proposed,
    e.PenaltyApplied: _applied,
    e.PenaltyWaived: _waived,
    e.StonesLost: _lost,
}

FULL_ONLY = frozenset(
    {
        e.DiscardBegan,
        e.LanceOpened,
        e.BetMade,
        e.BetRaised,
        e.PartnerBet,
        e.LanceReopened,
        e.BetRefused,
        e.LanceClosed,
    }
)
"""Events that are announced only at level "full"; of accepted bets, only an órdago is essential."""
