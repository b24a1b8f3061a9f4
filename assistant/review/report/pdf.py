"""A report on paper: A4, black on white, a page for each player.

The font is the PDF's own Helvetica. It has the letters of western Europe; any other is a "?".
"""

from __future__ import annotations

from collections.abc import Iterable

from fpdf import FPDF, FontFace
from fpdf.enums import RenderStyle, TableBordersLayout

from assistant.review.report import (
    Block,
    Dot,
    Drawing,
    Heading,
    Label,
    PlotLine,
    Rect,
    Rows,
    Sentences,
)

MARGIN = 15.0
"""Millimetres."""
POINTS = 72 / 25.4
"""Points in a millimetre."""
FONT = "Helvetica"
SIZES = {1: 22, 2: 16, 3: 14}
TEXT = 10.5
ACROSS, GAP = 0.49, 0.02
"""Shares of the page's width: a picture, and the gap between two that stand side by side."""
LINE = 5.2
"""Millimetres from line to line."""
PLAIN = str.maketrans({"−": "-", "“": '"', "”": '"', "’": "'", "…": "..."})
LIGHT = "#f3ecdd"


def pdf_of(blocks: Iterable[Block], title: str, language: str) -> bytes:
    """The report as a PDF file."""
    pdf = FPDF(unit="mm", format="A4")
    pdf.set_title(_plain(title))
    pdf.set_lang(language)
    pdf.set_margin(MARGIN)
    pdf.set_auto_page_break(True, MARGIN)
    pdf.add_page()
    told = list(blocks)
    row, beside = 0.0, False  # the y of the pictures, and whether this one is the second of two
    for before, block, after in zip([None, *told], told, [*told[1:], None], strict=False):
        match block:
            case Heading(level, text):
                # A pair begins a page, and so does each of its players but the first.
                if _level(after) == 3 or (level == 3 and _level(before) != 2):
                    pdf.add_page()
                _heading(pdf, level, _plain(text))
            case Sentences(texts, items):
                _sentences(pdf, texts, items=items)
            case Rows():
                _table(pdf, block)
            case Drawing():
                if isinstance(before, Drawing) and not beside:
                    beside = True
                else:
                    row, beside = _room_for(pdf, block, after), False
                _drawing(pdf, block, row, right=beside)
    return bytes(pdf.output())


def _level(block: Block | None) -> int:
    return block.level if isinstance(block, Heading) else 0


def _heading(pdf: FPDF, level: int, text: str) -> None:
    pdf.ln(2 if level > 1 else 0)
    pdf.set_font(FONT, "B", SIZES[level])
    pdf.multi_cell(0, SIZES[level] * 0.45, text, new_x="LMARGIN", new_y="NEXT")
    pdf.ln(1.5)


def _sentences(pdf: FPDF, texts: tuple[str, ...], *, items: bool) -> None:
    pdf.set_font(FONT, "", TEXT)
    for text in texts:
        told = f"- {_plain(text)}" if items else _plain(text)
        pdf.multi_cell(0, LINE, told, new_x="LMARGIN", new_y="NEXT", align="L")
    pdf.ln(2)


def _table(pdf: FPDF, table: Rows) -> None:
    pdf.set_font(FONT, "", TEXT - 1)
    columns = zip(table.header, *table.rows, strict=True)
    widths = tuple(min(24, max(map(len, column))) + 3 for column in columns)
    with pdf.table(
        borders_layout=TableBordersLayout.HORIZONTAL_LINES,
        headings_style=FontFace(emphasis="BOLD", fill_color=LIGHT),
        col_widths=widths,
        line_height=LINE,
        padding=1,
        text_align="LEFT",
    ) as drawn:
        for cells in (table.header, *table.rows):
            row = drawn.row()
            for cell in cells:
                row.cell(_plain(cell))
    pdf.ln(4)


def _room_for(pdf: FPDF, drawing: Drawing, after: Block | None) -> float:
    """The y at which a row of pictures begins; on the next page if it does not fit."""
    pair = [drawing, after] if isinstance(after, Drawing) else [drawing]
    tall = max(pdf.epw * ACROSS / one.width * one.height for one in pair)
    if pdf.get_y() + tall > pdf.h - MARGIN:
        pdf.add_page()
    return float(pdf.get_y())


def _drawing(pdf: FPDF, drawing: Drawing, top: float, *, right: bool) -> None:
    """Draw a picture in the row that begins at ``top``; text goes on below the taller one."""
    scale = pdf.epw * ACROSS / drawing.width
    left = pdf.l_margin + (pdf.epw * (ACROSS + GAP) if right else 0.0)
    for shape in drawing.shapes:
        match shape:
            case Rect(x, y, width, height, fill, stroke):
                _colours(pdf, fill, stroke, 0.2)
                style = RenderStyle.coerce(("D" if stroke else "") + ("F" if fill else "") or "D")
                if width > 0:
                    pdf.rect(
                        left + x * scale, top + y * scale, width * scale, height * scale, style
                    )
            case PlotLine(x1, y1, x2, y2, stroke, width, dashed):
                _colours(pdf, "", stroke, width * scale)
                pdf.set_dash_pattern(*((1.6, 1.4) if dashed else (0, 0)))
                pdf.line(left + x1 * scale, top + y1 * scale, left + x2 * scale, top + y2 * scale)
                pdf.set_dash_pattern()
            case Dot(x, y, radius, fill, stroke, width):
                _colours(pdf, fill, stroke, width * scale)
                pdf.circle(left + x * scale, top + y * scale, radius * scale, RenderStyle.DF)
            case Label():
                _label(pdf, shape, left, top, scale)
    pdf.set_text_color(0)
    pdf.set_xy(pdf.l_margin, max(pdf.get_y(), top + drawing.height * scale + 3))


def _colours(pdf: FPDF, fill: str, stroke: str, width: float) -> None:
    if fill:
        pdf.set_fill_color(fill)
    if stroke:
        pdf.set_draw_color(stroke)
        pdf.set_line_width(max(0.1, width))


def _label(pdf: FPDF, label: Label, left: float, top: float, scale: float) -> None:
    text = _plain(label.text)
    pdf.set_font(FONT, "B" if label.bold else "", label.size * scale * POINTS)
    pdf.set_text_color(label.fill)
    back = {"start": 0.0, "middle": 0.5, "end": 1.0}[label.anchor] * pdf.get_string_width(text)
    pdf.text(left + label.x * scale - back, top + label.y * scale, text)


def _plain(text: str) -> str:
    """The text with only the letters that Helvetica has."""
    return text.translate(PLAIN).encode("latin-1", "replace").decode("latin-1")
