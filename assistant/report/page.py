"""A report as HTML: the inside of a page, without a script and without any style of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from assistant.chronicle.ink import element, plain
from assistant.report.drawing import Drawing, to_svg
from assistant.report.told import Block, Heading, Rows, Sentences


def inside(blocks: Iterable[Block]) -> str:
    """What stands in ``main``. Pictures that follow each other stand side by side."""
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
