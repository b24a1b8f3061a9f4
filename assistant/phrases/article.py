"""What an article of the regulations does, in words: the same for the voice, log and buttons."""

from __future__ import annotations

from assistant.phrases.language import Language
from assistant.rules import events as e
from assistant.rules.state import State, side_letters

RIVALS_DECIDE = frozenset({"1.4", "1.7"})
"""Articles that leave it to the other side whether the deal stands (S2 1.4, 1.7)."""

PenaltyEvent = e.PenaltyProposed | e.PenaltyApplied | e.PenaltyWaived


def article(language: Language, state: State, event: PenaltyEvent) -> str:
    """What the article does: by its own sentence, one for its remedy, or one that always fits."""
    key = next(
        key
        for name in (f"{event.article}_{event.remedy}", event.article, "other")
        if (key := f"article.{name}") in language.texts
    )
    words = {
        "name": language.name(state, event.seat),
        "side": side_of(language, state, event.seat),
        "rivals": rivals_of(language, state, event.seat),
        "lance": language.lance(event.lance, "to") if event.lance else "",
        "the": language.lance(event.lance, "the") if event.lance else "",
    }
    return " ".join(language.fill(key, **words).split())


def proposal(language: Language, state: State, event: e.PenaltyProposed) -> str:
    """The question whether an article is applied."""
    words = {"article": event.article, "what": article(language, state, event)}
    if event.article not in RIVALS_DECIDE or event.seat is None:
        return language.fill("say.penalty_proposed", **words)
    rivals = rivals_of(language, state, event.seat)
    return language.fill("say.penalty_proposed_rivals", rivals=rivals, **words)


def waiting(state: State) -> tuple[e.PenaltyProposed, ...]:
    """The articles that wait for the table, as they were proposed; the first is decided first."""
    return tuple(e.PenaltyProposed(p.article, p.remedy, p.seat, p.lance) for p in state.proposals)


def side_of(language: Language, state: State, seat: int | None) -> str:
    """The names of a player's side."""
    if seat is None:
        return language.texts["join.somebody"]
    return language.side(state, state.side_of(seat))


def rivals_of(language: Language, state: State, seat: int | None) -> str:
    """The names of everybody who plays against a player."""
    if seat is None:
        return language.texts["join.others"]
    mine = state.side_of(seat)
    others = [side for side in side_letters(state.sides) if side != mine]
    return language.join(
        name
        for other in range(1, state.players + 1)
        if state.side_of(other) in others
        for name in (state.seats[other - 1],)
    )
