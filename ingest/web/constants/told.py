"""What calls give that say so themselves: settings of the environment, entries of tables, the values of a `Literal`."""

from __future__ import annotations

import ast

from ingest.web.constants.outside_values import SETTINGS as HANDED_OUT
from ingest.web.constants.outside_values import setting
from ingest.web.constants.setting_tables import entry_asked
from ingest.web.program.calls import argument, given_for, has_stars, only_result, parameter_names
from ingest.web.program.program import Program
from ingest.web.program.targets import External, FunctionTarget, ParameterTarget, Target, ValueTarget
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


def told(program: Program, node: ast.Call, scope: Scope) -> tuple[ast.expr, Scope] | None:
    """The expression that a call gives: a setting's default, the values that `get_args` gives of a `Literal` and, where
    what is configured is followed, the one result of a function that does nothing else."""
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
        return _attribute_of_settings(program, node, scope)
    if isinstance(called, FunctionTarget) and program.follows:
        return _result(called, node, scope)
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


def _result(called: FunctionTarget, call: ast.Call, scope: Scope) -> tuple[ast.expr, Scope] | None:
    """What a function gives that does nothing else, as a call of it sees that."""
    result = only_result(called)
    if result is None or has_stars(call):
        return None
    given: dict[str, Target] = {}
    for name in parameter_names(called):
        target = ParameterTarget(name, called.body, None, None)
        value, _ = given_for(target, called, call, scope)
        if value is not None:
            given[name] = ValueTarget(value, scope)
    return result, called.body.round(given) if given else called.body


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


def _attribute_of_settings(program: Program, node: ast.Call, scope: Scope) -> tuple[ast.expr, Scope] | None:
    """The expression that `getattr(settings, "NAME", default)` gives of Django's settings."""
    name = node.args[1] if len(node.args) == 3 else None
    if not isinstance(name, ast.Constant) or program.resolve(node.args[0], scope) != HANDED_OUT:
        return None
    found = setting(program, str(name.value))
    if isinstance(found, bool):
        return None if found else (node.args[2], scope)
    return found
