"""Prints what healing came to: per cause, bugs, pairs, and the sums beside their goals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from statistics import median

from benchmarks.healing.comparing import upper_bound
from benchmarks.healing.measuring import Measured

BY_A_PERSON = frozenset({"feature removed"})
"""Causes whose heal is the deletion of tests, which always waits for a person."""


def report(every: Sequence[Measured], *, sums_only: bool) -> bool:
    """Print the tables; with `sums_only` nothing that could be traced to a case. Whether all goals are met."""
    names = ("refactorings", "bugs", "pairs", "services")
    sets = {name: [each for each in every if each.set == name] for name in names}
    if not sums_only:
        _table("refactorings", sets["refactorings"])
        _table("pairs: specs moved along", [each for each in sets["pairs"] if each.label == "stale"])
        _table("pairs: specs as they were", [each for each in sets["pairs"] if each.label == "bug"])
        _table("bugs", sets["bugs"])
        _table("services: contract moved along", [each for each in sets["services"] if each.label == "stale"])
        _table("services: contract as it was", [each for each in sets["services"] if each.label == "bug"])
    good = _refactorings(sets["refactorings"])
    good &= _bugs(sets["bugs"])
    good &= _pairs("pairs", sets["pairs"])
    good &= _pairs("services", sets["services"])
    _versions([each for each in every if each.set == "versions"], sums_only=sums_only)
    _efforts(every)
    errors = Counter(each.error for each in every if each.error)
    if errors:
        print(f"\n{sum(errors.values())} cases without an answer" + ("" if sums_only else ":"))
        for words, number in errors.most_common(0 if sums_only else 10):
            print(f"  {number}: {words[:300]}")
    return good and not errors


def _table(title: str, every: Sequence[Measured]) -> None:
    if not every:
        return
    print(
        f"\n| {title} | cases | healed | tests healed | right verdict | wrong heals | to a person | edit size ratio "
        "| attempts | s |\n|---|---|---|---|---|---|---|---|---|---|"
    )
    for cause in sorted({each.cause for each in every}):
        rows = [each for each in every if each.cause == cause]
        red, green = sum(each.red for each in rows), sum(each.green for each in rows)
        cells = [
            cause,
            str(len(rows)),
            str(_count(rows, lambda each: each.is_healed)),
            f"{green}/{red}",
            str(_count(rows, is_right)),
            str(_count(rows, is_wrong)),
            str(_count(rows, _is_escalated)),
            _ratio(rows),
            f"{median(each.attempts for each in rows):g}",
            f"{median(each.seconds for each in rows):.1f}",
        ]
        print(f"| {' | '.join(cells)} |")


def is_right(each: Measured) -> bool:
    """Whether the verdict is that of the label; a bug is also told right where a person is asked."""
    if each.label == "stale":
        return each.verdict in ("TEST_STALE", "TEST_WRONG") and not _speaks_against(each)
    return bool(each.rulings) and set(each.rulings) <= {"CODE_WRONG", "UNDECIDED"} and not each.is_wrong


def _speaks_against(each: Measured) -> bool:
    return each.rulings.get("CODE_WRONG", 0) > 0


def is_wrong(each: Measured) -> bool:
    """Whether a bug was papered over, or a stale test was made green with fewer assertions."""
    return each.is_wrong or (each.label == "stale" and bool(each.lost) and bool(each.changed))


def is_blamed(each: Measured) -> bool:
    """Whether the code is said to be wrong, with a fact that is cited, and no test is said to be stale."""
    return each.blamed and is_right(each)


def _is_escalated(each: Measured) -> bool:
    return each.outcomes.get("NEEDS_HUMAN", 0) > 0


def _ratio(rows: Sequence[Measured]) -> str:
    ratios = [each.size / each.reference_size for each in rows if each.is_healed and each.reference_size]
    return f"{median(ratios):.2f}" if ratios else "–"


def _refactorings(rows: Sequence[Measured]) -> bool:
    if not rows:
        return True
    healed = _count(rows, lambda each: each.is_healed)
    red, green = sum(each.red for each in rows), sum(each.green for each in rows)
    print(
        f"\nrefactorings: {_share(healed, len(rows))} healed (goal .80), {_share(green, red)} of the red tests, "
        f"{_share(_count(rows, is_right), len(rows))} right verdicts, "
        f"{_share(_count(rows, _is_escalated), len(rows))} to a person"
    )
    clusters = sum(sum(each.outcomes.values()) for each in rows)
    print(f"  clusters: {_share(sum(each.outcomes.get('HEALED', 0) for each in rows), clusters)} healed")
    ratios = sorted(
        each.size / each.reference_size for each in rows if each.is_healed and each.reference_size
    )
    if ratios:
        print(
            f"  edit size against the reference: median {median(ratios):.2f}, "
            f"p90 {ratios[int(0.9 * (len(ratios) - 1))]:.2f}"
        )
    same = [each for each in rows if each.is_healed]
    killed, mutants = sum(each.killed for each in same), sum(each.mutants for each in same)
    print(f"  strength kept: {_share(killed, mutants)} mutants where the edit is another than the reference")
    weaker = _count(rows, lambda each: bool(each.lost) and bool(each.changed))
    print(f"  healed with an assertion less: {weaker} (goal 0)")
    return healed >= 0.8 * len(rows) and not weaker


def _bugs(rows: Sequence[Measured]) -> bool:
    if not rows:
        return True
    wrong = _count(rows, lambda each: each.is_wrong)
    print(
        f"\nbugs: {wrong} of {len(rows)} papered over (goal 0; at most {upper_bound(wrong, len(rows)):.3f} "
        f"with 95 %), {_share(_count(rows, is_right), len(rows))} CODE_WRONG or UNDECIDED (goal 1)"
    )
    with_stubs = [each for each in rows if each.has_stubs]
    specified = [each for each in rows if each.specified]
    for words, those in (("with stubs", with_stubs), ("of which the stubs tell what was changed", specified)):
        if those:
            cited = _count(those, lambda each: is_blamed(each) and each.cited)
            print(
                f"  {words}: {_share(_count(those, is_blamed), len(those))} CODE_WRONG with a citation (goal .50), "
                f"{_share(cited, len(those))} with one of what was changed"
            )
    without = [each for each in rows if not each.has_stubs]
    if without:
        print(
            f"  without stubs: {_share(_count(without, is_blamed), len(without))} CODE_WRONG with a citation"
        )
    return not wrong and all(is_right(each) for each in rows)


def _pairs(title: str, rows: Sequence[Measured]) -> bool:
    by_case = {each.case: each for each in rows}
    pairs = [(each, by_case[each.twin]) for each in rows if each.label == "stale" and each.twin in by_case]
    if not pairs:
        return True
    right = sum(is_right(stale) and is_blamed(bug) for stale, bug in pairs)
    lenient = sum(is_right(stale) and is_right(bug) for stale, bug in pairs)
    stale = sum(is_right(stale) for stale, _ in pairs)
    blamed = sum(is_blamed(bug) for _, bug in pairs)
    wrong = sum(bug.is_wrong for _, bug in pairs)
    healable = [stale for stale, _ in pairs if stale.cause not in BY_A_PERSON]
    healed = _count(healable, lambda each: each.is_healed)
    print(
        f"\n{title}: {_share(right, len(pairs))} both verdicts right (goal .90), {_share(lenient, len(pairs))} where "
        "UNDECIDED counts as right for the bug"
    )
    print(
        f"  stale told: {_share(stale, len(pairs))}, healed {_share(healed, len(healable))}; "
        f"bug told: {_share(blamed, len(pairs))}, papered over {wrong} (goal 0; at most "
        f"{upper_bound(wrong, len(pairs)):.3f} with 95 %)"
    )
    return right >= 0.9 * len(pairs) and not wrong


def _versions(rows: Sequence[Measured], *, sums_only: bool) -> None:
    if not rows:
        return
    if not sums_only:
        print(
            "\n| old tests on new code | red tests | told stale | healed | root causes | told stale | healed "
            "| to a person | CODE_WRONG | as in the new release | deletions as there | asserting less | s |\n"
            "|---|---|---|---|---|---|---|---|---|---|---|---|---|"
        )
        for each in rows:
            print(f"| {each.cause} | {' | '.join(_version(each))} |")
    red, green = sum(each.red for each in rows), sum(each.green for each in rows)
    causes = sum(sum(each.outcomes.values()) for each in rows)
    healed = sum(each.outcomes.get("HEALED", 0) for each in rows)
    same, changed = (sum(each.agreeing[at] for each in rows) for at in range(2))
    decided, blamed = (
        sum(each.decided for each in rows),
        sum(each.rulings.get("CODE_WRONG", 0) for each in rows),
    )
    gone, proposed = (sum(each.retired[at] for each in rows) for at in range(2))
    print(
        f"\nversion pairs: {_share(healed, causes)} root causes healed, {_share(green, red)} of the red tests; "
        f"told stale {_share(sum(map(_stale, rows)), causes)} root causes, {_share(decided, red)} of the tests; "
        f"told CODE_WRONG {blamed}; {_share(gone, proposed)} of the proposed deletions and {_share(same, changed)} of "
        f"the changed functions are as in the new release; asserting less: "
        f"{sum(len(each.lost) for each in rows if each.changed)}"
    )


def _stale(each: Measured) -> int:
    return each.rulings.get("TEST_STALE", 0) + each.rulings.get("TEST_WRONG", 0)


def _version(each: Measured) -> list[str]:
    same, changed = each.agreeing
    return [
        str(each.red),
        str(each.decided),
        str(each.green),
        str(sum(each.outcomes.values())),
        str(_stale(each)),
        str(each.outcomes.get("HEALED", 0)),
        str(each.outcomes.get("NEEDS_HUMAN", 0)),
        str(each.outcomes.get("CODE_WRONG", 0)),
        f"{same}/{changed}",
        "{}/{}".format(*each.retired),
        str(len(each.lost) if each.changed else 0),
        f"{each.seconds:.1f}",
    ]


def _efforts(every: Sequence[Measured]) -> None:
    if every:
        print(
            f"\nper case: {median(each.seconds for each in every):.1f} s (median), "
            f"{sum(each.attempts for each in every) / len(every):.2f} attempts"
        )


def _count(rows: Iterable[Measured], told: Callable[[Measured], bool]) -> int:
    return sum(map(told, rows))


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f} ({part}/{whole})" if whole else "none"
