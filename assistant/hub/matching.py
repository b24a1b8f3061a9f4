"""Who meets whom in a Swiss round: the matching of maximum weight, by rustworkx."""

from __future__ import annotations

from collections.abc import Sequence

import rustworkx


def matcher(edges: Sequence[tuple[int, int, int]]) -> set[tuple[int, int]]:
    """The edges of a matching of maximum weight; each is (one, other, weight)."""
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph()
    nodes = sorted({node for one, other, _ in edges for node in (one, other)})
    places = dict(zip(nodes, graph.add_nodes_from(nodes), strict=True))
    graph.add_edges_from([(places[one], places[other], weight) for one, other, weight in edges])
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return {(graph[one], graph[other]) for one, other in found}
