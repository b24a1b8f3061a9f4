#!/usr/bin/env python3
"""Draw the señas: an SVG of a face for each gesture of models/senas, into web/static/senas.

A face is made of parts, each in its ordinary form or in that of the gesture. An arrow shows what
moves. The pictures are our own, and only this script makes them.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "web" / "static" / "senas"
SIZE = 200
INK, SKIN, SHADE, HAIR, SHIRT = "#2b2018", "#e8b98f", "#d79f72", "#4a2f1d", "#2a6a4e"
GROUND, LIP, TONGUE, WHITE, ARROW = "#f6eedc", "#b5574b", "#d96a6f", "#fffaf0", "#9c3328"
LINE = f'fill="none" stroke="{INK}" stroke-width="3.2" stroke-linecap="round"'
MOVES = f'fill="none" stroke="{ARROW}" stroke-width="5" stroke-linecap="round"'


@dataclass(frozen=True)
class Gesture:
    """A face: which form each part has, and how the head and the shoulders are held.

    turn    how far the features slide to the side when the head turns
    lean    degrees by which the head leans; lift: how far it is raised
    left, right  how far each shoulder is raised, as one sees it
    """

    mouth: str = "calm"
    eyes: str = "open"
    brows: int = 0
    nose: str = "calm"
    turn: int = 0
    lean: int = 0
    lift: int = 0
    left: int = 0
    right: int = 0
    arrows: tuple[str, ...] = ()


MOUTHS = {
    "calm": f'<path d="M84 132Q100 138 116 132" {LINE}/>',
    # Teeth over the lower lip.
    "bite": f'<path d="M80 128Q100 122 120 128" {LINE}/>'
    f'<path d="M82 131Q100 150 118 131Z" fill="{LIP}" stroke="{INK}" stroke-width="2.4"/>'
    f'<rect x="91" y="126" width="9" height="11" rx="2" fill="{WHITE}" stroke="{INK}"/>'
    f'<rect x="100" y="126" width="9" height="11" rx="2" fill="{WHITE}" stroke="{INK}"/>',
    "bite_side": f'<path d="M80 130Q100 124 122 124" {LINE}/>'
    f'<path d="M98 129Q116 148 124 126Z" fill="{LIP}" stroke="{INK}" stroke-width="2.4"/>'
    f'<rect x="106" y="122" width="8" height="11" rx="2" fill="{WHITE}" stroke="{INK}"/>'
    f'<rect x="114" y="121" width="8" height="11" rx="2" fill="{WHITE}" stroke="{INK}"/>',
    "tongue": f'<path d="M80 128Q100 134 120 128" {LINE}/>'
    f'<path d="M89 131Q88 158 100 158Q112 158 111 131Z" fill="{TONGUE}" stroke="{INK}" '
    f'stroke-width="2.6"/><path d="M100 136V150" stroke="{LIP}" stroke-width="2"/>',
    "tongue_tip": f'<path d="M80 129Q100 135 120 129" {LINE}/>'
    f'<path d="M92 132Q92 143 100 143Q108 143 108 132Z" fill="{TONGUE}" stroke="{INK}" '
    'stroke-width="2.4"/>',
    "tongue_side": f'<path d="M78 128Q98 134 118 127" {LINE}/>'
    f'<path d="M106 130Q118 152 130 143Q134 135 119 127Z" fill="{TONGUE}" stroke="{INK}" '
    f'stroke-width="2.6"/><path d="M115 133Q120 140 126 140" fill="none" stroke="{LIP}" '
    'stroke-width="2"/>',
    # Closed lips, drawn over to one side.
    "side": f'<path d="M96 133Q112 134 128 123" stroke="{LIP}" stroke-width="7" fill="none" '
    f'stroke-linecap="round"/><path d="M94 133Q112 134 129 122" {LINE}/>'
    f'<path d="M134 114Q139 122 133 131" {LINE}/>',
    "pout": f'<ellipse cx="100" cy="134" rx="13" ry="11" fill="{LIP}" stroke="{INK}" '
    f'stroke-width="2.6"/><path d="M91 134Q100 130 109 134" {LINE}/>'
    f'<path d="M80 124Q83 134 79 143M120 124Q117 134 121 143" {LINE}/>',
}
OPEN = (
    f'<ellipse cx="{{x}}" cy="88" rx="9" ry="6.5" fill="{WHITE}" stroke="{INK}" '
    'stroke-width="2.4"/>'
    f'<circle cx="{{x}}" cy="88" r="3.8" fill="{INK}"/>'
)
SHUT = f'<path d="M{{l}} 87Q{{x}} 96 {{r}} 87M{{l}} 91l-3 4M{{r}} 91l3 4M{{x}} 93v5" {LINE}/>'
NOSES = {
    "calm": f'<path d="M100 92Q93 108 95 112Q100 116 105 112" {LINE}/>',
    "wrinkled": f'<path d="M100 96Q91 108 93 112Q100 116 107 112" {LINE}/>'
    f'<path d="M92 92l16 -3M91 98l18 -3M93 86l14 -3" {LINE}/>'
    f'<path d="M86 110Q84 116 87 120M114 110Q116 116 113 120" {LINE}/>',
}
ARROWS = {
    "left_up": "M30 172V140M20 152L30 139L40 152",
    "right_up": "M170 172V140M160 152L170 139L180 152",
    "brows_up": "M52 62V42M44 51L52 41L60 51M148 62V42M140 51L148 41L156 51",
    "turn": "M60 22Q100 6 142 22M128 10L144 23L126 30",
    "lean": "M128 16Q158 28 166 56M153 48L167 58L176 43",
    "up": "M172 92V48M160 62L172 46L184 62",
}
GESTURES: dict[str, Gesture] = {
    "bite": Gesture(mouth="bite"),
    "bite_side": Gesture(mouth="bite_side"),
    "tongue": Gesture(mouth="tongue"),
    "tongue_tip": Gesture(mouth="tongue_tip"),
    "tongue_side": Gesture(mouth="tongue_side"),
    "mouth_side": Gesture(mouth="side"),
    "pout": Gesture(mouth="pout"),
    "nose": Gesture(nose="wrinkled", brows=-3),
    "brows": Gesture(brows=13, arrows=("brows_up",)),
    "wink": Gesture(eyes="wink"),
    "eyes_shut": Gesture(eyes="shut"),
    "shoulder": Gesture(right=22, arrows=("right_up",)),
    "shoulders": Gesture(left=22, right=22, arrows=("left_up", "right_up")),
    "turn_head": Gesture(turn=22, arrows=("turn",)),
    "tilt_head": Gesture(lean=22, arrows=("lean",)),
    "head_up": Gesture(lift=12, arrows=("up",)),
}
"""Each gesture, by the name in a seña's ``draw``."""


def drawing(gesture: Gesture) -> str:
    """The picture as an SVG file."""
    head = _head(gesture)
    if gesture.lean:
        head = f'<g transform="rotate({gesture.lean} 100 150)">{head}</g>'
    arrows = "".join(f'<path d="{ARROWS[name]}" {MOVES}/>' for name in gesture.arrows)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}" '
        f'stroke-linejoin="round"><rect width="{SIZE}" height="{SIZE}" rx="22" fill="{GROUND}"/>'
        f"{_body(gesture)}{head}{arrows}</svg>\n"
    )


def _body(gesture: Gesture) -> str:
    left, right = 172 - gesture.left, 172 - gesture.right
    return (
        f'<path d="M28 200V{left + 14}Q30 {left} 52 {left - 4}L84 166H116L148 {right - 4}'
        f'Q170 {right} 172 {right + 14}V200Z" fill="{SHIRT}" stroke="{INK}" stroke-width="3"/>'
        f'<path d="M84 140V168Q100 182 116 168V140Z" fill="{SHADE}" stroke="{INK}" '
        'stroke-width="3"/>'
    )


def _head(gesture: Gesture) -> str:
    turn, lift = gesture.turn, gesture.lift
    ears = [(52, "left"), (148, "right")]
    if turn:
        ears = ears[:1]  # the other ear is behind the head
    drawn = "".join(
        f'<ellipse cx="{x + turn / 3:.0f}" cy="98" rx="8" ry="12" fill="{SKIN}" stroke="{INK}" '
        'stroke-width="3"/>'
        for x, _ in ears
    )
    face = (
        f'<ellipse cx="100" cy="96" rx="48" ry="58" fill="{SKIN}" stroke="{INK}" stroke-width="3"/>'
    )
    hair = (
        f'<path d="M51 88Q46 34 100 34Q154 34 149 88Q142 54 {120 + turn / 2:.0f} 50'
        f'Q{80 + turn / 2:.0f} 56 62 54Q54 66 51 88Z" fill="{HAIR}" stroke="{INK}" '
        'stroke-width="3"/>'
    )
    features = _brows(gesture.brows) + _eyes(gesture.eyes) + NOSES[gesture.nose]
    features += MOUTHS[gesture.mouth]
    # Seen from the side they stand closer together.
    narrow = 0.72 if turn else 1
    moved = (
        f'<g transform="translate({100 * (1 - narrow) + turn:.0f} {-lift / 2:.0f}) '
        f'scale({narrow} 1)">{features}</g>'
    )
    chin = f'<path d="M78 150Q100 160 122 150" {LINE}/>' if lift else ""
    return f'<g transform="translate(0 {-lift})">{drawn}{face}{hair}{moved}{chin}</g>'


def _brows(raised: int) -> str:
    y = 74 - raised
    return (
        f'<path d="M70 {y + 1}Q80 {y - 6 - raised // 3} 91 {y}M109 {y}Q120 {y - 6 - raised // 3} '
        f'130 {y + 1}" fill="none" stroke="{HAIR}" stroke-width="5" stroke-linecap="round"/>'
    )


def _eyes(form: str) -> str:
    kinds = {"open": (OPEN, OPEN), "shut": (SHUT, SHUT), "wink": (OPEN, SHUT)}[form]
    return "".join(
        kind.format(x=x, l=x - 10, r=x + 10) for kind, x in zip(kinds, (80, 120), strict=True)
    )


def main() -> None:
    """Write all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=FOLDER, metavar="DIR")
    folder: Path = parser.parse_args().out
    folder.mkdir(parents=True, exist_ok=True)
    for name, gesture in GESTURES.items():
        (folder / f"{name}.svg").write_text(drawing(gesture), encoding="utf-8")
    print(f"{len(GESTURES)} drawings in {folder}")


if __name__ == "__main__":
    main()
