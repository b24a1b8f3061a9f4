"""The operators of the mutants: Cosmic Ray's, and those that the rules' tables need.

Cosmic Ray reads and writes the source with parso and changes whole files, tables and decorated
classes included. Its runner (one process and one edited file for each mutant) is not used.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from cosmic_ray.operators.operator import Operator
from cosmic_ray.plugins import get_operator
from parso.python.tree import Keyword, PythonNode

# Of the many ways to replace one operator by another: the boundary and the opposite. The rest (an
# equality of enums as `is`, a sum as a shift) are equivalent or die of a TypeError.
COMPARISONS = (
    "Eq_NotEq NotEq_Eq Is_IsNot IsNot_Is Lt_LtE Lt_GtE LtE_Lt LtE_Gt Gt_GtE Gt_LtE GtE_Gt GtE_Lt"
).split()
ARITHMETIC = (
    "Add_Sub Sub_Add Mul_Add FloorDiv_Mul Div_Mul Mod_Add BitAnd_BitOr BitOr_BitAnd BitXor_BitOr"
).split()
PLAIN = (
    "AddNot ExceptionReplacer NumberReplacer RemoveDecorator ReplaceAndWithOr ReplaceOrWithAnd "
    "ReplaceBreakWithContinue ReplaceContinueWithBreak ReplaceTrueWithFalse ReplaceFalseWithTrue "
    "ReplaceUnaryOperator_Delete_Not ReplaceUnaryOperator_Delete_USub ZeroIterationForLoop"
).split()

Place = tuple[Any, Any]


class Ours(Operator):
    """The base of the operators below. It changes a node in one way or more."""

    def ways(self, node: Any) -> int:
        """The number of ways in which a node can be changed."""
        raise NotImplementedError

    def mutation_positions(self, node: Any) -> Iterator[Place]:
        for _ in range(self.ways(node)):
            yield node.start_pos, node.end_pos

    @classmethod
    def examples(cls) -> tuple[()]:
        return ()


class TakeOutElement(Ours):
    """Removes one row of a table, one value of a list, or one keyword of a call."""

    def ways(self, node: Any) -> int:
        return len(_elements(node))

    def mutate(self, node: Any, index: int) -> Any:
        first, after = _elements(node)[index]
        del node.children[first:after]
        return node


class TakeOutStatement(Ours):
    """Removes a call, a raise or an addition. A return then gives None."""

    def ways(self, node: Any) -> int:
        return int(node.type == "simple_stmt" and _does_something(node.children[0]))

    def mutate(self, node: Any, index: int) -> Any:  # noqa: ARG002 - one way only
        node.children[0] = Keyword("pass", node.start_pos, node.get_first_leaf().prefix)
        return node


class OtherWord(Ours):
    """Replaces a key or a code by another word. Sentences, which have blanks, stay."""

    def ways(self, node: Any) -> int:
        return int(node.type == "string" and _is_word(node))

    def mutate(self, node: Any, index: int) -> Any:  # noqa: ARG002 - one way only
        node.value = repr("X" + ast.literal_eval(node.value) + "X")
        return node


class OppositeMembership(Ours):
    """Replaces `in` by `not in`, and the reverse. The `in` of a `for` stays."""

    def ways(self, node: Any) -> int:
        return int(node.type == "comparison" and _membership(node) is not None)

    def mutate(self, node: Any, index: int) -> Any:  # noqa: ARG002 - one way only
        at = _membership(node)
        word = "in" if node.children[at].type == "comp_op" else "not in"
        node.children[at] = Keyword(word, node.start_pos, " ")
        return node


def operators() -> dict[str, Any]:
    """All operators, by name."""
    names = [
        *PLAIN,
        *(f"ReplaceComparisonOperator_{pair}" for pair in COMPARISONS),
        *(f"ReplaceBinaryOperator_{pair}" for pair in ARITHMETIC),
    ]
    ours = (TakeOutElement, TakeOutStatement, OtherWord, OppositeMembership)
    return {
        **{name: get_operator(f"core/{name}")() for name in names},
        **{kind.__name__: kind() for kind in ours},
    }


def _elements(node: Any) -> list[tuple[int, int]]:
    """The elements of a display, or the keywords of a call, as slices of the node's children."""
    if node.type not in {"dictorsetmaker", "testlist_comp", "arglist"}:
        return []
    found, first = [], 0
    for i, child in enumerate([*node.children, None]):
        if child is None or _is(child, ","):
            part = node.children[first:i]
            if part and (node.type != "arglist" or part[0].type == "argument"):
                found.append((first, i + 1))
            first = i + 1
    return [] if any(child.type.endswith("comp_for") for child in node.children) else found


def _does_something(statement: Any) -> bool:
    if statement.type == "expr_stmt":
        return any(_is(child, "+=") or _is(child, "-=") for child in statement.children)
    called = statement.type in {"atom_expr", "power"}
    return called or statement.type in {"raise_stmt", "return_stmt"}


def _is_word(string: Any) -> bool:
    if string.parent.type == "simple_stmt":
        return False  # a docstring
    text = ast.literal_eval(string.value)
    return isinstance(text, str) and text != "" and not any(c.isspace() for c in text)


def _membership(comparison: PythonNode) -> int | None:
    for i, child in enumerate(comparison.children):
        if _is(child, "in") or (child.type == "comp_op" and child.children[0].value == "not"):
            return i
    return None


def _is(node: Any, text: str) -> bool:
    return getattr(node, "value", None) == text and node.type in {"operator", "keyword"}
