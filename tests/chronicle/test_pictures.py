"""The pictures: whole SVG that needs nothing from elsewhere, small, and safe with any name."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from assistant.app.chronicle import load_words
from assistant.app.resources import languages, load_lexicon
from assistant.chronicle import Chronicle, Words, chronicle, deal_svg, lances_svg, score_svg
from assistant.chronicle.shape import Point
from assistant.lexicon import Lexicon
from assistant.rules.engine import open_game
from assistant.rules.history import number
from assistant.rules.profile import Profile, Sides
from tests.chronicle.test_chronicle import GAMES, game, played

MOST_BYTES = 100_000
SVG = "{http://www.w3.org/2000/svg}"
NASTY = ('<b>&"', "]]><x>", "O'Neill\x01", "Iñaki<script>")


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return load_lexicon()


def drawings(found: Chronicle, words: Words) -> Iterator[str]:
    yield score_svg(found, words)
    yield lances_svg(found, words)
    for deal in found.deals:
        yield deal_svg(deal, words)


def checked(svg: str) -> ElementTree.Element:
    """The picture, parsed; it is all in itself, and no larger than it may be."""
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


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
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
def test_every_language_draws(language: str, lexicon: Lexicon) -> None:
    found = chronicle(game("a_plain_deal", lexicon))
    for svg in drawings(found, load_words(language)):
        checked(svg)


def test_a_name_is_text_and_never_markup() -> None:
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


def test_the_lines_end_where_the_stones_stand(lexicon: Lexicon) -> None:
    found = chronicle(game("a_plain_deal", lexicon))
    lines = [n.attrib["d"] for n in checked(score_svg(found, load_words())).iter(f"{SVG}path")]
    ends = [float(line.rpartition("V")[2]) for line in lines if "V" in line]
    high = [float(line.split("H")[0].split()[1]) for line in lines if "V" in line]
    # 10 and 1 of 40 stones over a height of 290.
    assert [round((low - end) / 290 * 40) for low, end in zip(high, ends, strict=True)] == [10, 1]


def test_a_long_evening_stays_small_and_is_still_drawn(lexicon: Lexicon) -> None:
    found = chronicle(game("a_plain_deal", lexicon))
    many = tuple(Point(n // 4 + 1, n // 70 + 1, "AB"[n % 2], 1, "bet", "grande", (n % 40, n % 37))
                 for n in range(900))  # fmt: skip
    long = Chronicle(**{**{f: getattr(found, f) for f in found.__slots__}, "points": many})
    checked(score_svg(long, load_words()))


def test_the_cards_are_as_the_deck_is_drawn(checkout: Path) -> None:
    """The pictures' own cards are those of models/decks/mus."""
    pytest.importorskip("numpy")
    script = checkout / "scripts" / "draw_symbols.py"
    subprocess.run([sys.executable, str(script), "--check"], check=True, stdout=subprocess.DEVNULL)
