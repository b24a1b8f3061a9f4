"""Public results as a static folder: linked, updated in place, and without people's data."""

from __future__ import annotations

import functools
import html
import http.server
import json
import re
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from sqlalchemy import Engine

from assistant.hall import published
from assistant.hall.format_files import all_formats
from assistant.hall.hub.desk import Desk
from assistant.hall.hub.ledger import Ledger
from assistant.hall.published import LANGUAGES, PublishError, publish
from assistant.hall.tournament import Act, ResultEntered, Tournament, players, ready
from tests.hall.tournament.playing import result_acts
from tests.tables import each_row

pytestmark = pytest.mark.parametrize("where", ["sqlite"], indirect=True)

TELEPHONES = ("600111222", "944001122", "633000000")
LIST = (
    "jugador 1;jugador 2;peña;categoría;teléfono;pagado\n"
    "Ana <b>Ruiz</b>;Luis Gil;Secreta;Mixta;600 111 222;sí\nEva Mur;Jon Sáez;Secreta;Senior;"
    "944001122;\nIker Paz;Ane Ros;;Mixta;633000000;no\nPau Mas;Noa Rey;;Senior;;\n"
    "Unai Gil;Mar Leo;;;;\n"
)
SECRET = (*TELEPHONES, "Secreta", "Maite", "una gripe", "pagado")


class Links(HTMLParser):
    """The links and the scripts of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.tags: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            assert not name.startswith("on")
            assert name != "style"
            if name in {"href", "src"} and value:
                self.links.append(value)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder; that above it has the database."""
    made = tmp_path / "out"
    made.mkdir()
    return made


@pytest.fixture
def desk(engine: Engine) -> Desk:
    return Desk(Ledger(engine), lambda: ["mesa-1"], b"secret", sheets=all_formats)


def opened(
    desk: Desk, form: str = "knockout", csv: str = LIST, name: str = "San Blas", **options: Any
) -> int:
    act = {"type": "Opened", "v": 1, "name": name, "by": "Maite", "format": form}
    asked: dict[str, Any] = {"act": act | {"options": {"juegos": 3, **options}}}
    if form not in {"knockout", "double", "robin", "swiss", "groups"}:
        asked = {"act": act | {"format": "sheet"}, "sheet": form, "starts": "2027-01-11"}
    number = desk.open(asked)
    desk.do(number, "enrol", {"csv": csv, "by": "Maite"})
    return number


def played(desk: Desk, number: int, most: int = 1_000) -> None:
    """Draw it, and play so many matches; the first pair wins each."""
    desk.do(number, "draw", {"seed": 7, "by": "Maite"})

    def one(now: Tournament) -> list[Act]:
        match = ready(now)[0].id
        first = players(now, match)[0]
        assert isinstance(first, int)
        entered, signed = result_acts(now, match, first)
        assert isinstance(entered, ResultEntered)
        return [replace(entered, juegos=(now.needed(match), 0)), signed]

    for _ in range(most):
        if not ready(desk._now(number)):
            if desk._now(number).order and desk.show(number)["to_pair"]:
                desk.do(number, "pair", {"by": "Maite"})
                continue
            return
        desk._ledger.do(number, one)


def files_of(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): path.read_text("utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@contextmanager
def served(folder: Path) -> Iterator[str]:
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Say nothing."""

    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/deep/results/"
        server.shutdown()
        thread.join()


def test_every_link_leads_to_a_page_from_a_host_and_from_a_file(desk: Desk, tmp_path: Path) -> None:
    """Also where the folder is not at the root of the host."""
    number = opened(desk)
    played(desk, number, 2)
    folder = tmp_path / "deep" / "results"
    told = publish(desk.show(number), folder)
    assert {"index.html", "style.css", "es/matches.html", "eu/pairs.html", "en/index.html"} <= {
        *told
    }
    seen: set[str] = set()
    todo = ["index.html"]
    with served(tmp_path) as root:
        while todo:
            page = todo.pop()
            if page in seen:
                continue
            seen.add(page)
            with urllib.request.urlopen(root + page) as answer:
                text = answer.read().decode()
            assert (folder / page).read_text("utf-8") == text  # so a browser opens it as a file
            if not page.endswith(".html"):
                continue
            found = Links(text)
            assert "script" not in found.tags
            for link in found.links:
                assert not re.match(r"[a-z]+:|/", link), link
                parts: list[str] = []
                for part in (PurePosixPath(page).parent / link).parts:
                    parts = parts[:-1] if part == ".." else [*parts, part]
                todo.append("/".join(parts))
    assert seen == {*told}


def test_nothing_but_names_and_results_is_in_the_folder(desk: Desk, tmp_path: Path) -> None:
    number = opened(desk)
    desk.do(number, "draw", {"seed": 5, "by": "Maite"})
    annul = {"type": "DrawAnnulled", "v": 1, "by": "Maite", "reason": "faltaba una pareja"}
    desk.do(number, "act", {"act": annul})
    played(desk, number, 1)
    gone = {"type": "PairWithdrawn", "v": 1, "pair": 4, "by": "Maite", "reason": "una gripe"}
    desk.do(number, "act", {"act": gone})
    late = {"players": ["Leo", "Pía"], "telephone": "655000000", "late": True}
    desk.do(number, "enrol", {"pair": late, "by": "Maite"})
    publish(desk.show(number), tmp_path / "out")
    files = files_of(tmp_path / "out")
    whole = "\n".join(files.values())
    assert not [one for one in SECRET if one in whole]
    assert not re.search(r"(?<![0-9a-f#.%])[0-9]{9,}", whole)
    for code, seed in (("es", "semilla 7"), ("en", "seed 7")):
        assert seed in files[f"{code}/index.html"]
        assert "faltaba una pareja" in files[f"{code}/index.html"]  # why the printed seed changed
        assert "Ana &lt;b&gt;Ruiz&lt;/b&gt;" in files[f"{code}/pairs.html"]
        assert f'<html lang="{code}">' in files[f"{code}/matches.html"]
    assert "<b>Ruiz" not in whole
    assert 'class="gone"' in files["es/pairs.html"]
    assert "entró tras el sorteo, en un sitio libre" in files["es/pairs.html"]


def test_a_sanction_is_not_published_and_a_match_that_was_stopped_is_called_so(
    desk: Desk, folder: Path
) -> None:
    number = opened(desk)
    desk.do(number, "draw", {"seed": 5, "by": "Maite"})
    ready = [one for one in desk.show(number)["matches"] if one["state"] == "ready"]
    lost, stopped = ready[0], ready[1]
    sanction = {
        "type": "Sanctioned",
        "v": 1,
        "degree": "match",
        "article": "Art. 6.c",
        "pair": lost["slots"][0]["pair"],
        "match": lost["match"],
        "by": "Maite",
        "reason": "una pelea",
    }
    desk.do(number, "act", {"act": sanction})
    matches = [{"match": stopped["match"], "juegos": [1, 0], "stones": [0, 0], "winner": None}]
    desk.do(number, "stop", {"matches": matches, "by": "Maite"})
    publish(desk.show(number), folder)
    whole = "\n".join(files_of(folder).values())
    assert "una pelea" not in whole
    assert "6.c" not in whole
    assert "acabó el tiempo" in files_of(folder)["es/matches.html"]
    assert "time was up" in files_of(folder)["en/matches.html"]


def test_the_end_has_the_podium_and_that_of_each_category(desk: Desk, folder: Path) -> None:
    number = opened(desk)
    publish(desk.show(number), folder)
    assert "Todavía no hay partida." in (folder / "es/matches.html").read_text("utf-8")
    played(desk, number)
    publish(desk.show(number), folder)
    page = (folder / "es/index.html").read_text("utf-8")
    titles = re.findall("<h2>(.*?)</h2>", page)
    assert titles[:3] == ["Los tres primeros", "Mixta", "Senior"]
    podium = desk.show(number)["podium"]
    names = {one["pair"]: one["name"] for one in desk.show(number)["pairs"]}
    first = re.findall("<li>(.*?)</li>", page)[0]
    assert first == names[podium[0][0]].replace("<", "&lt;").replace(">", "&gt;")


def test_a_league_has_the_standings_of_each_category_after_the_whole(
    desk: Desk, folder: Path
) -> None:
    number = opened(desk, "robin")
    played(desk, number)
    publish(desk.show(number), folder)
    text = (folder / "index.html").read_text("utf-8")
    titles = re.findall(r"<h2>(Clasificación.*?)</h2>", text)
    assert titles == ["Clasificación", "Clasificación · Mixta", "Clasificación · Senior"]
    _, mixed, _ = re.findall(r"<h2>Clasificación.*?</section>", text, re.DOTALL)
    places = re.findall(r"<td>(\d+)</td><th scope=\"row\">(.*?)</th>", mixed)
    whole = [row["pair"] for row in desk.show(number)["standings"][0]]
    names = {pair["pair"]: pair["name"] for pair in desk.show(number)["pairs"]}
    expected = [names[pair] for pair in whole if pair in {1, 3}]
    assert [(place, html.unescape(name)) for place, name in places] == [
        (str(at), name) for at, name in enumerate(expected, 1)
    ]


@each_row("form", ["knockout", "double", "robin", "swiss", "groups", *sorted(all_formats())])
def test_every_format_is_published_from_the_list_to_the_podium(
    desk: Desk, tmp_path: Path, form: str
) -> None:
    options = {"swiss": {"rounds": 3}, "groups": {"groups": 2, "advance": 2}}.get(form, {})
    individual = form in all_formats() and all_formats()[form].individual
    rows = [f"Ana {n};Luis {n};Bar {n % 2}" for n in range(16)]
    head = "jugador 1;jugador 2;bar"
    if individual:
        head, rows = "jugador", [row.split(";")[0] for row in rows]
    number = opened(desk, form, "\n".join([head, *rows]), form, **options)
    folder = tmp_path / form
    publish(desk.show(number), folder)
    played(desk, number, 5)
    publish(desk.show(number), folder)
    while desk.show(number)["podium"] is None:
        again(desk, number)
    publish(desk.show(number), folder)
    files = files_of(folder)
    for code in LANGUAGES:
        assert 'class="podium"' in files[f"{code}/index.html"]
        matches = files[f"{code}/matches.html"]
        assert matches.count('class="meeting"') == len(desk.show(number)["matches"])
        assert "{" not in re.sub("<[^>]*>", "", matches)


def again(desk: Desk, number: int) -> None:
    """Play on from where it stands."""
    while matches := ready(desk._now(number)):
        now = desk._now(number)
        match = matches[0].id
        pair = players(now, match)[0]
        act = {"type": "Walkover", "v": 1, "match": match, "winner": pair, "by": "Maite",
               "reason": "una gripe"}  # fmt: skip
        desk.do(number, "act", {"act": act})
    if desk.show(number)["to_pair"]:
        desk.do(number, "pair", {"by": "Maite"})


def test_another_run_updates_in_place_and_leaves_other_files_alone(
    desk: Desk, folder: Path
) -> None:
    number = opened(desk)
    publish(desk.show(number), folder)
    (folder / "CNAME").write_text("mus.example")
    (folder / ".git").mkdir()
    marker = folder / published.MARKER
    told = json.loads(marker.read_text())
    (folder / "es" / "old.html").write_text("from an older version")
    marker.write_text(json.dumps(told | {"files": [*told["files"], "es/old.html", "../x"]}))
    (folder.parent / "x").write_text("not ours")
    before = files_of(folder)
    played(desk, number)
    publish(desk.show(number), folder)
    after = files_of(folder)
    assert after["es/index.html"] != before["es/index.html"]
    assert after["CNAME"] == "mus.example"
    assert (folder / ".git").is_dir()
    assert "es/old.html" not in after
    assert (folder.parent / "x").read_text() == "not ours"
    assert not [name for name in after if name.endswith(".part")]


def test_a_failed_run_leaves_the_old_pages_as_they_were(
    desk: Desk, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = opened(desk)
    publish(desk.show(number), folder)
    before = files_of(folder)
    played(desk, number)
    writes = []

    def full(path: Path) -> None:
        writes.append(path)
        if len(writes) == 5:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(published, "sync", full)
    with pytest.raises(OSError, match="No space"):
        publish(desk.show(number), folder)
    assert files_of(folder) == before


def test_a_folder_with_something_else_in_it_is_refused(desk: Desk, folder: Path) -> None:
    number = opened(desk)
    (folder / "index.html").write_text("my own page")
    with pytest.raises(PublishError, match=r"a file index\.html of its own"):
        publish(desk.show(number), folder)
    assert [path.name for path in folder.iterdir()] == ["index.html"]
    publish(desk.show(number), folder / "out")
    other = desk.show(number) | {"name": "Otro torneo"}
    with pytest.raises(PublishError, match="has the results of San Blas"):
        publish(other, folder / "out")


def test_a_large_tournament_is_published_in_a_moment(desk: Desk, folder: Path) -> None:
    rows = "".join(f"Ana {n};Luis {n}\n" for n in range(512))
    number = opened(desk, "knockout", f"jugador 1;jugador 2\n{rows}")
    desk.do(number, "draw", {"seed": 7, "by": "Maite"})
    publish(desk.show(number), folder)
    page = (folder / "es/matches.html").read_text("utf-8")
    assert page.count('class="meeting"') == 511
    assert (folder / "es/index.html").stat().st_size < 60_000
