"""In words: what an article of the regulations does, and what a retraction takes back."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from assistant.language.phrases.language import Language
from assistant.rules import events as e
from assistant.rules.history import Record, is_retraction
from assistant.rules.state import State, side_letters

# ---- What an article does, in the same words for the voice, the log and the buttons -------------


RIVALS_DECIDE = frozenset({"1.4", "1.7"})
"""Articles that let the other side decide whether the deal stands (S2 1.4, 1.7)."""

PenaltyEvent = e.PenaltyProposed | e.PenaltyApplied | e.PenaltyWaived


def article(language: Language, state: State, event: PenaltyEvent) -> str:
    """The effect of an article: its own sentence, one for its remedy, or one that always fits."""
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
    """The proposed articles that wait for the table; the first one is decided first."""
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


# ---- What a retraction takes back, in a few words: "envido cinco a la chica, de Este" -----------


def undone(
    language: Language,
    event: e.Retracted,
    history: Sequence[Record],
    state: State,
    number: Callable[[int], str],
) -> str:
    """The sentence "Deshecho: ...", or "Rehecho: ..." where an undo was itself taken back.

    ``history`` holds the records that the retraction refers to; ``number`` writes stones in words
    or in digits.
    """
    key, seq = "undo.done", event.seq
    batch = _batch(history, seq)
    while batch and is_retraction(batch):
        assert isinstance(batch[0], e.Retracted)
        key = "undo.redone" if key == "undo.done" else "undo.done"
        batch = _batch(history, batch[0].seq)
    made = made_anew(batch, history)
    what = next((text for ev in made if (text := _noun(language, ev, state, number))), None)
    return language.fill(key, what=what or language.texts["undo.other"])


def understood(
    language: Language, events: Sequence[e.Event], state: State, number: Callable[[int], str]
) -> str:
    """The sentence "Entiendo: ...", for earlier calls that a later call has revealed."""
    told = [_noun(language, event, state, number, "understood") for event in events]
    return language.fill("understood.said", what=language.join([text for text in told if text]))


def made_anew(events: Sequence[e.Event], history: Sequence[Record]) -> list[e.Event]:
    """The new events of a batch, without those that it has itself taken back before."""
    gone = [
        event
        for back in events
        if isinstance(back, e.Retracted)
        for event in _batch(history, back.seq)
    ]
    new: list[e.Event] = []
    for event in events:
        if event in gone:
            gone.remove(event)
        elif not isinstance(event, e.Retracted):
            new.append(event)
    return new


def _batch(history: Sequence[Record], seq: int) -> list[e.Event]:
    return [record.event for record in history if record.batch == seq]


def _noun(
    language: Language,
    event: e.Event,
    state: State,
    number: Callable[[int], str],
    section: str = "undo",
) -> str | None:
    """The call that an event came from, in a few words; ``None`` if nobody said it."""
    key = _key(event)
    if key is None or getattr(event, "implied", False):
        return None
    words: dict[str, str] = {}
    if (seat := getattr(event, "seat", None)) is not None:
        words["name"] = state.seats[seat - 1]
    if (side := getattr(event, "side", None)) is not None:
        words["side"] = language.side(state, side)
    if isinstance(event, e.PenaltyApplied | e.PenaltyWaived):
        words["article"] = event.article
    if (lance := getattr(event, "lance", None)) is not None:
        words["lance"] = language.lance(
            lance, "name" if isinstance(event, e.Declared | e.LanceClaimed) else "to"
        )
    if isinstance(event, e.BetMade | e.BetRaised | e.PartnerBet):
        words["stones"] = number(event.stones)
    return language.fill(f"{section}.{key}", **words)


def _key(event: e.Event) -> str | None:
    match event:
        case e.BetMade(both=True):
            return "bet_both"
        case e.Declared():
            return "holds" if event.holds else "lacks"
        case _:
            return _KEYS.get(type(event))


_KEYS: dict[type[e.Event], str] = {
    e.MusAsked: "mus",
    e.PedreteSung: "pedrete",
    e.MusCut: "cut",
    e.Passed: "pass",
    e.BetMade: "bet",
    e.BetRaised: "raise",
    e.PartnerBet: "partner_bet",
    e.OrdagoMade: "ordago",
    e.BetAccepted: "accept",
    e.BetRefused: "refuse",
    e.HandShown: "hand",
    e.CardsShownEarly: "hand",
    e.LanceClaimed: "claim",
    e.DealStarted: "deal",
    e.StonesSet: "set",
    e.StonesAdjusted: "adjust",
    e.BetCorrected: "bet_corrected",
    e.DealVoided: "void",
    e.IrregularityReported: "report",
    e.PenaltyApplied: "applied",
    e.PenaltyWaived: "waived",
}
