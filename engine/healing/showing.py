"""Tries the examples of docstrings and pages on the code as it was and as it is: which does a change break?"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from engine.generators.functions.doctests_refused import changing
from engine.healing.harmless import is_harmless
from engine.project import Project
from engine.running.jobs import python_of, roots_of
from graph.facts import Fact, Kind, Tag
from planner.validator import Job, Validator, Verdict

_CHILD = Path(__file__).with_name("inside") / "try_examples.py"
_NAME = "test_examples.py"
_Wrong = dict[int, str | None]
_EXAMPLES, _SHOWN = "examples", "shown"


class Showing:
    """Says which documented examples held in a revision of git and do not now; each docstring is tried once."""

    def __init__(self, project: Project, validator: Validator, seconds: float) -> None:
        self._project = project
        self._validator = validator
        self._seconds = seconds
        self._known: dict[tuple[str, str, str], str] = {}

    def broken(self, facts: Sequence[Fact], since: str) -> Mapping[str, str]:
        """By id, the facts of which an example held in the revision and gives something else now, with the words.

        Nothing where the files of the revision cannot be read, as for one of the store.
        """
        listed = {(each.id, part): task for each in facts for part, task in self._tasks(each)}
        new = {name: task for name, task in listed.items() if (*name, since) not in self._known}
        if new:
            found = self._tried(list(new.values()), since)
            for name, words in zip(new, found, strict=True):
                self._known[(*name, since)] = words
        # The examples come last, so that they count where both tell something.
        order = sorted(listed, key=lambda each: each[1] == _EXAMPLES)
        return {name: words for name, part in order if (words := self._known[name, part, since])}

    def _tasks(self, fact: Fact) -> Iterator[tuple[str, dict[str, object]]]:
        """What is to be tried of a docstring or page: its examples, and what it shows without prompts."""
        module = self._module(fact.unnumbered)
        doc = fact.aspects.get("doc")
        if not (module or fact.kind is Kind.PAGE) or not isinstance(doc, dict):
            return
        rows = [(str(row[0]), str(row[1])) for row in doc.get("examples") or ()]
        if any(expected for _, expected in rows) and not any(changing(source) for source, _ in rows):
            yield _EXAMPLES, {"module": module, "examples": rows}
        shown = [(str(row[0]), str(row[1])) for row in doc.get("shown") or ()]
        if shown := [row for row in shown if is_harmless(row[0], self._tops)]:
            yield _SHOWN, {"module": module, "examples": shown}

    @cached_property
    def _tops(self) -> frozenset[str]:
        """The packages of the project, by the names that they are imported by."""
        modules = self._project.store.facts(tag=Tag.CODE, kinds={Kind.MODULE})
        return frozenset(fact.key.partition(".")[0] for fact in modules)

    def _module(self, name: str) -> str:
        while name:
            if any(
                each.kind is Kind.MODULE and each.tag is Tag.CODE for each in self._project.store.by_key(name)
            ):
                return name
            name = name.rpartition(".")[0]
        return ""

    def _tried(self, tasks: list[dict[str, object]], since: str) -> list[str]:
        """What a change broke of each docstring, empty where nothing."""
        nothing = [""] * len(tasks)
        now = self._wrong(tasks, self._project.root)
        if not any(now):
            return nothing
        with tempfile.TemporaryDirectory(prefix="crossfact-") as folder:
            root = Path(folder).resolve()
            if not self._written(since, root):
                return nothing
            then = self._wrong(tasks, root)
        return [_words(*each) for each in zip(tasks, then, now, strict=True)]

    def _written(self, since: str, root: Path) -> bool:
        """Whether the files of a revision could be written below a folder."""
        from ingest.history.command import GitError
        from ingest.history.repository import find_repository
        from ingest.history.tree import commit_named, write_tree

        repository = find_repository(self._project.root)
        if repository is None or not since or since.startswith("store:"):
            return False
        try:
            commit = commit_named(repository, since)
            write_tree(repository, commit, root, limit=self._project.settings.max_file_size)
        except (GitError, OSError):
            return False
        return True

    def _wrong(self, tasks: list[dict[str, object]], root: Path) -> list[_Wrong | None]:
        """The examples of each docstring that do not hold on the code below a folder; None where nobody knows."""
        found: list[_Wrong | None] = [None] * len(tasks)
        with tempfile.TemporaryDirectory(prefix="crossfact-") as folder:
            place = Path(folder).resolve()
            shutil.copy(_CHILD, place / _NAME)
            (place / "examples.json").write_text(json.dumps(tasks), encoding="utf-8")
            job = Job(
                root=place,
                nodes=(_NAME,),
                python=python_of(self._project),
                seconds=self._seconds,
                paths=tuple(root / name for name in (*roots_of(self._project), ".")),
            )
            for outcome in self._validator.run(job):
                number = outcome.node.partition("[")[2].removesuffix("]")
                if number.isdigit() and int(number) < len(tasks):
                    found[int(number)] = {} if outcome.verdict is Verdict.PASSED else _told(outcome.message)
        return found


def _told(message: str) -> _Wrong | None:
    """What the child says of one docstring; None where it says something else."""
    try:
        read = json.loads(message.partition("\n")[0])
        return {int(number): None if got is None else str(got) for number, got in read.items()}
    except (ValueError, AttributeError):
        return None


def _words(task: Mapping[str, object], then: _Wrong | None, now: _Wrong | None) -> str:
    """How the first example that held then and does not now reads; empty without one."""
    rows = task["examples"]
    assert isinstance(rows, list), "made here"
    for number, got in _broken(then, now):
        source, expected = rows[number]
        came = "raises something" if got is None else f"gives {got or 'nothing'}"
        gave = then[number] if then is not None and number in then else expected or "nothing"
        return f"its example `{source}` gave {gave}, and now {came}"
    return ""


def _broken(then: _Wrong | None, now: _Wrong | None) -> Iterator[tuple[int, str | None]]:
    """The examples that held then and do not now; one that gave something then, whatever was expected, and raises now
    is one of them."""
    if then is not None and now is not None:
        for number, got in sorted(now.items(), key=lambda each: each[0]):
            if number not in then or (got is None and then[number] is not None):
                yield number, got
