"""``mus hand`` and ``mus odds``: the worth of hands, and their exact chances in each lance."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.files.process import UsageError
from assistant.files.profile_files import find_profile
from assistant.files.resources import load_wording, odds_table
from assistant.files.terminal import decimal_text, output_text, output_word, terminal_language
from assistant.odds import Assumptions, CallWorth, Known, LanceChance, StakesSaid, chances, expected
from assistant.odds.rivals import SEATS, Declared
from assistant.rules.cards import Card, Hand, Rank, check_deal, parse_hand
from assistant.rules.errors import CardError, Translatable
from assistant.rules.hands import describe, winners
from assistant.rules.phases import Lance
from assistant.rules.profile import Profile, Real31, profile_from
from assistant.school.judge.alone import by_cards
from assistant.school.judge.judging import shipped_judge
from assistant.school.judge.openings import openings
from assistant.school.judge.recommending import recommend
from assistant.school.judge.telling import SHAPE, advice_text, alone_text
from assistant.school.players import sight_of
from assistant.school.players.strength import Strength

if TYPE_CHECKING:  # the commands need no page
    from flask import Blueprint, Response

    from assistant.page.house import House

# ---- ``mus hand``: what hands are worth in each lance, and who wins each ------------------------


MAX_HANDS = 8
HEADS = ("cards", "pares", "points", "wins")
PARES_KINDS = {"pareja": "pair", "medias": "medias", "duples": "duples"}
"""The pares of a hand, as JSON has them -> as they are printed."""


def add_parser(commands: Any) -> None:
    """Declare both commands."""
    _add_hand(commands)
    _add_odds(commands)


def _add_hand(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "hand",
        help="value hands and say who wins each lance",
        description="Value hands of four cards, in order of speaking: the first is mano's.",
        epilog="example: mus hand 'R R C 1' '7 7 7 S' --real31 sota",
    )
    parser.add_argument("hands", nargs="+", metavar="HAND", help="four ranks, as in 'R R C 1'")
    parser.add_argument(
        "--profile", metavar="NAME|FILE", help="house rules by name; 'mus profiles' lists them"
    )
    parser.add_argument("--kings", choices=("8", "4"), help="kings in the deck; default: 8")
    parser.add_argument("--real31", choices=list(Real31), help="the '31 real'; default: off")
    parser.add_argument(
        "--real31-cards", metavar="'So 7o 7c 7e'", help="the four cards of --real31 suits"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=_run_hand)


def _run_hand(args: argparse.Namespace) -> int:
    """Do the command."""
    base = find_profile(args.profile).profile if args.profile is not None else None
    asked = {key: getattr(args, key) for key in ("kings", "real31", "real31_cards")}
    profile = profile_from({key: text for key, text in asked.items() if text is not None}, base)
    hands = _hands(args.hands, profile.kings)
    described = [describe(hand, profile) for hand in hands]
    won = winners(hands, profile)
    if args.json:
        result = {"hands": described, "winners": {str(k): v for k, v in won.items()}}
        print(json.dumps(result, ensure_ascii=False))
    else:
        print(_table_of_hands(described, won))
    return 0


def _hands(texts: list[str], kings: int) -> tuple[Hand, ...]:
    if len(texts) == 4 and all(len(text) <= 2 for text in texts):
        texts = [" ".join(texts)]  # one hand typed without quotes: mus hand R R C 1
    if len(texts) > MAX_HANDS:
        raise UsageError(
            "At most {most} hands can be compared, not {n}.", most=MAX_HANDS, n=len(texts)
        )
    hands = tuple(parse_hand(text) for text in texts)
    try:
        check_deal(hands, kings)
    except CardError as error:
        raise UsageError("One deck cannot deal these hands: {error}", error=error) from error
    return hands


def _table_of_hands(described: list[dict[str, Any]], won: dict[Lance, int | None]) -> str:
    rows = [("", *(output_word(head) for head in HEADS))]
    for i, hand in enumerate(described, start=1):
        pares, points = "-", str(hand["points"])
        if hand["pares"]:
            kind = output_word(PARES_KINDS[hand["pares"]["kind"]])
            pares = f"{kind} ({hand['pares']['value']})"
        if hand["juego"]:
            points = f"{points} ({output_word(Lance.JUEGO)})"
        wins = ", ".join(output_word(lance) for lance, seat in won.items() if seat == i) or "-"
        rows.append((str(i), hand["cards"], pares, points, wins))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


# ---- ``mus odds``: the exact chances of a hand in each lance ------------------------------------


DECLARATIONS = {"pares": ("pares", True), "juego": ("juego", True)} | {
    f"{no}{lance}": (lance, False) for no in ("no-", "no") for lance in ("pares", "juego")
}
COLUMNS = {
    "me": "my cards are the best of all four",
    "us": "my pair wins it, with rivals or without",
    "played": "both pairs play it; the punto: nobody has juego",
    "if played": "my pair wins it, if both play it",
    "alone": "only my pair has it",
}
NONE = "-"
DECLARED = {
    ("pares", True): "seat {seat} has pares",
    ("pares", False): "seat {seat} has no pares",
    ("juego", True): "seat {seat} has juego",
    ("juego", False): "seat {seat} has no juego",
}
CALLS = {
    StakesSaid.PASS: "paso",
    StakesSaid.BET: "envido {n}",
    StakesSaid.BET_ACCEPTED: "envido {n}, accepted",
    StakesSaid.BET_REFUSED: "envido {n}, refused",
    StakesSaid.ACCEPT: "quiero {n}",
    StakesSaid.REFUSE: "no quiero",
}
"""A call, with its stones where it has any, as a player would say it."""
GAP = "  "
USUAL = Assumptions()


def _add_odds(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "odds",
        help="exact chances of a hand in each lance, and what is best to say",
        description="Exact chances of a hand in each lance, over all deals that agree with what "
        "is known, what is best to say, and the mean stones of each call by the cards alone. Seats "
        "are 1 to 4 anticlockwise; yours is 1.",
        epilog="example: mus odds 'R R C 1' --mano 2 --partner '7 7 4 4' "
        "--declared '2:pares 4:no-juego'",
    )
    parser.add_argument("hand", nargs="+", metavar="HAND", help="your four ranks: 'R R C 1'")
    parser.add_argument("--seat", type=int, default=1, help="where you sit, 1 to 4; default: 1")
    parser.add_argument("--mano", type=int, default=1, metavar="SEAT", help="mano's; default: 1")
    parser.add_argument("--partner", metavar="HAND", help="your partner's hand, where you know it")
    parser.add_argument(
        "--declared",
        nargs="+",
        default=[],
        metavar="SEAT:WHAT",
        help="what was said: pares, no-pares, juego or no-juego, as in '2:pares 4:no-juego'",
    )
    parser.add_argument(
        "--bets", type=int, nargs="+", default=USUAL.bets, metavar="N", help="stones; default: 2 5"
    )
    parser.add_argument(
        "--accepted",
        type=float,
        default=USUAL.accepted,
        metavar="CHANCE",
        help=Translatable(
            "how often the rivals accept a bet of yours, 0 to 1; default: {it}", it=USUAL.accepted
        ),
    )
    parser.add_argument(
        "--score",
        type=int,
        nargs=2,
        default=(0, 0),
        metavar=("OURS", "THEIRS"),
        help="the stones of both pairs, for the advice; default: 0 0",
    )
    parser.add_argument("--deje", type=int, default=USUAL.deje, help="what your no quiero costs")
    parser.add_argument(
        "--profile", metavar="NAME|FILE", help="house rules by name; 'mus profiles' lists them"
    )
    parser.add_argument("--kings", choices=("8", "4"), help="kings in the deck; default: 8")
    parser.add_argument(
        "--real31", choices=[r for r in Real31 if r is not Real31.SUITS], help="the '31 real'"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=_run_odds)


def _run_odds(args: argparse.Namespace) -> int:
    """Do the command."""
    base = find_profile(args.profile).profile if args.profile is not None else None
    asked = {key: getattr(args, key) for key in ("kings", "real31")}
    profile = profile_from({key: text for key, text in asked.items() if text is not None}, base)
    known = _known(args, profile)
    assumed = Assumptions(
        tuple(dict.fromkeys(args.bets)),
        args.accepted,
        args.deje,
    )
    told = chances(known, profile)
    worth = expected(known, profile, assumed)
    stones = _score(args.score, profile)
    advice = _advice(known, stones, profile)
    if args.json:
        found = {**_json(known, told, worth, assumed), "score": stones, "advice": advice}
        print(json.dumps(found, ensure_ascii=False))
    else:
        parts = (_heading(known), _chances(told), _advised(advice, stones), _stones(worth))
        print("\n\n".join((*parts, _assumed(assumed))))
    return 0


def _score(score: Sequence[int], profile: Profile) -> tuple[int, int]:
    ours, theirs = score
    if not all(0 <= stones < profile.target for stones in score):
        raise UsageError(
            "A score is 0 to {most} stones each, not {ours} to {theirs}.",
            most=profile.target - 1,
            ours=ours,
            theirs=theirs,
        )
    return ours, theirs


def _advice(known: Known, stones: tuple[int, int], profile: Profile) -> dict[str, str]:
    """What is best to say at each lance that the hand plays, in the terminal's language."""
    words = load_wording("judge", terminal_language(), SHAPE)
    judge, alone = shipped_judge(), Strength(profile)
    hand = tuple(Card(rank) for rank in known.hand)
    partner = tuple(Card(rank) for rank in known.partner or ())
    told: dict[str, str] = {}
    for state in openings(known, stones, profile):
        sight = sight_of(state, known.seat, hand)
        if judge.able(sight):
            seen = {known.after(2): partner} if partner else {}
            found, _ = recommend(judge, sight, known=seen)
            told[str(state.lance)] = advice_text(found, state.lance, words)
        elif sight.legal:
            told[str(state.lance)] = alone_text(by_cards(sight, alone), state.lance, words)
    return told


def _advised(advice: dict[str, str], stones: tuple[int, int]) -> str:
    ours, theirs = stones
    title = output_text(
        "What is best to say at {ours} to {theirs}, if all before you pass:",
        ours=ours,
        theirs=theirs,
    )
    return "\n".join([title, *(f"{output_word(lance)}: {text}" for lance, text in advice.items())])


def _known(args: argparse.Namespace, profile: Profile) -> Known:
    mine = parse_hand(" ".join(args.hand))
    partner = None if args.partner is None else parse_hand(args.partner)
    try:
        check_deal((mine,) if partner is None else (mine, partner), profile.kings)
    except CardError as error:
        raise UsageError("One deck cannot deal these hands: {error}", error=error) from error
    return Known(
        _ranks(mine),
        args.seat,
        args.mano,
        None if partner is None else _ranks(partner),
        **_declared(args.declared),
    )


def _ranks(hand: Hand) -> tuple[Rank, ...]:
    return tuple(card.rank for card in hand)


def _declared(texts: list[str]) -> dict[str, Declared]:
    said: dict[str, list[bool | None]] = {"pares": [None] * SEATS, "juego": [None] * SEATS}
    for text in " ".join(texts).replace(",", " ").split():
        seat, _, what = text.partition(":")
        if seat not in map(str, range(1, SEATS + 1)) or what not in DECLARATIONS:
            raise UsageError(
                "{text!r} is no declaration: write a seat and pares, no-pares, juego "
                "or no-juego, as in '2:pares'.",
                text=text,
            )
        lance, has = DECLARATIONS[what]
        if said[lance][int(seat) - 1] is (not has):
            raise UsageError(
                "Seat {seat} cannot have {lance} and not have it: leave one out.",
                seat=seat,
                lance=lance,
            )
        said[lance][int(seat) - 1] = has
    return {lance: tuple(seats) for lance, seats in said.items()}


def _json(
    known: Known,
    told: dict[Lance, LanceChance],
    worth: dict[Lance, tuple[CallWorth, ...]],
    assumed: Assumptions,
) -> dict[str, object]:
    return {
        "known": asdict(known),
        "chances": {str(lance): asdict(chance) for lance, chance in told.items()},
        "expected": {
            str(lance): [asdict(call) for call in calls] for lance, calls in worth.items()
        },
        "assumptions": asdict(assumed),
    }


def _heading(known: Known) -> str:
    yours = output_text(
        "Your cards: {cards} (seat {seat}); seat {mano} is mano.",
        cards=" ".join(known.hand),
        seat=known.seat,
        mano=known.mano,
    )
    lines = [yours]
    if known.partner:
        partners = output_text(
            "Your partner: {cards} (seat {seat}).",
            cards=" ".join(known.partner),
            seat=known.after(2),
        )
        lines.append(partners)
    said = [
        output_text(DECLARED[lance, has], seat=seat)
        for lance in ("pares", "juego")
        for seat, has in enumerate(getattr(known, lance), start=1)
        if has is not None
    ]
    if said:
        lines.append(output_text("What was said: {said}.", said=", ".join(said)))
    return "\n".join(lines)


def _chances(told: dict[Lance, LanceChance]) -> str:
    rows = [["", *map(output_word, COLUMNS)]]
    for lance, chance in told.items():
        if_played = chance.won_contested / chance.contested if chance.contested else None
        numbers = (chance.best, chance.side, chance.contested, if_played, chance.uncontested)
        rows.append([output_word(lance), *(NONE if n is None else _percent(n) for n in numbers)])
    meaning = [f"{output_word(name)}: {output_word(text)}" for name, text in COLUMNS.items()]
    return "\n".join([_table(rows), "", *meaning])


def _percent(chance: float) -> str:
    """A percentage with one decimal. "100" and "0" are only for what is certain."""
    if 0 < chance < 1:
        chance = min(max(chance, 0.001), 0.999)
        return decimal_text(f"{chance * 100:.1f} %")
    return f"{chance * 100:.0f} %"


def _stones(worth: dict[Lance, tuple[CallWorth, ...]]) -> str:
    title = output_text(
        "By the cards alone, mean stones, ours less theirs, if both pairs play the round:"
    )
    rows = [["", *map(output_word, worth)]]
    for calls in zip(*worth.values(), strict=True):
        said, bet = calls[0].said, calls[0].bet
        rows.append([_named(said, bet), *(decimal_text(f"{c.stones:+.1f}") for c in calls)])
    return f"{title}\n{_table(rows)}"


def _named(said: StakesSaid, bet: int) -> str:
    """A call as a player would say it: "envido 5, accepted"."""
    return output_text(CALLS[said], n=bet)


def _assumed(assumed: Assumptions) -> str:
    taken = output_text(
        "Taken for granted: the rivals accept {accepted:.0%} of our bets; our no quiero costs "
        "{deje}.",
        accepted=assumed.accepted,
        deje=assumed.deje,
    )
    alone = output_text(
        "Each round by itself: what the others say does not change the cards that they may hold."
    )
    return f"{taken}\n{alone}"


def _table(rows: list[list[str]]) -> str:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    first, *others = widths
    return "\n".join(
        GAP.join(
            [row[0].ljust(first)]
            + [cell.rjust(width) for cell, width in zip(row[1:], others, strict=True)]
        ).rstrip()
        for row in rows
    )


# ---- The page with the odds of any hand, which uses a table that was made beforehand -------------


def install(house: House) -> None:
    """Add the page, if there is a table for the house's deck.

    ``scripts/lab/tabulate_odds.py`` makes the tables.
    """
    if table := odds_table(house.runner.table.state.profile):
        house.show(odds_pages(table))


def odds_pages(table: Path) -> Blueprint:
    """Make the page, and serve its ``table``, so that it needs no network."""
    from flask import render_template, send_file  # only where there is a page

    from assistant.page.app import feature_pages

    pages = feature_pages("odds", menu="odds")

    @pages.get("/odds")
    def odds() -> str:
        return render_template("odds.html")

    @pages.get("/odds.json")
    def counted() -> Response:
        return send_file(table.resolve(), mimetype="application/json")

    return pages
