"""Functions whose calls can be found by name, with their parameters, and the calls."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from random import Random
from typing import NamedTuple

from benchmarks.healing.sources import (
    Definition,
    FunctionNode,
    Sources,
    definitions,
    parse,
    unique,
)


class Called(NamedTuple):
    """A function, a method, or a class with its `__init__`: `name` is what its calls end in.

    `own` are the parameters that callers fill, without `self` or `cls`.
    """

    definition: Definition
    name: str
    node: FunctionNode

    @property
    def own(self) -> list[ast.arg]:
        """The positional parameters that a caller fills."""
        arguments = [*self.node.args.posonlyargs, *self.node.args.args]
        decorators = {ast.unparse(each) for each in self.node.decorator_list}
        is_bound = self.definition.owner is not None and "staticmethod" not in decorators
        return arguments[1:] if is_bound else arguments

    def default(self, name: str) -> ast.expr | None:
        """The default of a parameter."""
        every = [*self.node.args.posonlyargs, *self.node.args.args]
        with_default = every[len(every) - len(self.node.args.defaults) :]
        for argument, value in zip(with_default, self.node.args.defaults, strict=True):
            if argument.arg == name:
                return value
        for argument, other in zip(self.node.args.kwonlyargs, self.node.args.kw_defaults, strict=True):
            if argument.arg == name:
                return other
        return None


def called(sources: Sources, random: Random) -> list[Called]:
    """The functions that tests call by a name of their own, in random order."""
    found = [
        Called(each, each.name, each.node)
        for each in unique(sources)
        if isinstance(each.node, FunctionNode) and not _is_special(each.node)
    ]
    classes = {each.name for each in unique(sources) if each.kind == "class"}
    for each in definitions(sources):
        is_init = each.name == "__init__" and isinstance(each.node, FunctionNode)
        if not is_init or each.owner is None or each.owner.name not in classes:
            continue
        if not _has_heirs(sources, each.owner.name):
            assert isinstance(each.node, FunctionNode), "asked above"
            found.append(Called(each, each.owner.name, each.node))
    return random.sample(found, len(found))


def _is_special(node: FunctionNode) -> bool:
    decorators = {ast.unparse(each) for each in node.decorator_list}
    return bool(decorators - {"staticmethod", "classmethod"})


def _has_heirs(sources: Sources, name: str) -> bool:
    texts = [*sources.code.values(), *sources.tests.values()]
    return any(
        isinstance(node, ast.ClassDef) and any(ast.unparse(base).endswith(name) for base in node.bases)
        for text in texts
        for node in ast.walk(parse(text))
    )


def calls(text: str, name: str) -> Iterator[ast.Call]:
    """The calls of a text whose function is a name or an attribute of this name."""
    for node in ast.walk(parse(text)):
        if isinstance(node, ast.Call):
            function = node.func
            if name in (getattr(function, "id", None), getattr(function, "attr", None)):
                yield node


def with_texts(sources: Sources, changed: Mapping[str, str]) -> Sources:
    """The sources with some texts replaced."""
    return sources._replace(
        code={path: changed.get(path, text) for path, text in sources.code.items()},
        tests={path: changed.get(path, text) for path, text in sources.tests.items()},
    )
