"""What statements set under names that are worked out, and on what: `setattr(x, name, …)`, `x.__dict__[…]`."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from graph.facts import Kind
from graph.patterns import pattern
from ingest.python.bindings import Assignment, class_of_module, made_instance, receiving
from ingest.python.made_names import Made, made_here, written_names
from ingest.python.module import Module
from ingest.python.scopes import Scope

_TARGET = pattern(rb"(?:setattr\(\s*([\w.]+)|vars\(([\w.]+)\))")
OWNER = pattern(rb"([\w.]+)\Z")
"""What stands before `.__dict__`."""
LONGEST_NAME = 80
"""How far before a place such a name is looked for, in bytes."""
_MAKES_MODULES = (b"ModuleType", b"module_from_spec", b"new_module")
# What copies an instance gives it the names that one had before.
_RESTORING = frozenset(
    {"__setstate__", "__getstate__", "__copy__", "__deepcopy__", "__reduce__", "__reduce_ex__"}
)
# What a descriptor gives an instance goes by a name that the class has, or by one that only the descriptor knows.
_OF_DESCRIPTORS = frozenset({"__get__", "__set__", "__delete__"})
_LOOKS_UP = pattern(rb"sys\.modules|import_module|__import__|getmodule")
_LOOKING_UP = (b"sys.modules", b"import_module(", b"__import__(")
_LOOKS_ITSELF_UP = pattern(
    rb"sys\.modules(?:\.get\(|\[)\s*__name__|import_module\(\s*__name__|__import__\(\s*__name__"
)

# `x.__dict__.update(y.__dict__)`, `x.__dict__ = dict(y.__dict__)`, `setattr(x, name, getattr(y, name))`: what one has
# of another one.
_COPIED = pattern(rb"\.__dict__\s*(?:\.update\(|=)\s*(?:dict\(|copy\(|copy\.copy\()?\s*(\w+)\.__dict__")
# Neither a module nor a class lets its own be replaced.
_REPLACED = pattern(rb"\.__dict__\s*=(?!=)")
_SAME_NAME = pattern(rb"setattr\(\s*[\w.]+\s*,\s*(\w+)\s*,\s*getattr\(\s*(\w+)\s*,\s*\1\s*[,)]")
_WRITTEN = pattern(rb"\.__setattr__\(\s*(?:\w+\s*,\s*)?([\"'])([A-Za-z_]\w*)\1\s*,")
_SAME_BY_RECEIVER = pattern(rb"\.__setattr__\(\s*\w+\s*,\s*(\w+)\s*,\s*getattr\(\s*(\w+)\s*,\s*\1\s*[,)]")
_NO_FUNCTIONS = frozenset(
    {"none", "true", "false", "integer", "float", "string", "binary_operator", "not_operator"}
) | {
    "comparison_operator",
    "list",
    "dictionary",
    "tuple",
    "set",
    "list_comprehension",
    "dictionary_comprehension",
}
# How what holds a class is called.
_LIKE_A_CLASS = pattern(r"(?i)(?:.*_)?(?:cls|klass|class_?|type_?|model|meta)(?:_.*)?")
_PLAIN_CLASS = pattern(r"(?:Optional\[)?(?:None \| )?([A-Za-z_][\w.]*)(?: \| None)?\]?")
_OF_TYPES = ("typing.", "typing_extensions.", "types.", "collections.abc.")


class Targets(msgspec.Struct):
    """On what a file sets names that are not written out: `scopes` of its own, or `instances` of its classes.

    `classes` is true where it may be any class of the file, or an instance of one, `"instances"` where it surely looks
    like an instance. `members` are names that are told all the same, with the class whose instances get them, and
    `others` such that are set on what is not known; `made` is what the module gives itself.
    """

    scopes: set[Scope] = msgspec.field(default_factory=set)
    instances: set[Scope] = msgspec.field(default_factory=set)
    classes: bool | str = False
    made: list[Made] = msgspec.field(default_factory=list)
    members: list[Assignment] = msgspec.field(default_factory=list)
    others: set[str] = msgspec.field(default_factory=set)


def named_on(module: Module, signs: Iterable[tuple[int, bytes]]) -> Targets:
    """Look at each place where one of the signs `setattr(`, `vars(` and `.__dict__` may make names."""
    targets = Targets()
    for place, sign in signs:
        if sign == b"setattr(" and (shown := made_here(module, place, sign)) is not None:
            targets.made.append(shown)
        else:
            _look(module, place, sign, targets)
    return targets


def set_by_receiver(module: Module, place: int, owner: Scope | None) -> list[Assignment] | None:
    """What `object.__setattr__(self, name, …)` or `super().__setattr__(name, …)` gives instances of a class.

    None where the names are not told. A method that takes over what assignments do adds none, and what copies an
    instance, or gives one what another has, none that it had not.
    """
    scope, data = module.scopes.at(place), module.source.data
    if owner is None:
        return None
    written = _WRITTEN.match(data, place)
    if written is not None:
        return _set(owner, [written[2].decode("ascii")], place, instance=True)
    same = _SAME_BY_RECEIVER.match(data, place)
    is_copied = same is not None and receiving(scope, same[2].decode("utf-8", "replace")) is not None
    return [] if is_copied or _method_around(scope) in _RESTORING | {"__setattr__"} else None


def _method_around(scope: Scope) -> str:
    """The name of the method that a place is in, however deep; empty outside of methods."""
    holder: Scope | None = scope
    while holder is not None and not holder.receiver:
        holder = holder.parent
    return holder.name if holder is not None else ""


def _look(module: Module, place: int, sign: bytes, targets: Targets) -> None:
    data, scope = module.source.data, module.scopes.at(place)
    match = OWNER.search(data, max(0, place - LONGEST_NAME), place) if sign[:1] == b"." else None
    match = match or _TARGET.match(data, place)
    target = match[match.lastindex or 0].decode("utf-8", "replace") if match else ""
    root, _, inner = target.partition(".")
    method = receiving(scope, root)
    if (
        _is_known(scope, root, method)
        or _is_a_copy(module, scope, place)
        or _is_given_by_name(module, scope, place, sign, target, targets)
    ):
        return
    owner = method.parent if method is not None else class_of_module(module.scopes, scope, root)
    if root and owner is None and target != "sys.modules" and _is_imported(module, scope, root):
        return
    if owner is None or inner:
        _look_at_variable(module, scope, target, owner, targets, place)
    elif method is not None and method.form != "classmethod" and method.name != "__new__":
        targets.instances.add(owner)
    else:
        targets.scopes.add(owner)


def _look_at_variable(
    module: Module, scope: Scope, target: str, owner: Scope | None, targets: Targets, place: int
) -> None:
    """Enter what is set on a variable of a function, or on an attribute of one."""
    root, _, inner = target.partition(".")
    if _REPLACED.match(module.source.data, place):
        targets.classes = targets.classes or "instances"
        return
    local = scope.kind is Kind.FUNCTION and (owner is not None or _is_bound(module, scope, root))
    if local and owner is None:
        if _is_inner_function(module, scope, root) or _is_new_module(module, scope, root):
            return
        made = made_instance(module.source, module.scopes, scope, root) if not inner else None
        if made is not None:
            targets.instances.add(made)
            return
        if not inner and _is_annotated(module, scope, root, targets):
            return
    if not local or not (inner or not _may_be_module(module, scope)):
        targets.scopes.add(module.scopes.module)
    elif not _LIKE_A_CLASS.fullmatch((inner or root).rpartition(".")[2]) and (
        inner or _sets_a_value(module, place)
    ):
        targets.classes = targets.classes or "instances"
    else:
        targets.classes = True


def _sets_a_value(module: Module, place: int) -> bool:
    """Whether what `setattr(x, name, value)` sets is no function, so that it gives no class a method."""
    call = module.root.descendant_for_byte_range(place, place + 1)
    while call is not None and call.type != "call":
        call = call.parent
    listed = call.child_by_field_name("arguments") if call is not None else None
    if call is None or call.start_byte != place or listed is None or listed.named_child_count != 3:
        return False
    return listed.named_children[2].type in _NO_FUNCTIONS


def _is_known(scope: Scope, root: str, method: Scope | None) -> bool:
    """Whether what a function is for says that it gives no name which nothing else tells."""
    if _method_around(scope) in _RESTORING:
        return True
    if method is not None:
        return method.name == "__setattr__"
    return scope.name in _OF_DESCRIPTORS and any(root == each[0] for each in scope.signature)


def _is_a_copy(module: Module, scope: Scope, place: int) -> bool:
    """Whether something only gets what the instance of a method around has under the same names."""
    data = module.source.data
    copied = _COPIED.match(data, place) or _SAME_NAME.match(data, place)
    source = copied[copied.lastindex or 0].decode("utf-8", "replace") if copied is not None else ""
    return bool(source) and receiving(scope, source) is not None


def _is_given_by_name(
    module: Module, scope: Scope, place: int, sign: bytes, target: str, targets: Targets
) -> bool:
    """Enter the names that `setattr(x, name, …)` sets where they are written out; whether they are."""
    if sign != b"setattr(" or not target:
        return False
    names = written_names(module, place, lambda name: _is_bound(module, scope, name))
    if names is None:
        return False
    method = receiving(scope, target)
    owner = method.parent if method is not None else class_of_module(module.scopes, scope, target)
    if owner is None:
        owner = made_instance(module.source, module.scopes, scope, target)
    elif method is None or method.form == "classmethod" or method.name == "__new__":
        targets.members += _set(owner, names, place, instance=False)
        return True
    if owner is not None:
        targets.members += _set(owner, names, place, instance=True)
        return True
    root = target.partition(".")[0]
    if scope.kind is not Kind.FUNCTION or not _is_bound(module, scope, root) or _may_be_module(module, scope):
        return False
    targets.others |= set(names)
    return True


def _set(owner: Scope, names: Iterable[str], place: int, *, instance: bool) -> list[Assignment]:
    return [Assignment(owner, name, None, place, place, instance=instance) for name in names]


def _is_annotated(module: Module, scope: Scope, name: str, targets: Targets) -> bool:
    """Enter the class of which an annotated parameter is an instance; whether it is annotated by one."""
    holder: Scope | None = scope
    while holder is not None and name not in holder.bound:
        holder = holder.parent
    rows = holder.signature if holder is not None else []
    text = next(
        (row[2] for row in rows if row[0] == name and row[1].startswith(("positional", "keyword"))), None
    )
    plain = _PLAIN_CLASS.fullmatch(text.strip("'\"")) if isinstance(text, str) else None
    if plain is None:
        return False
    root = plain[1].partition(".")[0]
    class_ = class_of_module(module.scopes, scope, plain[1])
    if class_ is not None:
        targets.instances.add(class_)
        return True
    meant = module.imports.bindings.get((module.scopes.module, root), ())
    return bool(meant) and not any(f"{each}.".startswith(_OF_TYPES) for each in meant)


def _is_imported(module: Module, scope: Scope, name: str) -> bool:
    """Whether a name stands for something of another module."""
    holder: Scope | None = scope
    while holder is not None:
        targets = module.imports.bindings.get((holder, name))
        if targets:
            return module.name not in targets
        if name in holder.bound:
            return False
        holder = holder.parent
    return False


def _is_new_module(module: Module, scope: Scope, name: str) -> bool:
    """Whether a variable of a function holds a module that the function itself makes, and nothing else."""
    text = module.source.data[scope.body : scope.end]
    escaped = re.escape(name.encode())
    bound = re.findall(rb"(?<![\w.])%s[ \t]*=(?!=)[ \t]*([\w.]*)" % escaped, text)
    return bool(bound) and all(value.rpartition(b".")[2] in _MAKES_MODULES for value in bound)


def _may_be_module(module: Module, scope: Scope) -> bool:
    """Whether a variable of a function may hold a module: the function looks one up, or the file looks itself up."""
    data = module.source.data
    outer = scope
    while outer.parent is not None and outer.parent.kind is Kind.FUNCTION:
        outer = outer.parent
    if _LOOKS_UP.search(data, outer.body, outer.end) is not None or b"getmodule(" in data:
        return True
    is_looking = b"__name__" in data and any(sign in data for sign in _LOOKING_UP)
    return is_looking and _LOOKS_ITSELF_UP.search(data) is not None


def _is_bound(module: Module, scope: Scope, name: str) -> bool:
    """Whether a name is a variable of a function or of one around it, or what is defined in these."""
    holder: Scope | None = scope
    while holder is not None and holder.kind is Kind.FUNCTION:
        if name in holder.bound or (holder, name) in module.scopes.members:
            return True
        holder = holder.parent
    return False


def _is_inner_function(module: Module, scope: Scope, name: str) -> bool:
    """Whether a name is that of a function which is defined in this one, and of nothing else: a wrapper, mostly."""
    inner = module.scopes.members.get((scope, name))
    return inner is not None and inner.kind is Kind.FUNCTION and name not in scope.bound
