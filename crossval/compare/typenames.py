"""The standard library's names for types: which spellings are one, which are certain, which include which."""

from __future__ import annotations

import abc
import builtins
import collections
import collections.abc
import enum
import typing
from collections.abc import Mapping
from functools import cache
from types import CodeType, FunctionType

from crossval.compare.library import library_class

_ABSTRACT = (
    *("AsyncGenerator", "AsyncIterable", "AsyncIterator", "Awaitable", "Callable", "Collection", "Container"),
    *("Coroutine", "Generator", "Hashable", "ItemsView", "Iterable", "Iterator", "KeysView", "Mapping"),
    *("MappingView", "MutableMapping", "MutableSequence", "MutableSet", "Reversible", "Sequence", "Sized"),
    "ValuesView",
)

CANONICAL: Mapping[str, str] = {
    **{f"typing.{name}": f"collections.abc.{name}" for name in _ABSTRACT},
    "typing.AbstractSet": "collections.abc.Set",
    "typing.Buffer": "collections.abc.Buffer",
    "typing.List": "list",
    "typing.Dict": "dict",
    "typing.Set": "set",
    "typing.FrozenSet": "frozenset",
    "typing.Tuple": "tuple",
    "typing.Type": "type",
    "typing.Text": "str",
    "typing.Deque": "collections.deque",
    "typing.DefaultDict": "collections.defaultdict",
    "typing.OrderedDict": "collections.OrderedDict",
    "typing.Counter": "collections.Counter",
    "typing.ChainMap": "collections.ChainMap",
    "typing.ContextManager": "contextlib.AbstractContextManager",
    "typing.AsyncContextManager": "contextlib.AbstractAsyncContextManager",
    "typing.Pattern": "re.Pattern",
    "typing.Match": "re.Match",
    "typing.NoReturn": "typing.Never",
    "types.NoneType": "None",
    "NoneType": "None",
    "IOError": "OSError",
    "EnvironmentError": "OSError",
    "socket.error": "OSError",
}
"""Spellings that mean another name."""

TRANSPARENT = frozenset(
    {"typing.Annotated", "typing.Final", "typing.ClassVar", "typing.Required", "typing.NotRequired"}
    | {"typing.ReadOnly", "dataclasses.InitVar"}
)
"""Wrappers that say something about the name, not about its type."""

UNINFORMATIVE = frozenset({"typing.Any", "_typeshed.Incomplete", "_typeshed.MaybeNone", "typing.TypeAlias"})
"""Names that stand for any type."""

_BARE_TYPING = frozenset(
    {
        name.removeprefix("typing.")
        for name in (*CANONICAL, *TRANSPARENT, *UNINFORMATIVE)
        if name[:7] == "typing."
    }
    | {"Optional", "Union", "Literal", "Self", "Never", "LiteralString", "Incomplete", "TypeGuard", "Unpack"}
    | {"TypeIs"}
) - {"Buffer"}

_BUILTIN_CLASSES: Mapping[str, type] = {
    name: value
    for name, value in vars(builtins).items()
    if isinstance(value, type) and not name.startswith("_")
}

_CERTAIN = frozenset(
    {
        *_BUILTIN_CLASSES,
        "None",
        "collections.deque",
        "collections.defaultdict",
        "collections.OrderedDict",
        "collections.Counter",
        "collections.ChainMap",
        "collections.abc.Set",
        *(f"collections.abc.{name}" for name in _ABSTRACT),
        "contextlib.AbstractContextManager",
        "contextlib.AbstractAsyncContextManager",
        "datetime.date",
        "datetime.datetime",
        "datetime.time",
        "datetime.timedelta",
        "datetime.timezone",
        "decimal.Decimal",
        "enum.Enum",
        "fractions.Fraction",
        "io.BytesIO",
        "io.StringIO",
        "logging.Logger",
        "os.PathLike",
        "pathlib.Path",
        "pathlib.PurePath",
        "re.Match",
        "re.Pattern",
        "types.ModuleType",
        "typing.Never",
        "typing.TypeGuard",
        "typing.TypeIs",
        "uuid.UUID",
    }
)


OF_TYPESHED: Mapping[str, str] = {
    "_typeshed.StrPath": "str | os.PathLike[str]",
    "_typeshed.BytesPath": "bytes | os.PathLike[bytes]",
    "_typeshed.StrOrBytesPath": "str | bytes | os.PathLike[str] | os.PathLike[bytes]",
    "_typeshed.FileDescriptor": "int",
    "_typeshed.wsgi.WSGIEnvironment": "dict[str, typing.Any]",
}
"""What aliases that only stubs can import stand for; those that leave much open are not among them."""


def resolve(dotted: str, names: Mapping[str, str]) -> str:
    """The canonical qualified name of a dotted name, given what the module's own names stand for."""
    head, _, rest = dotted.partition(".")
    target = names.get(head)
    if target is not None:
        dotted = f"{target}.{rest}" if rest else target
    elif not rest and head not in _BUILTIN_CLASSES and head in _BARE_TYPING:
        dotted = "_typeshed.Incomplete" if head == "Incomplete" else f"typing.{head}"
    dotted = dotted.removeprefix("builtins.")
    if dotted.startswith("typing_extensions."):
        dotted = "typing." + dotted.removeprefix("typing_extensions.")
    return CANONICAL.get(dotted, dotted)


def is_certain(name: str) -> bool:
    """Whether a canonical name is a class of the standard library, and no alias of anything else."""
    return name in _CERTAIN


def standard_class(name: str) -> type | None:
    """The class behind a canonical name, for builtins and abstract collections; else None."""
    if name == "None":
        return type(None)
    if name.startswith("collections.abc."):
        found = getattr(collections.abc, name.removeprefix("collections.abc."), None)
        return found if isinstance(found, type) else None
    return _BUILTIN_CLASSES.get(name)


def includes(wide: str, narrow: str) -> bool:
    """Whether every value of the second standard type is one of the first (an int may be given for a float)."""
    promotions = {"float": ("int", "bool"), "complex": ("int", "float", "bool")}
    if narrow in promotions.get(wide, ()):
        return True
    first, second = standard_class(wide), standard_class(narrow)
    return first is not None and second is not None and issubclass(second, first)


def _kind_of_file(name: str) -> type:
    """A class with the names that type checkers know of one of `typing`'s kinds of files."""
    names = {each for each in dir(vars(typing)[name]) if not each.startswith("_")}
    names |= {"__enter__", "__exit__", "__iter__", "__next__"}
    return type(name, (), {**dict.fromkeys(names), "__module__": "typing"})


_BASES: Mapping[str, type] = {
    **{f"typing.{name}": _kind_of_file(name) for name in ("IO", "TextIO", "BinaryIO")},
    "abc.ABC": abc.ABC,
    "typing.Generic": vars(typing)["Generic"],
    "typing.Protocol": vars(typing)["Protocol"],
    "typing.NamedTuple": collections.namedtuple("NamedTuple", (), module="typing"),
    "typing.TypedDict": dict,
    "_typeshed.wsgi.WSGIEnvironment": dict,
    **{f"enum.{name}": vars(enum)[name] for name in ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag")},
}


_SETTERS = frozenset({"setattr", "__dict__", "__setattr__"})
_REFUSED_BY_OBJECT = frozenset({"__lt__", "__le__", "__gt__", "__ge__"})
_OF_CLASSES_ALONE = frozenset({"__call__", "__or__", "__ror__"})


def base_class(name: str) -> type | None:
    """What a class inherits from a standard base of this canonical name; None where it is not known here."""
    return _BASES.get(name) or standard_class(name) or library_class(name)


def has_member(class_: type, name: str) -> bool:
    """Whether instances or the class itself have this name, from it, its bases or its metaclass.

    What `object` has only to refuse (comparing by order), and `type` for classes alone, says nothing of instances; a
    special method that is `None` (`Mapping.__reversed__`) is refused as well.
    """
    if name in _REFUSED_BY_OBJECT:
        return any(name in vars(ancestor) for ancestor in class_.__mro__[:-1])
    if name in _OF_CLASSES_ALONE:
        return any(name in vars(ancestor) for ancestor in class_.__mro__)
    metaclass: type = type(class_)
    has = any(name in vars(ancestor) for ancestor in class_.__mro__ + metaclass.__mro__)
    return has and not refuses(class_, name)


def refuses(class_: type, name: str) -> bool:
    """Whether a class says by `None` that it has no such special method."""
    if not name.startswith("__"):
        return False
    holder = next((ancestor for ancestor in class_.__mro__ if name in vars(ancestor)), None)
    return holder is not None and vars(holder)[name] is None


def may_set(class_: type, name: str) -> bool:
    """Whether methods of a standard class may give its instances this name: its own or an ancestor's code has it.

    What is written in C lists the names of its instances in the class itself.
    """
    names = _names_in_code(class_)
    return name in names or not names.isdisjoint(_SETTERS)


@cache
def _names_in_code(class_: type) -> frozenset[str]:
    """All names of attributes and globals that the methods of a class and its ancestors use."""
    waiting = [
        each.__code__
        for ancestor in class_.__mro__
        for value in vars(ancestor).values()
        if isinstance(each := getattr(value, "__func__", value), FunctionType)
    ]
    found: set[str] = set()
    while waiting:
        code = waiting.pop()
        found.update(code.co_names)
        waiting += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return frozenset(found)
