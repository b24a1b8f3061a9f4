"""The figures that the ear has to reach, and the values of this run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from scripts.lab.earbench.plan import CLEAN, Plan, held_out
from scripts.lab.earbench.sections import MEAN

Report = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure: the value to reach, and the measured one. With ``most`` it is an upper limit."""

    name: str
    reach: float
    measured: float | None
    interval: tuple[float, float] | None = None
    most: bool = False
    note: str = ""

    @property
    def reached(self) -> bool | None:
        """Whether the value is reached; None if it was not measured."""
        if self.measured is None:
            return None
        return self.measured <= self.reach if self.most else self.measured >= self.reach


def figures(plan: Plan, report: Report) -> list[Figure]:
    """All measured figures. Voices that train, or that choose settings, are not quoted."""
    if plan.development:
        return []
    group = plan.groups[0]
    found = list(_of_people(report))
    if held_out(group):
        found = [*_of_calls(report, group), *found, *_of_talk(report, group)]
    found += _of_noise(report)
    if held_out(group):
        found += _of_latency(report, group)
    return [*found, *_of_cost(report)]


def _of_calls(report: Report, group: str) -> Iterator[Figure]:
    for name, reach in ((str(CLEAN), 0.98), (MEAN, 0.95)):
        for row in _rows(report, "calls", voices=group, condition=name):
            yield Figure(f"calls right, {group}, {name}", reach, row["right"], row["right_95"])


def _of_people(report: Report) -> Iterator[Figure]:
    for name, reach in ((str(CLEAN), 0.93), ("babble 10 dB", 0.80)):
        for row in list(_rows(report, "people", condition=name))[:1]:  # first: the sum
            note = f"{row['clips']} clips of {', '.join(row['speakers'])}"
            yield Figure(
                f"words of people right, {name}", reach, row["right"], row["right_95"], note=note
            )


def _of_talk(report: Report, group: str) -> Iterator[Figure]:
    for row in _rows(report, "talk", voices=group, condition=str(CLEAN)):
        rate, interval = row["false_per_hour"], row["false_per_hour_95"]
        note = f"in {row['hours']:.2f} hours"
        yield Figure("false calls an hour of table talk", 0.5, rate, interval, True, note)


def _of_noise(report: Report) -> Iterator[Figure]:
    for row in _rows(report, "noise", kind="all"):
        rate, interval = row["false_per_hour"], row["false_per_hour_95"]
        note = f"in {row['hours']:.2f} hours"
        yield Figure("false calls an hour of table noise", 0.1, rate, interval, True, note)


def _of_latency(report: Report, group: str) -> Iterator[Figure]:
    for row in _rows(report, "latency", voices=group, condition=str(CLEAN)):
        note = f"{row['answered']} of {row['calls']} calls"
        for name, reach in (("p50", 0.25), ("p95", 0.45)):
            value = row[f"event_{name}"]
            yield Figure(f"end of speech to event, {name}, s", reach, value, None, True, note)


def _of_cost(report: Report) -> Iterator[Figure]:
    for row in report.get("cost", ()):
        yield Figure("real-time factor on one core", 0.05, row["real_time_factor"], None, True)
        yield Figure("memory of the ear, MB", 150, row["rss_mb"], None, True)


def _rows(report: Report, section: str, **wanted: str) -> Iterator[dict[str, Any]]:
    for row in report.get(section, ()):
        if all(row[key] == value for key, value in wanted.items()):
            yield row
