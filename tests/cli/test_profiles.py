"""Profiles as files: the shipped ones, a player's own, and the errors of broken ones."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from assistant.cli.main import main
from assistant.cli.mus_profiles import in_words, options, template
from assistant.files.process import UsageError
from assistant.files.profile_files import (
    find_profile,
    line_of,
    load_profile,
    own_dir,
    profile_paths,
    rules_named,
)
from assistant.files.resources import languages, load_lexicon, load_texts
from assistant.language.script import DEFAULT_SEATS
from assistant.rules.engine import open_game
from assistant.rules.profile import (
    OPTIONS,
    Articles,
    Corrido,
    Exposed,
    MusOrder,
    Order,
    PartnerConflict,
    Penalty,
    Profile,
    Real31,
    Senas,
    Sides,
    differences,
)
from tests.tables import each_row

SHIPPED = {
    "estandar": Profile(),
    "wikipedia": Profile(
        target=30, vacas=3, corrido=Corrido.OFF, order=Order.STRICT, mus_order=MusOrder.PAIR
    ),
    "web-fem": Profile(vacas=2, corrido=Corrido.VACA, order=Order.STRICT),
    "interpenas-1996": Profile(
        calls=("interpenas",),
        paso_cuts=False,
        partner_conflict=PartnerConflict.RIVALS_CHOOSE,
        implicit_no=True,
        show_is_accept=True,
        real31=Real31.SOTA,
        penalty=Penalty.INTERPENAS,
        articles=Articles.INTERPENAS,
        senas=Senas.INTERPENAS,
    ),
    "individual": Profile(sides=Sides.EACH),
    "fournier": Profile(corrido=Corrido.JUEGO, order=Order.STRICT, exposed=Exposed.MUS),
    "vasco": Profile(
        kings=4, corrido=Corrido.OFF, senas=Senas.EUSKADI, calls=("es", "eu"), voice="eu"
    ),
    "iparralde": Profile(
        kings=4,
        corrido=Corrido.OFF,
        mus_order=MusOrder.PAIR,
        articles=Articles.FFM,
        exposed=Exposed.FIRST,
        senas=Senas.EUSKADI,
        calls=("eu", "iparralde"),
        voice="eu",
    ),
}
HEAD = 'name = "casa"\ntitle = "De casa"\nexplains = "Aquí se juega así."\n'


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for a player's own profiles."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    own_dir().mkdir(parents=True)
    return tmp_path


def written(home: Path, text: str, name: str = "casa.toml") -> Path:
    path = home / name
    path.write_text(text, encoding="utf-8")
    return path


def run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    status = main(args)
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_the_list_of_shipped_profiles_is_complete() -> None:
    assert set(profile_paths()) == set(SHIPPED)


@each_row("name", SHIPPED)
def test_a_shipped_profile_sets_what_its_source_says(name: str) -> None:
    found = find_profile(name)
    assert found.profile == SHIPPED[name]
    assert not found.own
    assert 2 <= found.explains.count(". ") + 1 <= 5


@each_row("name", SHIPPED)
def test_a_shipped_profile_has_only_differences_and_their_reasons(name: str) -> None:
    path = profile_paths()[name]
    text = path.read_text(encoding="utf-8")
    assert set(tomllib.loads(text)["rules"]) == set(differences(SHIPPED[name]))
    for line in text.partition("[rules]")[2].splitlines():
        key = line.partition("=")[0].strip()
        if key in OPTIONS and key not in ("calls", "voice"):
            assert OPTIONS[key].row in line.partition("#")[2], line


@each_row("name", SHIPPED)
def test_a_shipped_profile_can_be_played(name: str) -> None:
    profile = rules_named(name)
    assert open_game(profile, DEFAULT_SEATS)
    assert load_lexicon(profile.calls).vocabulary()
    assert set(profile.calls) <= set(languages("lexicon"))


@each_row(
    "text, line, said",
    [
        (HEAD + "[rules]\nkings = 7\n", 5, "8 or 4 kings"),
        (HEAD + "[rules]\n# kings = 4\n\n  kings=7\n", 7, "kings=7"),
        (HEAD + "rules.kings = 7\n", 4, "kings=7"),
        (HEAD + '[rules]\ntarget = 40\n"kings" = 7 # kings = 8\n', 6, "kings=7"),
        (HEAD + "rules = { target = 30, kings = 7 }\n", 4, "kings=7"),
        (HEAD + '[rules]\nvoice = """\nkings = 8\n"""\n', 5, "name a language"),
        (HEAD + '[rules]\ncalls = [\n "es",\n "es",\n]\nkings = 4\n', 5, r"calls=es\+es"),
        (
            HEAD.replace('"Aquí', '"""\n[rules]\nkings = 8\n').replace('así."', 'así."""')
            + "[rules]\nkings = 7\n",
            8,
            "kings=7",
        ),
        (HEAD.replace("\n", "\r\n") + "[rules]\r\nkings = 7\r\n", 5, "kings=7"),
        (HEAD.replace("así", "a\u2028sí") + "[rules]\nkings = 7\n", 5, "kings=7"),
        (HEAD + "[rules]\ncolour = 'red'\n", 5, "Unknown rule 'colour'"),
        (HEAD + "[rules]\nkings = 4\ncalls = 'xx'\n", 6, "calls=xx: there is no such language"),
        (HEAD + "[rules]\ncalls = 'en'\n", 5, "calls=en: there is no such language"),
        (HEAD + "[rules]\nvoice = 'fr'\n", 5, "voice=fr: there is no such language"),
        (HEAD + "colour = 'red'\n[rules]\n", 4, "'colour' is unknown"),
        (HEAD + "[colour]\nred = 1\n", 4, "'colour' is unknown"),
        (HEAD + "[rules]\ntarget = 30\nreal31 = 'suits'\n", 6, "needs real31_cards"),
        (
            HEAD + "[rules]\npenalty = 'interpenas'\nlate_claims = true\n",
            6,
            "article 8.4",
        ),
        (HEAD + "rules = 7\n", 4, r"write \[rules\] as a table"),
        (HEAD + "[rules\n", 4, "no TOML"),
        (HEAD + "[rules]\nkings = 8\nkings = 4\n", 6, "no TOML"),
        (HEAD + 'x = """never closed\n', 4, "no TOML"),
        ("x = " + "[" * 9_000, 1, "no TOML"),
        ("x = " + "9" * 9_000, 1, "no TOML"),
        (HEAD.replace("casa", "vasco"), 1, 'write name = "casa"'),
        (HEAD.replace('title = "De casa"\n', ""), 1, "title is missing"),
        (HEAD.replace('"De casa"', "7"), 2, "title is missing"),
        (HEAD.replace("De casa", "x" * 61), 2, "60 plain letters"),
        (HEAD.replace("Aquí", "x" * 801), 3, "800 plain letters"),
        (HEAD + f"[rules]\nkings = '{'x' * 9_000}'\n", 5, "whole number|kings=x"),
    ],
)
def test_a_broken_profile_gives_one_sentence_with_file_and_line(
    home: Path, capsys: pytest.CaptureFixture[str], text: str, line: int, said: str
) -> None:
    path = home / "casa.toml"
    path.write_bytes(text.encode())
    with pytest.raises(UsageError, match=said) as caught:
        load_profile(path)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert len(str(caught.value)) < len(str(path)) + 700
    status, out, err = run(capsys, "profiles", str(path))
    assert (status, out) == (2, "")
    assert err == f"mus: {caught.value}\n"


@pytest.mark.parametrize("end", ["x\n" * 501, "# " + "x" * 20_000])
def test_a_profile_file_has_a_limited_size(home: Path, end: str) -> None:
    with pytest.raises(UsageError, match="right file"):
        load_profile(written(home, HEAD + "# " + end))


def test_a_fault_without_a_line_is_reported_at_the_first() -> None:
    assert line_of(HEAD, ("rules", "kings")) == 1


@each_row("name", ["nadie", "../vasco", "a/b", "", "x" * 9_000])
def test_an_unknown_profile_is_reported_with_the_known_ones(name: str) -> None:
    with pytest.raises(UsageError, match="choose from estandar") as caught:
        find_profile(name)
    assert len(str(caught.value)) < 300


def test_a_players_own_profile_is_found_by_name_before_a_shipped_one() -> None:
    written(own_dir(), HEAD + "[rules]\nkings = 4\n")
    assert find_profile("casa").own
    assert rules_named("casa") == Profile(kings=4)
    written(own_dir(), HEAD.replace("casa", "vasco") + "[rules]\ntarget = 25\n", "vasco.toml")
    assert rules_named("vasco") == Profile(target=25)


@pytest.mark.usefixtures("in_spanish")
def test_the_list_shows_the_differences(capsys: pytest.CaptureFixture[str]) -> None:
    written(own_dir(), HEAD + "[rules]\nkings = 4\n")
    status, out, _ = run(capsys, "profiles")
    assert status == 0
    assert "De casa (propio)" in out
    assert "reyes: 4" in out
    status, out, _ = run(capsys, "profiles", "--json")
    told = {p["name"]: p for p in json.loads(out)["profiles"]}
    assert set(told) == {*SHIPPED, "casa"}
    assert told["fournier"]["differences"] == {
        "corrido": "juego",
        "order": "strict",
        "exposed": "mus",
    }
    assert [name for name, p in told.items() if p["own"]] == ["casa"]


def test_a_broken_profile_does_not_hide_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    path = written(own_dir(), HEAD + "[rules]\nkings = 7\n")
    status, out, err = run(capsys, "profiles")
    assert status == 2
    assert "interpenas-1996" in out
    assert err.startswith(f"mus: {path}:5: kings=7")
    assert err.count("\n") == 1


@pytest.mark.usefixtures("in_spanish")
def test_a_profile_is_explained_rule_by_rule(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "profiles", "vasco")
    assert status == 0
    lines = {line[2:].split()[0]: line for line in out.splitlines() if line[2:].split()}
    assert set(OPTIONS) <= set(lines)
    assert lines["kings"].startswith("* kings")
    assert "R01" in lines["kings"]
    assert "(corriente: 8)" in lines["kings"]
    assert lines["target"].startswith("  target")
    status, out, _ = run(capsys, "profiles", "vasco", "--json")
    told = json.loads(out)["rules"]
    assert list(told) == list(OPTIONS)
    assert {key for key, rule in told.items() if rule["differs"]} == set(
        differences(SHIPPED["vasco"])
    )
    assert (told["kings"]["value"], told["kings"]["default"]) == ("4", "8")


@pytest.mark.parametrize("language", ["eu", "en"])
def test_what_explains_a_profile_is_whole_in_every_language(language: str) -> None:
    """Sentence by sentence, and with the numbers of the profile: no short version of it."""
    assert set(load_texts("profiles", language)) == set(SHIPPED)
    for name in SHIPPED:
        found = find_profile(name)
        title, explains = in_words(found, language)
        assert title != found.title
        assert explains.count(". ") >= found.explains.strip().count(". ") > 0
        assert not set(explains.split()) & {"reyes", "piedras", "quien", "que", "juega"}
        assert explains == explains.strip()


def test_a_template_lists_every_rule_and_changes_none(
    capsys: pytest.CaptureFixture[str],
) -> None:
    status, out, _ = run(capsys, "profiles", "--new", "casa-2")
    path = own_dir() / "casa-2.toml"
    assert status == 0
    assert str(path) in out
    assert find_profile("casa-2").profile == Profile()
    text = path.read_text(encoding="utf-8")
    status, _, err = run(capsys, "profiles", "--new", "casa-2")
    assert (status, path.read_text(encoding="utf-8")) == (2, text)
    assert "choose another name" in err


def test_every_line_of_a_template_can_be_uncommented(home: Path) -> None:
    text = template("casa")
    for key in OPTIONS:
        assert text.count(f"\n# {key} = ") == 1
        written(home, text.replace(f"\n# {key} = ", f"\n{key} = "))
        assert load_profile(home / "casa.toml").profile == Profile()


def test_a_template_does_not_overwrite_a_file_that_is_no_profile(
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = written(own_dir(), "not TOML at all")
    assert run(capsys, "profiles", "--new", "casa")[0] == 2
    assert path.read_text(encoding="utf-8") == "not TOML at all"


@each_row("name", ["vasco", "../casa", "a b", "", ".casa", "x" * 41, "casa.toml"])
def test_the_name_of_a_template_must_be_a_possible_file_name(
    capsys: pytest.CaptureFixture[str], name: str
) -> None:
    status, out, err = run(capsys, "profiles", "--new", name)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert list(own_dir().iterdir()) == []


@pytest.mark.parametrize("language", ["es", "eu", "en"])
def test_every_rule_is_described_in_every_language(language: str) -> None:
    told = options(language)
    assert list(told) == list(OPTIONS)
    for key, rule in OPTIONS.items():
        values = rule.values.told
        for value in values.split("|"):
            if value.isalpha() and "|" in values:
                assert told[key].said(value) != value, (key, value)


def test_hands_are_valued_by_a_profile(capsys: pytest.CaptureFixture[str]) -> None:
    hand = "R R 3 3"
    _, eight, _ = run(capsys, "hand", hand, "--json")
    _, four, _ = run(capsys, "hand", hand, "--profile", "vasco", "--json")
    assert json.loads(eight)["hands"][0]["points"] == 40
    assert json.loads(four)["hands"][0]["points"] == 26
    status, out, _ = run(capsys, "hand", hand, "--profile", "vasco", "--kings", "8", "--json")
    assert (status, out) == (0, eight)
    status, _, err = run(capsys, "hand", hand, "--real31", "suits")
    assert (status, err.count("\n")) == (2, 1)
    assert "real31_cards" in err


def test_a_script_is_played_by_a_named_profile(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = home / "deal.mus"
    lines = "rules: profile=vasco target=30\nmano: 1\n1: mus\n2: mintza\nexpect: mano=1\n"
    path.write_text(lines.replace("mintza", "no hay mus"), encoding="utf-8")
    status, out, err = run(capsys, "score", str(path), "--json")
    assert (status, err) == (0, "")
    profile = json.loads(out)["events"][0]["profile"]
    assert (profile["kings"], profile["target"], profile["calls"]) == (4, 30, ["es", "eu"])
    path.write_text(lines.replace("vasco", "nadie"), encoding="utf-8")
    status, out, err = run(capsys, "score", str(path), "--json")
    assert (status, out) == (2, "")
    assert f"{path}:1: There is no profile 'nadie'" in err


def test_a_script_of_iparralde_is_read_in_its_words(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = home / "deal.mus"
    path.write_text(
        "rules: profile=iparralde\nmano: 1\n1: mus\n3: mintza\n1: imido\n2: tira\n4: tira\n"
        "expect: A=1 phase=chica\n1: paso\n",
        encoding="utf-8",
    )
    status, _, err = run(capsys, "score", str(path))
    assert (status, err) == (0, "")


@pytest.mark.parametrize(("calls", "heard"), [("eu", True), ("es+eu", True), ("es", False)])
def test_a_house_is_heard_in_the_languages_of_its_calls(
    home: Path, capsys: pytest.CaptureFixture[str], calls: str, heard: bool
) -> None:
    path = home / "deal.mus"
    path.write_text(
        f"rules: calls={calls}\nmano: 1\n1: mozten dut\nexpect: phase=grande\n", "utf-8"
    )
    assert (run(capsys, "score", str(path))[0] == 0) is heard
