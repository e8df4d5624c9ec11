"""What a test depends on, as digests: the facts that it cites, the code behind them, and its own source.

A green test is locked while these are as they were when it passed. Facts alone would not do: a function whose body
changes may state the same facts as before.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path, PurePosixPath

import msgspec

from graph.changes import said
from graph.facts import Fact, Kind, Tag, Verb
from graph.files import read_plain, replace_file
from graph.store.store import Store
from ingest.ingestor import Role
from planner.cases import Case, Status

CODE = "code"
TEST = "test"
REQUEST = "request"
_REMEMBERED = 20
_INPUTS = frozenset({Kind.BODY, Kind.PARAMETER})


class Dependencies:
    """Looks up what cases depend on in a project's facts and files, each thing once.

    `memory` is a file that remembers which files earlier digests of code were made of, so that a change can be named;
    without it a change is noticed all the same.
    """

    def __init__(self, root: Path, store: Store, memory: Path | None = None) -> None:
        self._root = root
        self._memory = memory
        self._facts = {fact.id: fact for fact in store.facts(tag=Tag.SPEC)}
        self._parts: dict[str, list[str]] = {}
        for relation in store.relations({Verb.CONTAINS, Verb.REFERENCES}):
            self._parts.setdefault(relation.first, []).append(relation.second)
        self._files = {
            name: (owner.module, owner.digest)
            for name, owner in store.owners().items()
            if owner.role == Role.PYTHON
        }
        self._paths = {module: path for path, (module, _) in self._files.items() if module}
        self._imports = {
            fact.source.path: [str(row[1]) for row in fact.aspects.get("imports", ())]
            for fact in store.facts(tag=Tag.CODE, kinds={Kind.MODULE})
        }
        self._code: dict[tuple[str, ...], str] = {}
        self._texts: dict[str, str] = {}
        self._tests: dict[str, tuple[str, dict[str, str]]] = {}

    def of(self, case: Case) -> dict[str, str]:
        """A digest of each thing that a case's test depends on."""
        found = {cited: self._of_facts([cited]) for cited in case.cites}
        inputs = self._inputs(case)
        if inputs:
            found[REQUEST] = self._of_facts(inputs)
        found[CODE] = self._of_code(self._code_of(case))
        found[TEST] = self._of_test(case.node)
        return found

    def changed(self, case: Case) -> str:
        """What changed since a case's test ran last, in words; empty where all is as it was."""
        if not case.ran_with:
            return "nobody knows with which code it passed"
        since = "since it passed" if case.status in (Status.PASSED, Status.HEALED) else "since it ran"
        now = self.of(case)
        for name in (*case.cites, REQUEST, CODE, TEST):
            if now.get(name, "") == case.ran_with.get(name, ""):
                continue
            if name == CODE:
                return f"{self._changed_files(case)} changed {since}"
            words = {REQUEST: f"what {case.subject} takes", TEST: "the test itself"}.get(name, name)
            return f"{words} changed {since}"
        return ""

    def remember(self, used: Iterable[Mapping[str, str]]) -> None:
        """Keep which files the digests of code were made of, those of the last few states of the project."""
        wanted = {each.get(CODE, "") for each in used}
        fresh = {
            key: {path: self._files[path][1] for path in paths}
            for paths, key in self._code.items()
            if key in wanted
        }
        if self._memory is None or not fresh:
            return
        kept = {key: files for key, files in self._recalled().items() if key not in fresh}
        kept = dict([*kept.items(), *fresh.items()][-max(_REMEMBERED, len(fresh)) :])
        with suppress(OSError):  # a memory is a convenience
            replace_file(self._memory, msgspec.json.encode(kept))

    def _recalled(self) -> dict[str, dict[str, str]]:
        if self._memory is None:
            return {}
        with suppress(OSError, ValueError, msgspec.MsgspecError):
            return msgspec.json.decode(read_plain(self._memory) or b"{}", type=dict[str, dict[str, str]])
        return {}

    def _changed_files(self, case: Case) -> str:
        before = self._recalled().get(case.ran_with.get(CODE, ""))
        if before is None:
            return "the code"
        now = {path: self._files[path][1] for path in self._code_of(case)}
        names = sorted(path for path in {*before, *now} if before.get(path) != now.get(path))
        return (
            names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more" if names else "the code"
        )

    def _inputs(self, case: Case) -> list[str]:
        """The operations that a test calls, and what these take."""
        operations = {str(case.target.get(name)) for name in ("operation", "read")} - {"None", ""}
        found = []
        for key in sorted(operations):
            operation = f"{Tag.SPEC}:{Kind.OPERATION}:{key}"
            parts = [each for each in self._parts.get(operation, ()) if self._kind(each) in _INPUTS]
            found += [operation, *parts] if operation in self._facts else []
        return found

    def _kind(self, identifier: str) -> Kind | None:
        fact = self._facts.get(identifier)
        return fact.kind if fact else None

    def _of_facts(self, roots: Sequence[str]) -> str:
        """A digest of facts with everything that they consist of or refer to, but not of an operation's answers."""
        seen: dict[str, Fact] = {}
        waiting = list(roots)
        while waiting:
            fact = self._facts.get(waiting.pop())
            if fact is None or fact.id in seen:
                continue
            seen[fact.id] = fact
            if fact.kind is not Kind.OPERATION:
                waiting += self._parts.get(fact.id, ())
        return _short(b"\n".join(f"{each} ".encode() + said(seen[each]) for each in sorted(seen)))

    def _code_of(self, case: Case) -> tuple[str, ...]:
        """The files of code that a test reaches: all of them by a request, else what its module imports."""
        module = self._module_of(case)
        if not module:
            return tuple(sorted(self._files))
        seen: set[str] = set()
        waiting = [self._paths[module]]
        while waiting:
            path = waiting.pop()
            if path in seen:
                continue
            seen.add(path)
            for name in self._imports.get(path, ()):
                if name.partition(".")[0] == "importlib":
                    return tuple(sorted(self._files))  # what is imported by name cannot be known
                waiting += self._found(name)
            waiting += self._found(self._files[path][0])
        return tuple(sorted(seen))

    def _module_of(self, case: Case) -> str:
        """The module of a subject like `function shop.pricing.price`; empty where it is none that is known."""
        if case.target.get("operation"):
            return ""
        name = case.subject.rpartition(" ")[2]
        while name and name not in self._paths:
            name = name.rpartition(".")[0]
        return name

    def _found(self, name: str) -> Iterator[str]:
        """The files of the module that a dotted name is or lies in, and of the packages around it."""
        while name:
            if name in self._paths:
                yield self._paths[name]
            name = name.rpartition(".")[0]

    def _of_code(self, paths: tuple[str, ...]) -> str:
        if paths not in self._code:
            rows = "\n".join(f"{path} {self._files[path][1]}" for path in paths)
            self._code[paths] = _short(rows.encode())
        return self._code[paths]

    def _of_test(self, node: str) -> str:
        """A digest of a test's own source, of what stands around the tests of its file, and of its conftests."""
        path, _, name = node.partition("::")
        if path not in self._tests:
            folders = PurePosixPath(path).parents
            around, tests = _parted(self._text(path))
            conftests = [self._text(f"{folder}/conftest.py") for folder in folders]
            self._tests[path] = "\n".join([around, *conftests]), tests
        around, tests = self._tests[path]
        own = tests.get(name.partition("[")[0].partition("::")[0], "")
        return _short(f"{own}\n{around}".encode("utf-8", "replace"))

    def _text(self, path: str) -> str:
        if path not in self._texts:
            content = None
            with suppress(OSError, ValueError):
                content = read_plain(self._root / path)
            self._texts[path] = (content or b"").decode("utf-8", "replace")
        return self._texts[path]


def _parted(text: str) -> tuple[str, dict[str, str]]:
    """A file of tests, whatever its layout, in two parts: what stands around its tests, and each of these by name."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return text, {}
    around, tests = [], {}
    for node in tree.body:
        named = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        if named and (name := getattr(node, "name", "")).lower().startswith("test"):
            tests[name] = ast.dump(node)
        else:
            around.append(ast.dump(node))
    return "\n".join(around), tests


def _short(data: bytes) -> str:
    return sha256(data).hexdigest()[:12]
