"""The mutants of one module: its source with one small change in it."""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

PASS = ast.Pass()
KEPT = Path("build/mutants")
MAKERS = ("mutants.py", "operators.py")


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: the module's dotted name, its operator, and the lines before and after it.

    ``line`` is the first line that differs. ``source`` is the whole changed module.
    """

    module: str
    operator: str
    line: int
    was: str
    now: str
    source: str

    @property
    def key(self) -> str:
        """Identifies it among all mutants, in this run and in later ones."""
        return hashlib.sha256(f"{self.module}\n{self.source}".encode()).hexdigest()[:16]

    def shown(self) -> dict[str, Any]:
        """The mutant as figures: everything but the source."""
        return {name: part for name, part in asdict(self).items() if name != "source"}


def mutants_of(path: Path) -> list[Mutant]:
    """The mutants of a file, whose path is relative to the root of the tree.

    Making them takes a minute for a long module, so they are kept in ``KEPT`` for the next run.
    """
    module, source = ".".join(path.with_suffix("").parts), path.read_text("utf-8")
    kept = KEPT / f"{path.stem}-{_made_of(source)}.json"
    if kept.exists():
        return [Mutant(**made) for made in json.loads(kept.read_text("utf-8"))]
    made = list(mutants(module, source))
    KEPT.mkdir(parents=True, exist_ok=True)
    for older in KEPT.glob(f"{path.stem}-*"):
        older.unlink(missing_ok=True)
    half = kept.with_suffix(".half")
    half.write_text(json.dumps([asdict(mutant) for mutant in made]), "utf-8")
    half.rename(kept)  # written atomically
    return made


def _made_of(source: str) -> str:
    """Identifies the mutants of a source by its text and by how they are made."""
    digest = hashlib.sha256(source.encode())
    for file in MAKERS:
        digest.update(Path(__file__).with_name(file).read_bytes())
    return digest.hexdigest()[:16]


def mutants(module: str, source: str) -> Iterator[Mutant]:
    """All programs that differ from the module by one change, each of them once.

    Programs that do not compile are left out, and so are those that differ only in annotations or
    docstrings: the modules postpone the evaluation of annotations, so no test could notice.
    """
    # Imported here, so that everything but making mutants works without Cosmic Ray.
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.mutating import mutate_code

    from scripts.lab.mutating.operators import operators

    seen = {meaning(source)}
    nodes = list(ast_nodes(get_ast(source)))
    for name, operator in operators().items():
        for occurrence in range(sum(len(list(operator.mutation_positions(n))) for n in nodes)):
            changed = mutate_code(source, operator, occurrence)
            if changed is None:
                continue
            try:
                means = meaning(changed)
            except SyntaxError:
                continue
            if means not in seen:
                seen.add(means)
                yield _mutant(module, name, source, changed)


def meaning(source: str) -> str:
    """The source without what no test could see: comments, annotations, docstrings."""
    return ast.dump(_WhatRuns().visit(ast.parse(source)))


class _WhatRuns(ast.NodeTransformer):
    """Removes the annotations but not their presence, because they make a dataclass's fields."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        return PASS if isinstance(node.value, ast.Constant) else self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant(None)
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)


def _mutant(module: str, operator: str, source: str, changed: str) -> Mutant:
    before, after = source.splitlines(), changed.splitlines()
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    different = [code for code in matcher.get_opcodes() if code[0] != "equal"]
    (_, i, _, j, _), (_, _, i_end, _, j_end) = different[0], different[-1]
    was, now = before[i:i_end], after[j:j_end]
    return Mutant(module, operator, i + 1, "\n".join(was).strip(), "\n".join(now).strip(), changed)
