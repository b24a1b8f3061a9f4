"""The report as tables for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Report = dict[str, Any]


def lines(report: Report) -> Iterator[str]:
    """Every line of the printed report."""
    yield f"{report['model']} ({report['model_sha256'][:12]}), seed {report['seed']}"
    yield from report["notes"]
    yield from _figures(report)
    for name, printed in _SECTIONS.items():
        if name in report:
            yield ""
            yield from printed(report[name])


def _figures(report: Report) -> Iterator[str]:
    if not report["figures"]:
        return
    yield ""
    yield f"{'figure':42} {'reach':>7} {'measured':>9}  {'95%':15} "
    for row in report["figures"]:
        percent = row["reach"] < 1 and "right" in row["name"]
        show = _percent if percent else _number
        interval = row["interval"]
        between = f"{show(interval[0])} to {show(interval[1])}" if interval else ""
        mark = "" if row["reached"] else "short"
        yield (
            f"{row['name']:42} {show(row['reach']):>7} {show(row['measured']):>9}  {between:15} "
            f"{mark:6}{row['note']}"
        ).rstrip()


_SHARES = ("right", "wrong", "asked", "missed", "words")


def _calls(rows: list[dict[str, Any]]) -> Iterator[str]:
    heads = " ".join(f"{key:>7}" for key in _SHARES)
    yield f"single calls {'':19} {'calls':>6} {heads}"
    for row in rows:
        name = f"{_who(row)}, {row['condition']}"
        shares = " ".join(f"{row[key]:7.1%}" for key in _SHARES)
        yield f"{name:32} {row['calls']:6} {shares}"


def _voices(rows: list[dict[str, Any]]) -> Iterator[str]:
    """Two lines for each voice, and a column for each room: quiet first, and the mean last."""
    by_voice: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        by_voice.setdefault(row["voice"] + ("" if row["held_out"] else " (trains)"), []).append(row)
    rooms = next(iter(by_voice.values()), [])
    noises = [str(row["noise"]) for row in rooms]
    first = (noise if noise not in noises[:at] else "" for at, noise in enumerate(noises))
    levels = ("" if row["snr"] is None else f"{row['snr']:.0f} dB" for row in rooms[:-1])
    yield f"{'single calls by voice, %':36}" + "".join(f"{name:>8}" for name in first)
    yield f"{'':29} {'calls':>6}" + "".join(f"{level:>8}" for level in (*levels, "mean"))
    for name, heard in by_voice.items():
        for key, calls in (("right", f"{heard[0]['calls']}"), ("words", "")):
            shares = "".join(f"{100 * row[key]:8.1f}" for row in heard)
            yield f"{name + ', ' + key:29} {calls:>6}{shares}"


def _deals(rows: list[dict[str, Any]]) -> Iterator[str]:
    heads = f"{'deals':>6} {'exact':>6} {'calls':>6} {'right':>7} {'false':>6} {'asked':>6}"
    yield f"whole deals {'':20} {heads}   exact, 95%"
    for row in rows:
        name = f"{_who(row)}, {row['condition']}"
        right = row["right"] / max(1, row["calls"])
        counts = f"{row['deals']:6} {row['exact']:6} {row['calls']:6}"
        low, high = row["exact_95"]
        between = f"{low:.0%} to {high:.0%}"
        yield f"{name:32} {counts} {right:7.1%} {row['false']:6} {row['asked']:6}   {between}"


def _people(rows: list[dict[str, Any]]) -> Iterator[str]:
    yield f"words of people {'':16} {'clips':>6} {'heard':>6} {'right':>7}"
    for row in rows:
        who = row["speakers"][0] if len(row["speakers"]) == 1 else "all"
        name = f"{who}, {row['condition']}"
        yield f"{name:32} {row['clips']:6} {row['hearings']:6} {row['right']:7.1%}"


def _false(title: str, rows: list[dict[str, Any]], names: list[str]) -> Iterator[str]:
    yield f"{title:34} {'hours':>6} {'false an hour (95%)':>23} {'spoke':>6}"
    for row, name in zip(rows, names, strict=True):
        low, high = row["false_per_hour_95"]
        rate = f"{row['false_per_hour']:.2f} ({low:.2f} to {high:.2f})"
        at = ", ".join(f"{moment} {count}" for moment, count in row["false_at"].items())
        yield f"{name:34} {row['hours']:6.2f} {rate:>23} {row['spoke_per_hour']:6.2f}   {at}"


def _talk(rows: list[dict[str, Any]]) -> Iterator[str]:
    names = [f"{_who(row)}, {row['condition']}" for row in rows]
    yield from _false("table talk taken for a call", rows, names)


def _people_talk(rows: list[dict[str, Any]]) -> Iterator[str]:
    names = [f"{row['speakers']} ({row['clips']})" for row in rows]
    yield from _false("people's talk taken for a call", rows, names)


def _noise(rows: list[dict[str, Any]]) -> Iterator[str]:
    yield from _false("noise taken for a call", rows, [row["kind"] for row in rows])


def _latency(rows: list[dict[str, Any]]) -> Iterator[str]:
    yield f"end of speech to event, s {'':11} answered {'p50':>6} {'p95':>6}   decoder p50, p95"
    for row in rows:
        name = f"{_who(row)}, {row['condition']}"
        answered = f"{row['answered']} of {row['calls']}"
        whole = f"{_number(row['event_p50']):>6} {_number(row['event_p95']):>6}"
        decoder = f"{_number(row['decoder_p50'])}, {_number(row['decoder_p95'])}"
        yield f"{name:32} {answered:>13} {whole}   {decoder}"


def _cost(rows: list[dict[str, Any]]) -> Iterator[str]:
    for row in rows:
        yield (
            f"listening to {row['deals']} deals, {row['seconds']:.0f} s, "
            f"{row['grammars']} changes of grammar: real-time factor "
            f"{row['real_time_factor']:.3f} on one core, {row['rss_mb']:.0f} MB at most; the block "
            f"that ends an utterance: {_number(row['utterance_ms_p50'])} ms, 95% within "
            f"{_number(row['utterance_ms_p95'])} ms"
        )


_SECTIONS = {
    "calls": _calls,
    "voices": _voices,
    "deals": _deals,
    "people": _people,
    "talk": _talk,
    "people_talk": _people_talk,
    "trained_talk": _people_talk,
    "noise": _noise,
    "latency": _latency,
    "cost": _cost,
}


def _who(row: dict[str, Any]) -> str:
    return str(row["voices"]) if row["held_out"] else f"{row['voices']} (trains)"


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f}%"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3g}"
