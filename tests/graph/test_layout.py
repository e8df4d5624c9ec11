"""Nodes of a picture get places that do not depend on the machine and do not lie on one another."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from pathlib import Path

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.layout import NEAREST, rings, spread

ROOT = Path(__file__).parent.parent.parent


def tree(count: int) -> list[tuple[int, int]]:
    return list(networkx.random_labeled_tree(count, seed=3).edges)


@pytest.mark.parametrize("count", [0, 1, 2, 30, 300])
def test_every_node_has_a_place_and_no_two_share_one(count: int) -> None:
    places = spread(count, tree(count) if count > 1 else [])
    assert len(places) == len(set(places)) == count


def test_neighbours_stand_nearer_than_strangers() -> None:
    edges = tree(200)
    places = spread(200, edges)
    near = sum(math.dist(places[a], places[b]) for a, b in edges) / len(edges)
    every = [math.dist(places[a], places[b]) for a in range(200) for b in range(a)]
    assert near < sum(every) / len(every) / 2


def test_a_star_of_more_nodes_than_springs_can_take_is_laid_out_too() -> None:
    places = spread(700, [(0, other) for other in range(1, 700)])
    assert len(set(places)) == 700


def test_places_do_not_depend_on_the_order_of_hashes() -> None:
    code = "from graph.layout import spread; print(spread(40, [(n // 3, n) for n in range(1, 40)]))"
    told = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(told) == 1


def test_rings_begin_with_their_centres_and_grow_with_distance() -> None:
    neighbours = [[1, 2], [0, 3], [0], [1], []]
    placed = dict(rings(neighbours, [0]))
    assert list(placed) == [0, 1, 2, 3]
    assert placed[0] == (0, 0)
    assert math.hypot(*placed[1]) < math.hypot(*placed[3])


@given(st.integers(1, 60), st.data())
def test_rings_hold_each_node_once_and_no_more_than_fit(count: int, data: st.DataObject) -> None:
    node = st.integers(0, count - 1)
    neighbours = [data.draw(st.lists(node, unique=True, max_size=30)) for _ in range(count)]
    placed = rings(neighbours, data.draw(st.lists(node, min_size=1, max_size=3)))
    nodes = [each for each, _ in placed]
    assert len(nodes) == len(set(nodes)) <= NEAREST
