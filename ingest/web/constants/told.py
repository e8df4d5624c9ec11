"""What calls give that say so themselves: settings of the environment, entries of tables, the values of a `Literal`."""

from __future__ import annotations

import ast
from collections.abc import Callable

from ingest.web.constants.outside_values import SETTINGS as HANDED_OUT
from ingest.web.constants.outside_values import setting
from ingest.web.constants.setting_objects import method_called, result_of
from ingest.web.constants.setting_tables import entry_asked
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import External, FunctionTarget, ValueTarget
from ingest.web.syntax.scopes import Scope

SETTINGS = (External("os.environ.get"), External("os.getenv"), External("decouple.config"))
"""The functions that ask for a setting of the environment, with what it is where nobody sets it."""
_ENVIRONMENTS = (
    External("environ.Env"),
    External("environs.Env"),
    External("starlette.config.Config"),
    External("decouple.Config"),
    External("decouple.AutoConfig"),
)
_KINDS = frozenset({"str", "int", "bool", "float", "list", "url", "path"})

_ARGUMENTS_OF = (External("typing.get_args"), External("typing_extensions.get_args"))


def told(
    program: Program, node: ast.Call, scope: Scope, read: Callable[[ast.expr, Scope], object]
) -> tuple[ast.expr, Scope] | None:
    """The expression that a call gives: a setting's default, the values that `get_args` gives of a `Literal` and, where
    what is configured is followed, the one result of a function or a method that decides nothing.

    `read` gives the value of an expression."""
    called = program.resolve(node.func, scope)
    if called in SETTINGS:
        default = argument(node, 1, "default")
        return (default, scope) if default is not None else None
    if (entry := entry_asked(program, node, scope)) is not None:
        return entry
    if (by_keyword := _of_environment(program, node, scope)) is not None:
        default = argument(node, None if by_keyword else 1, "default")
        return (default, scope) if default is not None else None
    if called == External("builtins.getattr"):
        return _attribute_of_settings(program, node, scope, read)
    if isinstance(called, FunctionTarget) and program.follows:
        return result_of(called, node, scope)
    if called is None and program.follows and (method := method_called(program, node, scope)) is not None:
        return result_of(method[0], node, scope, method[1])
    if called not in _ARGUMENTS_OF or len(node.args) != 1:
        return None
    target = program.resolve(node.args[0], scope)
    if not isinstance(target, ValueTarget) or not isinstance(target.node, ast.Subscript):
        return None
    named = program.resolve(target.node.value, target.scope)
    written = target.node.slice
    values = written if isinstance(written, ast.Tuple) else ast.Tuple([written], ast.Load())
    literal = isinstance(named, External) and named.name == "Literal"
    return (values, target.scope) if literal else None


def _of_environment(program: Program, node: ast.Call, scope: Scope) -> bool | None:
    """Whether an object that holds the environment is asked for a setting by itself, so that what stands for a missing
    one has to be named (`env("NAME", default="")`), or by a method (`env.str("NAME", "")`); None where it is not."""
    method = isinstance(node.func, ast.Attribute) and node.func.attr in _KINDS
    owner = node.func.value if isinstance(node.func, ast.Attribute) and method else node.func
    held = program.resolve(owner, scope) if isinstance(owner, ast.Name | ast.Attribute) else None
    if not isinstance(held, ValueTarget) or not isinstance(held.node, ast.Call):
        return None
    made = program.resolve(held.node.func, held.scope)
    return not method if made in _ENVIRONMENTS else None


def _attribute_of_settings(
    program: Program, node: ast.Call, scope: Scope, read: Callable[[ast.expr, Scope], object]
) -> tuple[ast.expr, Scope] | None:
    """The expression that `getattr(settings, "NAME", default)` gives of Django's settings."""
    asked = len(node.args) == 3 and program.resolve(node.args[0], scope) == HANDED_OUT
    name = read(node.args[1], scope) if asked else None
    if not isinstance(name, str):
        return None
    found = setting(program, name)
    if isinstance(found, bool):
        return None if found else (node.args[2], scope)
    return found
