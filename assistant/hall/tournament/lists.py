"""A reader of lists of pairs: any table of text; it finds the columns and reads the pairs.

A list comes from a spreadsheet, a form or a keyboard. Its columns are found by their titles, in any
of five languages, and by their content. Columns that were only guessed by their content have to be
confirmed by somebody before pairs are enrolled from them.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from assistant.hall.tournament.acts import PairEnrolled, PlayerEnrolled
from assistant.hall.tournament.errors import MAX_PAIRS, TournamentError, normalized
from assistant.hall.tournament.model import Enrolled, Tournament

MOST_LETTERS = 1_000_000
MOST_FAULTS = 20
"""The most wrong lines of a list that a refusal names."""
HEAD = 10
"""Lines in which the titles of the columns are looked for."""
MARKS = ",;\t|"
"""Letters that may separate the columns."""

# ---- The fields that a column may hold, and the titles by which they are recognised -------------

FIELDS = (
    *("name", "first", "first_surname", "second", "second_surname", "both"),
    *("club", "category", "seed", "bar", "telephone", "paid"),
)
"""What a column may hold; "both" are the two players in one column. "" is left out."""
PLAYERS = ("first", "first_surname", "second", "second_surname", "both")
TITLES: Mapping[str, tuple[str, ...]] = {
    "name": ("pareja", "nombre", "equipo", "bikotea", "izena", "name", "pair", "team"),
    "first": (
        *("jugador 1", "jugador1", "jugadora 1", "jokalaria 1", "1. jokalaria", "player 1"),
        *("jugador", "jugadora", "jokalaria", "player"),  # where everybody enrols alone
    ),
    "second": ("jugador 2", "jugador2", "jugadora 2", "jokalaria 2", "2. jokalaria", "player 2"),
    "both": (
        *("jugadores", "jugadoras", "jokalariak", "players", "jugadors", "xogadores"),
        *("componentes", "integrantes", "partaideak", "members", "nombres", "izenak", "names"),
    ),
    "club": ("peña", "club", "sociedad", "elkartea", "taldea"),
    "category": ("categoría", "kategoria", "maila", "category", "categoria"),
    "seed": ("cabeza", "cabeza de serie", "serie", "burua", "seed"),
    "bar": ("bar", "sede", "taberna", "lekua", "lokala", "venue"),
    "telephone": ("teléfono", "telefonoa", "telephone", "phone", "telèfon", "telefono"),
    "paid": ("pagado", "ordainduta", "paid", "pagat"),
}
"""The names that a column may have in the first line, in any case, with or without accents."""
_KNOWN = {normalized(title): field for field, titles in TITLES.items() for title in titles}
_STEMS: Mapping[str, str] = {
    "telephone": "tel telef movil mugikor phone mobil tfno tlf tf celular whatsapp",
    "paid": "pagad pagat pagou ordaind paid abonad cobrad cuota kuota",
    "category": "categor kategor modalid modalit",
    "club": "pena penya club sociedad sociedade societat society elkarte talde asociac txoko",
    "seed": "cabeza seed buru ranking",
    "bar": "bar sede taberna lokal venue local seu tavern ostatu establec",
    "surname": "apellido abizen surname cognom apelido lastname",
    "given": "nombre izen name nom nome firstname",
    "player": "jugador jokalari player xogador participa partaide integra componen miembro member",
    "partner": "companer partner acompan bikotekide kidea parella_de",
    "pair": "pareja bikote pair parella equipo equip team",
}
"""Beginnings of the words of a title that name the field of the column."""
_ONE = ("1", "1o", "1a", "a", "i", "primer", "lehen", "first", "uno", "one")
_TWO = ("2", "2o", "2a", "b", "ii", "segund", "bigarren", "second", "segon", "dos", "two")
_LONGEST_TITLE = 6
"""The most words of a title."""


def field_of(title: str) -> str:
    """The field of a column with this title, or ""; "given" and "surname" without a number, too."""
    plain = normalized(title)
    if plain in _KNOWN:
        return _KNOWN[plain]
    words = re.findall(r"[a-z]+|[0-9]+", plain.replace("last name", "surname"))
    if not words or len(words) > _LONGEST_TITLE:
        return ""
    kinds = {kind for kind in _STEMS if any(_begins(word, kind) for word in words)}
    for field in ("telephone", "paid", "category", "club", "seed", "bar"):
        if field in kinds:
            return field
    at = "second" if _is_one_of(words, _TWO) else "first" if _is_one_of(words, _ONE) else ""
    if "surname" in kinds and "given" not in kinds:
        return f"{at}_surname" if at else "surname"
    if kinds & {"player", "given"}:
        return at or "given"
    if "partner" in kinds:
        return "second"
    return "name" if "pair" in kinds else ""


def _begins(word: str, kind: str) -> bool:
    """Whether a word has one of these beginnings; a short one has to be the complete word."""
    return any(
        word == stem or (len(stem) > 3 and word.startswith(stem)) for stem in _STEMS[kind].split()
    )


def _is_one_of(words: Sequence[str], numbers: Sequence[str]) -> bool:
    return any(w == n or (len(n) > 3 and w.startswith(n)) for w in words for n in numbers)


def columns_named(text: str) -> tuple[str, ...]:
    """The columns that somebody names: "jugador 1, jugador 2, -, teléfono"; "-" leaves one out.

    Raises TournamentError for a word that names none.
    """
    found = []
    for word in re.split("[,;]", text):
        given = word.strip()
        field = "" if given in {"", "-"} else given if given in FIELDS else field_of(given)
        if given not in {"", "-"} and field not in FIELDS:
            raise TournamentError("no_column", text=f"{given!r:.40}", known=", ".join(FIELDS))
        found.append(field)
    return tuple(found)


# ---- A list as a table: its encoding, the separator of its columns, the line of its titles ------


@dataclass(frozen=True, slots=True)
class Sheet:
    """A list of lines with columns.

    Attributes:
        mark: The separator of the columns.
        titles: The titles of the columns; () if no line has them.
        rows: The lines that are not empty, each with its number.
    """

    mark: str
    titles: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]

    @property
    def width(self) -> int:
        """How many columns there are."""
        return max([len(self.titles), *(len(row) for _, row in self.rows)], default=0)

    def column(self, at: int) -> list[str]:
        """The content of a column, without empty cells."""
        return [row[at] for _, row in self.rows if at < len(row) and row[at]]


def decoded(data: bytes) -> str:
    """The text of a file, as spreadsheets save it: UTF-8, UTF-16 or Windows-1252."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def sheet_of(text: str) -> Sheet:
    """A list as a table. Raises TournamentError for a text that is no list at all."""
    if len(text) > MOST_LETTERS:
        raise TournamentError("list_too_long")
    text = text.lstrip("\ufeff")
    if not text.strip():
        raise TournamentError("list_empty")
    told = re.match(r"sep=(.)\r?\n", text)  # so spreadsheets tell what separates the columns
    mark = told[1] if told else _mark(text)
    try:
        rows = [
            (line, tuple([" ".join(cell.split()) for cell in row]))
            for line, row in _rows(text[told.end() :] if told else text, mark)
        ]
    except csv.Error as error:
        raise TournamentError("list_unreadable", why=str(error)) from None
    skipped = 1 if told else 0
    rows = [(line + skipped, row) for line, row in rows if any(row)]
    head = _head(rows)
    return Sheet(mark, rows[head][1] if head is not None else (),
                 tuple(rows[head + 1 :] if head is not None else rows))  # fmt: skip


def _rows(text: str, mark: str) -> Iterator[tuple[int, list[str]]]:
    """The rows of a list, each with the number of the line in which it begins."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, skipinitialspace=True)
    begins = 1
    for row in reader:
        yield begins, row
        begins = reader.line_num + 1


def _mark(text: str) -> str:
    """The separator of the columns, with which most of the first lines have equally many."""
    head = "\n".join(text.splitlines()[:30])

    def fits(mark: str) -> tuple[int, int]:
        try:
            widths = Counter(len(row) for _, row in _rows(head, mark) if any(row))
        except csv.Error:
            return 0, text.splitlines()[0].count(mark)
        width, times = max(widths.items(), key=lambda one: (one[1], one[0]), default=(1, 0))
        return (times, width) if width > 1 else (0, max(widths, default=1))

    return max(MARKS, key=fits)


def _head(rows: Sequence[tuple[int, tuple[str, ...]]]) -> int | None:
    """The place of the line that names the columns; None if there is none."""
    for at, (_, row) in enumerate(rows[:HEAD]):
        cells = [cell for cell in row if cell]
        exact = [cell for cell in cells if normalized(cell) in _KNOWN]
        meant = [cell for cell in cells if field_of(cell)]
        if (at == 0 and exact) or (len(meant) >= 2 and 2 * len(meant) >= len(cells)):
            return at
    return None


# ---- The fields of the columns -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ColumnGuess:
    """The field of each column, "" for columns that are left out.

    ``sure``: the titles of the columns say where the players are.
    """

    columns: tuple[str, ...]
    sure: bool


def guess_columns(sheet: Sheet, alone: bool) -> ColumnGuess:
    """The fields of a list's columns. ``alone``: everybody enrols without a partner."""
    fields = [field_of(title) for title in sheet.titles]
    fields += [""] * (sheet.width - len(fields))
    fields = _numbered(fields, alone)
    if not alone and not _has_players(fields, alone) and fields.count("name") == 1:
        at = fields.index("name")
        if _are_two(sheet.column(at)):
            fields[at] = "both"
    if _has_players(fields, alone):
        return ColumnGuess(tuple(fields), sure=True)
    return ColumnGuess(tuple(_by_content(sheet, fields, alone)), sure=False)


def _numbered(fields: list[str], alone: bool) -> list[str]:
    """The columns with "given" and "surname" given to the players, in their order."""
    two = fields.count("given") == 2 and "first" not in fields and "second" not in fields
    names = [at for at, field in enumerate(fields) if field == "name"]
    if not alone and len(names) == 2 and not _has_players(fields, alone):
        # "Nombre, Apellidos, Nombre, Apellidos"
        fields = ["given" if field == "name" else field for field in fields]
        two = True
    if alone and "first" not in fields and "name" in fields:
        fields[fields.index("name")] = "first"
    kept: list[str] = []
    given = 0
    for field in fields:
        last = "second" if "second" in kept else "first"
        if field == "given":
            given += 1
            field = ("first", "second")[given - 1] if two else "first" if alone else "name"
        elif field == "surname":
            field = f"{last}_surname"
        if field in kept and field not in {"telephone", "first_surname", "second_surname"}:
            field = ""
        kept.append("first_surname" if alone and field == "second_surname" else field)
    return kept


def _has_players(fields: Sequence[str], alone: bool) -> bool:
    if "both" in fields:
        return True
    return "first" in fields and (alone or "second" in fields)


_BETWEEN = re.compile(r"\s+(?:y|e|eta|and|i|con)\s+|\s*[/&+]\s*|\s+[-\u2013\u2014]\s+", re.I)
"""The separators of two players in one cell."""


def _are_two(cells: Sequence[str]) -> bool:
    """Whether most cells of a column name two players."""
    return bool(cells) and 2 * sum(len(_BETWEEN.split(one)) == 2 for one in cells) > len(cells)


def _by_content(sheet: Sheet, named: Sequence[str], alone: bool) -> list[str]:
    """The fields of the columns by their content, if their titles say too little."""
    fields = list(named)
    texts = []
    for at, field in enumerate(fields):
        cells = sheet.column(at)
        if field or not cells:
            continue
        if "telephone" not in fields and _most(_is_telephone, cells):
            fields[at] = "telephone"
        elif "paid" not in fields and _most(_is_yes_or_no, cells) and len(cells) > 1:
            fields[at] = "paid"
        elif _most(_is_name, cells):
            texts.append(at)
    if alone:
        wanted = ["first", "club"]
    elif texts and _are_two(sheet.column(texts[0])):
        wanted = ["both", "club"]
    elif len(texts) > 2 and _differ(sheet.column(texts[2])):
        wanted = ["name", "first", "second", "club", "category"]
    else:
        wanted = ["first", "second", "club", "category"]
    wanted = [field for field in wanted if field not in fields]
    for at, field in zip(texts, wanted, strict=False):
        fields[at] = field
    return fields


def _most(is_so: Callable[[str], bool], cells: Sequence[str]) -> bool:
    return 5 * sum(map(is_so, cells)) >= 4 * len(cells)


def _differ(cells: Sequence[str]) -> bool:
    """Whether hardly any text comes twice in a column, as with people and unlike with clubs."""
    return len(set(map(normalized, cells))) > 0.8 * len(cells)


def _is_name(cell: str) -> bool:
    return any(c.isalpha() for c in cell) and "@" not in cell


def _is_telephone(cell: str) -> bool:
    try:
        return bool(telephone_of(cell))
    except TournamentError:
        return False


def _is_yes_or_no(cell: str) -> bool:
    return normalized(cell) in _YES | _NO and not cell.isdigit()


# ---- Reading the pairs ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ListLine:
    """A line of a list: the pair in it, or what is wrong with it.

    ``telephone`` and ``paid`` are for the desk alone; no act and no public page has them.
    """

    line: int
    pair: Enrolled | TournamentError
    telephone: str = ""
    paid: bool = False


def pairs_from_csv(text: str, tournament: Tournament, by: str = "") -> tuple[Enrolled, ...]:
    """The pairs of a list, numbered after those already enrolled.

    A pair without a name gets its players' names. Where everybody enrols alone, each line has a
    player, or two. Raises TournamentError with the numbers of all lines that are wrong.
    """
    return tuple([pair for _, pair in checked_lines(lines_from_csv(text, tournament, by))])


def checked_lines(lines: Sequence[ListLine]) -> list[tuple[ListLine, Enrolled]]:
    """The lines of a list with their pairs. Raises TournamentError with all that are wrong."""
    wrong = [(one.line, one.pair) for one in lines if isinstance(one.pair, TournamentError)]
    told = [TournamentError("in_line", line=line, error=str(error)) for line, error in wrong]
    if len(wrong) == 1:
        raise told[0] from wrong[0][1]
    if wrong:
        faults = [
            {"line": line, "because": {"code": error.code, "facts": error.facts}}
            for line, error in wrong[:MOST_FAULTS]
        ]
        facts = {"error": " ".join(map(str, told[:MOST_FAULTS])), "faults": faults}
        raise TournamentError("in_lines", **facts, wrong=len(wrong))
    return [(one, one.pair) for one in lines if not isinstance(one.pair, TournamentError)]


def lines_from_csv(
    text: str, tournament: Tournament, by: str = "", columns: Sequence[str] | None = None
) -> list[ListLine]:
    """The lines of a list. ``columns`` has the field of each column; else the titles must have it.

    Raises TournamentError for a text that is no list of pairs at all.
    """
    sheet = sheet_of(text)
    if columns is None:
        found = guess_columns(sheet, tournament.individual)
        if not found.sure:
            raise TournamentError("list_columns")
        columns = found.columns
    return lines_of(sheet, columns, tournament, by)


def lines_of(
    sheet: Sheet, columns: Sequence[str], tournament: Tournament, by: str = ""
) -> list[ListLine]:
    """The lines of a list whose columns are known. Raises TournamentError if players lack one."""
    for field in columns:
        if field and field not in FIELDS:
            raise TournamentError("no_column", text=f"{field!r:.40}", known=", ".join(FIELDS))
    if not _has_players(columns, tournament.individual):
        raise TournamentError("list_columns")
    last = max([*tournament.pairs, *tournament.gone], default=0)
    found: list[ListLine] = []
    for line, row in sheet.rows:
        cells = _cells(row, columns)
        if not any(cells.values()):
            continue
        alone = _alone(cells) if tournament.individual else [""]
        for place, name in enumerate(alone):
            last += 1
            if last > MAX_PAIRS:
                raise TournamentError("list_full", line=line, most=MAX_PAIRS)
            read = _read(line, cells, name, last, by, tournament)
            found.append(read if not place else replace(read, telephone=""))
    return found


_TURNED = re.compile(r"([^\W\d_][^,]*), ?([^\W\d_a-zà-ÿ][^, ]*(?: [^, ]+)?)")
"""A name as "Ruiz, Ana" or "RUIZ PAZ, ANA MARÍA", and not "Jon, el de Ana"."""


def _cells(row: Sequence[str], columns: Sequence[str]) -> dict[str, str]:
    """The content of a line, by fields; a name with the surname first is turned round."""
    cells: dict[str, str] = {}
    for at, field in enumerate(columns):
        cell = row[at] if field and at < len(row) else ""
        if field in PLAYERS and (parts := _TURNED.fullmatch(cell)):
            cell = f"{parts[2]} {parts[1]}"
        if cell:
            between = " / " if field == "telephone" else " "
            cells[field] = f"{cells[field]}{between}{cell}" if field in cells else cell
    for player in ("first", "second"):
        surname = cells.pop(f"{player}_surname", "")
        if surname:
            cells[player] = " ".join(filter(None, (cells.get(player, ""), surname)))
    return cells


def _alone(cells: Mapping[str, str]) -> list[str]:
    """The players of a line, each of whom enrols for himself."""
    if "both" in cells:
        return _BETWEEN.split(cells["both"])
    other = cells.get("second", "")
    return [cells.get("first", ""), *([other] if other else [])]


def _read(
    line: int, cells: Mapping[str, str], name: str, number: int, by: str, tournament: Tournament
) -> ListLine:
    """A line; of one in which everybody enrols alone the player ``name``."""
    try:
        pair = _enrolled_in(cells, name, number, by, tournament)
        telephone = telephone_of(cells.get("telephone", ""))
        return ListLine(line, pair, telephone, is_yes(cells.get("paid", "")))
    except TournamentError as error:
        return ListLine(line, error)


def _enrolled_in(
    cells: Mapping[str, str], name: str, number: int, by: str, tournament: Tournament
) -> Enrolled:
    club, category = cells.get("club", ""), cells.get("category", "")
    if tournament.individual:
        return PlayerEnrolled(number, name, club, by, category=category)
    players = cells.get("first", ""), cells.get("second", "")
    if "both" in cells and players == ("", ""):
        two = _BETWEEN.split(cells["both"])
        if len(two) != 2:
            raise TournamentError("not_two", text=f"{cells['both']!r:.60}")
        players = two[0], two[1]
    return PairEnrolled(
        number,
        cells.get("name") or f"{players[0]} y {players[1]}",
        players,
        club,
        _seed(cells.get("seed", "")),
        by,
        bar=cells.get("bar", ""),
        category=category,
    )


def _seed(text: str) -> int | None:
    if not text:
        return None
    if text.isascii() and text.isdigit():
        return int(text[:9])
    raise TournamentError("no_seed_place", text=f"{text!r:.40}")


_YES = frozenset("si s x bai b yes y ok true verdadero egia pagado pagada pagat ordainduta".split())
_NO = frozenset("no n ez - false falso gezurra pendiente zain".split())


def is_yes(text: str) -> bool:
    """Whether a cell says that something was paid: "sí", "bai", "x", "20 €". Raises."""
    plain = normalized(text).strip(" .!\u2713\u2714")
    if not plain:
        return bool(text.strip())  # a tick
    if plain in _YES or plain in _NO:
        return plain in _YES
    amount = re.fullmatch(r"([0-9]+)(?:[.,][0-9]{1,2})? ?(?:\u20ac|eur|euros?|euro)?", plain)
    if amount:
        return bool(re.search("[1-9]", plain))
    raise TournamentError("no_yes", text=f"{text!r:.40}")


SHORTEST_TELEPHONE, LONGEST_TELEPHONE = 6, 15
"""Digits of a telephone number (ITU-T E.164 has the most)."""
MOST_TELEPHONE = 80
"""Letters of all numbers of a pair."""


def telephone_of(text: str) -> str:
    """A telephone number, or several, without what people write between the digits; "" for none.

    Raises TournamentError for other texts, such as 6,00E+08, into which a spreadsheet turned one.
    """
    found = []
    for one in re.split(r"\s*[/;]\s*|\s+(?:y|eta|and|o|edo|or|e|i)\s+", text.strip()):
        digits = re.sub(r"[\s.()\u00a0-]", "", one)
        if not digits:
            continue
        number = re.fullmatch(r"(\+|00)?([0-9]+)", digits, re.ASCII)
        if not number or not SHORTEST_TELEPHONE <= len(number[2]) <= LONGEST_TELEPHONE:
            raise TournamentError("no_telephone", text=f"{one!r:.40}")
        found.append(("+" if number[1] else "") + number[2])
    told = " / ".join(dict.fromkeys(found))
    if len(told) > MOST_TELEPHONE:
        raise TournamentError("no_telephone", text=f"{text!r:.40}")
    return told


def telephone_keys(telephone: str) -> set[str]:
    """Keys that are equal for one telephone, with or without the code of the country."""
    return {one.lstrip("+")[-9:] for one in telephone.split(" / ") if one}
