"""The calls that one seat may make now, with their possible results; and the last mistake."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from assistant.language.phrases.language import sentence
from assistant.messages import Ask, Ignored, Outcome, Refused
from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.arbitration import JUEGO_STONES, PARES_STONES
from assistant.rules.engine import Decided, LegalCall, decide, legal_calls
from assistant.rules.errors import CallError
from assistant.rules.hands import HandValue
from assistant.rules.phases import BEFORE_LANCES, BETTING, DECLARING, LANCE_OF, Lance, Phase
from assistant.rules.prizes import hand_values, outcome
from assistant.rules.state import LanceResult, Pending, State, evolve
from assistant.school.apprentice.shape import (
    NO_MISTAKE,
    TAUGHT,
    ChoiceView,
    MistakeView,
    StakeKind,
    StakeView,
    Tongue,
    WayView,
)

# ---- The wording of a call at the table, and the call that an event comes from ------------------


def said(call: c.Call, state: State, tongue: Tongue) -> str:
    """The words of a call, with a capital; ``state`` is the table before it."""
    key = saying_of(call, state)
    words: dict[str, str] = {}
    if isinstance(stones := getattr(call, "stones", None), int):
        words["n"] = tongue.spoken.stones(stones)
    if isinstance(call, c.NextDeal) and call.mano:
        words["name"] = state.seats[call.mano - 1]
    return sentence(tongue.calls[key].format(**words))


def saying_of(call: c.Call, state: State) -> str:
    """The key of a call's words."""
    match call:
        case c.Bet(stones=stones, both=both):
            plain = stones == c.ENVIDO and state.pending is None
            return f"bet{'_both' if both else ''}{'' if plain else '_n'}"
        case c.Ordago(both=True):
            return "ordago_both"
        case c.Accept(stones=int()):
            return "accept_n"
        case c.Refuse(plural=True):
            return "refuse_plural"
        case c.Declare():
            return declaring(call, state)
        case c.NextDeal(mano=int()):
            return "mano"
        case _:
            return _PLAIN[type(call)]


def declaring(call: c.Declare, state: State) -> str:
    """The key of a declaration: one in its round, or one that corrects an earlier one (R50)."""
    lance = call.lance or state.lance or Lance.PARES
    if state.phase in DECLARING and LANCE_OF[state.phase] is lance:
        said_before = call.seat is not None and state.declared(lance)[call.seat - 1] is not None
        if not said_before:
            return f"{'holds' if call.holds else 'lacks'}_{lance}"
    return f"put_right_{lance}" if call.holds else f"lacks_{lance}"


_PLAIN: dict[type[c.Call], str] = {
    c.Mus: "mus",
    c.Cut: "cut",
    c.Pass: "pass",
    c.Raise: "raise",
    c.Reenvido: "reenvido",
    c.Ordago: "ordago",
    c.Accept: "accept",
    c.Refuse: "refuse",
    c.Pedrete: "pedrete",
    c.NextDeal: "next_deal",
}


def call_of(event: e.Event) -> c.Call | None:
    """The call that made an event; ``None`` if no words made it, or if nobody said them."""
    if getattr(event, "implied", False):
        return None
    make = _CALLS.get(type(event))
    return make(event) if make else None


_CALLS: dict[type[e.Event], Callable[[Any], c.Call]] = {
    e.MusAsked: lambda event: c.Mus(seat=event.seat),
    e.MusCut: lambda event: c.Cut(seat=event.seat),
    e.PedreteSung: lambda event: c.Pedrete(seat=event.seat),
    e.Passed: lambda event: c.Pass(seat=event.seat),
    e.BetMade: lambda event: c.Bet(seat=event.seat, stones=event.stones, both=event.both),
    e.BetRaised: lambda event: c.Raise(seat=event.seat, stones=event.stones),
    e.OrdagoMade: lambda event: c.Ordago(seat=event.seat, both=event.both),
    e.BetAccepted: lambda event: c.Accept(seat=event.seat, stones=event.stones),
    e.BetRefused: lambda event: c.Refuse(seat=event.seat, plural=event.plural),
    e.Declared: lambda event: c.Declare(seat=event.seat, lance=event.lance, holds=event.holds),
}


# ---- The results of a choice: the rules play it out, so nothing is guessed ----------------------
# A call is decided and applied, then answered: accepted and won, accepted and lost, refused. What
# a deje pays is what the engine then pays, capped by the target; what an accepted bet is worth at
# the count is what ``rules.prizes`` gives for it (R13, R15, R20, R24-R29).


VALUES = {Lance.PARES: PARES_STONES, Lance.JUEGO: JUEGO_STONES}


@dataclass(frozen=True, slots=True)
class Stake:
    """One outcome of a choice, and what it brings; see ``shape.StakeView``."""

    kind: StakeKind
    lance: Lance
    stones: int
    later: int = 0
    more: tuple[int, int] | None = None
    juego: bool = False
    sure: bool = False
    """The call alone brings it: nobody else has to answer."""


def stakes(state: State, call: c.Call) -> tuple[Stake, ...]:
    """All outcomes of a legal call of a known seat; none if no stones depend on it."""
    played = _played(state, call)
    if played is None or call.seat is None:
        return ()
    after, events = played.state, played.events
    bet, side = state.pending, state.side_of(call.seat)
    match call:
        case c.Accept() if bet:
            return _accepted(state, evolve(bet, stones=call.stones or bet.stones), side)
        case c.Refuse() | c.Pass() if bet:
            return (_unanswered(bet, after, events, "given"),)
        case c.Pass():
            return (_passed(state),)
        case c.Bet() | c.Raise() | c.Reenvido() | c.Ordago() if after.pending:
            refused = _unanswered(after.pending, after, (), "refused")
            return (*_accepted(after, after.pending, side), refused)
    return ()


def _played(state: State, call: c.Call) -> Decided | None:
    """What a call makes happen; ``None`` if it is not allowed, or leads to a question."""
    try:
        return decide(state, call)
    except CallError:
        return None


def _accepted(state: State, bet: Pending, side: str) -> tuple[Stake, Stake]:
    """The bet is accepted: what the count brings to ``side``, and to the others, if they win it."""
    lance, others = bet.lance, [s for s in _sides(state, bet.lance) if s != side]
    if bet.ordago:
        return Stake("won", lance, 0, juego=True), Stake("lost", lance, 0, juego=True)
    closed = LanceResult(lance, e.How.ACCEPTED, side, bet.stones, bet=bet, claimed=())
    stones = _counted(state, closed)
    return (
        Stake("won", lance, stones, more=_values(state, lance, [side])),
        Stake("lost", lance, stones, more=_values(state, lance, others)),
    )


def _passed(state: State) -> Stake:
    """Nobody bets: what the count brings to whoever wins the lance."""
    lance = LANCE_OF[state.phase] if state.phase in BETTING else Lance.GRANDE
    sides = _sides(state, lance)
    closed = LanceResult(lance, e.How.PASSED, sides[0], claimed=())
    return Stake("passed", lance, _counted(state, closed), more=_values(state, lance, sides))


def _unanswered(bet: Pending, state: State, events: tuple[e.Event, ...], kind: StakeKind) -> Stake:
    """The bet is refused: what its side takes at once, and at the count (R24-R29)."""
    lance, happened = bet.lance, list(events)
    sure = not (state.pending and state.pending.lance is lance)
    while state.pending and state.pending.lance is lance:
        refusing = _played(state, c.Refuse(seat=state.answerers()[0], plural=True))
        if refusing is None:
            break
        state = refusing.state
        happened += refusing.events
    won = [x.stones for x in happened if isinstance(x, e.StonesWon) and x.side == bet.side]
    if any(isinstance(event, e.JuegoWon) for event in happened):
        return Stake(kind, lance, sum(won), juego=True)
    closed = LanceResult(lance, e.How.REFUSED, bet.side, bet=bet, claimed=())
    later = _counted(state, closed)
    return Stake(kind, lance, sum(won), later, _values(state, lance, [bet.side]), sure=sure)


def _counted(state: State, closed: LanceResult) -> int:
    """What the rules give for a closed lance beside the values of the hands."""
    taken = outcome(state, closed, {})
    return sum(stones for stones, _why in taken.stones) if taken else 0


def _values(state: State, lance: Lance, sides: Iterable[str]) -> tuple[int, int] | None:
    """The least and the most that the hands of one of these sides bring at the count."""
    stones = VALUES.get(lance)
    hands = [sum(state.side_of(s) == side for s in state.holders(lance)) for side in sides]
    if stones is None or not hands:
        return None
    return min(hands) * min(stones), max(hands) * max(stones)


def _sides(state: State, lance: Lance) -> tuple[str, ...]:
    """The sides that play for a lance, from mano."""
    return tuple(dict.fromkeys(state.side_of(seat) for seat in state.holders(lance)))


# ---- The calls that one seat may make now: wording, meaning and possible results ----------------


AMOUNTS = (5, 10)
"""Bets that are explained beside the smallest one."""
MORE = (5,)
"""Raises that are explained beside the smallest one."""
SPOKEN = (
    c.Mus,
    c.Cut,
    c.Pedrete,
    c.Pass,
    c.Bet,
    c.Raise,
    c.Reenvido,
    c.Ordago,
    c.Accept,
    c.Refuse,
    c.Declare,
    c.NextDeal,
)
"""Calls that one player makes; claims, reports and verdicts are the whole table's."""


def choices(state: State, seat: int, tongue: Tongue) -> list[ChoiceView]:
    """All that a seat may say now, one entry for each kind of call."""
    found: dict[str, ChoiceView] = {}
    for legal in legal_calls(state):
        call = legal.call
        if not isinstance(call, SPOKEN) or not _his(state, call, seat):
            continue
        kind = kind_of(call, state)
        means = tongue(f"call.{kind}", **_words(state, tongue))
        choice = found.setdefault(kind, {"kind": kind, "means": means, "ways": []})
        choice["ways"] += [_way(state, one, tongue) for one in _amounts(legal)]
    return list(found.values())


def _his(state: State, call: c.Call, seat: int) -> bool:
    """Whether a call is for this seat to make; anybody may call for a new deal."""
    if isinstance(call, c.NextDeal):
        return call.mano is None or call.mano == seat
    alone = len(state.seats_of(state.side_of(seat))) == 1
    return call.seat == seat and not (alone and isinstance(call, c.Refuse) and call.plural)


def kind_of(call: c.Call, state: State) -> str:
    """The key of what a call means now."""
    bet, cuts = state.pending, state.phase in BEFORE_LANCES
    partners = bet is not None and call.seat is not None and state.side_of(call.seat) == bet.side
    match call:
        case c.Pass():
            return "pass_refuses" if bet else "pass_cuts" if cuts else "pass"
        case c.Bet(both=True):
            return "bet_both"
        case c.Ordago(both=True):
            return "ordago_both"
        case c.Bet() | c.Raise() if partners:
            return "partner_bet"
        case c.Ordago() if partners:
            return "partner_ordago"
        case c.Bet():
            return "bet_reply" if bet else "bet_cuts" if cuts else "bet"
        case c.Accept():
            return "accept_ordago" if bet and bet.ordago else "accept"
        case c.Refuse(plural=True):
            return "refuse_plural"
        case c.Refuse():
            return "refuse" if bet and _partner_may_answer(state, call) else "refuse_alone"
        case c.Declare():
            return declaring(call, state)
        case c.NextDeal():
            return "next_deal" if call.mano is None else "mano"
        case _:
            return type(call).__name__.lower()


def _partner_may_answer(state: State, call: c.Call) -> bool:
    side = state.side_of(call.seat or 0)
    return any(s != call.seat and state.side_of(s) == side for s in state.answerers())


def _words(state: State, tongue: Tongue) -> dict[str, str]:
    words = tongue.lance(Lance.GRANDE if state.phase in BEFORE_LANCES else state.lance)
    return {**words, "stones": tongue.stones(state.profile.pedrete)}


def _amounts(legal: LegalCall) -> Iterator[c.Call]:
    """The call, and the same with some larger numbers where it takes one."""
    call = legal.call
    yield call
    if isinstance(call, c.Bet | c.Raise) and not getattr(call, "both", False):
        for stones in legal.among(MORE if isinstance(call, c.Raise) else AMOUNTS):
            if stones > call.stones:
                yield replace(call, stones=stones)


def _way(state: State, call: c.Call, tongue: Tongue) -> WayView:
    stones = getattr(call, "stones", None)
    return {
        "say": said(call, state, tongue),
        "stones": stones if isinstance(stones, int) else None,
        "stakes": [_stake(stake, tongue) for stake in stakes(state, call)],
    }


def _stake(stake: Stake, tongue: Tongue) -> StakeView:
    the = tongue.lance(stake.lance)["the"]
    between = tongue.between(*stake.more) if stake.more else ""
    words = {
        "stones": tongue.stones(stake.stones),
        "between": between,
        "the": the,
        "more": tongue.part("stake.more", between=between, the=the) if between else "",
        "later": tongue.part("stake.later", stones=tongue.stones(stake.later))
        if stake.later
        else "",
    }
    key = f"{stake.kind}_juego" if stake.juego else stake.kind
    if stake.kind == "given" and stake.sure and not stake.juego:
        key = "given_sure"
    if stake.kind == "passed" and not stake.stones:
        key = "passed_values"
    return {
        "kind": stake.kind,
        "stones": stake.stones,
        "later": stake.later,
        "more": list(stake.more) if stake.more else None,
        "juego": stake.juego,
        "text": tongue(f"stake.{key}", **words),
    }


# ---- The last call that moved nothing: an explanation, and what to say instead ------------------


def mistake(
    state: State, outcomes: Sequence[Outcome], tongue: Tongue, name: str = ""
) -> MistakeView | None:
    """What was wrong with the last words, or with a declaration that the open cards contradict.

    ``name``: who said those words, if it was somebody else who is known.
    """
    last = outcomes[-1] if outcomes else None
    if isinstance(last, Refused | Ask | Ignored) and last.code not in NO_MISTAKE:
        return {**_explained(state, last.code, tongue), "name": name}
    return _untrue(state, tongue)


def _explained(state: State, code: str, tongue: Tongue) -> MistakeView:
    key = f"mistake.{code}"
    words: dict[str, str | int] = {
        "the": tongue.lance(_lance(state))["the"],
        "n": tongue.stones(state.profile.min_bet),
        "m": tongue.stones(state.profile.min_raise),
    }
    return {
        "code": code,
        "name": "",
        "text": tongue(key if code in TAUGHT else "mistake.other", **words),
    }


def _lance(state: State) -> Lance:
    if state.phase in BEFORE_LANCES:
        return Lance.GRANDE
    return LANCE_OF.get(state.phase, Lance.GRANDE)


def _untrue(state: State, tongue: Tongue) -> MistakeView | None:
    """A declaration that the cards on the table contradict (R47, R48)."""
    if state.phase not in (Phase.SHOWDOWN, Phase.COUNT):
        return None
    for seat, hand in hand_values(state).items():
        for lance, holds in ((Lance.PARES, hand.pares is not None), (Lance.JUEGO, hand.juego)):
            told = state.declared(lance)[seat - 1]
            if told is not None and told is not holds:
                return _contradicted(state, seat, lance, hand, tongue)
    return None


def _contradicted(
    state: State, seat: int, lance: Lance, hand: HandValue, tongue: Tongue
) -> MistakeView:
    code = f"{'claimed' if state.declared(lance)[seat - 1] else 'denied'}_{lance}"
    cards = tongue.cards(state.hands[seat - 1] or (), state.profile)
    words: dict[str, str | int] = {
        "name": state.seats[seat - 1],
        "cards": cards,
        "points": hand.points,
    }
    return {"code": code, "name": "", "text": tongue(f"mistake.{code}", **words)}
