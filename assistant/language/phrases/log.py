"""One line of the screen's log for each event, with stones in digits.

The voice, the log and the buttons say in the same words what an article of the regulations does,
and what a retraction takes back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from assistant.language.phrases.language import Language, sentence
from assistant.rules import events as e
from assistant.rules.cards import format_hand
from assistant.rules.history import Record, is_retraction
from assistant.rules.penalties import number_cited, regulations
from assistant.rules.profile import Articles
from assistant.rules.state import State, side_letters

# ---- The effect of an article, in the same words for the voice, the log and the buttons ---------


RIVALS_DECIDE = frozenset({"1.4", "1.7"})
"""Articles that let the other side decide whether the deal stands (S2 1.4, 1.7)."""

UNCITED = "_uncited"
"""The end of a sentence's key where the table's own regulations have no article to name."""

PenaltyEvent = e.PenaltyProposed | e.PenaltyApplied | e.PenaltyWaived


@dataclass(frozen=True, slots=True)
class CitedArticle:
    """An article of the table's own regulations, in their words; ``source`` says whose it is."""

    number: str
    text: str
    source: str


def cited(language: Language, state: State, event: PenaltyEvent) -> CitedArticle | None:
    """The article of the table's own regulations that an event is about, if they have it."""
    number = number_cited(state.profile, event.article)
    if not number:
        return None
    whose = f"regulations.{regulations(state.profile)}"
    texts = language.texts
    return CitedArticle(number, texts[f"{whose}.{number}"], texts[f"{whose}.source"])


def by_article(language: Language, state: State, key: str, article: str, **words: Any) -> str:
    """A sentence about an article: with its number, if the table's own regulations have it."""
    number = number_cited(state.profile, article)
    if number:
        return language.fill(key, article=number, **words)
    return language.fill(f"{key}{UNCITED}", **words)


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
    words = {"what": article(language, state, event)}
    decided_by_rule = regulations(state.profile) is Articles.FFM  # its article 4 asks nobody
    if event.article not in RIVALS_DECIDE or event.seat is None or decided_by_rule:
        key = "say.penalty_proposed"
    else:
        key = "say.penalty_proposed_rivals"
        words["rivals"] = rivals_of(language, state, event.seat)
    return sentence(by_article(language, state, key, event.article, **words))


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
    if (lance := getattr(event, "lance", None)) is not None:
        words["lance"] = language.lance(
            lance, "name" if isinstance(event, e.Declared | e.LanceClaimed) else "to"
        )
    if isinstance(event, e.BetMade | e.BetRaised | e.PartnerBet):
        words["stones"] = number(event.stones)
    if isinstance(event, e.PenaltyApplied | e.PenaltyWaived):
        return by_article(language, state, f"{section}.{key}", event.article)
    return language.fill(f"{section}.{key}", **words)


def _key(event: e.Event) -> str | None:
    match event:
        case e.BetMade(both=True):
            return "bet_both"
        case e.Declared():
            return "holds" if event.holds else "lacks"
        case _:
            return _UNDONE.get(type(event))


_UNDONE: dict[type[e.Event], str] = {
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


# ---- A line of the log ---------------------------------------------------------------------------


def log_line(
    language: Language, event: e.Event, state: State, history: Sequence[Record] = ()
) -> str:
    """One event in one line; an event that nobody said is marked as inferred.

    ``state`` gives the names. With the records in ``history`` a retraction tells what it took back.
    """
    if isinstance(event, e.Retracted) and history:
        return undone(language, event, history, state, str).rstrip(".")
    key, words = f"log.{_KEYS[type(event)](event)}", _words(language, event, state)
    if isinstance(event, PenaltyEvent | e.StonesLost):
        line = sentence(by_article(language, state, key, event.article, **words))
    else:
        line = sentence(language.fill(key, **words))
    if isinstance(event, e.GameOpened) and event.given:
        line = ". ".join([line, *(told.rstrip(".") for told in given(language, event, state))])
    if isinstance(event, e.StonesAdjusted) and event.reason:
        line = language.fill("log.because", line=line, reason=event.reason)
    return language.fill("log.implied", line=line) if getattr(event, "implied", False) else line


def given(language: Language, event: e.GameOpened, state: State) -> list[str]:
    """A sentence for each side that begins with juegos which a tournament's referee gave it."""
    return [
        language.fill("say.given_one", side=language.side(state, side))
        if juegos == 1
        else language.fill(
            "say.given_many", side=language.side(state, side), juegos=language.number(juegos)
        )
        for side, juegos in zip(side_letters(event.sides), event.given, strict=False)
        if juegos
    ]


def _words(language: Language, event: Any, state: State) -> dict[str, str | int]:
    """The words for the braces of any line, from the fields that the event has."""
    words: dict[str, str | int] = {}
    if hasattr(event, "seat"):
        words["name"] = language.name(state, event.seat)
    if getattr(event, "lance", None):
        words["lance"] = language.lance(event.lance, _lance_form(event))
    if getattr(event, "side", None):
        words["side"] = language.side(state, event.side)
    if isinstance(getattr(event, "stones", None), int):
        words["stones"] = abs(event.stones)
    if more := _MORE.get(type(event)):
        words |= more(language, event, state)
    return words


def _lance_form(event: e.Event) -> Any:
    match event:
        case e.Declared() | e.LanceClosed() | e.DeclarationDisproved():
            return "name"
        case e.LanceClaimed() | e.ClaimDisproved():
            return "name"
        case e.StonesWon():
            return "name" if event.why is e.Why.PASO else "at"
        case e.LanceDecided() | e.BetRefused() | e.BetAccepted(stones=None):
            return "the"
        case _:
            return "at"


def _game(language: Language, event: e.GameOpened, state: State) -> dict[str, str | int]:
    sides = (language.side(state, side) for side in side_letters(event.sides))
    return {
        "target": event.profile.target,
        "juegos": event.profile.juegos,
        "vacas": event.profile.vacas,
        "sides": language.texts["log.versus"].join(sides),
    }


def _deal(_language: Language, event: e.DealStarted, state: State) -> dict[str, str | int]:
    return {"deal": event.deal, "name": state.seats[event.mano - 1]}


def _mano(_language: Language, event: e.ManoChanged, state: State) -> dict[str, str | int]:
    return {"name": state.seats[event.mano - 1]}


def _pedrete(language: Language, event: e.PedreteSung, state: State) -> dict[str, str | int]:
    return {"side": side_of(language, state, event.seat)}


def _claim(_language: Language, event: e.LanceClaimed, _state: State) -> dict[str, str | int]:
    return {"values": " + ".join(map(str, event.values))}


def _disproved(language: Language, event: e.ClaimDisproved, state: State) -> dict[str, str | int]:
    return {"claimed": language.side(state, event.claimed)}


def _report(_language: Language, event: e.IrregularityReported, _s: State) -> dict[str, str | int]:
    return {"cards": event.cards}


def _penalty(language: Language, event: PenaltyEvent, state: State) -> dict[str, str | int]:
    return {"what": article(language, state, event)}


def _hand(_language: Language, event: e.HandShown, _state: State) -> dict[str, str | int]:
    return {"cards": format_hand(event.cards)}


def _set(language: Language, event: e.StonesSet, state: State) -> dict[str, str | int]:
    rows = zip(side_letters(state.sides), event.stones, strict=True)
    scores = [
        language.fill("log.set_side", side=language.side(state, side), stones=stones)
        for side, stones in rows
    ]
    return {"score": language.texts["join.comma"].join(scores)}


def _retracted(_language: Language, event: e.Retracted, _state: State) -> dict[str, str | int]:
    return {"seq": event.seq}


_MORE: dict[type[e.Event], Callable[[Language, Any, State], dict[str, str | int]]] = {
    e.GameOpened: _game,
    e.DealStarted: _deal,
    e.ManoChanged: _mano,
    e.PedreteSung: _pedrete,
    e.HandShown: _hand,
    e.CardsShownEarly: _hand,
    e.LanceClaimed: _claim,
    e.ClaimDisproved: _disproved,
    e.IrregularityReported: _report,
    e.PenaltyProposed: _penalty,
    e.PenaltyApplied: _penalty,
    e.PenaltyWaived: _penalty,
    e.StonesSet: _set,
    e.Retracted: _retracted,
}


def _always(key: str) -> Callable[[Any], str]:
    return lambda _event: key


def _twofold(key: str) -> Callable[[Any], str]:
    return lambda event: f"{key}_both" if event.both else key


def _either(key: str) -> Callable[[Any], str]:
    return lambda event: f"{key}holds" if event.holds else f"{key}lacks"


def _reported(event: e.IrregularityReported) -> str:
    about = event.kind is e.Irregularity.EXPOSED_CARD and event.seat is not None
    return f"{event.kind}_of" if about else str(event.kind)


_VALUES = {True: "_values", False: ""}
"""The end of a key: whether the cards give the lance to the side that claimed it, all the same."""


def _claimed(event: e.LanceClaimed) -> str:
    if event.by_cards:
        return "claimed_by_cards"
    return "claimed_values" if event.values else "claimed"


def _opened(event: e.GameOpened) -> str:
    if event.profile.vacas > 1:
        return "game_vacas"
    return "game_one" if event.profile.juegos == 1 else "game"


_KEYS: dict[type[e.Event], Callable[[Any], str]] = {
    e.GameOpened: _opened,
    e.DealStarted: lambda event: "deal_corrido" if event.corrido else "deal",
    e.ManoChanged: _always("mano"),
    e.PedreteSung: _always("pedrete"),
    e.SeatInferred: lambda event: f"seat_{event.why}",
    e.MusAsked: _always("mus"),
    e.DiscardBegan: _always("discard"),
    e.MusCut: _always("cut"),
    e.LanceOpened: _always("open"),
    e.Passed: _always("pass"),
    e.BetMade: _twofold("bet"),
    e.BetRaised: _always("raise"),
    e.OrdagoMade: _twofold("ordago"),
    e.PartnerBet: _always("partner_bet"),
    e.BetAccepted: lambda event: "accept" if event.stones is None else "accept_stones",
    e.LanceReopened: _always("reopened"),
    e.BetRefused: lambda event: "refuse_plural" if event.plural else "refuse",
    e.Declared: _either(""),
    e.LanceClosed: lambda event: f"closed_{event.how}",
    e.CardsShownEarly: _always("hand_early"),
    e.HandShown: _always("hand"),
    e.DeclarationDisproved: _either("disproved_"),
    e.LanceClaimed: _claimed,
    e.ClaimDisproved: lambda event: f"claim_disproved{_VALUES[event.claimed == event.side]}",
    e.LanceDecided: _always("decided"),
    e.StonesWon: lambda event: f"won_{event.why}",
    e.DealCounted: _always("counted"),
    e.JuegoWon: lambda event: f"juego_{event.by}",
    e.VacaWon: _always("vaca"),
    e.MatchWon: _always("match"),
    e.StonesSet: _always("set"),
    e.StonesAdjusted: lambda event: "adjust_fewer" if event.stones < 0 else "adjust_more",
    e.BetCorrected: _always("bet_corrected"),
    e.CountReopened: _always("recount"),
    e.DealVoided: _always("deal_void"),
    e.IrregularityReported: _reported,
    e.PenaltyProposed: _always("penalty_proposed"),
    e.PenaltyApplied: _always("penalty_applied"),
    e.PenaltyWaived: _always("penalty_waived"),
    e.StonesLost: _always("lost"),
    e.Retracted: _always("retracted"),
}
