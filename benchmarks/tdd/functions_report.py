"""Prints what the suites of packages came to, beside the goals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from benchmarks.tdd.explaining import SIGNATURES, Cause
from benchmarks.tdd.functions import Measured, Mutated
from benchmarks.tdd.printing import figure, killers, noticed, untested, wrong

_GOALS = {"examples": 0.50, "stubs": 0.25}


def report(every: Sequence[Measured], details: bool) -> bool:
    """Print all figures; with `details` what each rests on. Whether all goals are met."""
    statuses: Counter[str] = sum((each.cases for each in every), Counter())
    tests = sum(len(each.reference) for each in every)
    print(f"\n{len(every)} packages, {tests} tests, cases:")
    print("  " + ", ".join(f"{number} {status}" for status, number in sorted(statuses.items())))
    _left_out(every)
    good = _of_tests(every)
    good &= _failures(every)
    good &= _of_mutants(every)
    making, run = (sum(getattr(each, name) for each in every) for name in ("making", "seconds"))
    print(
        f"  seconds per test: {making / max(1, tests):.3f} to make and prove, {run / max(1, tests):.3f} to run"
    )
    if details:
        _details(every)
    return good


def _of_tests(every: Sequence[Measured]) -> bool:
    def passes(each: Measured, node: str) -> bool:
        return each.reference[node] == "passed"

    def negative(each: Measured, node: str) -> bool:
        return passes(each, node) and node in each.negative

    def positive(each: Measured, node: str) -> bool:
        return passes(each, node) and node not in each.negative

    def of_signatures(each: Measured, node: str) -> bool:
        return passes(each, node) and each.techniques[node] in SIGNATURES

    def of_behaviour(each: Measured, node: str) -> bool:
        return passes(each, node) and each.techniques[node] not in SIGNATURES

    def with_examples(each: Measured, node: str) -> bool:
        return passes(each, node) and each.set == "examples"

    def from_stubs(each: Measured, node: str) -> bool:
        return passes(each, node) and each.set == "stubs"

    good = True
    for words, told, outcome, only, goal in (
        ("passes on the reference", "reference", "passed", lambda e, n: True, 0.95),
        ("fails before, S0 (nothing there)", "empty", "red", passes, 0.98),
        ("fails before, S1 (functions raise)", "hollow", "red", passes, 0.60),
        ("  of the positive tests", "hollow", "red", positive, 0.0),
        ("  of the negative tests", "hollow", "red", negative, 0.0),
        ("  of those of signatures and places", "hollow", "red", of_signatures, 0.0),
        ("  of those of behaviour", "hollow", "red", of_behaviour, 0.0),
        ("  where there are examples", "hollow", "red", with_examples, 0.0),
        ("  from stubs alone", "hollow", "red", from_stubs, 0.0),
    ):
        chosen = [said for each in every for node, said in getattr(each, told).items() if only(each, node)]
        good &= figure(words, sum(said.startswith(outcome) for said in chosen), len(chosen), goal)
    green = [(each, node) for each in every for node in each.reference if passes(each, node)]
    apart = sum(each.members.get(node, 1) for each, node in green)
    caught = sum(each.hollow[node].startswith("red") for each, node in green)
    good &= figure("  with a test of its own for each signature", caught, apart, 0.0)
    functions, acting = (sum(len(getattr(each, of)) for each in every) for of in ("functions", "acting"))
    good &= figure("functions with a test that needs their body", acting, functions, 0.0)
    red = [o for each in every for told in (each.empty, each.hollow) for o in told.values()]
    broken, all_ = (sum(o.startswith(words) for o in red) for words in ("broken", ("red", "broken")))
    flaky = sum(len(each.flaky) for each in every)
    good &= figure("red for the right reason", all_ - broken, all_, 1.0 if all_ else 0.0)
    print(f"  {'flaky in five seeded runs':<44} {flaky:6}  goal 0")
    return good and not flaky


def _left_out(every: Sequence[Measured]) -> None:
    """Print how many tests are of modules that the environment cannot import, which are counted nowhere else."""
    for each in every:
        if each.left_out:
            print(
                f"  left out: {len(each.left_out)} tests of {each.name}, whose modules cannot be imported here:"
            )
            for words in sorted(set(each.left_out.values())):
                print(f"    {words}")


def _failures(every: Sequence[Measured]) -> bool:
    """Print how many tests are red on the reference, of how many a program says why, and what the rest ends with."""
    red = {
        (each.name, node): (each.techniques[node], outcome)
        for each in every
        for node, outcome in each.reference.items()
        if outcome.startswith(("red", "broken"))
    }
    causes = {(each.name, node): cause for each in every for node, cause in each.causes.items()}
    rest = [told for place, told in red.items() if place not in causes]
    why = [told for place, told in red.items() if place in causes]
    tests = sum(len(each.reference) for each in every)
    share = len(rest) / max(1, tests)
    said = Counter(causes.values())
    told = ", ".join(f"{said[cause]} by {cause}" for cause in Cause)
    undecided = sum(o.startswith(("undecided", "skipped")) for each in every for o in each.reference.values())
    print(f"  undecided on the reference (not installed, or what a test made up is refused): {undecided}")
    print(f"  red on the reference: {len(red)} of {tests}; explained: {len(causes)} ({told})")
    print(f"    unexplained: {len(rest)} ({share:.3f}, goal at most 0.02)")
    for title, chosen in (("unexplained", rest), ("explained", why)):
        ends = Counter(
            (str(kind), outcome.partition(": ")[2].partition(":")[0][:40]) for kind, outcome in chosen
        )
        for (kind, exception), number in ends.most_common():
            print(f"      {title}: {number} {kind}: {exception}")
    return share <= 0.02


def _of_mutants(every: Sequence[Measured]) -> bool:
    all_ = [mutant for each in every for mutant in each.mutants]
    rows: list[tuple[str, list[Mutated], float]] = [
        ("mutants killed of those that break a spec", [each for each in all_ if each.broken], 0.80),
    ]
    for set_, goal in _GOALS.items():
        own = [one for each in every if each.set == set_ for one in each.mutants if one.killed_by_own]
        rows.append((f"of those that own tests kill, {set_}", own, goal))
    rows.append(("of all", all_, 0.0))
    return noticed((words, chosen, goal if chosen else 0.0) for words, chosen, goal in rows)


def _details(every: Iterable[Measured]) -> None:
    for each in every:
        killed = [one for one in each.mutants if one.killed_by_own]
        print(
            f"\n{each.name} ({each.set}): {len(each.reference)} tests, {each.own_tests} of its own; of",
            end=" ",
        )
        print(f"{len(killed)} mutants that its own kill {sum(one.killed for one in killed)}")
        untested(each.rejected, each.needs)
        wrong({"reference": each.reference, "S0": each.empty, "S1": each.hollow})
        for node in sorted(each.flaky):
            print(f"    flaky: {node}")
        for mutant in each.mutants:
            print(f"    {killers(mutant)} {mutant.words} ({mutant.broken})")
