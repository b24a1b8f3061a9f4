"""What stands on a button: a call in a word or two, with its stones in digits."""

from __future__ import annotations

from assistant.phrases.language import Language, sentence
from assistant.rules import calls as c
from assistant.rules.state import State


def label(language: Language, call: c.Call, state: State | None = None) -> str:
    """A call as a button says it; the state names players, and the lance of a bare declaration."""
    key, words = _key(call, state), _words(language, call, state)
    return sentence(language.fill(f"label.{key}", **words))


def _words(language: Language, call: c.Call, state: State | None) -> dict[str, str | int]:
    """The words that any button may hold, from the fields that the call has."""
    words: dict[str, str | int] = {}
    if isinstance(stones := getattr(call, "stones", None), int):
        words["stones"] = abs(stones)
    if lance := call.lance or (state.lance if state else None):
        told_at = isinstance(call, c.Place) and call.told is not c.Where.HOLDERS
        words["lance"] = language.lance(lance, "to" if told_at else "name")
    elif isinstance(call, c.ClaimLance):
        words["lance"] = language.texts["label.claim_what"]
    if state and (side := getattr(call, "side", None)):
        words["side"] = language.side(state, side)
    if isinstance(call, c.NextDeal) and state and call.mano:
        words["name"] = language.name(state, call.mano)
    if isinstance(call, c.Place) and state and call.player:
        words["name"] = language.name(state, call.player)
    if isinstance(call, c.Place) and state and call.holders:
        seats = [seat for seat in state.order() if seat in call.holders]
        words["name"] = language.join([language.name(state, seat) for seat in seats])
    if isinstance(call, c.ShowHand) and call.cards:
        words["cards"] = language.join([language.card(card.rank) for card in call.cards])
    if isinstance(call, c.Report):
        words["cards"] = call.cards
        words["name"] = language.texts["join.somebody"]
        if state and call.player:
            words["name"] = language.name(state, call.player)
    return words


def _key(call: c.Call, state: State | None) -> str:
    match call:
        case c.Bet(both=True):
            return "bet_both"
        case c.Ordago(both=True):
            return "ordago_both"
        case c.Accept(stones=int()):
            return "accept_stones"
        case c.Refuse(plural=True) if not (state and state.sides == state.players):
            return "refuse_plural"  # who has no partner speaks for himself
        case c.NextDeal(mano=int()) if state:
            return "mano"
        case c.ShowHand(cards=cards) if cards:
            return "show_hand"
        case c.Declare():
            named = call.lance or (state and state.lance)
            return ("holds" if call.holds else "lacks") if named else "yes" if call.holds else "no"
        case c.ClaimLance():
            return _claim(call, state)
        case c.AdjustStones():
            key = "adjust_fewer" if call.stones < 0 else "adjust_more"
            return f"{key}_to" if call.side and state else key
        case c.CorrectBet():
            return "correct_lance" if call.lance or (state and state.lance) else "correct_bet"
        case c.Report():
            return f"report_{call.kind}"
        case c.Place(told=c.Where.HOLDERS):
            return "place_holders" if call.holders else "place_nobody"
        case c.Place():
            told_of_mus = call.told is c.Where.LANCE and call.lance is None
            return "place_mus" if told_of_mus else f"place_{call.told}"
        case c.Verdict():
            return "apply" if call.apply else "waive"
        case _:
            return _LABELS[type(call)]


def _claim(call: c.ClaimLance, state: State | None) -> str:
    if call.side and state:
        return "claim"
    match call.whose:
        case c.Whose.US:
            return "claim_us"
        case c.Whose.THEM:
            return "claim_them"
    return "claim_lance"


_LABELS: dict[type[c.Call], str] = {
    c.Mus: "mus",
    c.Pedrete: "pedrete",
    c.Cut: "cut",
    c.Pass: "pass",
    c.Bet: "bet",
    c.Raise: "raise",
    c.Reenvido: "reenvido",
    c.Ordago: "ordago",
    c.Accept: "accept",
    c.Refuse: "refuse",
    c.ShowHand: "show",
    c.NextDeal: "deal",
    c.SetStones: "set",
    c.Redeal: "redeal",
}
