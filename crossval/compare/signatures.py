"""Compares a function of a stub with the one of the code: how it is reached, called, awaited, and what it returns."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence

import msgspec

from crossval.compare.annotations import UNKNOWN, Annotation, Scope
from crossval.compare.arguments import PLACE, compare_arguments
from crossval.compare.decorators import as_called, binding, changes_return, is_wrapped, unknown_decorator
from crossval.compare.discrepancies import Comparison, Discrepancy, Silence, common
from crossval.compare.inclusion import stricter
from crossval.compare.markers import compare_markers
from crossval.compare.parameters import VAR_KEYWORD, VAR_POSITIONAL, read_parameters
from crossval.compare.results import compare_returned, shown_type
from crossval.compare.verdicts import Verdict, compare, compare_texts
from crossval.pairs import Difference, Stricter
from graph.facts import Fact

_IMPLICITLY_BOUND = frozenset({"__new__", "__init_subclass__", "__class_getitem__"})
_CALLED_BY_KEYWORD = frozenset({"__init__", "__new__", "__call__", "__init_subclass__", "__post_init__"})
_AWAITABLE = frozenset(
    {"collections.abc.Awaitable", "collections.abc.Coroutine", "types.CoroutineType", "asyncio.Future"}
    | {"asyncio.Task", "asyncio.futures.Future", "asyncio.tasks.Task", "concurrent.futures.Future"}
)
_YIELDING = frozenset({f"collections.abc.{name}" for name in ("Generator", "Iterator", "Iterable")})


def compare_functions(spec: Fact, code: Fact, spec_scope: Scope, code_scope: Scope) -> Comparison:
    """How the code's function differs from the stub's, where neither is one of several variants."""
    decorated = bool(spec.aspects.get("decorators") or code.aspects.get("decorators"))
    if decorated:
        code = as_called(code, code_scope)
        for side, fact, scope in (("stub", spec, spec_scope), ("code", code, code_scope)):
            decorator = unknown_decorator(fact, scope)
            if decorator is not None:
                reason = f"the decorator {decorator} in the {side} may change the signature"
                return Comparison(silences=(Silence(PLACE, reason),))
    if _accessor(spec) != _accessor(code):
        reason = f"one is the {_accessor(spec) or _accessor(code)} of a property, the other none"
        return Comparison(silences=(Silence(PLACE, reason),))
    ours, theirs = binding(spec, spec_scope), binding(code, code_scope)
    implicit = spec.name in _IMPLICITLY_BOUND
    if ours != theirs and not implicit:
        kind = Comparison((_discrepancy("kind", ours, theirs),))
        if "property" in (ours, theirs):
            return kind
    else:
        kind = Comparison()
    arguments = compare_arguments(
        read_parameters(spec, bound=implicit or _is_bound(ours)),
        read_parameters(code, bound=implicit or _is_bound(theirs)),
        spec_scope,
        code_scope,
        special=_is_special(spec.name),
    )
    if decorated and (is_wrapped(spec, spec_scope) or is_wrapped(code, code_scope)):
        results = Comparison(
            silences=(Silence("returns", "a decorator wraps it, which may return anything"),)
        )
    else:
        results = _compare_results(spec, code, spec_scope, code_scope)
        if not results.discrepancies:
            results += compare_returned(spec, code, spec_scope, code_scope)
    markers = compare_markers(spec, code, spec_scope, code_scope)
    return kind + arguments + results + markers + _unannotated(spec, code)


def compare_overloads(specs: Sequence[Fact], code: Fact, spec_scope: Scope, code_scope: Scope) -> Comparison:
    """How the code's function contradicts a stub's overloads, each of which it must accept.

    Only what a single overload promises and the code surely refuses counts, and what all of them lack.
    """
    each = [compare_functions(spec, code, spec_scope, code_scope) for spec in specs]
    shared = {found.topic for found in common(each).discrepancies}
    named = {parameter[0] for spec in specs for parameter in spec.aspects.get("parameters", ())}
    counted: dict[tuple[str, str], Discrepancy] = {}
    for spec, comparison in zip(specs, each, strict=True):
        # An overload that takes anything asks the code for all of it, unless that takes anything, too.
        said = () if _takes_anything(spec) and not _takes_anything(code) else named
        for found in _without_said(comparison.discrepancies, said):
            difference = found.difference
            refused = difference.change in {"missing", "name", "unspecified"} or (
                difference.change in {"extra", "kind", "default"} and difference.stricter is Stricter.CODE
            )
            # Two default values that are written out are a choice of overloads only where another has the code's.
            if difference.change == "default" and difference.stricter is Stricter.NEITHER:
                refused = not _has_the_default(found, zip(specs, each, strict=True))
            everywhere = found.topic in shared and difference.change in {"kind", "async", "extra", "order"}
            # A marker may stand on any one of them.
            if refused or everywhere or (difference.change == "marker" and found.topic in shared):
                counted.setdefault(found.topic, found)
    silences = dict.fromkeys(silence for comparison in each for silence in comparison.silences)
    return Comparison(tuple(counted.values()), tuple(silences))


def _has_the_default(found: Discrepancy, overloads: Iterable[tuple[Fact, Comparison]]) -> bool:
    """Whether an overload gives the parameter that a discrepancy is about a default which is the code's."""
    name = found.place.rpartition(".")[2]
    return any(
        any(
            parameter[0] == name and parameter[3] is not None
            for parameter in spec.aspects.get("parameters", ())
        )
        and all(other.topic != found.topic for other in comparison.discrepancies)
        for spec, comparison in overloads
    )


def _without_said(found: Iterable[Discrepancy], named: Container[str]) -> Iterator[Discrepancy]:
    """What an overload differs in, without what it leaves to its `**kwargs` and another one names."""
    for each in found:
        if each.difference.change != "unspecified":
            yield each
        elif unsaid := [name for name in each.difference.code if name not in named]:
            difference = msgspec.structs.replace(each.difference, code=unsaid)
            yield msgspec.structs.replace(each, difference=difference)


def _takes_anything(spec: Fact) -> bool:
    """Whether a function has both `*args` and `**kwargs`."""
    return {VAR_POSITIONAL, VAR_KEYWORD} <= {parameter[1] for parameter in spec.aspects.get("parameters", ())}


def _accessor(function: Fact) -> str:
    """`setter` or `deleter`, where a function is that of a property."""
    kind: str = function.aspects.get("kind", "")
    return kind if kind in {"setter", "deleter"} else ""


def _is_bound(kind: str) -> bool:
    return kind in {"method", "classmethod", "property"}


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__") and name not in _CALLED_BY_KEYWORD


def _compare_results(spec: Fact, code: Fact, spec_scope: Scope, code_scope: Scope) -> Comparison:
    """Compare `async` and the return types, of which one `async def` and one `def … -> Awaitable` may be equal."""
    decorated = spec.aspects.get("decorators") or code.aspects.get("decorators")
    if decorated and changes_return(spec, spec_scope) != changes_return(code, code_scope):
        return Comparison(
            silences=(Silence("returns", "a context manager replaces the annotated return type"),)
        )
    ours, theirs = _returned(spec, spec_scope), _returned(code, code_scope)
    spec_async, code_async = bool(spec.aspects.get("async")), bool(code.aspects.get("async"))
    if code_async and code.aspects.get("generator"):
        # `async def` in a stub is a coroutine whatever it gives; only a body that yields makes a generator of it.
        spec_waits = spec_async and not spec.aspects.get("generator")
        return Comparison() if not spec_waits else _async_mismatch("async", "async generator")
    if spec_async == code_async:
        return _compare_returns(spec, code, ours, theirs, (spec_scope, code_scope))
    if code_async:
        if ours.name in _AWAITABLE:
            return _compare_returns(spec, code, _awaited(ours), theirs)
        return _async_mismatch("sync", "async") if _surely_not_awaitable(ours) else _async_unknown()
    if theirs.name in _AWAITABLE:
        return _compare_returns(spec, code, ours, _awaited(theirs))
    if code.aspects.get("generator") or _surely_not_awaitable(theirs) or _shows_a_value(code, code_scope):
        return _async_mismatch("async", "sync")
    return _async_unknown()


def _returned(function: Fact, scope: Scope) -> Annotation:
    text = function.aspects.get("returns")
    return scope.annotation(text) if isinstance(text, str) else UNKNOWN


def _awaited(annotation: Annotation) -> Annotation:
    """What awaiting gives: the last argument of `Awaitable[X]` and `Coroutine[Any, Any, X]`."""
    return annotation.arguments[-1] if annotation.arguments else UNKNOWN


def _surely_not_awaitable(annotation: Annotation) -> bool:
    return all(
        member.certain and member.name not in _AWAITABLE and member.name != "object"
        for member in annotation.alternatives
    )


def _shows_a_value(function: Fact, scope: Scope) -> bool:
    """Whether the body returns something that surely cannot be awaited."""
    shown = [text for text, _ in function.aspects.get("returned", []) if text != "None"]
    return any(_surely_not_awaitable(shown_type(text, scope)) for text in shown)


def _async_mismatch(spec: str, code: str) -> Comparison:
    return Comparison((_discrepancy("async", spec, code),))


def _async_unknown() -> Comparison:
    return Comparison(
        silences=(Silence("async", "whether the synchronous side returns an awaitable is not said"),)
    )


def _compare_returns(
    spec: Fact, code: Fact, ours: Annotation, theirs: Annotation, scopes: tuple[Scope, Scope] | None = None
) -> Comparison:
    """Compare two return types; `scopes` where they are those that are written, not what awaiting gives."""
    texts = (spec.aspects.get("returns"), code.aspects.get("returns"))
    if code.aspects.get("generator") and _yield_alike(ours, theirs):
        return Comparison()
    verdict = compare(ours, theirs)
    if verdict is Verdict.DIFFER and scopes is not None:
        verdict = compare_texts(str(texts[0]), str(texts[1]), *scopes)
    match verdict:
        case Verdict.DIFFER:
            return Comparison((_discrepancy("returns", *texts, stricter(ours, theirs)),))
        case Verdict.UNKNOWN if all(texts):
            reason = f"{texts[0]} and {texts[1]} cannot be compared by reading alone"
            return Comparison(silences=(Silence("returns", reason),))
        case _:
            return Comparison()


def _yield_alike(ours: Annotation, theirs: Annotation) -> bool:
    """Whether two annotations of a generator function, each of which is right, say that it yields the same."""
    if not (ours.name in _YIELDING and theirs.name in _YIELDING):
        return False
    pairs = zip(ours.arguments[:1], theirs.arguments[:1], strict=False)
    return all(compare(*pair) is not Verdict.DIFFER for pair in pairs)


def _unannotated(spec: Fact, code: Fact) -> Comparison:
    """One note on all that the stub annotates and the code does not."""
    rows = {row[0]: row[2] for row in code.aspects.get("parameters", [])}
    bare = [row[0] for row in spec.aspects.get("parameters", []) if row[2] and rows.get(row[0], "") is None]
    if spec.aspects.get("returns") and not code.aspects.get("returns") and spec.name != "__init__":
        bare.append("the return value")
    if not bare:
        return Comparison()
    return Comparison(silences=(Silence(f"{PLACE}.types", f"the code does not annotate {', '.join(bare)}"),))


def _discrepancy(
    change: str, spec: str | None, code: str | None, stricter: Stricter = Stricter.NEITHER
) -> Discrepancy:
    return Discrepancy("", Difference(change=change, spec=spec, code=code, stricter=stricter))
