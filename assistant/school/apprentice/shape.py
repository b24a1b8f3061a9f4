"""The shape of what the apprentice's page shows, and every text that it needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NotRequired, TypedDict

from assistant.language.phrases.language import Language, sentence
from assistant.rules.cards import Hand, Rank
from assistant.rules.events import How, Irregularity
from assistant.rules.hands import value
from assistant.rules.phases import ORDER, Lance, Phase
from assistant.rules.profile import OPTIONS, Profile

# ---- The views that the learner gets: every value is JSON, every text a sentence ----------------


StakeKind = Literal["won", "lost", "refused", "given", "passed"]
"""Accepted and won, accepted and lost; refused by them, given by us; nobody bets."""


class StakeView(TypedDict):
    """What a choice can bring.

    stones  that change hands; 0 where it is the whole ``juego``, or only what hands are worth
    later   stones at the count beside those that are paid at once (punto, R29)
    more    the least and the most that the winners' hands bring beside it (R13, R15, R28)
    juego   it ends the juego
    """

    kind: StakeKind
    stones: int
    later: int
    more: list[int] | None
    juego: bool
    text: str


class WayView(TypedDict):
    """One way to make a choice: how it is said, and what it can bring."""

    say: str
    stones: int | None
    stakes: list[StakeView]


class ChoiceView(TypedDict):
    """One thing that may be said now, what it means, and with which amounts."""

    kind: str
    means: str
    ways: list[WayView]


class SaidView(TypedDict):
    """What happened last. ``say`` is "" where nobody spoke; ``then``: what followed by itself."""

    seat: int | None
    name: str
    mine: bool
    say: str
    means: str
    implied: bool
    then: list[str]


class TurnView(TypedDict):
    """Whose turn it is; ``may``: whether the learner may speak now, even out of turn."""

    seat: int | None
    mine: bool
    may: bool
    text: str


class WhyView(TypedDict):
    """Why a closed lance went as it did, from how it was closed to who won it with what."""

    lance: str
    name: str
    text: str


class MistakeView(TypedDict):
    """A call that moved nothing, or an untrue declaration, and what is said instead.

    ``name``: whose it was, if that is known and it was not the learner's.
    """

    code: str
    name: str
    text: str


class ChanceView(TypedDict):
    """How likely one's side was to win a lance, in per cent, and whether it did."""

    lance: str
    percent: int
    won: bool | None
    text: str


class ApprenticeView(TypedDict):
    """Everything for one seat at one moment.

    ``may_tell``: his own hand was not shown, and he may enter it on this page now (never before the
    deal is counted); ``fault``: why the hand that he entered is impossible.
    """

    seq: int
    language: str
    seat: int
    name: str
    side: str
    phase: str
    now: str
    said: SaidView | None
    turn: TurnView
    may: list[ChoiceView]
    why: list[WhyView]
    mistake: MistakeView | None
    chances: list[ChanceView]
    may_tell: bool
    fault: NotRequired[str]


# ---- Every sentence of the apprentice's page, and the words that the code fills into each -------


BET = "name side stones lance the deje total"
LANCE = "lance the"

EVENTS: dict[str, str] = {
    "game": "target juegos",
    "deal": "name",
    "deal_corrido": "name",
    "mano": "name",
    "pedrete": "name stones",
    "mus": "",
    "discard": "",
    "cut": "",
    "open_pares": "",
    "open_juego": "",
    "open_punto": "",
    "pass": LANCE,
    "bet": BET,
    "bet_both": BET,
    "raise": BET,
    "ordago": BET,
    "ordago_both": BET,
    "partner_bet": BET,
    "accept": "stones lance",
    "accept_waits": "",
    "accept_ordago": LANCE,
    "reopened": LANCE,
    "refuse": LANCE,
    "refuse_waits": "lance others",
    "refuse_waits_many": "lance others",
    "holds_pares": "",
    "lacks_pares": "",
    "holds_juego": "",
    "lacks_juego": "",
    **{f"closed_{how}": "the side stones" for how in How},
    "hand": "cards",
    "hand_early": "cards",
    "disproved_holds_pares": "name",
    "disproved_lacks_pares": "name",
    "disproved_holds_juego": "name",
    "disproved_lacks_juego": "name",
    "claimed": "the side",
    "claimed_by_cards": "the side",
    "claim_disproved": "the side claimed",
    "claim_disproved_values": "the side stones",
    "decided": "the name",
    "won_deje": "side stones lance",
    "won_paso": "side stones lance",
    "won_bet": "side stones lance",
    "won_pares": "side stones lance",
    "won_juego": "side stones lance",
    "won_punto": "side stones lance",
    "won_penalty": "side stones lance",
    "counted": "",
    "juego_target": "side target",
    "juego_ordago": "side",
    "vaca": "side",
    "match": "side",
    "set": "",
    "adjust_more": "side stones",
    "adjust_fewer": "side stones",
    "bet_corrected": "stones lance",
    "recount": "",
    "deal_void": "name",
    **{f"report_{kind}": "name cards" for kind in Irregularity},
    "penalty_proposed": "article",
    "penalty_applied": "article",
    "penalty_waived": "article",
    "lost": "side stones article",
    "penalty_proposed_uncited": "",
    "penalty_applied_uncited": "",
    "penalty_waived_uncited": "",
    "lost_uncited": "side stones",
    "retracted": "",
}
"""What a thing that happened means."""

CALLS: dict[str, str] = {
    "mus": "",
    "cut": "",
    "pass_cuts": "",
    "pass": LANCE,
    "pass_refuses": LANCE,
    "bet": LANCE,
    "bet_cuts": "",
    "bet_both": "",
    "bet_reply": LANCE,
    "raise": LANCE,
    "reenvido": LANCE,
    "ordago": LANCE,
    "ordago_both": "",
    "accept": LANCE,
    "accept_ordago": LANCE,
    "refuse": LANCE,
    "refuse_alone": LANCE,
    "refuse_plural": LANCE,
    "partner_bet": LANCE,
    "partner_ordago": LANCE,
    "holds_pares": "",
    "lacks_pares": "",
    "holds_juego": "",
    "lacks_juego": "",
    "put_right_pares": "",
    "put_right_juego": "",
    "pedrete": "stones",
    "next_deal": "",
    "mano": "",
}
"""What a call that may be made now means."""

TAUGHT = [
    *"""
    not_now not_your_turn other_lance off_by_rules no_bet own_bet which_bet already_spoken
    already_refused no_pares no_juego declare_first other_stones too_much
    raise_after_ordago pedrete_twice cards_wrong cards_missing cards_unclear cards_shown_early
    out_of_play claim_wrong claim_values claim_closed nothing_to_correct nothing_to_decide
    decide_first game_over match_running seat_unknown score_wrong mus_forced bare_raise
    reenvido no_quereis sure which_said spoken_over sure_ordago sure_accept change_of_mind
    who whose unsure unsure_yes taken_back
    question old_page too_late undo_nothing redo_nothing undo_breaks paused journal_failed
""".split(),
    *(rule.key for rule in OPTIONS.values() if rule.refusal),
]
"""Codes of calls that moved nothing, or of a question back, with a sentence that teaches."""
NO_MISTAKE = tuple("talk noise noted proposal mano lost unheard holders sure_undo new_deal".split())
"""Codes of what was no attempt to call, or is a question of the game's: nothing is explained."""
UNTRUE = ("denied_pares", "claimed_pares", "denied_juego", "claimed_juego")
"""Declarations that the shown cards contradict: "con 30 no hay juego"."""

_STAKE = "stones more later"

SHAPE: dict[str, str] = {
    "stones.one": "",
    "stones.many": "n",
    "stones.between": "least most",
    "phase.begin": "",
    **{f"phase.{phase}": "" for phase in Phase},
    **{f"event.{key}": slots for key, slots in EVENTS.items()},
    **{f"call.{key}": slots for key, slots in CALLS.items()},
    "stake.won": _STAKE,
    "stake.won_juego": _STAKE,
    "stake.lost": _STAKE,
    "stake.lost_juego": _STAKE,
    "stake.refused": _STAKE,
    "stake.refused_juego": _STAKE,
    "stake.given": _STAKE,
    "stake.given_sure": _STAKE,
    "stake.given_juego": _STAKE,
    "stake.passed": _STAKE,
    "stake.passed_values": "between the",
    "stake.more": "between the",
    "stake.later": "stones",
    "turn.begin": "",
    "turn.you": "",
    "turn.you_may": "name",
    "turn.other": "name",
    "turn.show_you": "",
    "turn.show": "name",
    "turn.decide": "",
    "turn.counted": "",
    "turn.over": "",
    "turn.nobody": "",
    **{f"rule.{lance}": "" for lance in ORDER},
    "why.passed": "the",
    "why.passed_values": "the",
    "why.accepted": "the stones",
    "why.deje_first": "the side stones",
    "why.deje_raise": "the side stones",
    "why.deje_first_ordago": "the side stones",
    "why.deje_ordago": "the side stones",
    "why.uncontested": "the side",
    "why.nobody": "the",
    "why.ordago": "the",
    "why.void": "the",
    "why.claimed": "the side",
    "why.uncounted": "",
    "why.unseen": "",
    "why.winner": "name what",
    "why.tie": "name other what",
    "why.beats": "other what",
    "why.took": "side stones",
    "why.own_pares": "side",
    "why.own_juego": "side",
    "why.own_punto": "side",
    "why.own_uncounted": "",
    "hand.points": "points",
    **{f"card.{rank}": "" for rank in Rank},
    "mistake.other": "",
    **{f"mistake.{code}": "the n m" for code in TAUGHT},
    **{f"mistake.{code}": "name cards points" for code in UNTRUE},
    "chance.had": "percent lance",
    "chance.won": "",
    "chance.lost": "",
    "chance.wrong": "",
}
"""Every text and the words that the code may fill into it."""

SAYINGS: dict[str, str] = {
    "language": "",
    "mus": "",
    "cut": "",
    "pass": "",
    "bet": "",
    "bet_n": "n",
    "bet_both": "",
    "bet_both_n": "n",
    "raise": "n",
    "reenvido": "",
    "ordago": "",
    "ordago_both": "",
    "accept": "",
    "accept_n": "n",
    "refuse": "",
    "refuse_plural": "",
    "holds_pares": "",
    "lacks_pares": "",
    "holds_juego": "",
    "lacks_juego": "",
    "put_right_pares": "",
    "put_right_juego": "",
    "pedrete": "",
    "next_deal": "",
    "mano": "name",
}
"""How a call is said, in a language that people call in."""


# ---- The words for one page at one table --------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tongue:
    """All words for one page at one table.

    ``texts`` and ``language`` are of the page, ``calls`` and ``spoken`` of those who call: whoever
    reads English at a Basque table learns the Basque calls.
    """

    texts: Mapping[str, str]
    language: Language
    calls: Mapping[str, str]
    spoken: Language

    def __call__(self, key: str, /, **words: str | int) -> str:
        """The text ``key`` with its words filled in, with a capital at its beginning."""
        return sentence(self.texts[key].format(**words))

    def part(self, key: str, /, **words: str | int) -> str:
        """The same for a part of a sentence."""
        return self.texts[key].format(**words)

    def stones(self, n: int) -> str:
        """So many stones: "1 piedra"."""
        return self.texts["stones.one"] if n == 1 else self.part("stones.many", n=n)

    def between(self, least: int, most: int) -> str:
        """So many stones, at least and at most."""
        if least == most:
            return self.stones(least)
        return self.part("stones.between", least=least, most=most)

    def cards(self, hand: Hand, profile: Profile, *, low_first: bool = False) -> str:
        """Cards by name, in the order in which a lance compares them: "rey, tres, caballo, as".

        Where eight reyes are played a tres stands beside them, and is called what it is.
        """
        order = sorted(hand, key=lambda card: value((card,), profile).grande, reverse=not low_first)
        return ", ".join(self.texts[f"card.{card.rank}"] for card in order)

    def lance(self, lance: Lance | None) -> dict[str, str]:
        """A lance as the texts take it: ``lance`` "a la grande", ``the`` "la grande"."""
        if lance is None:
            return {"lance": "", "the": ""}
        return {
            "lance": self.language.lance(lance, "to"),
            "the": self.language.lance(lance, "the"),
        }
