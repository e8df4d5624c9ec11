"""Aligns the steps of scenarios with their step definitions."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from crossval.alignment import Alignment
from crossval.findings import witness
from crossval.link.stories.step_definitions import (
    HOLE,
    Definition,
    Elsewhere,
    Steps,
    Taken,
    elsewhere,
    scenarios,
)
from crossval.pairs import Pair
from graph.facts import Fact, Kind, Tag, Unknown
from graph.source import FactSource
from graph.test_folders import is_in_data_folder, is_in_test_folder


def align_steps(source: FactSource) -> Alignment:
    """Pairs of steps without definition and of definitions without step; those that meet make none.

    Only where the project defines steps at all, and nothing is missing where some pattern could not be read, or where
    most steps of a feature file have no definition here: its steps are then defined elsewhere.
    """
    told = scenarios(source)
    known = Steps(source) if told else None
    if known is None or not known.definitions:
        return Alignment()
    files: dict[str, list[Taken]] = {}
    for each in known.taken(told):
        files.setdefault(each.fact.source.path, []).append(each)
    own = [
        steps for _, steps in sorted(files.items()) if 2 * sum(bool(each.by) for each in steps) >= len(steps)
    ]
    of_rows: dict[str, list[Taken]] = {}
    for each in known.rows_untaken(told):
        of_rows.setdefault(each.fact.source.path, []).append(each)
    missing = [[*steps, *of_rows.get(steps[0].fact.source.path, ())] for steps in own]
    alignment = _of_steps(missing, known.definitions, list(elsewhere(source, known.definitions)))
    if own:
        used = {each.fact.id for steps in files.values() for step in steps for each in step.by}
        _add_unused(alignment, source, known, used, {fact.source.path for fact in told})
    return alignment


def _of_steps(
    files: Sequence[Sequence[Taken]], known: Sequence[Definition], others: Sequence[Elsewhere]
) -> Alignment:
    """What is said of the steps that nothing takes."""
    alignment = Alignment()
    unread = next((each for each in known if each.patterns is None), None)
    for steps in files:
        missing = [each for each in steps if not each.by]
        if missing and unread is not None:
            path, line = unread.fact.source.path, _line(unread.fact)
            reason = f"the pattern of a step definition is computed: {path}:{line}"
            alignment.unknown.append(_unknown(missing[0].fact, reason))
            continue
        path = steps[0].fact.source.path
        other = next(
            (each for each in others if f"/{path}".startswith(f"/{each.folder}/".replace("//", "/"))), None
        )
        if missing and other is not None:
            reason = f"`{other.target}` may define steps: {other.fact.source.path}:{other.line}"
            alignment.unknown.append(_unknown(missing[0].fact, reason))
            continue
        alignment.pairs.extend(_undefined(each.fact, each.step) for each in missing)
    return alignment


_STARTED_FROM = frozenset(
    {"template", "templates", "scaffold", "scaffolds", "scaffolding", "skeleton", "boilerplate"}
)
"""Folders of what somebody begins a project with, whose features come later."""
_SEVERAL = 8
"""As many definitions are more than what one has forgotten."""


def _add_unused(
    alignment: Alignment, source: FactSource, known: Steps, used: set[str], features: Collection[str]
) -> None:
    """Add the definitions that neither a scenario nor code reaches, each function once.

    Those among the data of tests are for features that lie there too, and are not read; those of a package without
    features, or of a part of one that is not called `steps`, are for the features of whoever installs it;
    so are those of a package whose own features reach few of them, since these are its examples, and those of a
    template that projects are begun with.
    """
    reached = set(used)
    for module, step in _nested(source):
        met = known.taking(module, step)
        reached.update(each.fact.id for each in met)
        if not met and HOLE in step:
            reason = "code runs steps whose text is computed, so that any definition may be reached"
            alignment.unknown.append(_unknown(module, reason))
            return
    published = {
        fact.key
        for fact in source.facts(kinds={Kind.MODULE})
        if fact.aspects.get("package")
        and not is_in_test_folder(fact.source.path)
        and (not _holds(fact.source.path, features) or _reaches_few(fact.key, known, reached))
    }
    unused = {
        each.fact.id: each
        for each in reversed(known.definitions)
        if each.patterns is not None
        and each.fact.id not in reached
        and not is_in_data_folder(each.fact.source.path)
        and _STARTED_FROM.isdisjoint(each.fact.source.path.lower().split("/")[:-1])
        and (each.fact.tag is Tag.TEST or published.isdisjoint(_packages(each.fact)))
    }
    alignment.pairs.extend(map(_unused, reversed(unused.values())))


def _packages(fact: Fact) -> Iterator[str]:
    """The packages whose part a definition may be: the outermost, and where it lies in no folder for steps, any."""
    parts = fact.key.split(".")
    inner = 1 if "/steps/" in f"/{fact.source.path}" else len(parts)
    return (".".join(parts[:length]) for length in range(1, inner + 1))


def _holds(package: str, features: Collection[str]) -> bool:
    """Whether some feature lies below the folder of this `__init__`."""
    folder = package.rpartition("/")[0]
    return any(f"/{path}".startswith(f"/{folder}/") for path in features)


def _reaches_few(package: str, known: Steps, reached: Collection[str]) -> bool:
    """Whether features reach less than a quarter of the step definitions of a package."""
    own = [each.fact.id in reached for each in known.definitions if each.fact.key.startswith(f"{package}.")]
    return len(own) >= _SEVERAL and sum(own) * 4 < len(own)


def _unknown(fact: Fact, reason: str) -> Unknown:
    path = fact.source.path
    return Unknown(f"file {path}", "steps", path, fact.source.line, reason)


def _line(fact: Fact) -> int:
    return int(fact.aspects.get("steps_by_calls") or fact.source.line)


def _nested(source: FactSource) -> Iterator[tuple[Fact, str]]:
    """The steps that code runs by itself, without their keywords, and the modules that run them."""
    for fact in source.facts(kinds={Kind.MODULE}, having="nested_steps"):
        for step in fact.aspects["nested_steps"]:
            yield fact, str(step).partition(" ")[2].strip() or str(step)


def _undefined(fact: Fact, step: str) -> Pair:
    return Pair(
        kind=Kind.CRITERION,
        subject=f"criterion {fact.key}",
        place="steps",
        name=step,
        spec=witness(fact, step),
        code=None,
        spec_fact=fact,
    )


def _unused(definition: Definition) -> Pair:
    fact = definition.fact
    return Pair(
        kind=Kind.CRITERION,
        subject=f"function {fact.key}",
        place="steps",
        name=definition.text,
        spec=None,
        code=witness(fact, definition.text),
        code_fact=fact,
    )
