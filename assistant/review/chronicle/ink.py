"""Writing SVG: elements with every text escaped, and the look that all pictures share."""

from __future__ import annotations

from collections.abc import Mapping
from xml.sax.saxutils import escape, quoteattr

PAPER, PANEL, INK, SOFT, FAINT = "#fbf7ee", "#fffefb", "#2a2622", "#6a6258", "#e2d9c6"
GOLD, FELT, FELT_DEEP = "#855c06", "#2a6a4e", "#1b4c38"
ON_FELT, ON_FELT_SOFT, WON = "#fdf8e7", "#d3e5d6", "#f3cf76"
SIDES = {
    "A": "#1d5a86",
    "B": "#9c3328",
    "C": "#6612e2",
    "D": "#4b444b",
    "E": "#3d0505",
    "F": "#180326",
}
"""The sides' colours, as on the page."""
DASHES = {"A": "", "B": "9 4", "C": "3 3", "D": "14 4 3 4", "E": "20 5", "F": "9 3 2 3 2 3"}
"""The dashes of each side's line, for readers who do not see colours; markers differ, too."""
FONT = "'Noto Sans', 'DejaVu Sans', 'Segoe UI', Helvetica, Arial, sans-serif"
SERIF = "Georgia, 'Noto Serif', 'DejaVu Serif', 'Times New Roman', serif"
_WIDTH = 0.56
"""The estimated width of a letter, as a share of its size: too wide rather than too narrow."""
_UNSEEN = {code: None for code in range(32) if chr(code) not in "\t\n"}
"""Characters that XML cannot hold."""

Value = str | int | float


def element(name: str, *inside: str, **attributes: Value) -> str:
    """An element. ``inside`` is SVG already; an attribute ``a_b`` is written as "a-b"."""
    texts = [
        f" {key.rstrip('_').replace('_', '-')}={quoteattr(_value(value))}"
        for key, value in attributes.items()
        if value != ""
    ]
    start = f"<{name}{''.join(texts)}"
    return f"{start}>{''.join(inside)}</{name}>" if inside else f"{start}/>"


def plain(text: str) -> str:
    """A text as the content of an element."""
    return escape(text.translate(_UNSEEN))


def text(x: float, y: float, words: str, size: float = 14, **attributes: Value) -> str:
    """Words with their baseline at ``y``."""
    look = {"fill": INK, **attributes}
    return element("text", plain(words), x=x, y=y, font_size=size, **look)


def fitted(words: str, width: float, size: float) -> str:
    """The words, cut short with an ellipsis if they are wider than ``width``."""
    most = max(1, int(width / (size * _WIDTH)))
    return words if len(words) <= most else words[: most - 1].rstrip() + "…"


def wide(words: str, size: float) -> float:
    """The estimated width of words."""
    return len(words) * size * _WIDTH


def line(x1: float, y1: float, x2: float, y2: float, **attributes: Value) -> str:
    """A straight line."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, **attributes)


def picture(kind: str, width: float, height: float, title: str, told: str, *inside: str) -> str:
    """A complete picture with a background, a title, and a description for screen readers.

    ``kind`` keeps its ids apart from those of other pictures on the same page.
    """
    return element(
        "svg",
        element("title", plain(title), id=f"{kind}-title"),
        element("desc", plain(told), id=f"{kind}-desc"),
        element("rect", width=width, height=height, fill=PAPER),
        *inside,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_value(width)} {_value(height)}",
        width=width,
        height=height,
        role="img",
        aria_labelledby=f"{kind}-title {kind}-desc",
        font_family=FONT,
    )


def heading(words: str, x: float, y: float) -> str:
    """The title of a picture."""
    return text(x, y, words, 30, font_family=SERIF)


def legend(
    entries: Mapping[str, str], x: float, y: float, width: float, *, lines: bool = True
) -> tuple[str, float]:
    """A legend, each side's text beside its marker (and line), and the y of its last row."""
    across = 2 if len(entries) in (2, 4) else min(len(entries), 3)
    each = width / across
    start = 52 if lines else 18
    parts = []
    for at, (side, words) in enumerate(entries.items()):
        left, base = x + each * (at % across), y + 26 * (at // across)
        if lines:
            parts.append(
                line(
                    left, base - 5, left + 42, base - 5, stroke=SIDES[side], stroke_width=2.6,
                    stroke_dasharray=DASHES[side],
                )
            )  # fmt: skip
        parts.append(marker(side, left + start / 2 - 5, base - 5, 5.5))
        size = min(15, (each - start - 12) / max(len(words) * _WIDTH, 1))
        shown = fitted(words, each - start - 12, max(size, 12))
        parts.append(text(left + start, base, shown, max(size, 12)))
    return "".join(parts), y + 26 * ((len(entries) - 1) // across)


def marker(side: str, x: float, y: float, size: float = 5) -> str:
    """The marker of a side: disc, square, triangle, diamond, cross, ring."""
    colour = SIDES[side]
    if side == "A":
        return element("circle", cx=x, cy=y, r=size, fill=colour)
    if side == "F":
        return element(
            "circle", cx=x, cy=y, r=size - 1, fill=PAPER, stroke=colour, stroke_width=2.4
        )
    corners = {
        "B": ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
        "C": ((0, -1.2), (1.15, 0.9), (-1.15, 0.9)),
        "D": ((0, -1.35), (1.2, 0), (0, 1.35), (-1.2, 0)),
        "E": (
            *((-0.4, -1.2), (0.4, -1.2), (0.4, -0.4), (1.2, -0.4), (1.2, 0.4), (0.4, 0.4)),
            *((0.4, 1.2), (-0.4, 1.2), (-0.4, 0.4), (-1.2, 0.4), (-1.2, -0.4), (-0.4, -0.4)),
        ),
    }[side]
    places = " ".join(f"{_value(x + dx * size)},{_value(y + dy * size)}" for dx, dy in corners)
    return element("polygon", points=places, fill=colour)


def _value(value: Value) -> str:
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    return str(value).translate(_UNSEEN)
