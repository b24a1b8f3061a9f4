"""A report in words: its sentences, the blocks they stand in, and those as HTML."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from assistant.language.sentences import Wording
from assistant.review.chronicle.ink import element, plain
from assistant.review.report.plots import WHYS, Drawing, calls_plot, odds_plot, stones_plot, to_svg
from assistant.review.report.shape import CALLS, Decision, EveningReport, PairTold, PlayerTold
from assistant.review.report.tally import LOST, REFUSED, STONES, WANTED, WON
from assistant.rules.phases import Lance

# ---- The words of a report: one TOML file for each language, which players may edit -------------


DECISION = "name deal match lance n chance needed"

SHAPE: dict[str, str] = {
    "names.comma": "",
    "names.and": "first last",
    "names.and_soft": "first last",
    "names.soft_before": "",
    "points.one": "",
    "points.many": "n",
    "stones.one": "",
    "stones.many": "n",
    "title": "",
    "evening": "date",
    "date.day": "day month year",
    "date.day_soft": "day month year",
    "date.soft_years": "",
    **{f"date.months.{month}": "" for month in range(12)},
    "played": "deals juegos matches",
    "column.pair": "",
    "column.juegos": "",
    "column.stones": "",
    "column.dejes_won": "",
    "column.dejes_given": "",
    "column.ordagos": "",
    "cell.dejes": "n stones",
    "cell.ordagos": "n won refused",
    "best.title": "",
    "dearest.title": "",
    "decision.wanted": DECISION,
    "decision.refused": DECISION,
    "decision.wanted_ordago": DECISION,
    "decision.refused_ordago": DECISION,
    "decision.wanted_alone": DECISION,
    "decision.refused_alone": DECISION,
    "decision.wanted_ordago_alone": DECISION,
    "decision.refused_ordago_alone": DECISION,
    "decision.won": "",
    "decision.lost": "",
    "decision.match": "match",
    "decision.none": "",
    "player.played": "deals mano mus cut",
    "player.dejes": "won given",
    "player.bets": "won lost",
    "player.answers": "won lost",
    "player.ordagos": "made won lost refused",
    "player.wanted_ordagos": "won lost",
    "player.odds": "above below refused_above refused_below",
    "player.gain": "points",
    "player.loss": "points",
    "player.even": "",
    "player.alone_gain": "stones",
    "player.alone_loss": "stones",
    "player.alone_even": "",
    "player.disproved": "n",
    "player.best_lance": "lance stones",
    "dejes.some": "n stones",
    "dejes.none": "",
    "outcome.won": "n stones",
    "outcome.lost": "n stones",
    "outcome.none_won": "",
    "outcome.none_lost": "",
    "read.title": "",
    "read.odds": "",
    "read.alone": "",
    "read.cards": "hidden",
    "read.shared": "",
    "plot.stones": "",
    "plot.stones_told": "why pair n",
    "plot.calls": "name",
    "plot.calls_told": "lance call n",
    "plot.odds": "name",
    "plot.odds_told": "n what where",
    "plot.wanted": "",
    "plot.refused": "",
    "plot.needed": "",
    "plot.held": "",
    "plot.above": "",
    "plot.below": "",
    **{f"lance.{lance}": "" for lance in Lance},
    **{f"call.{call}": "" for call in CALLS},
    **{f"why.{why}": "" for why in WHYS},
}
"""Every text and the words that the code fills into it."""


def dated(day: date, words: Wording) -> str:
    """A day as people write it: "29 de noviembre de 2026".

    A language in which the year's ending depends on how it is said names those years by their last
    two digits in ``date.soft_years``.
    """
    soft = f"{day.year % 100:02}" in words("date.soft_years").split()
    month = words(f"date.months.{day.month - 1}")
    return words(f"date.day{'_soft' if soft else ''}", day=day.day, month=month, year=day.year)


# ---- A report as headings, sentences, tables and pictures, for a page, a PDF and a terminal -----


@dataclass(frozen=True, slots=True)
class Heading:
    """``level`` 1 is the title; 2 a pair or a topic; 3 a player."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Sentences:
    """One or more sentences, each a paragraph, or an item of a list (``items``)."""

    texts: tuple[str, ...]
    items: bool = False


@dataclass(frozen=True, slots=True)
class Rows:
    """A table: its header, and a row's cells, the first of which names the row."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


Block = Heading | Sentences | Rows | Drawing


def blocks(report: EveningReport, words: Wording, day: str) -> Iterator[Block]:
    """All of a report, in its order; ``day`` is that of the evening, in words."""
    yield Heading(1, words("title"))
    played = words("played", deals=report.deals, juegos=report.juegos, matches=report.matches)
    yield Sentences((words("evening", date=day), played))
    yield _pairs(report, words)
    yield stones_plot(report, words)
    for kind, decisions in (("best", report.best), ("dearest", report.dearest)):
        yield Heading(2, words(f"{kind}.title"))
        texts = tuple(_decided(one, words, report.matches) for one in decisions)
        yield Sentences(texts or (words("decision.none"),), items=bool(texts))
    number = 0
    for pair in report.pairs:
        yield Heading(2, words.names(pair.names))
        for player in pair.players:
            number += 1
            yield from _player(player, str(number), words)
    # Last, because it explains the words of the players' sentences and pictures.
    yield Heading(2, words("read.title"))
    yield Sentences(
        (
            words("read.odds"),
            words("read.alone"),
            words("read.cards", hidden=report.hidden),
            words("read.shared"),
        )
    )


def _pairs(report: EveningReport, words: Wording) -> Rows:
    columns = ("pair", "juegos", "stones", "dejes_won", "dejes_given", "ordagos")
    header = tuple(words(f"column.{column}") for column in columns)
    return Rows(header, tuple(_pair(pair, words) for pair in report.pairs))


def _pair(pair: PairTold, words: Wording) -> tuple[str, ...]:
    counts = [player.count for player in pair.players]
    made = sum(count.called("ordago") for count in counts)
    return (
        words.names(pair.names),
        str(pair.juegos),
        str(pair.total),
        _dejes_cell(
            sum(count.dejes_won for count in counts),
            sum(count.deje_stones_won for count in counts),
            words,
        ),
        _dejes_cell(
            sum(count.dejes_given for count in counts),
            sum(count.deje_stones_given for count in counts),
            words,
        ),
        words(
            "cell.ordagos",
            n=made,
            won=sum(count.ordagos[WON] for count in counts),
            refused=sum(count.ordagos[REFUSED] for count in counts),
        )
        if made
        else "0",
    )


def _dejes_cell(n: int, stones: int, words: Wording) -> str:
    return words("cell.dejes", n=n, stones=stones) if n else "0"


def _player(player: PlayerTold, number: str, words: Wording) -> Iterator[Block]:
    yield Heading(3, player.name)
    yield Sentences(tuple(_sentences(player, words)))
    yield calls_plot(player, number, words)
    if player.decisions:
        yield odds_plot(player, number, words)


def _sentences(player: PlayerTold, words: Wording) -> Iterator[str]:
    count = player.count
    yield words(
        "player.played",
        deals=count.deals,
        mano=count.mano,
        mus=count.called("mus"),
        cut=count.called("cut"),
    )
    yield words(
        "player.dejes",
        won=_dejes(count.dejes_won, count.deje_stones_won, words),
        given=_dejes(count.dejes_given, count.deje_stones_given, words),
    )
    for key, outcomes in (("bets", count.bets), ("answers", count.answers)):
        if outcomes:
            won, lost = (_outcome(outcomes, how, words) for how in (WON, LOST))
            yield words(f"player.{key}", won=won, lost=lost)
    if made := count.called("ordago"):
        ends = {how: count.ordagos[how] for how in (WON, LOST, REFUSED)}
        yield words("player.ordagos", made=made, **ends)
    wanted = {how: count.ordagos[WANTED + how] for how in (WON, LOST)}
    if any(wanted.values()):
        yield words("player.wanted_ordagos", **wanted)
    yield from _judged(player, words)


def _dejes(n: int, stones: int, words: Wording) -> str:
    return words("dejes.some", n=n, stones=stones) if n else words("dejes.none")


def _outcome(outcomes: Mapping[str, int], how: str, words: Wording) -> str:
    """How many bets were won, or lost, and their stones; none of them is one word, not "0 (−0)"."""
    if not (n := outcomes[how]):
        return words(f"outcome.none_{how}")
    return words(f"outcome.{how}", n=n, stones=outcomes[how + STONES])


def _judged(player: PlayerTold, words: Wording) -> Iterator[str]:
    count = player.count
    if player.decisions:
        yield words(
            "player.odds",
            above=player.judged(accepted=True, above=True),
            below=player.judged(accepted=True, above=False),
            refused_above=player.judged(accepted=False, above=True),
            refused_below=player.judged(accepted=False, above=False),
        )
        yield from _gained(player, words)
    if count.by_hand:
        lance, most = max(count.by_hand.items(), key=lambda item: item[1])
        if most > 0:
            stones = _stones(most, words)
            yield words("player.best_lance", lance=words(f"lance.{lance}"), stones=stones)
    if count.disproved:
        yield words("player.disproved", n=count.disproved)


def _gained(player: PlayerTold, words: Wording) -> Iterator[str]:
    """The sentence about the value of the answers: more, less, or even if rounded to nothing."""
    if any(not one.alone for one in player.decisions):
        points = round(player.gain)
        key = "even" if not points else "gain" if points > 0 else "loss"
        told = _stones(abs(points), words, "points")
        yield words(f"player.{key}", **({"points": told} if points else {}))
    if any(one.alone for one in player.decisions):
        stones = round(player.gain_alone)
        key = "even" if not stones else "gain" if stones > 0 else "loss"
        said = {"stones": _stones(abs(stones), words)} if stones else {}
        yield words(f"player.alone_{key}", **said)


def _stones(n: int, words: Wording, what: str = "stones") -> str:
    return words(f"{what}.one") if n == 1 else words(f"{what}.many", n=n)


def _decided(one: Decision, words: Wording, matches: int) -> str:
    kind = "wanted" if one.accepted else "refused"
    kind += ("_ordago" if one.ordago else "") + ("_alone" if one.alone else "")
    told = words(
        f"decision.{kind}",
        name=one.name,
        deal=one.deal,
        match=words("decision.match", match=one.match) if matches > 1 else "",
        lance=words(f"lance.{one.lance}"),
        n=one.stones,
        chance=round(100 * one.chance),
        needed=round(100 * one.needed),
    )
    if not one.accepted or one.won is None:
        return told
    return f"{told} {words('decision.won' if one.won else 'decision.lost')}"


# ---- A report as HTML: the inside of a page, without a script and without any style of its own


def inside(blocks: Iterable[Block]) -> str:
    """The content of ``main``. Pictures that follow each other are put side by side."""
    return "\n".join(
        element("div", *map(to_svg, shown), class_="pictures") if drawn else "\n".join(told)
        for drawn, shown, told in _grouped(blocks)
    )


def _grouped(blocks: Iterable[Block]) -> Iterator[tuple[bool, list[Drawing], list[str]]]:
    for drawn, some in groupby(blocks, key=lambda block: isinstance(block, Drawing)):
        found = list(some)
        shown = [block for block in found if isinstance(block, Drawing)]
        yield drawn, shown, [_html(block) for block in found if not isinstance(block, Drawing)]


def _html(block: Heading | Sentences | Rows) -> str:
    match block:
        case Heading(level, text):
            return element(f"h{level}", plain(text))
        case Sentences(texts, items):
            if items:
                return element("ul", *(element("li", plain(text)) for text in texts))
            return "\n".join(element("p", plain(text)) for text in texts)
        case Rows(header, rows):
            return _table(header, rows)


def _table(header: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> str:
    head = element("tr", *(element("th", plain(cell), scope="col") for cell in header))
    body = [
        element(
            "tr",
            element("th", plain(first), scope="row"),
            *(
                element("td", plain(cell), data_column=column)
                for cell, column in zip(rest, header[1:], strict=True)
            ),
        )
        for first, *rest in rows
    ]
    return element("table", element("thead", head), element("tbody", *body))
