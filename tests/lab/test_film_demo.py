"""The film of the demo: its pictures, how long each is shown, and how large it may be."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from scripts.lab import film_demo
from scripts.lab.film_demo import (
    LAST,
    LIMIT,
    MOMENTS,
    QUALITIES,
    FilmError,
    Moment,
    Picture,
    Snapshot,
    chosen,
    main,
    timed,
    webp,
    within,
)

A, B = (
    Moment(name, lambda snapshot, name=name: snapshot["phase"] == name, 1.0, 2.0)  # type: ignore[misc]
    for name in ("pares", "count")
)


def png(grey: int) -> bytes:
    _, data = cv2.imencode(".png", np.full((48, 80, 3), grey, np.uint8))
    return data.tobytes()


def taken(*phases: str) -> list[Picture]:
    """One picture a second, of a table in these phases."""
    return [Picture(float(i), png(i), {"phase": phase}) for i, phase in enumerate(phases)]


def seconds(stretches: list[list[Picture]]) -> list[list[float]]:
    return [[one.at for one in stretch] for stretch in stretches]


def test_only_the_seconds_around_the_moments_are_kept() -> None:
    phases = ["mus"] * 5 + ["pares"] * 6 + ["juego"] * 4 + ["count"] * 5
    assert seconds(chosen(taken(*phases), (A, B))) == [[4, 5, 6, 7], [14, 15, 16, 17]]


def test_moments_that_touch_make_one_stretch_without_a_cut() -> None:
    phases = ["mus", "pares", "pares", "count", "count", "count", "count"]
    assert seconds(chosen(taken(*phases), (A, B))) == [[0, 1, 2, 3, 4, 5]]


def test_a_moment_that_does_not_come_is_named() -> None:
    with pytest.raises(FilmError, match="does not show count"):
        chosen(taken("mus", "pares", "juego"), (A, B))
    with pytest.raises(FilmError, match="does not show count"):
        chosen(taken("count", "pares", "juego"), (A, B))


def test_like_pictures_are_one_and_nothing_stands_still_for_long() -> None:
    at = (0.0, 0.2, 0.4, 5.0, 5.25)
    pictures = [Picture(t, png(grey), {}) for t, grey in zip(at, (1, 1, 2, 3, 4), strict=True)]
    film = timed([pictures])
    assert film == [(png(1), 400), (png(2), 1000), (png(3), 250), (png(4), round(LAST * 1000))]


def test_the_best_quality_that_is_small_enough_is_taken() -> None:
    sizes = {quality: quality * 10 for quality in QUALITIES}
    assert within(755, lambda quality: bytes(sizes[quality])) == (bytes(700), 70)
    with pytest.raises(FilmError, match="quality 30: shorten it"):
        within(299, lambda quality: bytes(sizes[quality]))


def test_the_film_is_an_animated_webp_with_all_pictures_and_times() -> None:
    film = [(png(grey), shown) for grey, shown in ((10, 200), (120, 500), (240, 2500))]
    read, animation = cv2.imdecodeanimation(np.frombuffer(webp(film, 80), np.uint8)[None])
    assert read
    assert list(animation.durations) == [200, 500, 2500]
    assert [round(float(frame.mean() / 10)) for frame in animation.frames] != [0, 0, 0]
    assert animation.frames[0].shape[:2] == (48, 80)


def test_a_missing_browser_is_told_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    assert main(["--out", str(tmp_path / "film.webp")]) == 2
    assert capsys.readouterr().err == "film_demo: There is no Chromium: apt install chromium.\n"
    assert list(tmp_path.iterdir()) == []


def test_the_committed_film_is_small_and_readme_and_leeme_show_it(checkout: Path) -> None:
    data = (checkout / "docs" / "demo.webp").read_bytes()
    assert len(data) <= LIMIT
    read, animation = cv2.imdecodeanimation(np.frombuffer(data, np.uint8)[None])
    assert read
    assert {frame.shape[:2] for frame in animation.frames} == {(480, 800)}
    assert 17 <= sum(animation.durations) / 1000 <= 20.5
    assert len(animation.frames) > 40
    for path, link in (("README.md", "docs/demo.webp"), ("docs/LEEME.md", "demo.webp")):
        assert re.search(rf"!\[[^\]]+\]\({link}\)", (checkout / path).read_text("utf-8"))


def test_the_moments_are_those_of_the_script_of_the_demo(checkout: Path) -> None:
    """They are found by what the table shows, in this order, when the script is played."""
    shown = played(checkout / "models" / "demo" / "deals.mus")
    over: Snapshot = {**shown[-1], "demo": {"over": True}}
    pictures = [Picture(10.0 * i, b"", one) for i, one in enumerate([*shown, over])]
    assert len(chosen(pictures)) == len(MOMENTS)


def played(script: Path) -> list[Snapshot]:
    """The snapshots of a script, line by line."""
    from assistant.cli.mus_score import play_script, script_lexicon
    from assistant.files.profile_files import rules_named
    from assistant.files.resources import load_phrases
    from assistant.language.script import parse_script
    from assistant.rules.history import fold
    from assistant.table.snapshot import snapshot

    read = parse_script(script.read_text("utf-8"), rules_named)
    records = play_script(read, script_lexicon(read.profile)).table.records
    phrases = load_phrases()
    found: list[Snapshot] = []
    for end in sorted({record.batch: i + 1 for i, record in enumerate(records)}.values()):
        state = fold(records[:end])
        assert state
        found.append(
            {**snapshot(state, records[:end], phrases, version=1), "demo": {"over": False}}
        )
    return found


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("chromium"), reason="there is no Chromium")
def test_the_page_of_a_real_demo_is_photographed() -> None:
    with (
        film_demo.playing("--demo") as address,
        film_demo.page_of(address, film_demo.FILM) as page,
    ):
        taken = film_demo.photographed(page, address, lambda _now: False, 0.0)
        first = next(taken)
        taken.close()  # type: ignore[attr-defined]
    picture = cv2.imdecode(np.frombuffer(first.png, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert picture.shape == (480, 800, 3)
    assert first.snapshot["demo"]["over"] is False
