"""An advice as one sentence, with the numbers that it was taken from."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.language.sentences import Wording
from assistant.rules import calls as c
from assistant.rules.calls import Call
from assistant.rules.cards import Hand, Rank
from assistant.rules.phases import Lance
from assistant.school.judge.alone import CardsAlone
from assistant.school.judge.judging import Judgement, ValuedThrow
from assistant.school.judge.recommending import Recommendation

ADVICE = "best other chance less why"
SHAPE: dict[str, str] = {
    "advice.clear": ADVICE,
    "advice.close": ADVICE,
    "advice.depends": "best other chance why",
    "advice.single": "best chance why",
    "advice.throw": "cards other chance less",
    "advice.throw_close": "cards other chance",
    "advice.declare": "label",
    "alone.call": "best the share",
    "alone.answer": "best the share needed",
    "alone.mus": "best share",
    "alone.throw": "cards",
    "past.best": "call chance",
    "past.better": "call chance best more",
    "why.score": "instead",
    "why.heard": "instead",
    "why.refused": "share",
    "why.tie_ours": "share the",
    "why.tie_theirs": "share the",
    "why.wins": "share the",
    "why.dealt": "share",
    **{
        f"call.{kind}": "n" if kind in ("bet", "raise") else ""
        for kind in ("mus", "cut", "pass", "bet", "raise", "ordago", "accept", "refuse")
    },
    **{f"the.{lance}": "" for lance in Lance},
    **{f"card.{rank}": "" for rank in Rank},
    "cards.comma": "",
    "cards.and": "first last",
    "cards.and_soft": "first last",
    "cards.soft_before": "",
}
"""Every text and the words that the code fills into it."""
KINDS: dict[type[Call], str] = {
    c.Mus: "mus", c.Cut: "cut", c.Pass: "pass", c.Bet: "bet", c.Raise: "raise",
    c.Ordago: "ordago", c.Accept: "accept", c.Refuse: "refuse",
}  # fmt: skip


def percent(chance: float) -> int:
    """A chance as the sentences say it. 0 and 100 are for what is certain."""
    whole = round(100 * chance)
    return whole if chance in (0.0, 1.0) else min(99, max(1, whole))


def named(call: Call, words: Wording) -> str:
    """A call as a verb: "envidar 2", "no querer"."""
    stones = call.stones if isinstance(call, c.Bet | c.Raise) else 0
    return words(f"call.{KINDS[type(call)]}", n=stones)


def advice_text(told: Recommendation, lance: Lance | None, words: Wording) -> str:
    """An advice: the call, what it and the next best leave, and why."""
    the = words(f"the.{lance}") if lance else ""
    instead = named(told.instead, words) if told.instead else ""
    said: dict[str, str | int] = {"share": percent(told.share), "the": the, "instead": instead}
    key = f"why.{told.because}"
    why = words(key, **{name: said[name] for name in SHAPE[key].split()})
    best, chance = named(told.best.call, words), percent(told.best.chance)
    if told.other is None:
        return _begun(words("advice.single", best=best, chance=chance, why=why))
    other, less = named(told.other.call, words), percent(told.other.chance)
    if less < chance:
        key = "advice.clear"
        return _begun(words(key, best=best, other=other, chance=chance, less=less, why=why))
    key = "advice.depends" if told.other.depends else "advice.close"
    return _begun(words(key, best=best, other=other, chance=chance, why=why))


def throw_text(hand: Hand, throws: Sequence[ValuedThrow], words: Wording) -> str:
    """Which cards to throw, what that leaves, and the next best."""
    best, other = throws[0], throws[1]
    cards, others = (_cards(hand, one.places, words) for one in (best, other))
    chance, less = percent(best.chance), percent(other.chance)
    if less >= chance:
        return _begun(words("advice.throw_close", cards=cards, other=others, chance=chance))
    return _begun(words("advice.throw", cards=cards, other=others, chance=chance, less=less))


def past_text(call: Call, judged: Judgement, words: Wording) -> str:
    """The chance that a made call left, and the call that would have left more."""
    said, best = judged.of(call), judged.best
    chance, more = percent(said.chance), percent(best.chance)
    name = named(said.call, words)
    if more <= chance:
        return _begun(words("past.best", call=name, chance=chance))
    told = named(best.call, words)
    return _begun(words("past.better", call=name, chance=chance, best=told, more=more))


def declaration_text(label: str, words: Wording) -> str:
    """The declaration that has to be made."""
    return _begun(words("advice.declare", label=label))


def alone_text(told: CardsAlone, lance: Lance | None, words: Wording) -> str:
    """An advice by the cards alone, which says so."""
    best, share = named(told.call, words), percent(told.share)
    if lance is None:
        return _begun(words("alone.mus", best=best, share=share))
    the = words(f"the.{lance}")
    if told.needed is None:
        return _begun(words("alone.call", best=best, the=the, share=share))
    needed = percent(told.needed)
    return _begun(words("alone.answer", best=best, the=the, share=share, needed=needed))


def alone_throw_text(hand: Hand, places: Sequence[int], words: Wording) -> str:
    """Which cards to throw by the cards alone."""
    return _begun(words("alone.throw", cards=_cards(hand, places, words)))


def _cards(hand: Hand, places: Sequence[int], words: Wording) -> str:
    return words.names_of("cards", [words(f"card.{hand[place].rank}") for place in places])


def _begun(text: str) -> str:
    return text[:1].upper() + text[1:]
