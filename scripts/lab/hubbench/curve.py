"""Charts of the load test's figures by the number of tables, as SVG."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

WIDTH, HEIGHT, GAP = 720, 300, 64
INK, SOFT = "#20281f", "#d9cfb7"
COLOURS = ("#1d5a86", "#9c3328", "#2a6a4e")


@dataclass(frozen=True, slots=True)
class Curve:
    """A line through points (tables, value)."""

    name: str
    points: Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Panel:
    """Curves that share an axis; ``linear``: a reference line of proportional growth, or None."""

    title: str
    curves: Sequence[Curve]
    linear: Curve | None = None


def drawn(panels: Sequence[Panel]) -> str:
    """The panels, one below the other, with logarithmic axes, as SVG."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT * len(panels)}" '
        'font-family="sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{HEIGHT * len(panels)}" fill="#fbf7ec"/>',
    ]
    for place, panel in enumerate(panels):
        parts += _panel(panel, place * HEIGHT)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _panel(panel: Panel, top: int) -> list[str]:
    curves = [*panel.curves, *([panel.linear] if panel.linear else [])]
    across = _axis([x for curve in curves for x, _ in curve.points], GAP, WIDTH - 24)
    up = _axis([y for curve in curves for _, y in curve.points], top + HEIGHT - 40, top + 48)
    parts = [f'<text x="{GAP}" y="{top + 24}" font-weight="bold" fill="{INK}">{panel.title}</text>']
    for value in _ticks([x for x, _ in curves[0].points]):
        x = across(value)
        parts.append(_text(x, top + HEIGHT - 18, f"{value:,.0f}", "middle"))
    for value in _decades([y for curve in curves for _, y in curve.points]):
        y = up(value)
        parts.append(f'<path d="M{GAP} {y:.1f}H{WIDTH - 24}" stroke="{SOFT}"/>')
        parts.append(_text(GAP - 8, y + 4, f"{value:,.0f}", "end"))
    for at, curve in enumerate(curves):
        dashed = ' stroke-dasharray="5 5"' if curve is panel.linear else ""
        colour = SOFT if curve is panel.linear else COLOURS[at % len(COLOURS)]
        path = " ".join(f"{across(x):.1f},{up(y):.1f}" for x, y in curve.points)
        parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2.5"{dashed}/>'
        )
        if curve is panel.linear:  # its name goes to a place where no other curve has one
            x, y = curve.points[len(curve.points) // 2]
            parts.append(_text(across(x) + 8, up(y) + 18, curve.name, "start"))
        else:
            x, y = curve.points[-1]
            parts.append(_text(across(x), up(y) - 8, curve.name, "end", colour))
    return parts


def _axis(values: Sequence[float], start: float, end: float) -> Callable[[float], float]:
    low, high = math.log10(min(values)), math.log10(max(values))
    span = (high - low) or 1.0
    return lambda value: start + (math.log10(value) - low) / span * (end - start)


def _ticks(values: Sequence[float]) -> list[float]:
    return sorted(set(values))


def _decades(values: Sequence[float]) -> list[float]:
    low, high = math.floor(math.log10(min(values))), math.floor(math.log10(max(values)))
    found = [step * 10.0**power for power in range(low, high + 1) for step in (1, 2, 5)]
    return [value for value in found if min(values) <= value <= max(values)]


def _text(x: float, y: float, text: str, anchor: str, colour: str = INK) -> str:
    where = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}"'
    return f"<text {where}>{escape(text)}</text>"
