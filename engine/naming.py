"""Finds what a user means by a name: the facts of an id, the cases of a test plan."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from pathlib import Path

from engine.project import Tell
from graph.errors import UsageError
from graph.facts import Fact
from graph.store.store import Store
from planner.cases import Case
from planner.checklist import FILE

_MOST = 5


def facts_called(store: Store, identifier: str, tell: Tell) -> list[Fact]:
    """The facts that an id means: several where documents share it, which is told.

    A key without its tag and kind is enough where it is unique. Raises UsageError, naming the nearest known ids.
    """
    facts = store.named(identifier) if identifier.count(":") >= 2 else []
    facts = facts or store.by_key(identifier)
    if not facts:
        raise _unknown(store, identifier)
    if len(facts) > 1:
        tell(f"crossfact: {ambiguity(identifier, facts)}")
    return facts


def ambiguity(identifier: str, facts: Sequence[Fact]) -> str:
    """That an id means several facts, and the first of them."""
    more = f" and {len(facts) - _MOST} more" if len(facts) > _MOST else ""
    return f"{identifier} is ambiguous: {', '.join(fact.id for fact in facts[:_MOST])}{more}"


def is_called(case: Case, names: tuple[str, ...]) -> bool:
    """Whether a case is one of those that the user named: by its id, the beginning of it, or its test's node id."""
    return not names or any(case.id.startswith(name) or case.node == name for name in names)


def apart_from_folder(names: tuple[str, ...], folder: str) -> tuple[tuple[str, ...], str]:
    """Names of cases, and the project that they are of: a single name of a folder with a plan is the project itself.

    So commands that go on with a plan take a folder as those do that make one.
    """
    is_project = len(names) == 1 and folder == "." and (Path(names[0]) / FILE).is_file()
    return ((), names[0]) if is_project else (names, folder)


def must_be_called(cases: Sequence[Case], names: tuple[str, ...]) -> None:
    """Raise UsageError for the first name that no case of a plan has."""
    for name in names:
        if not any(is_called(case, (name,)) for case in cases):
            raise UsageError(
                f"no case of the plan is called {name}",
                "Name cases by their ids, the beginnings of these, or their tests (file.py::test_name); "
                "`crossfact status` lists them. A folder has to have a plan: `crossfact plan FOLDER` makes it.",
            )


def _unknown(store: Store, identifier: str) -> UsageError:
    known = store.keys()
    lowered = identifier.lower()
    near = [each for each in known if lowered in each.lower()][:3]
    if not near:
        # Names are far fewer than ids, and the part that people mistype.
        by_name: dict[str, list[str]] = {}
        for each in known:
            by_name.setdefault(_name(each), []).append(each)
        names = difflib.get_close_matches(_name(identifier), by_name, n=2, cutoff=0.6)
        near = [each for name in names for each in by_name[name]][:4]
    return UsageError(
        f"no fact is called {identifier}",
        f"Nearest: {', '.join(near)}" if near else "`crossfact facts` lists them all.",
    )


def _name(identifier: str) -> str:
    return identifier.rsplit(".", 1)[-1].rsplit(":", 1)[-1]
