"""Compares the bases of a stub's class with the ancestors of the code's."""

from __future__ import annotations

from collections.abc import Collection, Sequence, Set

from crossval.compare.annotations import Scope
from crossval.compare.discrepancies import Comparison, Discrepancy, Silence
from crossval.compare.library import library_class
from crossval.compare.typenames import UNINFORMATIVE
from crossval.pairs import Difference, Stricter

# Structural or marker bases: a class may well leave them out and still be what the stub says.
_WITHOUT_WEIGHT = frozenset(
    {"object", "abc.ABC", "typing.IO", "typing.BinaryIO", "typing.TextIO"}
    | {
        f"collections.abc.{name}"
        for name in ("Iterable", "Iterator", "Sized", "Container", "Hashable", "Callable")
    }
    | {
        f"collections.abc.{name}"
        for name in ("Collection", "Reversible", "Awaitable", "Generator", "Coroutine")
    }
    | {f"collections.abc.{name}" for name in ("AsyncIterable", "AsyncIterator", "AsyncGenerator", "Buffer")}
    | {"contextlib.AbstractContextManager", "contextlib.AbstractAsyncContextManager"}
    | {f"typing.Supports{what}" for what in ("Abs", "Bytes", "Complex", "Float", "Index", "Int", "Round")}
)
_FORMS = frozenset({"Generic", "Protocol", "NamedTuple", "TypedDict"})
_NAMED_TUPLE = "NamedTuple"
_ENUMERATIONS = frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "ReprEnum"})


def compare_bases(
    spec: Sequence[str],
    code: Sequence[str],
    ancestors: Collection[str],
    scope: Scope,
    *,
    private: Collection[str] = (),
    unknown: str = "",
) -> Comparison:
    """Which of the stub's bases the code's class does not have among its ancestors.

    `ancestors` are the last components of their names; `private` names bases that exist only in stubs, and
    `unknown` says why not all ancestors are known.
    """
    # A base that both sides call alike is one, whatever the name stands for.
    named = {*ancestors, *(text.partition("[")[0].strip().rpartition(".")[2] for text in code)}
    lacking = [text for text in spec if not _is_kept(text, named, scope) and text not in private]
    if not lacking:
        return Comparison()
    if unknown:
        return Comparison(silences=(Silence("bases", unknown),))
    difference = Difference(change="bases", spec=list(spec), code=list(code), stricter=Stricter.NEITHER)
    return Comparison((Discrepancy("", difference),))


def is_weightless(qualified: str) -> bool:
    """Whether a base of this name may be left out, because classes are what it says without naming it."""
    # Projects import these from a module of their own that knows where each Python has them.
    forms = qualified.rpartition(".")[2] in _FORMS
    return forms or qualified in _WITHOUT_WEIGHT or qualified in UNINFORMATIVE


def _is_kept(text: str, ancestors: Set[str], scope: Scope) -> bool:
    name = text.partition("[")[0].strip()
    if not name.replace(".", "").isidentifier():
        return True
    qualified = scope.resolve(name)
    last = qualified.rpartition(".")[2]
    if last == _NAMED_TUPLE:
        return bool(ancestors & {_NAMED_TUPLE, "namedtuple", "tuple"})
    # An alias of such a base is one.
    meant = scope.annotation(name).name
    if is_weightless(qualified) or is_weightless(meant):
        return True
    if last in ancestors or meant.rpartition(".")[2] in ancestors:
        return True
    standard = library_class(qualified)
    if standard is not None and standard.__name__ in ancestors:
        return True
    return last in _ENUMERATIONS and not _ENUMERATIONS.isdisjoint(ancestors)
