"""Cases: a change of a package, proven to turn green tests red, with the edit of the tests that makes them green."""

from __future__ import annotations

import ast
import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from random import Random

import msgspec

from benchmarks.healing.corpus import FOLDER, Subject
from benchmarks.healing.operators import bugs
from benchmarks.healing.operators.causes import CAUSES, PAIRED, Operator
from benchmarks.healing.running import Runner, Tree
from benchmarks.healing.sources import Change, FunctionNode
from benchmarks.healing.stubs import stubs

_TRIES = 5
_SHARED = ("conftest.py", "__init__.py", "util.py", "utils.py", "base.py", "common.py")


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """One case. `set` is `refactorings`, `bugs`, `pairs`, `services` or `versions`; `label` is `stale` or `bug`.

    `base` is put on the project before it is committed, `damage` is the change (None removes a file), `reference` the
    tests that are right for it. `red` were green and are not any more; `green` pass with the reference. `twin` names
    the other case of a pair. `specified` says that the stubs tell of what was changed.
    """

    id: str
    package: str
    set: str
    cause: str
    subject: str
    words: str
    label: str
    base: dict[str, str]
    damage: dict[str, str | None]
    reference: dict[str, str]
    red: tuple[str, ...]
    green: tuple[str, ...]
    twin: str = ""
    specified: bool = False


class Proven(msgspec.Struct, frozen=True):
    """What proving found: the red tests, those that are green with the reference, and the reference's files."""

    red: tuple[str, ...]
    green: tuple[str, ...] = ()
    reference: dict[str, str] = {}


class Prover:
    """Proves changes of one package in a work tree of its own."""

    def __init__(self, subject: Subject, runner: Runner) -> None:
        self.subject = subject
        self.sources = subject.sources
        self._runner = runner
        self._tree = Tree(subject.root, FOLDER / "trees" / f"{subject.name}-{os.getpid()}")
        first, second = self._outcomes({}), self._outcomes({})
        self.green = frozenset(
            node for node, told in first.items() if told == "passed" and second.get(node) == "passed"
        )
        if not self.green:
            raise SystemExit(f"{subject.name}: no test is green twice")

    def close(self) -> None:
        """Remove the work tree."""
        self._tree.remove()

    def stale(self, change: Change) -> Proven | None:
        """What proves that tests are stale: red by the change, all green when the tests are changed along."""
        damage = self.damage(change)
        touched = {path for path, text in change.after.tests.items() if text != self.sources.tests.get(path)}
        if change.mend is None and not touched:
            return None
        # A test whose file needs no mending is not red: that all are green in the end proves it.
        is_known = change.mend is None and not any(path.endswith(_SHARED) for path in touched)
        red = self._red(damage, sorted(touched) if is_known else self.subject.tests)
        if not red:
            return None
        tests = dict(change.after.tests)
        if change.mend is not None:
            names = frozenset(node.partition("[")[0].rpartition("::")[2] for node in red)
            tests = {path: change.mend(text, names) for path, text in tests.items()}
        reference = {path: text for path, text in tests.items() if text != self.sources.tests.get(path)}
        if change.damaged is not None:
            reference |= {path: text for path, text in tests.items() if text != change.damaged.get(path)}
        if not reference or not all(map(_is_python, reference.values())):
            return None
        outcomes = self._outcomes({**damage, **reference})
        green = tuple(sorted(node for node, told in outcomes.items() if told == "passed"))
        expected = self.green - _left_out(self.sources.tests, reference, self.green)
        missing = len(expected) - len(green)
        # Names of parameters may show in node ids, so that only their number has to be the same.
        return None if missing > 0 or not green else Proven(red, green, reference)

    def bug(self, change: Change) -> Proven | None:
        """What proves that code is broken: tests are red by the change. None where no test notices, or never ends."""
        red = self._red(self.damage(change), self.subject.tests)
        return Proven(red) if red else None

    def damage(self, change: Change) -> dict[str, str | None]:
        """The files that a change alters before any test is mended."""
        damage: dict[str, str | None] = {
            path: change.after.code.get(path)
            for path in {*self.sources.code, *change.after.code}
            if change.after.code.get(path) != self.sources.code.get(path)
        }
        if change.damaged is not None:
            damage |= dict.fromkeys(self.sources.tests.keys() - change.damaged.keys())
        for path, text in (change.damaged or {}).items():
            if text != self.sources.tests.get(path):
                damage[path] = text
        return damage

    def _red(self, damage: Mapping[str, str | None], targets: Sequence[str]) -> tuple[str, ...]:
        outcomes = self._outcomes(damage, targets)
        if not outcomes:
            return ()
        # Where the parameters of a test function change, its nodes have other names: none of them is red by that.
        there = {node.partition("[")[0] for node, told in outcomes.items() if told == "passed"}
        return tuple(
            sorted(
                node
                for node in self.green
                if (targets == self.subject.tests or node.partition("::")[0] in targets)
                and outcomes.get(node) != "passed"
                and (node in outcomes or node.partition("[")[0] not in there)
            )
        )

    def _outcomes(self, files: Mapping[str, str | None], targets: Sequence[str] = ()) -> dict[str, str]:
        self._tree.set(files)
        return self._runner.run(self._tree.root, self.subject.paths, targets or self.subject.tests)


def _left_out(before: Mapping[str, str], after: Mapping[str, str], green: frozenset[str]) -> frozenset[str]:
    """The tests that the reference deletes."""
    gone: set[str] = set()
    for path, text in after.items():
        names = _functions(before.get(path, "")) - _functions(text)
        gone |= {
            node
            for node in green
            if node.startswith(f"{path}::") and node.partition("[")[0].rpartition("::")[2] in names
        }
    return frozenset(gone)


def _is_python(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def _functions(text: str) -> set[str]:
    return {node.name for node in ast.walk(ast.parse(text)) if isinstance(node, FunctionNode)}


def make(prover: Prover, seed: int, each: int) -> Iterator[Case]:
    """All cases of one package: at most `each` per cause and per pair, twice as many mutants of each kind."""
    yield from _refactorings(prover, seed, each)
    yield from _compounds(prover, seed, 4 * each)
    yield from _bugs(prover, seed, 2 * each)
    yield from _pairs(prover, seed, each)


def _refactorings(prover: Prover, seed: int, each: int) -> Iterator[Case]:
    for cause, operator in CAUSES.items():
        for change, proven in _proven_stale(prover, cause, operator, seed, each):
            yield _case(prover, "refactorings", change, proven)


def _proven_stale(
    prover: Prover, cause: str, operator: Operator, seed: int, each: int
) -> Iterator[tuple[Change, Proven]]:
    random = Random(f"{seed} {prover.subject.name} {cause}")
    found = 0
    for tried, change in enumerate(operator(prover.sources, random)):
        if found == each or tried == _TRIES * each:
            return
        if (proven := prover.stale(change)) is not None:
            found += 1
            yield change, proven


def _compounds(prover: Prover, seed: int, number: int) -> Iterator[Case]:
    random = Random(f"{seed} {prover.subject.name} compound")
    names = [cause for cause in CAUSES if cause not in ("fixture renamed",)]
    found = 0
    for _ in range(_TRIES * number):
        if found == number:
            return
        one, other = random.sample(names, 2)
        first = next(CAUSES[one](prover.sources, random), None)
        second = first and next(CAUSES[other](first.after, random), None)
        if first is None or second is None:
            continue
        if first.after.tests == prover.sources.tests or second.after.tests == first.after.tests:
            continue
        words = f"{first.words}; {second.words}"
        change = Change("two at once", f"{first.subject}, {second.subject}", words, second.after)
        if (proven := prover.stale(change)) is not None:
            found += 1
            yield _case(prover, "refactorings", change, proven)


def _bugs(prover: Prover, seed: int, each: int) -> Iterator[Case]:
    """Mutants: every second one has the stubs of the whole package beside it, published ones where there are such."""
    written, published = stubs(prover.sources), prover.subject.published
    for kind in bugs.KINDS:
        random = Random(f"{seed} {prover.subject.name} {kind}")
        found = 0
        for tried, change in enumerate(bugs.mutants(prover.sources, random, kind)):
            if found == each or tried == _TRIES * each:
                break
            if (proven := prover.bug(change)) is not None:
                base = (published or written) if found % 2 == 0 else {}
                is_specified = bool(base) and stubs(change.after) != written
                yield _case(prover, "bugs", change, proven, label="bug", base=base, specified=is_specified)
                found += 1


def _pairs(prover: Prover, seed: int, each: int) -> Iterator[Case]:
    written = stubs(prover.sources)
    for cause, operator in PAIRED.items():
        random = Random(f"{seed} {prover.subject.name} {cause} paired")
        found = tried = 0
        for change in operator(prover.sources, random):
            if found == each or tried == _TRIES * each:
                break
            if not all(map(_is_python, change.after.code.values())):
                continue
            moved = stubs(change.after)
            if moved == written:
                continue
            tried += 1
            if (proven := prover.stale(change)) is None:
                continue
            found += 1
            along: dict[str, str | None] = {
                path: moved.get(path) for path in {*moved, *written} if moved.get(path) != written.get(path)
            }
            stale = _case(prover, "pairs", change, proven, base=written, along=along, specified=True)
            bug = _case(prover, "pairs", change, proven, label="bug", base=written, specified=True)
            yield msgspec.structs.replace(stale, twin=bug.id)
            yield msgspec.structs.replace(bug, twin=stale.id)


def _case(
    prover: Prover,
    set_: str,
    change: Change,
    proven: Proven,
    *,
    label: str = "stale",
    base: Mapping[str, str] | None = None,
    along: Mapping[str, str | None] | None = None,
    specified: bool = False,
) -> Case:
    damage = {**prover.damage(change), **(along or {})}
    identity = f"{set_} {label} {change.cause} {change.words} {bool(base)}"
    digest = hashlib.sha256(identity.encode()).hexdigest()[:10]
    return Case(
        id=f"{prover.subject.name}-{set_}-{digest}",
        package=prover.subject.name,
        set=set_,
        cause=change.cause,
        subject=change.subject,
        words=change.words,
        label=label,
        base=dict(base or {}),
        damage=damage,
        reference=proven.reference,
        red=proven.red,
        green=proven.green,
        specified=specified,
    )
