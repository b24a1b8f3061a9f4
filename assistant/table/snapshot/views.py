"""The parts of a snapshot, and the brief one that a hall shows."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import TypedDict

from assistant.messages import Accepted, Ask, Command, Ignored, Outcome, Refused, Told
from assistant.messages.codec import call_to_dict
from assistant.rules.alphabet import claims_again
from assistant.rules.arbitration import reportable
from assistant.rules.calls import (
    AdjustStones,
    Bet,
    Call,
    ClaimLance,
    CorrectBet,
    Place,
    Raise,
    Redeal,
    Report,
    Verdict,
)
from assistant.rules.cards import HAND_SIZE
from assistant.rules.engine import LegalCall
from assistant.rules.events import (
    OF_ONE,
    DealCounted,
    Event,
    How,
    Irregularity,
    JuegoWon,
    ManoChanged,
    PenaltyProposed,
    Retracted,
    SeatInferred,
    StonesLost,
    StonesWon,
    Why,
)
from assistant.rules.hands import value
from assistant.rules.history import Record, effective
from assistant.rules.legal import may_show, refusal
from assistant.rules.phases import AFTER_DEAL, LANCE_OF, ORDER, Lance, Phase
from assistant.rules.prizes import disproved_claims
from assistant.rules.settle import claim_disproved
from assistant.rules.state import SIDE_LETTERS, LanceResult, State, side_letters
from assistant.table.asked import DENIED
from assistant.table.repair import OtherCalls
from assistant.table.snapshot.shape import (
    ActionView,
    BetOfferView,
    BetView,
    CitedView,
    ClaimView,
    ContradictionView,
    CountedLanceView,
    DisprovedClaimView,
    GainView,
    HeardView,
    HeldView,
    IncidentsView,
    LanceView,
    LastHeard,
    LogPhrases,
    LogView,
    Made,
    OptionView,
    OtherCallsView,
    OtherCallView,
    ProposalView,
    QuestionView,
    ReportView,
    SeatView,
    ShownBefore,
    SideView,
    Status,
    StonesOfferView,
)

# ---- The parts of a snapshot that follow from the state alone -----------------------------------


AMARRACO = 5
"""Stones that one amarraco stands for (R42)."""
ADENTRO = 5
"""A side that needs no more than this is "adentro" (R43)."""
AMOUNTS = (2, 3, 4, 5, 6, 7, 8, 10, 15, 20)
"""The bets that have buttons; any other is said aloud."""
RAISES = (1, 2, 3, 4, 5, 6, 8, 10, 15, 20)
LAID_OPEN = (Phase.SHOWDOWN, *AFTER_DEAL)
"""Phases in which a hand may be laid open."""


def seat_view(
    state: State, seat: int, turn: int | None, speakers: Collection[int | None]
) -> SeatView:
    """One player; ``turn`` is whose turn it is, ``speakers`` the seats that may make a call."""
    hand, bet = state.hands[seat - 1], state.pending
    return {
        "seat": seat,
        "name": state.seats[seat - 1],
        "side": SIDE_LETTERS[(seat - 1) % state.sides],
        "mano": seat == state.mano,
        "turn": seat == turn,
        "may_speak": seat in speakers,
        "may_show": state.phase in LAID_OPEN and may_show(state, seat),
        "passed": seat in state.spoken and state.phase is not Phase.MUS,
        "wants_mus": seat in state.spoken and state.phase is Phase.MUS,
        "refused": bet is not None and seat in (*bet.refused, *bet.out),
        "accepted": bet is not None and seat in bet.accepted,
        "out": seat in state.incidents.out,
        "pares": state.pares[seat - 1],
        "juego": state.juego[seat - 1],
        "cards": state.cards_of(seat) if state.incidents.short else HAND_SIZE,
        "hand": [str(card) for card in hand] if hand is not None else None,
    }


def side_view(state: State, side: str) -> SideView:
    """One side and its stones."""
    place = SIDE_LETTERS.index(side)
    stones = state.stones[place]
    amarracos, piedras = divmod(stones, AMARRACO)
    return {
        "side": side,
        "names": [state.seats[seat - 1] for seat in sorted(state.seats_of(side))],
        "stones": stones,
        "amarracos": amarracos,
        "piedras": piedras,
        "juegos": state.juegos[place],
        "vacas": state.vacas[place],
        "adentro": state.profile.target - ADENTRO <= stones < state.profile.target,
    }


def bet_view(state: State) -> BetView | None:
    """The bet that waits for an answer, if there is one."""
    bet = state.pending
    if bet is None:
        return None
    return {
        "lance": bet.lance,
        "seat": bet.seat,
        "side": bet.side,
        "stones": bet.stones,
        "deje": bet.deje,
        "ordago": bet.ordago,
        "refused": list(bet.refused),
        "accepted": list(bet.accepted),
        "choices": list(bet.choices),
    }


def lance_views(state: State) -> list[LanceView]:
    """The four lances in their order; the fourth becomes punto where nobody has juego."""
    closed = {result.lance: result for result in state.results}
    punto = state.phase is Phase.PUNTO or Lance.PUNTO in closed
    fourth = Lance.PUNTO if punto else Lance.JUEGO
    lances = (Lance.GRANDE, Lance.CHICA, Lance.PARES, fourth)
    return [_lance(state, lance, closed.get(lance)) for lance in lances]


def _lance(state: State, lance: Lance, result: LanceResult | None) -> LanceView:
    if result is None:
        status: Status = "now" if LANCE_OF.get(state.phase) is lance else "ahead"
        return {
            "lance": lance,
            "status": status,
            "how": None,
            "side": None,
            "seat": None,
            "bet": 0,
            "won": 0,
            "why": [],
            "claimed": None,
        }
    return {
        "lance": lance,
        "status": "closed",
        "how": result.how,
        "side": result.side,
        "seat": result.seat,
        "bet": result.stones,
        "won": result.won,
        "why": [str(why) for why in result.whys],
        "claimed": list(result.claimed) if result.claimed is not None else None,
    }


@lru_cache(maxsize=512)
def action_view(number: int, legal: LegalCall, label: str) -> ActionView:
    """A legal call as a button; ``number`` is its place among them, ``label`` its text.

    Nobody may change it: a table's buttons are the same few hundred all evening.
    """
    call = legal.call
    action: ActionView = {
        "id": f"c{number}",
        "label": label,
        "seat": call.seat,
        "call": call_to_dict(call),
    }
    amounts = RAISES if isinstance(call, Raise) else AMOUNTS
    if isinstance(call, Raise) or (isinstance(call, Bet) and not call.both):
        action["stones"] = [n for n in legal.among(amounts) if n >= call.stones]
    return action


# ---- The count of the deal that has ended, lance by lance ----------------------------------------


def counted_views(
    state: State, records: Sequence[Record], phrases: LogPhrases
) -> list[CountedLanceView]:
    """The last count in its order. An accepted órdago is all that counts (R32).

    The lances behind the stone that ended the juego are left out (R30).
    """
    if state.uncounted is None or state.phase not in AFTER_DEAL:
        return []
    counting = effective(records)
    last = next((r.batch for r in reversed(counting) if isinstance(r.event, _COUNTED)), None)
    events = [record.event for record in counting if record.batch == last]
    totals = list(state.uncounted.stones)
    views = [
        _counted(state, state.uncounted, result, events, totals, phrases)
        for result in state.results
        if result.how is How.ORDAGO or not _on_an_ordago(state)
    ]
    if state.juego_won:
        while views and not (views[-1]["stones"] or views[-1]["how"] == How.ORDAGO):
            views.pop()
    return views


_COUNTED = (DealCounted, JuegoWon)


def _on_an_ordago(state: State) -> bool:
    return any(result.how is How.ORDAGO for result in state.results)


def _counted(
    state: State,
    before: State,
    result: LanceResult,
    events: Sequence[Event],
    totals: list[int],
    phrases: LogPhrases,
) -> CountedLanceView:
    """One lance; ``totals`` are those before it, and become those after it."""
    gains: list[GainView] = []
    paid = before.result(result.lance)
    if paid and paid.side and paid.won:
        gains.append({"side": paid.side, "why": Why.DEJE, "stones": paid.won, "paid": True})
    won = 0
    for event in events:
        if isinstance(event, StonesWon | StonesLost) and event.lance is result.lance:
            gain = _gain(event)
            gains.append(gain)
            totals[SIDE_LETTERS.index(event.side)] += gain["stones"]
            won += gain["stones"] if event.side == result.side else 0
    return {
        "lance": result.lance,
        "how": result.how,
        "side": result.side,
        "seat": result.seat,
        "bet": result.stones,
        "held": _held(state, result, phrases),
        "gains": gains,
        "stones": won,
        "totals": list(totals),
    }


def _gain(event: StonesWon | StonesLost) -> GainView:
    if isinstance(event, StonesLost):
        return {"side": event.side, "why": Why.PENALTY, "stones": -event.stones, "paid": False}
    return {"side": event.side, "why": event.why, "stones": event.stones, "paid": False}


def _held(state: State, result: LanceResult, phrases: LogPhrases) -> list[HeldView]:
    """The hands that won a lance, the best first: at pares and juego partners count, too."""
    seats = [result.seat] if result.seat else []
    if result.lance in (Lance.PARES, Lance.JUEGO) and result.how is not How.ORDAGO:
        partners = [s for s in state.holders(result.lance) if state.side_of(s) == result.side]
        seats += [seat for seat in partners if seat != result.seat]
    shown = [seat for seat in seats if state.hands[seat - 1] is not None]
    return [{"seat": seat, "text": phrases.held(result.lance, seat, state)} for seat in shown]


# ---- The brief view of a table, which a hall shows of each of its tables ------------------------


class Brief(TypedDict):
    """A table at one moment. ``seq`` is the journal's; codes are those of ``Snapshot``.

    ``given``: the juegos of each side that a referee gave it before the match; they are among its
    juegos. ``whole``: the stones of each side in the whole match.
    """

    seq: int
    deal: int
    phase: str
    lance: str | None
    mano: int
    seats: list[str]
    sides: list[SideView]
    pending: BetView | None
    lances: list[LanceView]
    target: int
    juegos_to_win: int
    over: bool
    winner: str | None
    juego_won: str | None
    given: list[int]
    whole: list[int]


def brief(state: State, seq: int) -> Brief:
    """The brief view of the state at ``seq``. The table and the hub make the same one."""
    return {
        "seq": seq,
        "deal": state.deal,
        "phase": state.phase,
        "lance": state.lance,
        "mano": state.mano,
        "seats": list(state.seats),
        "sides": [side_view(state, side) for side in side_letters(state.sides)],
        "pending": bet_view(state),
        "lances": lance_views(state),
        "target": state.profile.target,
        "juegos_to_win": state.profile.juegos,
        "over": state.phase is Phase.OVER,
        "winner": state.winner,
        "juego_won": state.juego_won,
        "given": list(state.given or (0,) * state.sides),
        "whole": list(state.whole),
    }


# ---- Offers beside the calls of the game: claims, corrections, reports, a decision ---------------
# They are not listed among the calls, because they would bury them. Each offer has the call that
# the page sends back, and the values that may be filled into it.


APART = (ClaimLance, Verdict)
"""Legal calls that have places of their own on the page, apart from the buttons."""
COUNTS = (2, 3, 5, 6)
"""Wrong numbers of cards that can be tapped; any other number is said aloud."""
MENDED = (HAND_SIZE,)
"""The right number, offered once somebody was said to hold fewer."""


def proposal_view(state: State, phrases: LogPhrases) -> ProposalView | None:
    """The article that waits for the table's decision, if there is one."""
    if not state.proposals:
        return None
    first = state.proposals[0]
    event = PenaltyProposed(first.article, first.remedy, first.seat, first.lance)
    verdicts = (Verdict(apply=True), Verdict(apply=False))
    return {
        "article": first.article,
        "cited": _cited(event, state, phrases),
        "remedy": first.remedy,
        "seat": first.seat,
        "lance": first.lance,
        "text": phrases.log_line(event, state, ()),
        "options": [{"label": phrases.label(v, state), "call": call_to_dict(v)} for v in verdicts],
    }


def _cited(event: PenaltyProposed, state: State, phrases: LogPhrases) -> CitedView | None:
    found = phrases.cited(event, state)
    if found is None:
        return None
    return {"number": found.number, "text": found.text, "source": found.source}


def contradiction_views(state: State, phrases: LogPhrases) -> list[ContradictionView]:
    """The declarations that the cards on the table contradict, by seat and lance."""
    incidents = state.incidents
    articles = {
        (one.seat, one.lance): PenaltyProposed(one.article, one.remedy, one.seat, one.lance)
        for one in (*incidents.applied, *incidents.proposals)
    }
    views: list[ContradictionView] = []
    for seat, cards in enumerate(state.hands, start=1):
        if cards is None:
            continue
        hand = value(cards, state.profile)
        for lance, holds in ((Lance.PARES, hand.pares is not None), (Lance.JUEGO, hand.juego)):
            said = state.declared(lance)[seat - 1]
            if said is None or said is holds:
                continue
            fits = articles.get((seat, lance))
            views.append(
                {
                    "seat": seat,
                    "lance": lance,
                    "said": said,
                    "article": fits.article if fits else None,
                    "cited": _cited(fits, state, phrases) if fits else None,
                    "text": phrases.article(fits, state) if fits else "",
                }
            )
    return views


def disproved_views(state: State, phrases: LogPhrases) -> list[DisprovedClaimView]:
    """The claims that the open cards contradict, in the order of the lances."""
    views: list[DisprovedClaimView] = []
    for result, won in disproved_claims(state):
        call = ClaimLance(lance=result.lance, side=won.side)
        playing = (seat for seat in state.rivals_in(result) if state.side_of(seat) == won.side)
        views.append(
            {
                "lance": result.lance,
                "seat": won.seat or next(playing),
                "text": phrases.log_line(claim_disproved(state, result, won), state, ()),
                "call": call_to_dict(call),
            }
        )
    return views


def incidents_view(state: State, calls: Sequence[Call]) -> IncidentsView:
    """All that may be reported, claimed or corrected now; ``calls``: all legal calls.

    A lance that was claimed already may be claimed once more, for another side or other hands.
    """
    return {
        "claims": _claims([*calls, *claims_again(state)]),
        "reports": _reports(state),
        "bets": _bets(state),
        "stones": _stones(state),
        "redeal": _allowed(state, Redeal()),
    }


def _allowed(state: State, call: Call) -> bool:
    return refusal(state, call) is None


def _claims(calls: Sequence[Call]) -> list[ClaimView]:
    """One for each lance and side, with all the values that its hands may have."""
    views: dict[tuple[Lance | None, str | None], ClaimView] = {}
    for call in calls:
        if isinstance(call, ClaimLance) and call.lance and call.side:
            view = views.setdefault(
                (call.lance, call.side),
                {
                    "lance": call.lance,
                    "side": call.side,
                    "values": [],
                    "call": call_to_dict(ClaimLance(lance=call.lance, side=call.side)),
                },
            )
            view["values"].append(list(call.values))
    return sorted(views.values(), key=lambda view: ORDER[Lance(view["lance"])])


def _reports(state: State) -> list[ReportView]:
    counts = _counts(state)
    return [
        {
            "kind": kind,
            "players": [] if kind is Irregularity.SAME_MANO else list(players),
            "needs_player": kind in OF_ONE,
            "cards": list(counts) if kind is Irregularity.CARD_COUNT else [],
            "call": call_to_dict(Report(kind=kind)),
        }
        for kind, players in reportable(state, counts).items()
    ]


def _counts(state: State) -> tuple[int, ...]:
    """The numbers of cards that may be reported, in order."""
    if not state.incidents.short:
        return COUNTS
    short = any(state.cards_of(seat) != HAND_SIZE for seat in state.order())
    return tuple(sorted(COUNTS + MENDED)) if short else COUNTS


def _bets(state: State) -> list[BetOfferView]:
    """The bets of this deal that can be corrected ("la grande eran cinco")."""
    bets: dict[Lance, int] = {r.lance: r.stones for r in state.results if r.how is How.ACCEPTED}
    if state.pending and not state.pending.ordago:
        bets[state.pending.lance] = state.pending.stones
    return [
        {"lance": lance, "stones": stones, "call": call_to_dict(call)}
        for lance, stones in bets.items()
        # Any other amount: the one that is on the table needs no correction.
        if _allowed(state, call := CorrectBet(lance=lance, stones=stones + 1))
    ]


def _stones(state: State) -> list[StonesOfferView]:
    """How many stones each side can be given, or have taken away (``least`` is negative)."""
    sides, target = side_letters(state.sides), state.profile.target
    # One stone more is always within the target, unless the juego is over: for all sides alike.
    if not _allowed(state, AdjustStones(side=sides[0], stones=1, reason="?", agreed=True)):
        return []
    needs_reason = not _allowed(state, AdjustStones(side=sides[0], stones=1))
    return [
        {
            "side": side,
            "least": -stones,
            "most": target - stones,
            "needs_reason": needs_reason,
            "call": call_to_dict(AdjustStones(side=side, agreed=needs_reason)),
        }
        for side, stones in zip(sides, state.stones, strict=True)
    ]


# ---- The parts of a snapshot with sentences: the log, what was heard, the question --------------


LOG_LINES = 30


def log_views(
    state: State, records: Sequence[Record], phrases: LogPhrases, shown: ShownBefore
) -> list[LogView]:
    """The newest lines, oldest first; lines that were ``shown`` before stay the same."""
    # An event takes one record, or two with its SeatInferred, which is a mark and no line.
    recent = records[-2 * LOG_LINES :]
    told = [record for record in recent if not isinstance(record.event, SeatInferred)]
    texts = iter(shown.lines([record.event for record in told], state, records, phrases))
    counting = {record.seq for record in effective(records)}
    lines: list[LogView] = []
    seat_inferred = False
    for record in recent:
        if isinstance(record.event, SeatInferred):
            seat_inferred = True
            continue
        undone = record.seq not in counting and not isinstance(record.event, Retracted)
        lines.append(
            {
                "seq": record.seq,
                "at": record.at,
                "text": next(texts),
                "implied": bool(getattr(record.event, "implied", False)),
                "seat_inferred": seat_inferred,
                "undone": undone,
            }
        )
        seat_inferred = False
    return lines[-LOG_LINES:]


def heard_view(
    state: State, heard: LastHeard, phrases: LogPhrases, records: Sequence[Record] = ()
) -> HeardView:
    """The last utterance and its outcomes, up to the first call that failed.

    With the ``records`` so far, the text of an undo says what it took back.

    Raises ValueError if there are no outcomes.
    """
    if not heard.outcomes:
        raise ValueError("Nothing is known of what became of these words.")
    told = [_told(state, outcome, phrases, records) for outcome in heard.outcomes]
    return {
        "text": heard.text,
        "confidence": round(heard.confidence, 2),
        "outcome": _MADE[type(heard.outcomes[-1])],
        "say": " · ".join(sentence for sentence in told if sentence),
    }


_MADE: dict[type[Outcome], Made] = {
    Accepted: "accepted",
    Ask: "ask",
    Refused: "refused",
    Ignored: "ignored",
    Told: "told",
}


def _told(state: State, outcome: Outcome, phrases: LogPhrases, records: Sequence[Record]) -> str:
    match outcome:
        case Accepted():
            if outcome.understood or isinstance(outcome.call, Place):
                return phrases.answer(outcome, state) or ""
            events = [e for e in outcome.events if not isinstance(e, SeatInferred)]
            # The call itself: implied events are before it, what follows from it is after it.
            said = [e for e in events if not _follows(e)] or events
            return phrases.log_line(said[0], state, records) if said else ""
        case Ignored():
            return phrases.reason(outcome.code, ())
        case _:
            return phrases.answer(outcome, state) or ""


def _follows(event: Event) -> bool:
    """Whether an event follows from the game, or from a mus corrido, and was not said."""
    return bool(getattr(event, "implied", False)) or isinstance(event, ManoChanged)


def others_view(others: OtherCalls | None, phrases: LogPhrases) -> OtherCallsView | None:
    """What the last call may have been instead, each as a button."""
    if others is None:
        return None
    options: list[OtherCallView] = [
        {
            "label": phrases.label(call, others.state),
            "call": call_to_dict(call),
            "stones": call.stones
            if isinstance(call, Bet | Raise) and type(call) is type(others.made.call)
            else None,
        }
        for call in others.options
    ]
    return {"text": _told(others.state, others.made, phrases, ()), "options": options}


def question_view(
    state: State, heard: LastHeard | None, phrases: LogPhrases
) -> QuestionView | None:
    """The question to the table, if one is open; any later outcome takes it away."""
    ask = heard.outcomes[-1] if heard and heard.outcomes else None
    if not isinstance(ask, Ask):
        return None
    labels = phrases.options(ask, state)
    options: list[OptionView] = [
        {"label": label, "call": call_to_dict(call)}
        for label, call in zip(labels, ask.options, strict=True)
    ]
    yes, no = phrases.said()
    if ask.code == "sure_undo":
        options.append({"label": yes, "command": Command.UNDO})
    if ask.code in DENIED:
        options.append({"label": no, "command": Command.NOT_SAID})
    return {"code": ask.code, "text": phrases.answer(ask, state) or "", "options": options}
