"""Prints what the suites of applications came to, beside the goals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from benchmarks.tdd.labelling import Label
from benchmarks.tdd.measuring import Measured, Mutated
from benchmarks.tdd.printing import figure, killers, noticed, untested, wrong


def report(every: Sequence[Measured], making: float, details: bool) -> bool:
    """Print all figures; with `details` what each rests on. Whether all goals are met."""
    good = _of_part("from contracts alone", [each for each in every if not each.told], 0.25)
    if told := [each for each in every if each.told]:
        names = {each.name for each in told}
        alone = [each for each in every if f"{each.name} with stories" in names]
        good &= _of_part("from contracts and stories", told, 0.50)
        _of_part("the same applications, from contracts alone", alone, 0.0)
    tests = sum(len(each.tests) for each in every)
    run = sum(each.seconds for each in every)
    each_made, each_run = making / max(1, tests), run / max(1, tests)
    print(f"\nprocessor seconds per test: {each_made:.3f} to make and prove, {each_run:.3f} to run")
    if details:
        _details(every)
    return good


def _of_part(title: str, every: Sequence[Measured], goal: float) -> bool:
    usable = [each for each in every if not each.error and each.tests]
    tests = sum(len(each.tests) for each in usable)
    statuses: Counter[str] = sum((each.cases for each in every), Counter())
    print(
        f"\n{title}: {len(every)} applications, {sum(each.operations for each in every)} operations, cases:"
    )
    print("  " + ", ".join(f"{number} {status}" for status, number in sorted(statuses.items())))
    print(f"  with tests and a steady reference: {len(usable)} applications, {tests} tests")
    good = _of_tests(usable)
    return _of_mutants([mutant for each in usable for mutant in each.mutants], goal) and good


def _of_tests(usable: Sequence[Measured]) -> bool:
    def passing(each: Measured, node: str) -> bool:
        return each.reference[node] == "passed"

    def positive(each: Measured, node: str) -> bool:
        return passing(each, node) and node not in each.negative

    def negative(each: Measured, node: str) -> bool:
        return passing(each, node) and node in each.negative

    red = [o for each in usable for told in (each.empty, each.stub) for o in told.values()]
    right, all_ = (sum(outcome.startswith(words) for outcome in red) for words in ("red", ("red", "broken")))
    flaky = sum(len(each.flaky) for each in usable)
    _failures(usable)
    good = True
    for words, told, outcome, only, goal in (
        ("passes on the reference", "reference", "passed", lambda e, n: e.is_fetched, 0.95),
        ("fails before, S0 (nothing there)", "empty", "red", passing, 0.98),
        ("fails before, S1 (handlers raise)", "stub", "red", passing, 0.60),
        ("  of the positive tests", "stub", "red", positive, 0.0),
        ("  of the negative tests", "stub", "red", negative, 0.0),
    ):
        chosen = [said for each in usable for node, said in getattr(each, told).items() if only(each, node)]
        good &= figure(words, sum(said.startswith(outcome) for said in chosen), len(chosen), goal)
    good &= figure("red for the right reason", right, all_, 1.0 if all_ else 0.0)
    print(f"  {'flaky in five seeded runs':<44} {flaky:6}  goal 0")
    return good and not flaky


def _failures(usable: Sequence[Measured]) -> None:
    """Print how many tests are red on the reference, and of how many a program can say that the reference is why."""
    ours = [outcome for each in usable if not each.is_fetched for outcome in each.reference.values()]
    fetched = [each for each in usable if each.is_fetched]
    tests = [outcome for each in fetched for outcome in each.reference.values()]
    red = len(tests) - tests.count("passed")
    explained = sum(len(each.disagreeing) for each in fetched)
    if ours:
        print(
            f"  left out of the next two lines: our own applications, {ours.count('passed')} of {len(ours)} green"
        )
    print(
        f"  red on the reference: {red} of {len(tests)}; the operations of {explained} break their contract"
    )
    print(f"    as the validator sees it by itself; the rest: {(red - explained) / max(1, len(tests)):.3f}")


def _of_mutants(mutants: Sequence[Mutated], goal_of_own: float) -> bool:
    breaking = [each for each in mutants if each.label is Label.SPEC]
    own = [each for each in mutants if each.killed_by_own]
    plain = [each for each in mutants if each.killed_by_own_without_contract]
    labels = Counter(str(each.label) for each in mutants)
    print(f"  mutants: {len(mutants)}: " + ", ".join(f"{n} {label}" for label, n in sorted(labels.items())))
    return noticed(
        (
            ("killed of all", mutants, 0.0),
            ("killed of those that break the contract", breaking, 0.80),
            ("killed of those that the project kills", own, goal_of_own),
            ("  without its tests of the contract itself", plain, 0.0),
        )
    )


def _details(every: Iterable[Measured]) -> None:
    for each in every:
        print(f"\n{each.name}: {len(each.tests)} tests {each.error}")
        untested(each.rejected, each.needs)
        wrong({"reference": each.reference, "S0": each.empty, "S1": each.stub})
        for mutant in each.mutants:
            print(f"    {mutant.label} {killers(mutant)} {mutant.name} ({mutant.why})")
