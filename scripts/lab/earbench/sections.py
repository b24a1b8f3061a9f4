"""The parts of a run of the bench, each as rows for the report."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from dataclasses import asdict
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any

from scripts.lab.earbench import calls, cost, framing, latency, noises, people, talk, work
from scripts.lab.earbench.intervals import share_interval
from scripts.lab.earbench.plan import CLEAN, NOISY, Condition, Plan, held_out
from scripts.lab.earbench.tallies import Calls, total
from scripts.lab.earbench.work import Crew
from scripts.lab.rendering.deal import write_wav
from scripts.lab.rendering.dealing import deal
from scripts.lab.rendering.moments import states
from scripts.lab.speechlab.human import Recording

Rows = list[dict[str, Any]]
MEAN = "mean of 24-6 dB"
LISTENED = 4
"""Number of deals by which the ear's cost is measured."""


def spoken_deals(plan: Plan, crew: Crew) -> dict[str, Rows]:
    """Single calls and whole deals. Each deal is said only once for both."""
    found: dict[str, Rows] = {}
    for group in plan.groups:
        asked = "calls" in plan.parts, "deals" in plan.parts
        jobs = list(calls.jobs(group, plan.seed, plan.amounts.deals, *asked))
        done = list(crew.each(f"deals by {group}", calls.hear_deal, jobs))
        named = {"voices": group, "held_out": held_out(group)}
        if asked[0]:
            found.setdefault("calls", []).extend(named | row for row in _call_rows(done))
            found.setdefault("voices", []).extend(named | row for row in _voice_rows(done))
        if asked[1]:
            found.setdefault("deals", []).extend(named | row for row in _deal_rows(done))
    return found


def table_talk(plan: Plan, crew: Crew) -> dict[str, Rows]:
    """Hours of talk. The first group says most of it."""
    rows: Rows = []
    for group in plan.groups:
        first = group == plan.groups[0]
        hours = plan.amounts.talk if first else plan.amounts.talk_others
        heard = []
        for falses in crew.each(
            f"talk by {group}", talk.hear_talk, talk.jobs(group, hours, plan.seed)
        ):
            heard.append(falses)
            if talk.enough(heard, hours):
                break
        named = {"voices": group, "held_out": held_out(group)}
        rows += [
            named | {"condition": name} | falses.row()
            for name, falses in framing.summed(heard).items()
        ]
    return {"talk": rows}


def strangers_talk(plan: Plan, crew: Crew) -> dict[str, Rows]:
    """Recordings that say nothing of the game, by people who never trained."""
    return _human_talk(plan, crew, "people_talk", people.NEVER)


def trained_talk(plan: Plan, crew: Crew) -> dict[str, Rows]:
    """The same by people who trained: most of the hours, but none of the figures."""
    return _human_talk(plan, crew, "trained_talk", people.TRAINED)


def _human_talk(plan: Plan, crew: Crew, key: str, group: str) -> dict[str, Rows]:
    if plan.development:
        return {}
    rows, amounts = people.recordings(plan.human), plan.amounts
    jobs = [
        job
        for job in people.outside_jobs(rows, amounts.every, amounts.apart, plan.seed)
        if job.group == group
    ]
    found = framing.summed(crew.each(f"talk by people, {group}", people.hear_outside, jobs))
    return {key: [{"speakers": name} | falses.row() for name, falses in found.items()]}


def human_words(plan: Plan, crew: Crew) -> dict[str, Rows]:
    """Words of the game by people who never trained: all of them together, and each."""
    by_speaker: dict[str, list[Recording]] = {}
    for row in people.inside(people.recordings(plan.human)):
        by_speaker.setdefault(row.speaker, []).append(row)
    if not by_speaker:
        return {}
    jobs = [
        people.PeopleJob(tuple(rows), plan.amounts.draws, plan.seed) for rows in by_speaker.values()
    ]
    each = list(crew.each("people", people.hear_words, jobs))
    together = {name: reduce(add, (heard[name] for heard in each)) for name in each[0]}
    clips = [len(rows) for rows in by_speaker.values()]
    found = _word_rows(sorted(by_speaker), sum(clips), together)
    for speaker, count, heard in zip(by_speaker, clips, each, strict=True):
        found += _word_rows([speaker], count, heard) if len(by_speaker) > 1 else []
    return {"people": found}


def _word_rows(who: list[str], clips: int, heard: dict[str, people.Words]) -> Rows:
    return [
        {
            "speakers": who,
            "condition": name,
            "clips": clips,
            "hearings": words.of,
            "right": round(words.heard / max(1, words.of), 4),
            # Twenty babbles around one clip count as one clip, not as twenty.
            "right_95": share_interval(round(words.heard / max(1, words.of) * clips), clips),
        }
        for name, words in heard.items()
    ]


def table_noise(plan: Plan, crew: Crew) -> dict[str, Rows]:
    """Minutes in which nobody speaks. The last row is the sum."""
    jobs = noises.jobs(plan.amounts.noise, plan.human, plan.seed, plan.development)
    found = framing.summed(crew.each("noise", noises.hear_noise, jobs))
    found["all"] = total(found.values())
    return {"noise": [{"kind": name} | falses.row() for name, falses in found.items()]}


def delays(plan: Plan, crew: Crew) -> dict[str, Rows]:
    """How soon a call moves the table."""
    rows: Rows = []
    for group in plan.groups:
        jobs = [
            latency.LatencyJob(job.group, job.seed)
            for job in calls.jobs(group, plan.seed, plan.amounts.latency, calls=False, whole=False)
        ]
        found: dict[str, latency.Delays] = {}
        for done in crew.each(f"latency by {group}", latency.time_deal, jobs):
            for name, each in done.items():
                found.setdefault(name, latency.Delays()).add(each)
        named = {"voices": group, "held_out": held_out(group)}
        rows += [named | {"condition": name} | each.row() for name, each in found.items()]
    return {"latency": rows}


def listening(plan: Plan, model: Path) -> dict[str, Rows]:
    """Processor and memory of an ear that follows slow deals of the first group."""
    played = []
    with tempfile.TemporaryDirectory(prefix="mus-ears-") as name:
        for job in calls.jobs(plan.groups[0], plan.seed, LISTENED, calls=False, whole=False):
            dealt = deal(job.seed, work.lexicon(), work.wordings())
            recording = calls.said(dealt, job.group, job.seed, latency.GAP)
            if recording is None:
                continue
            wav = Path(name) / f"{job.seed}.wav"
            write_wav(wav, calls.put_into(recording, CLEAN, job.seed).sound)
            ends = tuple(line.end for line in recording.lines)
            played.append(cost.Played(wav, ends, tuple(states(dealt, work.lexicon()))))
        return {"cost": [cost.measured(played, model)]} if played else {}


PARTS: tuple[tuple[tuple[str, ...], Callable[[Plan, Crew], dict[str, Rows]]], ...] = (
    (("calls", "deals"), spoken_deals),
    (("people",), human_words),
    (("talk",), table_talk),
    (("talk",), strangers_talk),
    (("noise",), table_noise),
    (("latency",), delays),
    (("talk",), trained_talk),
)
"""What runs for which parts. The longest comes last, so that Ctrl-C keeps the others."""


def _call_rows(done: list[calls.DealDone]) -> Rows:
    return _by_room(
        (condition, tally) for each in done for (_, condition), tally in each.calls.items()
    )


def _voice_rows(done: list[calls.DealDone]) -> Rows:
    by_voice: dict[str, list[tuple[Condition, Calls]]] = {}
    for each in done:
        for (voice, condition), tally in each.calls.items():
            by_voice.setdefault(voice, []).append((condition, tally))
    return [
        {"voice": voice} | row for voice in sorted(by_voice) for row in _by_room(by_voice[voice])
    ]


def _by_room(tallies: Iterable[tuple[Condition, Calls]]) -> Rows:
    """Single calls room by room, and in all noisy rooms together."""
    by_room = dict.fromkeys((CLEAN, *NOISY), Calls())
    for condition, tally in tallies:
        by_room[condition] += tally
    rows = [_named(condition) | tally.row() for condition, tally in by_room.items()]
    # Every room has heard the same calls, so the share of the sum is the mean.
    noisy = reduce(add, (by_room[c] for c in NOISY))
    return [*rows, {"condition": MEAN, "noise": "all", "snr": None} | noisy.row()]


def _deal_rows(done: list[calls.DealDone]) -> Rows:
    """Whole deals room by room, without a mean, because not all rooms heard the same deals."""
    by_room = dict.fromkeys((CLEAN, *NOISY), calls.Whole())
    for each in done:
        for condition, whole in each.whole.items():
            by_room[condition] += whole
    return [
        _named(condition) | asdict(whole) | {"exact_95": share_interval(whole.exact, whole.deals)}
        for condition, whole in by_room.items()
        if whole.deals
    ]


def _named(condition: Condition) -> dict[str, Any]:
    return {"condition": str(condition), "noise": condition.noise, "snr": condition.snr}
