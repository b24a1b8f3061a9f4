"""What a retraction takes back, in a few words: "envido cinco a la chica, de Este"."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from assistant.phrases.language import Language
from assistant.rules import events as e
from assistant.rules.history import Record, is_retraction
from assistant.rules.state import State


def undone(
    language: Language,
    event: e.Retracted,
    history: Sequence[Record],
    state: State,
    number: Callable[[int], str],
) -> str:
    """The sentence "Deshecho: ...", or "Rehecho: ..." where an undo was itself taken back.

    ``history`` holds the records that the retraction speaks of; ``number`` writes stones, in words
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
    """The sentence "Entiendo: ...", for calls that a later one has shown to have been made."""
    told = [_noun(language, event, state, number, "understood") for event in events]
    return language.fill("understood.said", what=language.join([text for text in told if text]))


def made_anew(events: Sequence[e.Event], history: Sequence[Record]) -> list[e.Event]:
    """What a batch makes happen that it has not taken back itself, in the same words, before."""
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
    """The call that an event came from; ``None`` for what nobody said."""
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
