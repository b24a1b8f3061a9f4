"""The figures of a run, as text and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from scripts.lab.mutating.explained import Explanation, explanation_of
from scripts.lab.mutating.mutants import Mutant
from scripts.lab.mutating.pool import KILLED, SURVIVED, TIMEOUT, Result


def figures(results: Sequence[Result], known: Sequence[Explanation]) -> dict[str, Any]:
    """All figures: in total, by module, and the survivors with and without an explanation.

    ``percent`` is the share of all mutants that were killed or timed out. Explained survivors count
    as mutants, too.
    """
    survivors = sorted(
        (r.mutant for r in results if r.outcome == SURVIVED), key=lambda m: (m.module, m.line)
    )
    told = [(mutant, explanation_of(mutant, known)) for mutant in survivors]
    modules = sorted({r.mutant.module for r in results})
    return {
        "all": _counted(results, told),
        "modules": {
            name: _counted(
                [r for r in results if r.mutant.module == name],
                [(m, e) for m, e in told if m.module == name],
            )
            for name in modules
        },
        "seconds": round(sum(r.seconds for r in results), 1),
        "killed_by": dict(Counter(r.by for r in results if r.outcome == KILLED).most_common(20)),
        "survivors": [m.shown() for m, explained in told if explained is None],
        "explained": [{**m.shown(), "reason": e.reason} for m, e in told if e is not None],
    }


def set_apart_explained(
    mutants: Iterable[Mutant], known: Sequence[Explanation]
) -> tuple[list[Result], list[Mutant]]:
    """The explained mutants as untried survivors, and all other mutants.

    This can make no figure better.
    """
    untried, to_try = list[Result](), list[Mutant]()
    for mutant in mutants:
        if explanation_of(mutant, known) is None:
            to_try.append(mutant)
        else:
            untried.append(Result(mutant, SURVIVED, "", 0.0))
    return untried, to_try


def _counted(results: Iterable[Result], told: Iterable[tuple[Any, Any]]) -> dict[str, Any]:
    outcomes = Counter(r.outcome for r in results)
    total = outcomes.total()
    caught = outcomes[KILLED] + outcomes[TIMEOUT]
    explained = sum(explanation is not None for _, explanation in told)
    return {
        "total": total,
        "killed": outcomes[KILLED],
        "timeout": outcomes[TIMEOUT],
        "survived": outcomes[SURVIVED],
        "explained": explained,
        "unexplained": outcomes[SURVIVED] - explained,
        "percent": round(100 * caught / total, 1) if total else 100.0,
    }


def as_text(found: dict[str, Any]) -> str:
    """The figures as a page of text."""
    columns = ("total", "killed", "timeout", "survived", "explained", "unexplained", "percent")
    lines = [f"{'module':<28}" + "".join(f"{name:>12}" for name in columns)]
    for name, row in [*found["modules"].items(), ("all", found["all"])]:
        lines.append(f"{name:<28}" + "".join(f"{row[column]:>12}" for column in columns))
    for title, mutants in (("Survivors", "survivors"), ("Explained survivors", "explained")):
        if found[mutants]:
            lines += ["", f"{title}:"]
            lines += [line for mutant in found[mutants] for line in _difference(mutant)]
    return "\n".join(lines)


def _difference(mutant: dict[str, Any]) -> list[str]:
    path = mutant["module"].replace(".", "/") + ".py"
    lines = [f"{path}:{mutant['line']}: {mutant['operator']}"]
    lines += [f"  - {line}" for line in mutant["was"].splitlines()]
    lines += [f"  + {line}" for line in mutant["now"].splitlines()]
    return lines + ([f"  = {mutant['reason']}"] if "reason" in mutant else [])
