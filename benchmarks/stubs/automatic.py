"""Verdicts that need no reader: what importing the package, or the text of the code alone, settles.

They are the only ones for the part that nobody reads, and stand behind people's judgements in the other.
"""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from benchmarks.stubs.agreement import Agreement, Disagreement, Verdict
from benchmarks.stubs.corpus import PYTHON, Pair
from benchmarks.stubs.outside import is_compiled, is_given_by_a_call, is_inherited_from_outside
from benchmarks.stubs.records import Kind
from benchmarks.stubs.targets import FunctionNode, bound_names
from benchmarks.stubs.texts import body_around, function_named, module_body, owning_class, parsed

_SCRIPT = Path(__file__).parent / "existence.py"


def settle(pair: Pair, agreed: Agreement) -> Agreement:
    """The agreement with a verdict on each report that was not judged, where one can be had this way."""
    ours = [each for each in agreed.disagreements if _is_claim_of_absence(each)]
    existing = _existing(pair, [each.report.symbol for each in ours]) if ours else {}
    return agreed._replace(disagreements=[_settled(pair, each, existing) for each in agreed.disagreements])


def _settled(pair: Pair, each: Disagreement, existing: dict[str, bool | None]) -> Disagreement:
    if each.verdict is not Verdict.UNJUDGED:
        return each
    if _is_claim_of_absence(each):
        match existing.get(each.report.symbol):
            case False if not _may_belong_to_instances(pair, each):
                return each._replace(
                    verdict=Verdict.THEIRS, why="when the package is imported it is not there"
                )
            case True:
                return each._replace(verdict=Verdict.OURS, why="when the package is imported it is there")
    if each.ours:
        return each
    for holds, verdict, why in _RULES:
        if holds(pair, each):
            return each._replace(verdict=verdict, why=why)
    return each


def _is_claim_of_absence(each: Disagreement) -> bool:
    """Whether crossfact says that the code lacks something, which importing may show."""
    return each.ours and each.report.kind is Kind.NOT_IN_CODE


def _may_belong_to_instances(pair: Pair, each: Disagreement) -> bool:
    """Whether an attribute that the class lacks may be given to its instances: some text of it has its name."""
    if _is_module(pair, each.report.symbol.rpartition(".")[0]):
        return False
    if not each.report.message.startswith("attribute-not-implemented"):
        return False
    word = re.compile(rf"\b{each.report.symbol.rpartition('.')[2]}\b".encode())
    return any(word.search(file.read_bytes()) for file in pair.runtime.rglob("*.py"))


def _is_module(pair: Pair, name: str) -> bool:
    """Whether the code has a module of this name."""
    place = pair.runtime.joinpath(*name.split("."))
    return place.with_suffix(".py").is_file() or place.is_dir()


def _existing(pair: Pair, symbols: list[str]) -> dict[str, bool | None]:
    done = subprocess.run(
        [str(PYTHON), str(_SCRIPT)],
        input=json.dumps(symbols),
        env={**os.environ, "PYTHONPATH": f"{pair.runtime}{os.pathsep}{pair.needs}"},
        capture_output=True,
        text=True,
        check=False,
    )
    found: dict[str, bool | None] = json.loads(done.stdout) if done.returncode == 0 else {}
    return found


def _is_unwritten(pair: Pair, each: Disagreement) -> bool:
    """Whether the module or class that a name is said to belong to is there, and nothing in its text binds the name."""
    body = body_around(pair, each.report.symbol)
    if each.report.kind is not Kind.NOT_IN_STUB or body is None:
        return False
    names = bound_names(body)
    return each.report.symbol.rpartition(".")[2] not in names and "*" not in names


def _is_built(pair: Pair, each: Disagreement) -> bool:
    """Whether the outermost name of what a report is about is bound by no statement of the module that has it."""
    names = each.report.symbol.split(".")
    for length in range(len(names) - 1, 0, -1):
        if _is_module(pair, ".".join(names[:length])):
            body = module_body(pair, ".".join(names[: length + 1]))
            bound = bound_names(body) if body is not None else frozenset({"*"})
            return (
                "*" not in bound and names[length] not in bound and each.report.kind is not Kind.NOT_IN_CODE
            )
    return False


def _is_written(pair: Pair, each: Disagreement) -> bool:
    """Whether what is said to be absent stands in the text: in a block that did not run."""
    body = body_around(pair, each.report.symbol)
    named = body is not None and each.report.symbol.rpartition(".")[2] in bound_names(body)
    return each.report.kind is Kind.NOT_IN_CODE and named


def _is_answered(pair: Pair, each: Disagreement) -> bool:
    """Whether the code answers a name that no statement binds, by `__getattr__`."""
    body = body_around(pair, each.report.symbol)
    return each.report.kind is Kind.NOT_IN_CODE and body is not None and "__getattr__" in bound_names(body)


def _is_made_by_a_call(pair: Pair, each: Disagreement) -> bool:
    """Whether a report is about a member of what is no class in the text, but what a call gives."""
    owner = each.report.symbol.rpartition(".")[0]
    body, name = body_around(pair, owner), owner.rpartition(".")[2]
    values = [
        node.value
        for node in body or []
        if isinstance(node, ast.Assign) and name in map(ast.unparse, node.targets)
    ]
    return len(values) == 1 and isinstance(values[0], ast.Call)


def _is_a_module_of_the_stubs(pair: Pair, each: Disagreement) -> bool:
    """Whether the name is that of a module which has a stub of its own."""
    place = pair.stubs.joinpath(*each.report.symbol.split("."))
    return each.report.kind is Kind.NOT_IN_STUB and (place.is_dir() or place.with_suffix(".pyi").is_file())


def _is_left_out(pair: Pair, each: Disagreement) -> bool:
    """Whether the stub has nothing but `name = ...`, by which generators of stubs say that there is a value."""
    body, name = body_around(pair, each.report.symbol, stub=True), each.report.symbol.rpartition(".")[2]
    return each.report.kind is Kind.TYPE and any(
        isinstance(node, ast.Assign)
        and name in map(ast.unparse, node.targets)
        and isinstance(node.value, ast.Constant)
        and node.value.value is ...
        for node in body or []
    )


def _is_without_stub(pair: Pair, each: Disagreement) -> bool:
    """Whether no stub has the module that a report is about; type checkers then read the code itself."""
    names = each.report.symbol.split(".")
    for length in range(len(names), 0, -1):
        name = ".".join(names[:length])
        if _is_module(pair, name):
            place = pair.stubs.joinpath(*names[:length])
            return not (place.with_suffix(".pyi").is_file() or (place / "__init__.pyi").is_file())
    return False


def _is_listed_by_a_call(pair: Pair, each: Disagreement) -> bool:
    """Whether a module of the code offers a name by an `__all__` that a call gives."""
    body = module_body(pair, each.report.symbol)
    values = [
        node.value
        for node in body or []
        if isinstance(node, ast.Assign) and "__all__" in map(ast.unparse, node.targets)
    ]
    return each.report.kind is Kind.NOT_IN_STUB and bool(values) and isinstance(values[-1], ast.Call)


def _is_computed_default(pair: Pair, each: Disagreement) -> bool:
    """Whether a report is about a default that is no literal in the text."""
    named = _PARAMETER.search(each.report.message)
    function = function_named(body_around(pair, each.report.symbol), each.report.symbol.rpartition(".")[2])
    if each.report.kind is not Kind.DEFAULT or "default value of" not in each.report.message:
        return False
    if named is None or function is None:
        return False
    listed = [*function.args.posonlyargs, *function.args.args]
    defaults = dict(zip(reversed(listed), reversed(function.args.defaults), strict=False))
    defaults |= {a: d for a, d in zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True) if d}
    texts = [default for argument, default in defaults.items() if argument.arg == named[1]]
    try:
        return bool(texts) and ast.literal_eval(texts[0]) is NotImplemented
    except ValueError:
        return True


def _is_open(pair: Pair, each: Disagreement) -> bool:
    """Whether the stub's module or class says by `__getattr__` that it does not list all names."""
    body = body_around(pair, each.report.symbol, stub=True)
    if each.report.kind is not Kind.NOT_IN_STUB or body is None:
        return False
    owner = owning_class(pair, each.report.symbol, stub=True)
    return "__getattr__" in bound_names(body) or (owner is not None and owner.name in _open_classes(pair))


@cache
def _open_classes(pair: Pair) -> frozenset[str]:
    """The names of the stubs' classes that answer any name of their instances, by themselves or by an ancestor."""
    bases: dict[str, set[str]] = {}
    found = set()
    for file in pair.stubs.rglob("*.pyi"):
        for node in ast.walk(ast.Module(parsed(file) or [], [])):
            if isinstance(node, ast.ClassDef):
                names = {ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in node.bases}
                bases.setdefault(node.name, set()).update(names)
                if "__getattr__" in bound_names(node.body):
                    found.add(node.name)
    while added := {name for name, above in bases.items() if name not in found and above & found}:
        found |= added
    return frozenset(found)


def _is_overloaded(pair: Pair, each: Disagreement) -> bool:
    """Whether overloads of the stub leave out a default that the code has."""
    body = body_around(pair, each.report.symbol, stub=True)
    function = function_named(body, each.report.symbol.rpartition(".")[2])
    overloaded = function is not None and "overload" in map(ast.unparse, function.decorator_list)
    left_out = any(words in each.report.message for words in ("stub parameter does not", "overloads failing"))
    return overloaded and each.report.kind is Kind.DEFAULT and left_out


def _is_left_over(pair: Pair, each: Disagreement) -> bool:
    """Whether only a loop or a `with` at the top of a module binds the name."""
    body, name = body_around(pair, each.report.symbol), each.report.symbol.rpartition(".")[2]
    if each.report.kind is not Kind.NOT_IN_STUB or body is None:
        return False
    stored = [
        inside
        for statement in body
        for node, inside in _run_at_once(statement)
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store)
    ]
    return bool(stored) and all(stored)


def _run_at_once(statement: ast.stmt) -> Iterator[tuple[ast.AST, bool]]:
    """A statement and all within it but the bodies of functions and classes, each with whether a loop or `with` is
    around it."""
    waiting: list[tuple[ast.AST, bool]] = [(statement, False)]
    while waiting:
        node, inside = waiting.pop()
        yield node, inside
        inside = inside or isinstance(node, ast.For | ast.With)
        if not isinstance(node, FunctionNode | ast.ClassDef | ast.Lambda):
            waiting += [(child, inside) for child in ast.iter_child_nodes(node)]


def _is_given_by_a_descriptor(pair: Pair, each: Disagreement) -> bool:
    """Whether a class of the package with a `__get__` of its own, or one made from `property`, gives the attribute."""
    body, name = body_around(pair, each.report.symbol), each.report.symbol.rpartition(".")[2]
    if each.report.kind not in (Kind.PROPERTY, Kind.TYPE) or body is None:
        return False
    makers: list[ast.expr] = []
    for node in body:
        if isinstance(node, FunctionNode) and node.name == name:
            makers += node.decorator_list
        elif isinstance(node, ast.Assign) and name in map(ast.unparse, node.targets):
            makers.append(node.value)
    called = (maker.func if isinstance(maker, ast.Call) else maker for maker in makers)
    named = (maker.value if isinstance(maker, ast.Subscript) else maker for maker in called)
    names = {ast.unparse(maker).rpartition(".")[2] for maker in named}
    return "cached_property" in names or not names.isdisjoint(_descriptors(pair))


@cache
def _descriptors(pair: Pair) -> frozenset[str]:
    """The names of the runtime package's classes that decide themselves what reading an attribute gives."""
    found = set()
    for file in pair.runtime.rglob("*.py"):
        try:
            tree = ast.parse(file.read_bytes())
        except (SyntaxError, ValueError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and (
                "__get__" in bound_names(node.body) or "property" in map(ast.unparse, node.bases)
            ):
                found.add(node.name)
    return frozenset(found)


def _is_replaced(pair: Pair, each: Disagreement) -> bool:
    """Whether the class's own methods give every instance another value than the class itself has: `self.x = …`."""
    owner = each.report.symbol.rpartition(".")[0]
    of_class = (
        each.report.kind in (Kind.TYPE, Kind.KIND) and owner.rpartition(".")[2].lstrip("_")[:1].isupper()
    )
    return of_class and _sets(pair, each)


def _is_a_property_of_instances(pair: Pair, each: Disagreement) -> bool:
    """Whether the stub has as a method or property what the class's own methods give every instance: `self.x = …`."""
    stub = body_around(pair, each.report.symbol, stub=True)
    promised = function_named(stub, each.report.symbol.rpartition(".")[2])
    return promised is not None and each.report.kind is Kind.NOT_IN_CODE and _sets(pair, each)


def _sets(pair: Pair, each: Disagreement) -> bool:
    """Whether a method of the class sets the attribute of an instance."""
    name = each.report.symbol.rpartition(".")[2]
    body = body_around(pair, each.report.symbol) or []
    for function in (node for node in body if isinstance(node, FunctionNode) and node.args.args):
        receiver = function.args.args[0].arg
        for node in ast.walk(function):
            stored = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
            if stored and ast.unparse(node) == f"{receiver}.{name}":
                return True
    return False


def _is_special(symbol: str) -> bool:
    """Whether a name is one of Python's own, but no constructor and no call."""
    name = symbol.rpartition(".")[2]
    return name[:2] == name[-2:] == "__" and name not in ("__init__", "__new__", "__call__")


_BY_POSITION = re.compile(r"should be positional-only")
_PARAMETER = re.compile(r'parameter "(\w+)"')
_SELF = re.compile(r'stub parameter "(?:self|cls)" differs from runtime parameter "\w+"')

_RULES: tuple[tuple[Callable[[Pair, Disagreement], bool], Verdict, str], ...] = (
    (is_compiled, Verdict.RUNTIME, "it lies in a compiled module, which has no text"),
    (_is_built, Verdict.RUNTIME, "no statement of the module makes what is compared"),
    (_is_unwritten, Verdict.RUNTIME, "no statement of the module or class binds the name"),
    (_is_written, Verdict.RUNTIME, "the text defines it, in a block that does not run here"),
    (_is_answered, Verdict.RUNTIME, "the code's __getattr__ answers names, and only running it tells which"),
    (_is_made_by_a_call, Verdict.RUNTIME, "what a call gives has members that no class of the text shows"),
    (_is_computed_default, Verdict.RUNTIME, "the default is computed"),
    (
        is_given_by_a_call,
        Verdict.RUNTIME,
        "what a call or a decorator from outside gives is known when it runs",
    ),
    (is_inherited_from_outside, Verdict.RUNTIME, "a base from outside the package may have it"),
    (_is_a_module_of_the_stubs, Verdict.NEITHER, "a module of that name has a stub of its own"),
    (_is_listed_by_a_call, Verdict.RUNTIME, "a call gives __all__, and only running it tells its names"),
    (_is_left_out, Verdict.NEITHER, "`name = ...` says that there is a value, and nothing of its type"),
    (_is_without_stub, Verdict.NEITHER, "the module has no stub"),
    (_is_open, Verdict.NEITHER, "the stub says by __getattr__ that it does not list all names"),
    (_is_overloaded, Verdict.NEITHER, "the author's choice of overloads"),
    (_is_left_over, Verdict.NEITHER, "left over from a loop at the top of the module; nobody offers it"),
    (
        _is_given_by_a_descriptor,
        Verdict.NEITHER,
        "the stub says what instances see, and a descriptor of the package decides that; stubtest looks at the class",
    ),
    (
        _is_replaced,
        Verdict.NEITHER,
        "the stub says what instances have, which the class's methods set; stubtest looks at the class's placeholder",
    ),
    (
        _is_a_property_of_instances,
        Verdict.NEITHER,
        "the stub says by a method what instances have, which the class's methods set; stubtest looks at the class",
    ),
    (
        lambda _, each: each.report.kind is Kind.NOT_IN_CODE and each.report.symbol.endswith(".__getattr__"),
        Verdict.NEITHER,
        "by __getattr__ a stub says that instances have names which it does not list",
    ),
    (
        lambda _, each: (
            _BY_POSITION.search(each.report.message) is not None and _is_special(each.report.symbol)
        ),
        Verdict.NEITHER,
        "special methods are only ever called by position",
    ),
    (
        lambda _, each: each.report.symbol.endswith(".TYPE_CHECKING"),
        Verdict.NEITHER,
        "type checkers know the name by themselves",
    ),
    (
        lambda _, each: _SELF.search(each.report.message) is not None,
        Verdict.NEITHER,
        "how self and cls are spelled",
    ),
)
