"""The examples of a docstring as Python: each step, and the steps above it that it needs."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterable, Sequence

import msgspec

from engine.generators.functions.example_names import (
    bound,
    called_names,
    changed_names,
    is_import,
    loaded,
    named,
)
from engine.generators.functions.facts import NoTestError, Surface
from graph.facts import Fact, Json
from planner.functions.drawn_values import words_of

TRACEBACK = re.compile(r"Traceback \((?:most recent call last|innermost last)\):")
# What is shown of a line that raises, also by its end alone.
_FAILED = re.compile(rf"{TRACEBACK.pattern}|[\w.]*(?:Error|Exception): ")
_LOOKING = frozenset({"print", "repr", "str", "len", "type", "isinstance", "bool", "help", "dir", "vars"})
# What reads all of a thing that is held, and may use up one that is given by its own name.
_TAKING = frozenset({"list", "tuple", "set", "dict", "sorted", "sum", "min", "max"})
_RAISES = re.compile(r"#[^\n]*\braises?\b", re.IGNORECASE)
_DIRECTIVE = re.compile(r"\s*#\s*doctest:\s*([^\n]*)")


# What functions are called that change something for all that comes after them.
CHANGES = frozenset(
    {
        *("activate", "deactivate", "set", "reset", "setup", "configure", "config", "enable", "disable", "init"),
        *("initialize", "initialise", "install", "uninstall", "patch", "register", "unregister", "use", "load", "push"),
        *("add", "remove", "define", "override", "switch", "start", "stop", "seed", "clear", "update", "import"),
    }
)  # fmt: skip


class Step(msgspec.Struct, frozen=True):
    """One example as Python: its source without directives, its tree, what is expected, and its directives."""

    source: str
    tree: ast.Module
    expected: str
    directives: str


# What lines above an example may do to the world in which it runs, without a name that shows it.
_SETTING = frozenset(
    {
        *("sleep", "getfixture", "freezer", "freeze_time", "move_to", "time_machine", "monkeypatch", "mock"),
        *("patch", "setlocale", "chdir", "seed", "putenv", "setenv", "environ", "tzset", "setrecursionlimit"),
    }
)


def steps_to(fact: Fact, source: str, expected: str) -> tuple[list[Step], Step]:
    """The steps of a docstring that an example needs, and the example itself. Raises NoTestError."""
    before, step = steps_before(fact, source, expected)
    return needed(before, step), step


def steps_before(fact: Fact, source: str, expected: str, time: int = 1) -> tuple[list[Step], Step]:
    """All steps of a docstring above an example, needed or not, and the example itself, which may be shown several
    times. Raises NoTestError."""
    doc: Json = fact.aspects.get("doc")
    before: list[Step] = []
    for each_source, each_expected, _ in doc.get("examples", ()) if isinstance(doc, dict) else ():
        step = _step(each_source, each_expected)
        if (each_source, each_expected) == (source, expected):
            if step is None:
                raise NoTestError(f"the example `{source}` as valid Python")
            time -= 1
            if not time:
                return before, step
        if step is not None:
            before.append(step)
    raise NoTestError(f"the example `{source}`, which the docstring does not have any more")


def _used(tree: ast.Module) -> set[str]:
    """All names and attributes in a piece of code."""
    return {
        node.id if isinstance(node, ast.Name) else node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Name | ast.Attribute)
    }


def importing(fact: Fact, name: str) -> str:
    """The statement by which the examples of a docstring or page import a name; empty where none does."""
    doc: Json = fact.aspects.get("doc")
    for source, expected, _ in doc.get("examples", ()) if isinstance(doc, dict) else ():
        step = _step(source, expected)
        for node in step.tree.body if step is not None else ():
            if isinstance(node, ast.ImportFrom) and name in bound(node) and "*" not in bound(node):
                listed = [each for each in node.names if name in (each.name, each.asname)]
                return ast.unparse(ast.ImportFrom(node.module, listed, 0))
    return ""


def _step(source: str, expected: str) -> Step | None:
    directives = " ".join(found[1] for found in _DIRECTIVE.finditer(source))
    source = textwrap.dedent(_DIRECTIVE.sub("", source)).strip()
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return Step(source, tree, expected, directives) if tree.body else None


def needed(before: Sequence[Step], step: Step) -> list[Step]:
    """The steps before an example that make or change what it names, in their order. Raises NoTestError."""
    _refuse_settings(each for each in before if not _is_definition(each.tree))
    usable = [each for each in before if not (_FAILED.match(each.expected) or _RAISES.search(each.source))]
    # What is set on a class or module of the project counts, too, though no line makes that.
    made = {name for each in usable for name in (*named(each.tree), *changed_names(each.tree))}
    imported = {name for each in usable for name in _imported(each.tree)}
    wanted = loaded(step.tree) & made
    own = any(_has_methods(each.tree) for each in usable)
    whole = _taken_whole(step.tree) & made
    kept: set[int] = set()
    grew = True
    while grew:
        grew = False
        for number, each in enumerate(usable):
            binds = named(each.tree) & wanted
            # What shows or names the result of a call changes no module; a method that shows something may change its
            # object.
            plain = _is_for_its_value(each) or _is_definition(each.tree)
            touched = loaded(each.tree) & wanted - (imported if plain else set())
            # What is looked up may come into being by it, which shows where the whole is shown.
            looked = _looked_into(each.tree)
            makes = looked in whole or (looked and own) or _acts(each.tree) or _joins(each)
            changes = touched and (makes or bound(each.tree) or changed_names(each.tree))
            if number not in kept and (binds or changes):
                kept.add(number)
                wanted |= (loaded(each.tree) | bound(each.tree)) & made
                grew = True
    standing = _standing(
        [each for number, each in enumerate(usable) if number in kept], step, made - imported
    )
    _refuse_settings(standing)
    return standing


def _refuse_settings(steps: Iterable[Step]) -> None:
    """Raise NoTestError for steps that do something to the world in which an example runs."""
    for each in steps:
        if setting := sorted(_used(each.tree) & _SETTING):
            raise NoTestError(f"an example that does not depend on `{setting[0]}` above it")


def _taken_whole(tree: ast.Module) -> set[str]:
    """The names that a piece of code reads as such, and not only to look for something in them."""
    inside = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute | ast.Subscript)}
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and id(node) not in inside}


def _looked_into(tree: ast.Module) -> str:
    """The name of that in which a line looks for something, and does nothing else; empty for other lines."""
    match tree.body:
        case [ast.Expr(value=ast.Attribute() | ast.Subscript() as place)]:
            node: ast.expr = place
            while isinstance(node, ast.Attribute | ast.Subscript):
                node = node.value
            return node.id if isinstance(node, ast.Name) else ""
    return ""


def _has_methods(tree: ast.Module) -> bool:
    """Whether a step defines a class whose attributes may be worked out, or count how often they are asked for."""
    return any(
        isinstance(node, ast.FunctionDef)
        for each in tree.body
        if isinstance(each, ast.ClassDef)
        for node in each.body
    )


def _is_for_its_value(step: Step) -> bool:
    """Whether a line is there for a value that it shows or names, and calls nothing that is named for a change."""
    match step.tree.body:
        case [
            ast.Assign(targets=[ast.Name() | ast.Tuple()], value=value)
            | ast.AnnAssign(value=ast.expr() as value)
        ]:
            return not any(set(words_of(name)) & CHANGES for name in called_names(value))
    return bool(step.expected)


def _standing(steps: Sequence[Step], last: Step, made: set[str]) -> list[Step]:
    """The steps without those whose names all get other values before anything else reads them."""
    kept: list[Step] = []
    fresh: set[str] = set()
    for each in reversed(steps):
        touched = _rebound(each.tree) if _only_defines(each.tree) else loaded(each.tree) | bound(each.tree)
        touched &= made
        if touched and touched <= fresh:
            continue
        kept.append(each)
        fresh = (fresh | _rebound(each.tree)) - loaded(each.tree)
    read = set().union(loaded(last.tree), *(loaded(each.tree) for each in kept))
    again = [each for each in reversed(kept) if not _imported(each.tree) or bound(each.tree) & read]
    imports = {
        each.source: number for number, each in reversed(list(enumerate(again))) if is_import(each.tree)
    }
    return [each for number, each in enumerate(again) if imports.get(each.source, number) == number]


def _is_definition(tree: ast.Module) -> bool:
    """Whether a step defines functions or classes, and changes nothing that it imports."""
    return all(isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) for each in tree.body)


def _only_defines(tree: ast.Module) -> bool:
    """Whether a step defines a function or a class, and hands it to nothing else."""
    match tree.body:
        case [ast.FunctionDef(decorator_list=[])]:
            return True
        case [ast.ClassDef(decorator_list=[], keywords=[], bases=[] | [ast.Name(id="object")])]:
            return True
    return False


def _rebound(tree: ast.Module) -> set[str]:
    """The names that a step surely gives a new value."""
    found: set[str] = set()
    for node in tree.body:
        match node:
            case ast.Assign(targets=targets):
                found |= {each.id for each in targets if isinstance(each, ast.Name)}
            # What is decorated may join others of its name, as in multiple dispatch.
            case ast.FunctionDef(name=name, decorator_list=[]) | ast.ClassDef(name=name):
                found.add(name)
    return found


def _imported(tree: ast.Module) -> set[str]:
    return {
        name for each in tree.body if isinstance(each, ast.Import | ast.ImportFrom) for name in bound(each)
    }


def stars(fact: Fact) -> list[str]:
    """The modules of which the examples of a docstring or page import all names."""
    doc: Json = fact.aspects.get("doc")
    steps = [
        _step(source, expected)
        for source, expected, _ in (doc.get("examples", ()) if isinstance(doc, dict) else ())
        if "*" in source and "import" in source
    ]
    return [
        str(node.module)
        for step in steps
        if step is not None
        for node in step.tree.body
        if isinstance(node, ast.ImportFrom) and any(each.name == "*" for each in node.names)
    ]


def _joins(step: Step) -> bool:
    """Whether a line of which nothing is shown puts things together by an operator: `first >> second`."""
    match step.tree.body:
        case [ast.Expr(value=ast.BinOp(op=operator))]:
            return not step.expected and not isinstance(operator, ast.Mod)
    return False


def _acts(tree: ast.Module) -> bool:
    """Whether a step may change what it names: it calls, derives a class, or sets an item or attribute."""
    return any(
        isinstance(node, ast.Delete | ast.ClassDef)
        or (isinstance(node, ast.Call) and not _only_looks(node))
        or (isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load))
        for node in ast.walk(tree)
    )


def _only_looks(call: ast.Call) -> bool:
    """Whether a call of Python's own looks at what it is given, and changes nothing by it."""
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    return name in _LOOKING or (
        name in _TAKING and all(isinstance(each, ast.Subscript) for each in call.args)
    )


def asks_member(name: str, fact: Fact, steps: Sequence[Step], surface: Surface) -> bool:
    """Whether the example of a member asks a name for what objects of its class have, and the package has not."""
    asked = {
        node.attr
        for each in steps
        for node in ast.walk(each.tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name
    }
    return any(surface.at(f"{name}.{each}") is None for each in asked & {fact.name})
