"""Sets healed tests beside the tests before and beside the reference: assertions, size of the edit, strength."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Callable, Mapping
from random import Random

from benchmarks.healing.operators import bugs
from benchmarks.healing.sources import FunctionNode, Sources

_KILLED = 5
_TRIED = 12
_EXPECTING = ("raises", "warns", "deprecated_call", "fail")

Outcomes = Callable[[Mapping[str, str | None]], Mapping[str, str]]
"""Runs all tests with some files in place of those of the project."""


def assertions(text: str) -> dict[str, int]:
    """How many assertions each test function of a text has, by its name: those of all that bear it, together."""
    counted: dict[str, int] = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, FunctionNode):
            counted[node.name] = counted.get(node.name, 0) + sum(_asserts(each) for each in ast.walk(node))
    return counted


def _asserts(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        name = str(getattr(node.func, "attr", None) or getattr(node.func, "id", ""))
        return name in _EXPECTING or name.startswith("assert")
    return isinstance(node, ast.Assert)


def lost(
    before: Mapping[str, str], after: Mapping[str, str], reference: Mapping[str, str] | None = None
) -> list[str]:
    """The functions that assert less than before and than in the reference, or are gone, as `path::name`.

    A project's own function that is called as an assertion is, and is renamed, looks like one less in both; so is what
    the tests override, and what asserts nothing.
    """
    found = []
    for path, text in before.items():
        now = assertions(after.get(path, ""))
        right = assertions((reference or {}).get(path, text))
        found += [
            f"{path}::{name}"
            for name, number in assertions(text).items()
            if now.get(name, -1) < min(number, right.get(name, number))
            and (name in now or name in right or number)
        ]
    return found


def size(before: Mapping[str, str], after: Mapping[str, str]) -> int:
    """How many lines an edit takes out and puts in."""
    return sum(_lines(before.get(path, ""), after.get(path, "")) for path in {*before, *after})


def _lines(before: str, after: str) -> int:
    compared = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)
    return sum(line[:1] in "+-" and line[:3] not in ("+++", "---") for line in compared)


def retention(
    damaged: Sources, healed: Mapping[str, str], reference: Mapping[str, str], run: Outcomes, seed: str
) -> tuple[int, int]:
    """Of a few mutants that the reference's tests notice, how many the healed ones do, and how many these are."""
    random = Random(seed)
    candidates = [
        change
        for kind in bugs.KINDS
        for _, change in zip(range(_TRIED), bugs.mutants(damaged, random, kind), strict=False)
    ]
    killed = both = 0
    for change in random.sample(candidates, min(_TRIED, len(candidates))):
        if killed == _KILLED:
            break
        code = {path: text for path, text in change.after.code.items() if text != damaged.code[path]}
        if _is_red(run({**reference, **code})):
            killed += 1
            both += _is_red(run({**healed, **code}))
    return both, killed


def _is_red(outcomes: Mapping[str, str]) -> bool:
    return not outcomes or "failed" in outcomes.values()


def upper_bound(wrong: int, cases: int, tolerance: float = 0.05) -> float:
    """The one-sided 95 % upper bound (Clopper and Pearson) of a share that was seen as `wrong` of `cases`."""
    if wrong >= cases:
        return 1.0
    low, high = wrong / cases, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _at_most(wrong, cases, middle) > tolerance else (low, middle)
    return high


def _at_most(wrong: int, cases: int, share: float) -> float:
    """The chance to see at most so many."""
    term = (1 - share) ** cases
    total = term
    for number in range(wrong):
        term *= (cases - number) / (number + 1) * share / (1 - share)
        total += term
    return total
