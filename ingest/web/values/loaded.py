"""Classes and modules that are loaded by names which stand in settings: `import_string(settings.SERIALIZER)`."""

from __future__ import annotations

import ast
import re
from typing import Final

from ingest.web.constants.constants import Missing, constant, elements, text_of
from ingest.web.constants.setting_objects import handed_out, method_called, result_of
from ingest.web.constants.setting_tables import entry_held, made_later, names_classes
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import (
    ClassTarget,
    External,
    FunctionTarget,
    ModuleTarget,
    Target,
    ValueTarget,
)
from ingest.web.syntax.bindings import Function
from ingest.web.syntax.naming import last_name
from ingest.web.syntax.scopes import Scope
from ingest.web.values.by_settings import named_by_setting
from ingest.web.values.ninja_made_schemas import MAKING, made_schema

_LOADING: Final = frozenset({"import_module", "import_string"})
_DOTTED: Final = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$")
_CLASSES: Final = re.compile(r"get_(?:\w+_)?class(?:es)?$")
_ASKED: Final = ("__getattribute__", "__getattr__")
_DEEPEST: Final = 1
_RUNNING: Final = "what is being loaded"


def loaded(program: Program, asked: object, scope: Scope) -> Target | None:
    """The class or module of the project that a call loads by the name which it is given, or by the only one that the
    called function asks for where nobody sets another; None for all other calls.

    `asked` has the call and the place of a name among those that its results are bound to (`a, b = get_classes(…)`), or
    the name of a setting that an object hands out which the call makes.
    """
    if not isinstance(asked, tuple):
        # Names are bound to other things, too, than to parts of what a call gives.
        return None
    call, number = asked
    if isinstance(number, str):
        return _held(program, call, number, scope)
    name = last_name(call.func)
    if _CLASSES.match(name):
        return program.remember(("picked", call, number), lambda: _picked(program, call, number, scope))
    if number is not None:
        return None
    if name == MAKING:
        return program.remember(("made schema", call), lambda: made_schema(program, call, scope))
    if name not in _LOADING and not name.startswith(("get_", "load_", "import_")):
        return None
    key = ("loaded", call)
    if program.recall((_RUNNING, call)) is not None:
        # What is being loaded cannot help to find itself.
        known = program.recall(key)
        return known if isinstance(known, ClassTarget | ModuleTarget) else None
    program.keep((_RUNNING, call), True, ())
    return program.remember(key, lambda: _loaded(program, call, scope))


def _loaded(program: Program, call: ast.Call, scope: Scope) -> Target | None:
    made = program.resolve(call.func, scope)
    if isinstance(made, External):
        return _named(program, text_of(program, call.args[0], scope)) if _loads(made) and call.args else None
    if not isinstance(made, FunctionTarget) or not isinstance(made.node, Function):
        return None
    if not _leads_to_loading(program, made):
        return None
    asked = [(each, scope) for each in (*call.args, *(k.value for k in call.keywords))]
    if not asked:
        # What may be a setting: `settings.NAME`, `getattr(settings, "NAME", …)`.
        asked = [
            (part, made.body) for part in ast.walk(made.node) if isinstance(part, ast.Attribute | ast.Call)
        ]
    found = [_asked_for(program, part, place) for part, place in asked]
    known = [each for each in found if each is not None]
    return known[0] if known and all(each == known[0] for each in known) else None


def _asked_for(program: Program, node: ast.expr, scope: Scope) -> Target | None:
    """What an argument names, or is where no setting names another one."""
    given = named_by_setting(program, node, scope)
    if given is None:
        return _named(program, text_of(program, node, scope))
    target = program.resolve(*given)
    return target if isinstance(target, ClassTarget) else _named(program, text_of(program, *given))


def _held(program: Program, call: ast.Call, name: str, scope: Scope) -> Target | None:
    """What `app_settings.NAME` stands for: the class that it names where such names are loaded, else its value."""
    call, scope = made_later(program, call, scope)
    entry = entry_held(program, call, name, scope)
    if entry is None:
        key = ("handed out", call, name)
        return program.remember(key, lambda: _handed(program, call, name, scope))
    value, place = entry
    named = value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else None
    if named is not None and (names_classes(program, call, name, scope) or _loads_all(program, call, scope)):
        return _named(program, named) or (External(named) if _DOTTED.match(named) else None)
    return ValueTarget(value, place)


def _loads_all(program: Program, call: ast.Call, scope: Scope) -> bool:
    """Whether an object loads whatever name it has under what it is asked for: a dictionary of names of classes."""
    made = program.resolve(call.func, scope)
    asked = [program.class_member(made, n) for n in _ASKED] if isinstance(made, ClassTarget) else []
    return any(isinstance(each, FunctionTarget) and _leads_to_loading(program, each) for each in asked)


def _handed(program: Program, call: ast.Call, name: str, scope: Scope) -> Target | None:
    """What an object of settings gives under a name by a method: the class that it loads, else the constant."""
    found = handed_out(program, call, name, scope)
    if found is None:
        return None
    (value, place), made = found
    with program.following():
        held = program.resolve(value, place) if isinstance(value, ast.Name) else ValueTarget(value, place)
        named = _named_in(program, held)
        loading = named is not None
        worth = constant(program, *(named or (value, place)))
    if isinstance(worth, str) and (loading or _leads_to_loading(program, made)):
        return _named(program, worth)
    if isinstance(worth, Missing) or loading:
        return None
    return ValueTarget(ast.copy_location(ast.parse(repr(worth), mode="eval").body, value), place)


def called_by_name(program: Program, call: ast.Call, scope: Scope) -> FunctionTarget | None:
    """The function of the project that a method loads by its name and calls: `app_settings.call_fn("MAKE_API")`."""
    method = method_called(program, call, scope)
    placed = result_of(method[0], call, scope, method[1]) if method is not None else None
    if placed is None or not isinstance(placed[0], ast.Call):
        return None
    with program.following():
        named = _named_in(program, program.resolve(placed[0].func, placed[1]))
        name = text_of(program, *named) if named is not None else None
    if name is None or not _DOTTED.match(name):
        return None
    module = program.module(name.rpartition(".")[0])
    target = program.member(module, name.rpartition(".")[2]) if module is not None else None
    return target if isinstance(target, FunctionTarget) else None


def _named_in(program: Program, held: Target | None) -> tuple[ast.expr, Scope] | None:
    """The first argument of a call that loads what it names, itself or by a method of the object around."""
    if not isinstance(held, ValueTarget) or not isinstance(held.node, ast.Call) or not held.node.args:
        return None
    made = _called(program, held.node, held.scope)
    loading = _loads(made) or (isinstance(made, FunctionTarget) and _leads_to_loading(program, made))
    return (held.node.args[0], held.scope) if loading else None


def _picked(program: Program, call: ast.Call, number: int | None, scope: Scope) -> Target | None:
    """What `get_class("catalogue.views", "BookView")` takes of a module below a package around the function, be it as
    the project overrides it or not; of `get_classes("catalogue.views", [...])` the one at the place of the name."""
    made = program.resolve(call.func, scope)
    label = text_of(program, argument(call, 0, "module_label"), scope)
    wanted = argument(call, 1, "classname", "classnames")
    if number is not None:
        listed = elements(program, wanted, scope) or []
        wanted, scope = listed[number] if number < len(listed) else (None, scope)
    name = text_of(program, wanted, scope)
    if label is None or name is None or not isinstance(made, FunctionTarget):
        return None
    around = made.scope.module.split(".")
    for size in range(len(around), 0, -1):
        module = program.module(".".join([*around[:size], label]))
        if module is not None:
            return program.member(module, name)
    return None


def _leads_to_loading(program: Program, made: FunctionTarget, depth: int = 0) -> bool:
    """Whether a function loads something by a name, itself or through a function of the project that it calls."""
    called = [_called(program, each, made.body) for each in made.body.calls]
    if any(map(_loads, called)):
        return True
    inner = [each for each in called if isinstance(each, FunctionTarget) and isinstance(each.node, Function)]
    return depth < _DEEPEST and any(_leads_to_loading(program, each, depth + 1) for each in inner)


def _called(program: Program, call: ast.Call, scope: Scope) -> Target | None:
    method = method_called(program, call, scope)
    return method[0] if method is not None else program.resolve(call.func, scope)


def _loads(target: Target | None) -> bool:
    return isinstance(target, External) and target.name in _LOADING


def _named(program: Program, name: str | None) -> Target | None:
    """The module or class of the project by its dotted name."""
    if name is None or not _DOTTED.match(name):
        return None
    module = program.module(name)
    if module is not None:
        return ModuleTarget(module)
    around, _, member = name.rpartition(".")
    module = program.module(around)
    target = program.member(module, member) if module is not None else None
    return target if isinstance(target, ClassTarget) else None
