"""Verdicts on what is nobody's fault: deliberate choices of a stub's author, and of what to report at all."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from benchmarks.stubs.agreement import Disagreement
from benchmarks.stubs.corpus import Pair
from benchmarks.stubs.records import Kind
from benchmarks.stubs.targets import FunctionNode, bound_names, flat
from benchmarks.stubs.texts import (
    base_names,
    body_around,
    function_named,
    is_module,
    module_body,
    owning_class,
    parsed,
    with_heirs,
)

_BY_POSITION = re.compile(r"should be positional-only")
_ANYTHING = frozenset({"Any", "Incomplete"})
_ENUMERATING = re.compile(r"Enum|Flag|_simple_enum")
_SELF = re.compile(r'stub parameter "(?:self|cls)" differs from runtime parameter "\w+"')


def is_a_module_of_the_stubs(pair: Pair, each: Disagreement) -> bool:
    """Whether the name is that of a module which has a stub of its own."""
    place = pair.stubs.joinpath(*each.report.symbol.split("."))
    return each.report.kind is Kind.NOT_IN_STUB and (place.is_dir() or place.with_suffix(".pyi").is_file())


def is_left_out(pair: Pair, each: Disagreement) -> bool:
    """Whether the stub has nothing but `name = ...`, by which generators of stubs say that there is a value."""
    body, name = body_around(pair, each.report.symbol, stub=True), each.report.symbol.rpartition(".")[2]
    return each.report.kind in (Kind.TYPE, Kind.PROPERTY) and any(
        isinstance(node, ast.Assign)
        and name in map(ast.unparse, node.targets)
        and isinstance(node.value, ast.Constant)
        and node.value.value is ...
        for node in body or []
    )


def is_only_annotated(pair: Pair, each: Disagreement) -> bool:
    """Whether the class or module of the code only annotates a name and gives it no value."""
    body, name = body_around(pair, each.report.symbol) or [], each.report.symbol.rpartition(".")[2]
    binding = [node for node in body if name in bound_names([node])]
    annotated = (isinstance(node, ast.AnnAssign) and node.value is None for node in binding)
    return each.report.kind in (Kind.TYPE, Kind.PROPERTY) and bool(binding) and all(annotated)


def is_closed_by_a_decorator(pair: Pair, each: Disagreement) -> bool:
    """Whether the code's class has a decorator other than that of `typing`, and is said not to have heirs."""
    class_ = owning_class(pair, f"{each.report.symbol}.?", stub=False)
    names = [ast.unparse(node) for node in class_.decorator_list] if class_ is not None else []
    closed = each.report.kind is Kind.FINAL and each.report.message.startswith("cannot be subclassed")
    return closed and any(name not in ("typing.final", "t.final") for name in names)


def is_closed_by_an_ancestor(pair: Pair, each: Disagreement) -> bool:
    """Whether a class is said not to have heirs, of which a hook of its own or its ancestors refuses some."""
    closed = each.report.kind is Kind.FINAL and each.report.message.startswith("cannot be subclassed")
    body = module_body(pair, each.report.symbol) if closed else None
    classes = [node for node in body or [] if isinstance(node, ast.ClassDef)]
    refusing = {node.name for node in classes if any(map(_refuses_heirs, node.body))}
    named = {node.name: base_names(node) for node in classes}
    return each.report.symbol.rpartition(".")[2] in with_heirs(refusing, named)


def _refuses_heirs(node: ast.stmt) -> bool:
    is_hook = isinstance(node, ast.FunctionDef) and node.name == "__init_subclass__"
    return is_hook and any(isinstance(inner, ast.Raise) for inner in ast.walk(node))


def is_imported_alike(pair: Pair, each: Disagreement) -> bool:
    """Whether stub and code both import everything from one module outside, whose own stub may leave out names."""
    starred = [
        {
            node.module
            for node in flat(module_body(pair, each.report.symbol, stub=stub) or [])
            if isinstance(node, ast.ImportFrom) and not node.level and node.names[0].name == "*"
        }
        for stub in (True, False)
    ]
    outside = {name for name in starred[0] & starred[1] if name and name.partition(".")[0] != pair.module}
    own = bound_names(module_body(pair, each.report.symbol) or [])
    unbound = each.report.symbol.rpartition(".")[2] not in own
    return each.report.kind is Kind.NOT_IN_STUB and bool(outside) and unbound


def has_the_same_metaclass(pair: Pair, each: Disagreement) -> bool:
    """Whether both sides write the same metaclass; one from outside is anything to a type checker."""
    classes = [owning_class(pair, f"{each.report.symbol}.?", stub=stub) for stub in (True, False)]
    said = [_metaclass(class_) for class_ in classes]
    return each.report.kind is Kind.METACLASS and said[0] == said[1] != ""


def _metaclass(class_: ast.ClassDef | None) -> str:
    words = class_.keywords if class_ is not None else []
    return next((ast.unparse(word.value) for word in words if word.arg == "metaclass"), "")


def is_without_stub(pair: Pair, each: Disagreement) -> bool:
    """Whether no stub has the module that a report is about; type checkers then read the code itself."""
    names = each.report.symbol.split(".")
    for length in range(len(names), 0, -1):
        name = ".".join(names[:length])
        if is_module(pair, name):
            place = pair.stubs.joinpath(*names[:length])
            return not (place.with_suffix(".pyi").is_file() or (place / "__init__.pyi").is_file())
    return False


def is_open(pair: Pair, each: Disagreement) -> bool:
    """Whether the stub's module or class says by `__getattr__`, or by a base that may be anything, that it does not
    list all names; such a base may bring any metaclass, too."""
    if each.report.kind is Kind.METACLASS:
        return each.report.symbol.rpartition(".")[2] in _open_classes(pair)
    body = body_around(pair, each.report.symbol, stub=True)
    if each.report.kind is not Kind.NOT_IN_STUB or body is None:
        return False
    owner = owning_class(pair, each.report.symbol, stub=True)
    return "__getattr__" in bound_names(body) or (owner is not None and owner.name in _open_classes(pair))


@cache
def _open_classes(pair: Pair) -> frozenset[str]:
    """The names of the stubs' classes that answer any name of their instances, by themselves or by an ancestor, which
    may be anything (`Any`, `Incomplete`)."""
    bases: dict[str, set[str]] = {}
    found = set(_ANYTHING)
    for file in pair.stubs.rglob("*.pyi"):
        body = parsed(file) or []
        for node in ast.walk(ast.Module(body, [])):
            if isinstance(node, ast.ClassDef):
                bases.setdefault(node.name, set()).update(base_names(node))
                if "__getattr__" in bound_names(node.body):
                    found.add(node.name)
        # A variable of any type is a base of any kind.
        found |= {
            ast.unparse(node.target)
            for node in body
            if isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) in _ANYTHING
        }
    return with_heirs(found, bases)


def is_overloaded(pair: Pair, each: Disagreement) -> bool:
    """Whether overloads of the stub leave out a default that the code has."""
    body = body_around(pair, each.report.symbol, stub=True)
    function = function_named(body, each.report.symbol.rpartition(".")[2])
    overloaded = function is not None and "overload" in map(ast.unparse, function.decorator_list)
    left_out = any(words in each.report.message for words in ("stub parameter does not", "overloads failing"))
    return overloaded and each.report.kind is Kind.DEFAULT and left_out


_COMPREHENSIONS = (ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp)


def is_left_over(pair: Pair, each: Disagreement) -> bool:
    """Whether only a loop or a `with` at the top of a module binds the name, or of one that all is imported from."""
    body, name = body_around(pair, each.report.symbol), each.report.symbol.rpartition(".")[2]
    if each.report.kind is not Kind.NOT_IN_STUB or body is None:
        return False
    stored = [
        inside
        for around in (body, *_starred_bodies(pair, body))
        for statement in around
        for node, inside in _run_at_once(statement)
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store)
    ]
    return bool(stored) and all(stored)


def is_told_where_it_is_defined(pair: Pair, each: Disagreement) -> bool:
    """Whether stub and code both import everything from a module of the package, whose own stub lacks the name."""
    if each.report.kind is not Kind.NOT_IN_STUB:
        return False
    name = each.report.symbol.rpartition(".")[2]
    bodies = [module_body(pair, each.report.symbol, stub=stub) or [] for stub in (True, False)]
    shared = _starred(pair, bodies[0]) & _starred(pair, bodies[1])
    return name not in bound_names(bodies[1]) and any(
        name in bound_names(around)
        for module in shared
        for body in [module_body(pair, f"{module}.?") or []]
        for around in (body, *_starred_bodies(pair, body))
    )


def _starred(pair: Pair, body: list[ast.stmt]) -> set[str]:
    """The modules of the package that everything is imported from, by their whole names."""
    return {
        node.module
        for node in flat(body)
        if isinstance(node, ast.ImportFrom) and node.names[0].name == "*" and not node.level
        if node.module and node.module.partition(".")[0] == pair.module
    }


def _starred_bodies(pair: Pair, body: list[ast.stmt]) -> Iterator[list[ast.stmt]]:
    """The statements of the package's modules that everything is imported from, and of those that these do so from."""
    seen: set[str] = set()
    waiting = [body]
    while waiting:
        for module in _starred(pair, waiting.pop()) - seen:
            seen.add(module)
            found = module_body(pair, f"{module}.?") or []
            waiting.append(found)
            yield found


def _run_at_once(statement: ast.stmt) -> Iterator[tuple[ast.AST, bool]]:
    """A statement and all within it but comprehensions and the bodies of functions and classes, each with whether a
    loop or `with` is around it."""
    waiting: list[tuple[ast.AST, bool]] = [(statement, False)]
    while waiting:
        node, inside = waiting.pop()
        yield node, inside
        inside = inside or isinstance(node, ast.For | ast.With)
        if not isinstance(node, (FunctionNode, ast.ClassDef, ast.Lambda, *_COMPREHENSIONS)):
            waiting += [(child, inside) for child in ast.iter_child_nodes(node)]


def is_of_an_enumeration(pair: Pair, each: Disagreement) -> bool:
    """Whether a report is about the `__new__` that the standard library gives every enumeration, also in place of its
    own, which only makes the members."""
    owner, _, name = each.report.symbol.rpartition(".")
    class_ = owning_class(pair, f"{owner}.?", stub=False)
    if name != "__new__" or class_ is None:
        return False
    makers = (*class_.bases, *class_.decorator_list)
    return any(_ENUMERATING.search(ast.unparse(maker).rpartition(".")[2]) for maker in makers)


def is_of_tests(_: Pair, each: Disagreement) -> bool:
    """Whether a report is about a module that is called as tests are, in a folder that is called so."""
    names = each.report.symbol.split(".")
    return any(around in ("test", "tests") and inner.startswith("test_") for around, inner in pairwise(names))


def is_passed_on(pair: Pair, each: Disagreement) -> bool:
    """Whether a decorator of the same module gives a function that takes anything, and the stub says what is taken."""
    function = function_named(body_around(pair, each.report.symbol), each.report.symbol.rpartition(".")[2])
    if each.report.kind is not Kind.PARAMETERS or function is None:
        return False
    wanted = {ast.unparse(each).partition("(")[0] for each in function.decorator_list}
    return any(
        isinstance(inner, FunctionNode) and inner is not node and inner.args.vararg and inner.args.kwarg
        for node in module_body(pair, each.report.symbol) or []
        if isinstance(node, FunctionNode) and node.name in wanted
        for inner in ast.walk(node)
    )


def is_about_getattr(_: Pair, each: Disagreement) -> bool:
    """Whether the code lacks a `__getattr__` by which the stub says that there are names which it does not list."""
    return each.report.kind is Kind.NOT_IN_CODE and each.report.symbol.endswith(".__getattr__")


def is_by_position(_: Pair, each: Disagreement) -> bool:
    """Whether a special method, which is no constructor and no call, names what it is given by position."""
    name = each.report.symbol.rpartition(".")[2]
    special = name[:2] == name[-2:] == "__" and name not in ("__init__", "__new__", "__call__")
    return special and _BY_POSITION.search(each.report.message) is not None


def is_known_to_checkers(_: Pair, each: Disagreement) -> bool:
    """Whether a report is about `TYPE_CHECKING`, about what mypy gives data classes for itself, or about how a class
    that is generic for type checkers takes their arguments when it runs."""
    generic = each.report.kind is Kind.NOT_IN_STUB and each.report.symbol.endswith(".__class_getitem__")
    return generic or each.report.symbol.endswith((".TYPE_CHECKING", "._DT"))


def is_about_self(_: Pair, each: Disagreement) -> bool:
    """Whether the receiver of a method is spelled otherwise."""
    return _SELF.search(each.report.message) is not None


def has_private_fields(_: Pair, each: Disagreement) -> bool:
    """Whether the fields of a data class differ, and some of the code's are private."""
    return each.report.symbol.endswith(".__match_args__") and "Literal['_" in each.report.message


def is_mangled(pair: Pair, each: Disagreement) -> bool:
    """Whether two parameters differ by what Python makes of a name within a class: `__size` and `_Reader__size`."""
    return _MANGLED.search(each.report.message) is not None


_MANGLED = re.compile(r'parameter "(__\w+)" differs from runtime parameter "_\w+?\1"')
