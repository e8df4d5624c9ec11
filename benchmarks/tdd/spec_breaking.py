"""Which mutants of a package break a fact of its specs, told without the generator."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from pathlib import Path

from benchmarks.healing.sources import FunctionNode, parse

# What a function that is annotated so never returns as None or False.
_SURE = frozenset(
    {
        *("str", "bytes", "int", "float", "list", "dict", "set", "tuple", "frozenset"),
        *("List", "Dict", "Set", "Tuple"),
    }
)


def stubs_of(specs: Path) -> dict[str, str]:
    """The texts of the stubs of a spec, by path relative to the import folder, as paths of modules."""
    place = specs / "src"
    return {
        file.relative_to(place).as_posix().removesuffix("i"): file.read_text(encoding="utf-8")
        for file in place.rglob("*.pyi")
    }


def breaks(kind: str, path: str, subject: str, before: str, after: str, stubs: Mapping[str, str]) -> str:
    """Which statement of stub or docstring a change of a function contradicts; empty where none does.

    `kind` is the mutant's, `subject` the function's name within its module; the texts are the module's.
    """
    was, is_ = _function(before, subject), _function(after, subject)
    told = _function(stubs.get(path, ""), subject)
    if (
        was is None
        or is_ is None
        or any(part.startswith("_") and part != "__init__" for part in subject.split("."))
    ):
        return ""
    match kind:
        case "return" if told is not None and told.returns is not None and not is_generator(was):
            plain = ast.unparse(told.returns)
            if plain.partition("[")[0] in _SURE and _changed_return(was, is_):
                return f"it is said to return {plain}"
        case "default" if told is not None:
            for name, value in _defaults(is_).items():
                said = _defaults(told).get(name, "...")
                if said != "..." and said == _defaults(was).get(name) and said != value:
                    return f"{name} is said to be {said} by default"
        case "exception":
            documented = ast.get_docstring(was) or ""
            for name in set(_raised(was)) - set(_raised(is_)):
                if re.search(rf"\b{re.escape(name)}\b", documented):
                    return f"it is said to raise {name}"
    return ""


def is_generator(node: FunctionNode) -> bool:
    """Whether a function yields, itself or in what it defines."""
    return any(isinstance(each, ast.Yield | ast.YieldFrom) for each in ast.walk(node))


def _function(text: str, name: str) -> FunctionNode | None:
    """The only definition of a function; None where there are overloads, or none."""
    body = parse(text).body
    *owners, last = name.split(".")
    for owner in owners:
        body = [
            one for each in body if isinstance(each, ast.ClassDef) and each.name == owner for one in each.body
        ]
    found = [each for each in body if isinstance(each, FunctionNode) and each.name == last]
    return found[0] if len(found) == 1 else None


def _changed_return(was: FunctionNode, is_: FunctionNode) -> bool:
    """Whether it was the function's own `return` that changed, and not that of one defined inside."""
    return [ast.dump(each) for each in _own_returns(was)] != [ast.dump(each) for each in _own_returns(is_)]


def _own_returns(node: FunctionNode) -> list[ast.Return]:
    found: list[ast.Return] = []
    waiting: list[ast.AST] = list(node.body)
    while waiting:
        each = waiting.pop()
        if isinstance(each, ast.Return):
            found.append(each)
        elif not isinstance(each, FunctionNode | ast.Lambda | ast.ClassDef):
            waiting += ast.iter_child_nodes(each)
    return found


def _defaults(node: FunctionNode) -> dict[str, str]:
    arguments = [*node.args.posonlyargs, *node.args.args]
    pairs = [
        *zip(reversed(arguments), reversed(node.args.defaults), strict=False),
        *(
            (each, value)
            for each, value in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
            if value
        ),
    ]
    return {each.arg: ast.unparse(value) for each, value in pairs}


def _raised(node: FunctionNode) -> list[str]:
    return [
        f"{ast.unparse(each.exc).partition('(')[0]}"
        for each in ast.walk(node)
        if isinstance(each, ast.Raise) and each.exc is not None
    ]
