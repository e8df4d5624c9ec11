"""Decorators of classes that set attributes on the class which they are given."""

from __future__ import annotations

import ast
from functools import partial
from typing import Final

from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, Target, ValueTarget
from ingest.web.syntax.bindings import Function, parameters
from ingest.web.syntax.naming import uncalled

_HARMLESS: Final = frozenset(
    {
        "django",
        "rest_framework",
        "drf_spectacular",
        "drf_yasg",
        "typing",
        "typing_extensions",
        "builtins",
        "abc",
    }
)
_GUARDS: Final = frozenset({"authentication_classes", "permission_classes"})


def decorated(program: Program, owner: ClassTarget, name: str) -> Target | None:
    """What the decorators of a class set its attribute to: the value, or the decorator itself where that is not known;
    None where they leave it alone.

    Of a decorator from outside of the project and the frameworks nobody knows which guards it puts on a class.
    """
    for node in owner.node.decorator_list:
        made = program.resolve(uncalled(node), owner.scope)
        if isinstance(made, External) and made.root not in _HARMLESS and name in _GUARDS:
            return made
        if isinstance(made, FunctionTarget):
            found = program.remember(("decorated", made.node), partial(_set, made)).get(name)
            if found is not None:
                program.saw(made.scope.path)
                return found
    return None


def _set(decorator: FunctionTarget) -> dict[str, Target]:
    """The attributes that a decorator sets on what it or a function in it is given, each with its value where that is
    certain, else with the decorator."""
    found: dict[str, Target] = {}
    for inner in decorator.body.descend():
        node = inner.node
        if not isinstance(node, Function):
            continue
        taken = {argument.arg for argument, _ in parameters(node)}
        for statement in ast.walk(node):
            match statement:
                case ast.Assign(
                    targets=[ast.Attribute(value=ast.Name(id=given), attr=name)], value=value
                ) if given in taken:
                    known = statement in node.body and name not in found
                    found[name] = ValueTarget(value, inner) if known else decorator
                case ast.Call(
                    func=ast.Name(id="setattr"), args=[ast.Name(id=given), ast.Constant(value=str(name)), _]
                ) if given in taken:
                    found[name] = decorator
    return found
