"""The namespaces in which Django's URLconfs put routes, and the versions of an API that they stand for."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection

from ingest.web.constants.constants import text_of
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import ValueTarget
from ingest.web.syntax.modules import Module
from ingest.web.syntax.scopes import Scope

_NUMBERED = re.compile(r"v?\d[\w.]*")


def space_of(program: Program, call: ast.Call, scope: Scope, module: Module | None) -> tuple[str, ...]:
    """The namespace that `include(…)` opens: the one that it names, else the application's; nothing where there is
    none or it is not constant."""
    named = text_of(program, argument(call, 1, "namespace"), scope)
    if named is None and argument(call, 1, "namespace") is None:
        first = argument(call, 0, "arg")
        if isinstance(first, ast.Tuple) and len(first.elts) > 1:
            named = text_of(program, first.elts[1], scope)
        elif module is not None:
            stated = program.member(module, "app_name")
            known = isinstance(stated, ValueTarget) and stated.node is not None
            named = text_of(program, stated.node, stated.scope) if known else None  # type: ignore[union-attr, arg-type]  # it is known then
    return (named,) if named else ()


def version_of(spaces: tuple[str, ...], allowed: Collection[str] | None) -> str:
    """The version of an API that routes in these namespaces belong to: the outermost one that is allowed or, where
    nothing says which are, that looks like a version; empty where there is none."""
    wanted = [each for each in spaces if (each in allowed if allowed else _NUMBERED.fullmatch(each))]
    return wanted[0] if wanted else ""
