"""The pictures of the chronicle: valid, self-contained, small, and safe with any name."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from assistant.files.resources import languages, load_lexicon
from assistant.language.lexicon import Lexicon
from assistant.language.sentences import Wording
from assistant.review.chronicle import (
    Chronicle,
    chronicle,
    deal_svg,
    lances_svg,
    score_svg,
)
from assistant.review.chronicle.charts import APART, HIGH, _spread
from assistant.review.chronicle.ink import SIDES
from assistant.review.mus_chronicle import load_words
from assistant.rules.cards import Card, Rank, Suit
from assistant.rules.engine import open_game
from assistant.rules.history import number
from assistant.rules.profile import Profile, Sides
from assistant.table.journal import MemoryJournal
from scripts.lab.bench_rules import matches, play_into
from tests.review.chronicle.test_chronicle import GAMES, game, played
from tests.tables import each_row

MOST_BYTES = 100_000
SVG = "{http://www.w3.org/2000/svg}"
NASTY = ('<b>&"', "]]><x>", "O'Neill\x01", "Iñaki<script>")


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return load_lexicon()


def drawings(found: Chronicle, words: Wording) -> Iterator[str]:
    yield score_svg(found, words)
    yield lances_svg(found, words)
    for deal in found.deals:
        yield deal_svg(deal, words)


def written(svg: str) -> set[str]:
    """Every text that is visible in a picture."""
    return {node.text or "" for node in checked(svg).iter(f"{SVG}text")}


def checked(svg: str) -> ElementTree.Element:
    """The parsed picture, after a check that it is self-contained and small enough."""
    root = ElementTree.fromstring(svg)
    assert len(svg.encode()) < MOST_BYTES
    assert root.tag == f"{SVG}svg"
    assert not list(root.iter(f"{SVG}script"))
    for node in root.iter():
        for key, value in node.attrib.items():
            assert not key.startswith("on")
            if key.endswith("href"):
                assert value.startswith("#")
    assert not re.findall(r"https?://(?!www\.w3\.org/2000/svg)", svg)
    return root


@each_row("path", GAMES, name=lambda path: path.stem)
def test_every_golden_game_is_drawn(path: Path, lexicon: Lexicon) -> None:
    records, _ = played(path, lexicon)
    for svg in drawings(chronicle(records), load_words()):
        root = checked(svg)
        title, told = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
        assert title is not None
        assert told is not None
        assert title.text
        ids = [node.attrib["id"] for node in root.iter() if "id" in node.attrib]
        assert len(ids) == len(set(ids))
        used = {n.attrib["href"][1:] for n in root.iter(f"{SVG}use")}
        assert used <= set(ids)


@pytest.mark.parametrize("language", languages("phrases"))
def test_pictures_are_drawn_in_every_language(language: str, lexicon: Lexicon) -> None:
    found = chronicle(game("a_plain_deal", lexicon))
    for svg in drawings(found, load_words(language)):
        checked(svg)


def test_a_name_in_a_picture_is_text_and_never_markup() -> None:
    found = chronicle(number(open_game(Profile(), NASTY, 1), 0, 0.0))
    for svg in drawings(found, load_words()):
        root = checked(svg)
        assert not [node for node in root.iter() if node.tag in (f"{SVG}b", f"{SVG}x")]
    assert "&lt;b&gt;&amp;" in score_svg(found, load_words())


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_a_table_of_any_size_has_its_picture(players: int) -> None:
    sides = Sides.EACH if players in (3, 5) else Sides.TWO
    names = tuple(f"Jugador{n}" for n in range(players))
    found = chronicle(number(open_game(Profile(sides=sides), names, 1), 0, 0.0))
    (deal,) = found.deals
    root = checked(deal_svg(deal, load_words()))
    texts = [node.text for node in root.iter(f"{SVG}text")]
    assert sum(any((text or "").startswith(name) for text in texts) for name in names) == players


def test_cards_that_were_not_shown_lie_face_down(lexicon: Lexicon) -> None:
    found = chronicle(game("juegos_and_match", lexicon)[:3])
    root = checked(deal_svg(found.deals[0], load_words()))
    assert {node.attrib["href"] for node in root.iter(f"{SVG}use")} >= {"#back"}
    assert not [n for n in root.iter(f"{SVG}use") if n.attrib["href"].startswith("#card-")]


def test_the_lines_end_at_the_final_stones(lexicon: Lexicon) -> None:
    found = chronicle(game("a_plain_deal", lexicon))
    root = checked(score_svg(found, load_words()))
    lines = [n.attrib["d"] for n in root.iter(f"{SVG}path") if "H" in n.attrib["d"]]
    low = float(lines[0].split("H")[0].split()[1])
    ends = [float(line.rpartition("V")[2].split("H")[0]) for line in lines]
    # 10 and 1 of 40 stones.
    assert [round((low - end) / HIGH * 40) for end in ends] == [10, 1]


def test_a_juego_won_by_ordago_is_drawn_as_a_leap_to_the_top(lexicon: Lexicon) -> None:
    found = chronicle(game("juegos_and_match", lexicon))
    root = checked(score_svg(found, load_words()))
    leaps = [n for n in root.iter(f"{SVG}line") if n.attrib.get("stroke-linecap") == "round"]
    assert [leap.attrib["stroke"] for leap in leaps] == [SIDES[one] for one in "ABA"]
    for leap in leaps:
        assert float(leap.attrib["y1"]) - float(leap.attrib["y2"]) == HIGH  # nobody had a stone


def test_adentro_is_drawn_where_the_table_announces_it(lexicon: Lexicon) -> None:
    words = load_words()
    shown = score_svg(chronicle(game("a_plain_deal", lexicon)), words)
    assert words("score.adentro") in shown
    five_are_all = score_svg(chronicle(game("vacas", lexicon)), words)
    assert words("score.adentro") not in five_are_all


@pytest.mark.parametrize("deals", [12, 200])
def test_an_evening_of_any_length_has_a_panel_for_each_juego(deals: int) -> None:
    journal = MemoryJournal()
    play_into(journal, matches(deals)[0])
    found = chronicle(journal.read())
    root = checked(score_svg(found, load_words()))
    panels = [n for n in root.iter(f"{SVG}rect") if n.attrib.get("height") == f"{HIGH:g}"]
    assert len(panels) == found.deals[-1].juego
    lefts = [float(panel.attrib["x"]) for panel in panels]
    rights = [float(p.attrib["x"]) + float(p.attrib["width"]) for p in panels]
    assert all(left > right for left, right in zip(lefts[1:], rights, strict=False))
    checked(lances_svg(found, load_words()))


def test_labels_that_would_overlap_are_spread() -> None:
    placed = _spread({"A": 500.0, "B": 500.0, "C": 100.0, "D": 499.0})
    heights = sorted(placed.values())
    assert placed["C"] == 100.0
    assert all(b - a >= APART for a, b in pairwise(heights))


def test_pictures_on_one_page_have_titles_of_their_own(lexicon: Lexicon) -> None:
    found = chronicle(game("a_plain_deal", lexicon))
    named = [checked(svg).attrib["aria-labelledby"] for svg in drawings(found, load_words())]
    assert len(set(named)) == len(named) == 3


def test_a_picture_of_six_full_hands_is_still_small(lexicon: Lexicon) -> None:
    (deal,) = chronicle(game("two_trios", lexicon)).deals
    deck = [Card(rank, suit) for rank in reversed(Rank) for suit in Suit]
    hands = tuple(
        replace(hand, cards=tuple(deck[4 * at : 4 * at + 4]))
        for at, hand in enumerate(filter(None, deal.hands))
    )
    assert len(hands) == 6
    root = checked(deal_svg(replace(deal, hands=hands), load_words()))
    assert len(list(root.iter(f"{SVG}symbol"))) == 24


def test_each_lance_is_listed_under_the_table_with_its_bets_and_its_winner(
    lexicon: Lexicon,
) -> None:
    (deal,) = chronicle(game("a_plain_deal", lexicon)).deals
    texts = written(deal_svg(deal, load_words()))
    assert {"Oeste 5 · querido", "Norte y Sur: 5 (envite)", "Oeste y Este: 1 (en paso)"} <= texts
    assert {"Norte 2 · no querido", "Norte y Sur: 2 (deje, pares)"} <= texts
    assert "mano" in texts


def test_lances_cut_short_by_an_ordago_are_marked(lexicon: Lexicon) -> None:
    deal = chronicle(game("ordago_accepted_at_chica", lexicon)).deals[-1]
    texts = written(deal_svg(deal, load_words()))
    assert any(text.endswith(": el juego") for text in texts)
    assert not any(text.endswith(": 0") for text in texts)


@pytest.mark.slow
def test_the_cards_are_drawn_like_those_of_the_deck(checkout: Path) -> None:
    """The deck is that of models/decks/mus."""
    pytest.importorskip("numpy")
    script = checkout / "scripts" / "lab" / "draw_symbols.py"
    subprocess.run([sys.executable, str(script), "--check"], check=True, stdout=subprocess.DEVNULL)
