"""Which lines above an example it needs: those that make or change what it names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence

import msgspec

from engine.generators.functions.example_names import (
    bound,
    called_names,
    is_import,
    loaded,
)
from engine.generators.functions.facts import NoTestError
from engine.generators.functions.step_names import imported, names_of, rebound
from planner.functions.drawn_values import words_of

TRACEBACK = re.compile(r"Traceback \((?:most recent call last|innermost last)\):")
# What is shown of a line that raises, also by its end alone.
_FAILED = re.compile(rf"{TRACEBACK.pattern}|[\w.]*(?:Error|Exception): ")
_LOOKING = frozenset({"print", "repr", "str", "len", "type", "isinstance", "bool", "help", "dir", "vars"})
# What reads all of a thing that is held, and may use up one that is given by its own name.
_TAKING = frozenset({"list", "tuple", "set", "dict", "sorted", "sum", "min", "max"})
_RAISES = re.compile(r"#[^\n]*\braises?\b", re.IGNORECASE)

# What functions are called that change something for all that comes after them.
CHANGES = frozenset(
    {
        *("activate", "deactivate", "set", "reset", "setup", "configure", "config", "enable", "disable", "init"),
        *("initialize", "initialise", "install", "uninstall", "patch", "register", "unregister", "use", "load", "push"),
        *("add", "remove", "define", "override", "switch", "start", "stop", "seed", "clear", "update", "import"),
    }
)  # fmt: skip


# What lines above an example may do to the world in which it runs, without a name that shows it.
_SETTING = frozenset(
    {
        *("sleep", "getfixture", "freezer", "freeze_time", "move_to", "time_machine", "monkeypatch", "mock"),
        *("patch", "setlocale", "chdir", "seed", "putenv", "setenv", "environ", "tzset", "setrecursionlimit"),
    }
)


# So many parts of a page may go on with what another one made.
_PARTS = 2


class Step(msgspec.Struct, frozen=True):
    """One example as Python: its source without directives, its tree, what is expected, its directives, and where the
    part of the page begins in which it stands."""

    source: str
    tree: ast.Module
    expected: str
    directives: str
    section: int = 0


def needed(before: Sequence[Step], step: Step) -> list[Step]:
    """The steps before an example that make or change what it names, in their order. Raises NoTestError."""
    # What another part of a page does only concerns it.
    near = (each for each in before if each.section == step.section)
    _refuse_settings(each for each in near if not _is_definition(each.tree))
    usable = [each for each in before if not (_FAILED.match(each.expected) or _RAISES.search(each.source))]
    *there, last = names_of([each.tree for each in (*usable, step)])
    # What is set on a class or module of the project counts, too, though no line makes that.
    made = {name for each in there for name in (*each.makes, *each.changes)}
    lasting = {name for each in there for name in each.lasting}
    brought = {name for each in usable for name in imported(each.tree)}
    wanted = last.reads & made
    own = any(_has_methods(each.tree) for each in usable)
    decorated = {name for each in usable for name in _decorated(each.tree)}
    whole = last.whole & made
    kept: set[int] = set()
    grew = True
    while grew:
        grew = False
        for number, (each, names) in enumerate(zip(usable, there, strict=True)):
            # What shows or names the result of a call changes no module; a method that shows something may change its
            # object, and what a decorator made may keep what it gave.
            plain = _is_definition(each.tree) or (
                _is_for_its_value(each) and not decorated & set(called_names(each.tree))
            )
            touched = (
                set() if _only_defines(each.tree) else names.reads & wanted - (lasting if plain else set())
            )
            # What is looked up may come into being by it, which shows where the whole is shown.
            is_looked = bool(names.looked & whole) or bool(names.looked and own)
            changes = touched and (
                is_looked
                or _acts(each.tree)
                or _joins(each)
                or _compares(each, step)
                or names.makes
                or names.changes
            )
            if number not in kept and (names.makes & wanted or changes):
                kept.add(number)
                wanted |= (names.reads | names.makes) & made
                grew = True
    listed = [each for number, each in enumerate(usable) if number in kept]
    standing = _standing(listed, step, {name.partition("#")[0] for name in made} - brought)
    _refuse_settings(standing)
    _refuse_far(standing, step)
    return standing


def _refuse_far(steps: Sequence[Step], step: Step) -> None:
    """Raise NoTestError for an example for which many parts of its page above it change something that is made in
    none of them: few pages are one session from their beginning to their end."""
    makes = (
        ast.Import,
        ast.ImportFrom,
        ast.Assign,
        ast.AnnAssign,
        ast.FunctionDef,
        ast.ClassDef,
        ast.AsyncFunctionDef,
    )
    making = {each.section for each in steps if rebound(each.tree) and isinstance(each.tree.body[0], makes)}
    changing = (
        {each.section for each in steps if not rebound(each.tree) and not is_import(each.tree)}
        - making
        - {step.section}
    )
    if len(changing) > _PARTS:
        raise NoTestError(
            f"an example that does not go on with what {len(changing)} other parts of its page change"
        )


def _refuse_settings(steps: Iterable[Step]) -> None:
    """Raise NoTestError for steps that do something to the world in which an example runs."""
    for each in steps:
        if setting := sorted(_used(each.tree) & _SETTING):
            raise NoTestError(f"an example that does not depend on `{setting[0]}` above it")


def _has_methods(tree: ast.Module) -> bool:
    """Whether a step defines a class whose attributes may be worked out, or count how often they are asked for."""
    return any(
        isinstance(node, ast.FunctionDef)
        for each in tree.body
        if isinstance(each, ast.ClassDef)
        for node in each.body
    )


def _decorated(tree: ast.Module) -> Iterable[str]:
    """The functions that a step defines and hands to a decorator."""
    return (each.name for each in tree.body if isinstance(each, ast.FunctionDef) and each.decorator_list)


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
        touched = rebound(each.tree) if _only_defines(each.tree) else loaded(each.tree) | bound(each.tree)
        touched &= made
        if touched and touched <= fresh:
            continue
        kept.append(each)
        fresh = (fresh | rebound(each.tree)) - loaded(each.tree)
    read = set().union(loaded(last.tree), *(loaded(each.tree) for each in kept))
    again = [each for each in reversed(kept) if not imported(each.tree) or bound(each.tree) & read]
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


def _used(tree: ast.Module) -> set[str]:
    """All names and attributes in a piece of code."""
    return {
        node.id if isinstance(node, ast.Name) else node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Name | ast.Attribute)
    }


def _joins(step: Step) -> bool:
    """Whether a line of which nothing is shown puts things together by an operator: `first >> second`."""
    match step.tree.body:
        case [ast.Expr(value=ast.BinOp(op=operator))]:
            return not step.expected and not isinstance(operator, ast.Mod)
    return False


def _compares(each: Step, last: Step) -> bool:
    """Whether a line compares something whose words or attributes an example asks for then: it may keep what it was
    compared with."""
    match each.tree.body:
        case [ast.Expr(value=ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq()], comparators=[right]))]:
            compared = {one.id for one in (left, right) if isinstance(one, ast.Name)}
        case _:
            return False
    asked: set[str] = set()
    for node in ast.walk(last.tree):
        match node:
            case (
                ast.Attribute(value=ast.Name(id=name))
                | ast.Call(func=ast.Name(id="repr" | "str" | "print"), args=[ast.Name(id=name)])
            ):
                asked.add(name)
    return bool(compared & asked)


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
