"""What a red test uses of the code: in the statement that failed, in the whole test, and through what it calls."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from graph.facts import Kind, Tag, Verb
from graph.store.store import Store
from healer.analysing.locating import statement_at
from healer.analysis import Analysis
from healer.reading.meaning import Sort
from healer.reading.meanings import Meanings
from healer.reading.suite import Suite, is_of_tests

_DEPTH = 6
_DOTTED = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+")
_MOST = 600


class Uses(msgspec.Struct, frozen=True):
    """Canonical names, as they were, that a test uses: `line` in the statement that failed, `test` in all of it.

    `calls` are the calls of the failed statement, each with the canonical name of what it runs, `ran` those of the
    whole test; `attributes` are the names after a dot in the failed statement, `members` those in the whole test,
    whatever the objects are; `untold` are the calls of methods in the whole test of objects of which nobody knows what
    they are, each with the method's name. `words` are all names that are written anywhere in the test. `imported` are
    what the failed statement imports: each dotted name as it is written, with the canonical one.
    """

    line: frozenset[str] = frozenset()
    test: frozenset[str] = frozenset()
    calls: tuple[tuple[str, ast.Call], ...] = ()
    ran: tuple[tuple[str, ast.Call], ...] = ()
    members: frozenset[str] = frozenset()
    attributes: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    imported: frozenset[tuple[str, str]] = frozenset()
    untold: tuple[tuple[str, ast.Call], ...] = ()


def uses(analysis: Analysis, suite: Suite) -> Uses:
    """What one red test uses; nothing where its file cannot be read."""
    file = suite.file(_home(analysis))
    if file is None:
        return Uses()
    failed = _failed(file, analysis.line) if analysis.line else []
    around = _function(file, analysis) or file.source.tree
    parts = [(file, around), *_fixtures(file, around, suite, analysis.file)]
    whole = list(_followed(parts))
    return Uses(
        line=frozenset(name for part in failed for name in _names(file, part)),
        test=frozenset(name for part in whole for name in _names(*part)),
        calls=tuple(each for part in failed for each in _calls(file, part)),
        ran=tuple(each for part in whole for each in _calls(*part)),
        members=_attributes(around),
        attributes=frozenset(name for part in failed for name in _attributes(part)),
        words=frozenset(word for _, node in whole for word in _words(node)),
        imported=frozenset(
            (path, file.world.resolve(path))
            for part in failed
            if isinstance(part, ast.Import | ast.ImportFrom)
            for path in map(file.imported, part.names)
        ),
        untold=tuple(each for part in whole for each in _untold(*part)),
    )


def reached(names: Iterable[str], store: Store, then: Mapping[str, str]) -> frozenset[str]:
    """What code these names reach through calls, those names included; `then` maps names now to names then.

    A class reaches all its methods, since what a test calls of an object is not always known.
    """
    now = {old: new for new, old in then.items()}
    seen: set[str] = set()
    level = {now.get(name, name) for name in names}
    for _ in range(_DEPTH):
        seen |= level
        if not level or len(seen) > _MOST:
            break
        level = {target for name in level for target in _targets(name, store)} - seen
    return frozenset(then.get(name, name) for name in seen | level)


def _targets(name: str, store: Store) -> Iterator[str]:
    for fact in store.by_key(name):
        if fact.tag is not Tag.CODE or fact.kind not in (Kind.FUNCTION, Kind.CLASS):
            continue
        for relation in store.relations_of(fact):
            follows = (Verb.CALLS, Verb.INHERITS, Verb.CONTAINS) if fact.kind is Kind.CLASS else (Verb.CALLS,)
            if relation.verb in follows and relation.first == fact.id:
                yield relation.second.split(":", 2)[2]


def _attributes(node: ast.AST) -> frozenset[str]:
    return frozenset(each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute))


def _words(node: ast.AST) -> Iterator[str]:
    """The names that are written in a node: those of definitions, of keywords, in dotted texts."""
    for each in ast.walk(node):
        if isinstance(each, ast.Constant) and isinstance(each.value, str) and _DOTTED.fullmatch(each.value):
            yield from each.value.split(".")
        for field in ("id", "attr", "arg", "name"):
            if isinstance(found := getattr(each, field, None), str):
                yield found


def _home(analysis: Analysis) -> str:
    """The file whose line the analysis names."""
    root = analysis.root
    is_test = root is not None and (root.owner == "test" or is_of_tests(root.path))
    return root.path if root is not None and is_test else analysis.file


def _failed(file: Meanings, line: int) -> list[ast.AST]:
    """What runs on a line: the decorator that stands there, else the statement."""
    decorators: list[ast.AST] = [
        each
        for node in file.source.nodes
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        for each in node.decorator_list
        if each.lineno <= line <= (each.end_lineno or each.lineno)
    ]
    statement = statement_at(file.source.text, line) if not decorators else None
    same = _same(file, statement) if statement is not None else None
    return decorators or ([same] if same is not None else [])


def _same(file: Meanings, statement: ast.stmt) -> ast.stmt | None:
    """The statement in the tree whose meanings are known."""
    place = statement.lineno, statement.col_offset
    for node in ast.walk(file.source.tree):
        if isinstance(node, ast.stmt) and (node.lineno, node.col_offset) == place:
            return node
    return None


def _function(file: Meanings, analysis: Analysis) -> ast.AST | None:
    """The function of a test, by its node id; one that it inherits from another file, by its name."""
    if _home(analysis) != analysis.file:
        name = analysis.node.partition("[")[0].rpartition("::")[2]
        return next((each for each in ast.walk(file.source.tree) if getattr(each, "name", "") == name), None)
    scope: ast.AST = file.source.tree
    for name in analysis.node.partition("[")[0].split("::")[1:]:
        found = [
            each
            for each in ast.iter_child_nodes(scope)
            if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and each.name == name
        ]
        if not found:
            return None
        scope = found[-1]
    return scope


def _fixtures(file: Meanings, around: ast.AST, suite: Suite, path: str) -> Iterator[tuple[Meanings, ast.AST]]:
    """The fixtures that a test asks for by name, and the set-up of its class."""
    if not isinstance(around, ast.FunctionDef | ast.AsyncFunctionDef):
        return
    for argument in (*around.args.posonlyargs, *around.args.args, *around.args.kwonlyargs):
        if argument.arg != "self":
            yield from list(suite.fixtures(path, argument.arg))[:1]
    holder = file.source.parents.get(around)
    if isinstance(holder, ast.ClassDef):
        for each in holder.body:
            if isinstance(each, ast.FunctionDef) and each.name in ("setUp", "setup_method", "setUpClass"):
                yield file, each


def _names(file: Meanings, node: ast.AST) -> Iterator[str]:
    """The canonical names of what the expressions in a node stand for."""
    for each in ast.walk(node):
        if isinstance(each, ast.Name | ast.Attribute):
            meaning = file.of(each)
            canonical = file.canonical(meaning)
            if canonical:
                yield canonical
            elif meaning is not None and meaning.sort is Sort.NAME and meaning.node is None:
                yield meaning.name


def _followed(parts: Iterable[tuple[Meanings, ast.AST]]) -> Iterator[tuple[Meanings, ast.AST]]:
    """Parts of the tests, with the tests' own functions and tables of cases that these use."""
    waiting = list(parts)
    seen = {node for _, node in waiting}
    while waiting:
        file, node = waiting.pop()
        yield file, node
        for each in ast.walk(node):
            if not isinstance(each, ast.Name | ast.Attribute):
                continue
            meaning = file.of(each)
            home, found = file, None
            if meaning is not None and meaning.node is not None and isinstance(meaning.home, Meanings):
                home, found = meaning.home, meaning.node
            elif isinstance(each, ast.Name):
                found = _assigned(file, each.id)
            if found is not None and found not in seen and len(seen) < _MOST:
                seen.add(found)
                waiting.append((home, found))


def _assigned(file: Meanings, name: str) -> ast.expr | None:
    """What a name of a file's top level is assigned: the table of cases that a test runs with, say."""
    for node in file.source.tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(target, ast.Name) and target.id == name for target in targets):
                return node.value
    return None


def _untold(file: Meanings, node: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    for each in ast.walk(node):
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) and not file.of(each.func):
            yield each.func.attr, each


def _calls(file: Meanings, statement: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    for each in ast.walk(statement):
        if isinstance(each, ast.Call):
            canonical = file.canonical(file.of(each.func))
            if canonical:
                yield canonical, each
