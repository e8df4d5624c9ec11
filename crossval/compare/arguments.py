"""Compares the parameters of a stub's function with those of the code."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.compare.annotations import Annotation, Scope
from crossval.compare.discrepancies import Comparison, Discrepancy, Silence
from crossval.compare.inclusion import admits, stricter
from crossval.compare.matching import Couple, Matching, match
from crossval.compare.parameters import KEYWORD_ONLY, POSITIONAL_OR_KEYWORD, Parameter, Parameters
from crossval.compare.typenames import standard_class
from crossval.compare.values import FLAGS, Literal, as_json, compare_values, read_literal
from crossval.compare.verdicts import Verdict, compare_texts
from crossval.pairs import Difference, Stricter
from graph.facts import Json

PLACE = "signature"


def compare_arguments(
    spec: Parameters, code: Parameters, spec_scope: Scope, code_scope: Scope, *, special: bool = False
) -> Comparison:
    """How two lists of parameters differ; `special` methods (`__eq__`) are only ever called by position."""
    if _is_unspecified(spec, spec_scope) and not (code.star and code.double_star):
        difference = Difference(
            change="unspecified", spec=spec.names, code=code.names, stricter=Stricter.CODE
        )
        return Comparison((Discrepancy(PLACE, difference),))
    types = _Types(spec_scope, code_scope)
    # What is only ever passed by position is the same argument, whatever it is called and may be.
    matching = match(spec, code, (lambda ours, theirs: True) if special else types.are_alike)
    together = (*matching.matched, *matching.renamed)
    found = [*_missing(spec, code, matching), *_extra(spec, code, matching), *_order(spec, code, matching)]
    found.extend(_by_name_only(code, matching))
    for couple in matching.renamed:
        if not special:
            found.append(_differ(couple, "name", couple[0].name, couple[1].name))
    for couple in matching.matched:
        if not special:
            found.extend(_kind(couple))
    for couple in together:
        found.extend(_default(couple))
        found.extend(_unfit_default(couple, spec_scope, types))
    found.extend(_unspecified(spec, code, matching, spec_scope))
    silences = _swallowed(matching)
    for couple in (*together, *_stars(spec, code)):
        compared = types.compare(couple)
        found.extend(compared.discrepancies)
        silences.extend(compared.silences)
    return Comparison(tuple(found), tuple(silences))


class _Types:
    """Compares the annotations of parameters, each read in the scope of its module."""

    def __init__(self, spec_scope: Scope, code_scope: Scope) -> None:
        self._spec_scope = spec_scope
        self._code_scope = code_scope

    def are_alike(self, ours: Parameter, theirs: Parameter) -> bool:
        """Whether the two could be one parameter that was renamed."""
        same_default = (ours.default is None) == (theirs.default is None)
        return (
            same_default
            and not any(_default((ours, theirs)))
            and self._verdict(ours, theirs) is not Verdict.DIFFER
        )

    def compare(self, couple: Couple) -> Comparison:
        """How the annotations of two parameters differ, where both have one."""
        ours, theirs = couple
        if ours.annotation is None or theirs.annotation is None:
            return Comparison()
        match self._verdict(ours, theirs):
            case Verdict.DIFFER:
                tighter = stricter(*self._annotations(ours, theirs))
                return Comparison((_differ(couple, "type", ours.annotation, theirs.annotation, tighter),))
            case Verdict.UNKNOWN:
                reason = f"{ours.annotation} and {theirs.annotation} cannot be compared by reading alone"
                return Comparison(silences=(Silence(f"{_place(ours)}.type", reason),))
            case _:
                return Comparison()

    def are_equal(self, couple: Couple) -> bool:
        """Whether both parameters surely have one type, however it is spelled."""
        ours, theirs = couple
        return ours.annotation == theirs.annotation or self._verdict(ours, theirs) is Verdict.EQUAL

    def _verdict(self, ours: Parameter, theirs: Parameter) -> Verdict:
        if ours.annotation is None or theirs.annotation is None:
            return Verdict.UNKNOWN
        verdict = compare_texts(_text(ours), _text(theirs), self._spec_scope, self._code_scope)
        if verdict is Verdict.DIFFER and (ours.default == "None") is not (theirs.default == "None"):
            # Of a `None` that only one side writes as its default the defaults tell.
            return compare_texts(ours.annotation, theirs.annotation, self._spec_scope, self._code_scope)
        return verdict

    def _annotations(self, ours: Parameter, theirs: Parameter) -> tuple[Annotation, Annotation]:
        return _annotation(ours, self._spec_scope), _annotation(theirs, self._code_scope)


def _annotation(parameter: Parameter, scope: Scope) -> Annotation:
    return scope.annotation(_text(parameter))


def _text(parameter: Parameter) -> str:
    """The annotation as written, with the `None` that a default of `None` implies."""
    text = parameter.annotation or ""
    return f"({text}) | None" if parameter.default == "None" else text


def _is_unspecified(spec: Parameters, scope: Scope) -> bool:
    """Whether the stub takes `*args` and `**kwargs` of any type, which is how stubs say that they do not know."""
    stars = (spec.star, spec.double_star)
    return all(star is not None and _is_untyped(star, scope) for star in stars)


def _is_untyped(parameter: Parameter, scope: Scope) -> bool:
    return parameter.annotation is None or scope.annotation(parameter.annotation).name == "?"


def _is_plain(parameter: Parameter, scope: Scope) -> bool:
    """Whether each of the arguments that a parameter stands for has one and the same builtin type."""
    class_ = standard_class(scope.annotation(parameter.annotation or "").name)
    return class_ is not None and class_ is not object and class_.__module__ == "builtins"


def _unspecified(
    spec: Parameters, code: Parameters, matching: Matching, scope: Scope
) -> Iterator[Discrepancy]:
    """What callers may pass, and the stub knows by its untyped `**kwargs`, or its untyped `*args`, only; of `**kwargs`
    that have a plain type, what can only be passed by name."""
    by_position = spec.double_star is None
    star = spec.star if by_position else spec.double_star
    if star is None:
        return
    untyped = _is_untyped(star, scope)
    if not untyped and (by_position or not _is_plain(star, scope)):
        return
    names = [
        theirs.name
        for theirs in matching.tolerated
        if not theirs.is_private and (untyped or theirs.kind == KEYWORD_ONLY)
    ]
    if names:
        difference = Difference(change="unspecified", spec=spec.names, code=names, stricter=Stricter.CODE)
        yield Discrepancy(PLACE, difference)


def _missing(spec: Parameters, code: Parameters, matching: Matching) -> Iterator[Discrepancy]:
    for ours in matching.missing:
        yield _alone(ours, "missing", spec=ours.value, code=code.names)
    if matching.tolerated:
        return
    if spec.star and not code.star:
        yield _alone(spec.star, "missing", spec=spec.star.value, code=code.names)
    if spec.double_star and not code.double_star and not _is_idiom(spec, code):
        yield _alone(spec.double_star, "missing", spec=spec.double_star.value, code=code.names)


def _is_idiom(spec: Parameters, code: Parameters) -> bool:
    """Whether the stub has `**kwargs` only since a type checker wants it beside `*args: P.args`."""
    said = spec.double_star.annotation if spec.double_star is not None else None
    return said is not None and said.endswith(".kwargs") and code.star is not None


def _extra(spec: Parameters, code: Parameters, matching: Matching) -> Iterator[Discrepancy]:
    """Those that callers must pass make the code stricter, those that shift others differ, the rest makes it wider."""
    couples = (*matching.matched, *matching.renamed)
    known = {theirs for ours, theirs in couples if ours.kind != KEYWORD_ONLY}
    last = max((index for index, theirs in enumerate(code.positional) if theirs in known), default=-1)
    for theirs in matching.extra:
        shifts = theirs in code.positional[: max(last, 0)]
        if theirs.default is not None and theirs.is_private and not shifts:
            continue
        tighter = Stricter.CODE if theirs.default is None else Stricter.NEITHER if shifts else Stricter.SPEC
        yield _alone(theirs, "extra", spec=spec.names, code=theirs.value, stricter=tighter)
    if any(ours.kind != KEYWORD_ONLY for ours in matching.swallowed):
        return
    if code.star and not spec.star:
        yield _alone(code.star, "extra", spec=spec.names, code=code.star.value, stricter=Stricter.SPEC)
    if code.double_star and not spec.double_star and not matching.swallowed:
        yield _alone(
            code.double_star, "extra", spec=spec.names, code=code.double_star.value, stricter=Stricter.SPEC
        )


def _order(spec: Parameters, code: Parameters, matching: Matching) -> Iterator[Discrepancy]:
    places = {theirs: index for index, theirs in enumerate(code.positional)}
    couples = [
        couple
        for couple in matching.matched
        if couple[0].kind == POSITIONAL_OR_KEYWORD and couple[1] in places
    ]
    indices = [places[theirs] for _, theirs in couples]
    if indices == sorted(indices):
        return
    ordered = sorted(couples, key=lambda couple: places[couple[1]])
    first = next(index for index, couple in enumerate(couples) if couple is not ordered[index])
    difference = Difference(
        change="order",
        spec=spec.names,
        code=code.names,
        spec_line=couples[first][0].line,
        code_line=ordered[first][1].line,
    )
    yield Discrepancy(PLACE, difference)


def _kind(couple: Couple) -> Iterator[Discrepancy]:
    ours, theirs = couple
    if ours.kind == theirs.kind:
        return
    if theirs.is_conventional:
        # When it runs, it can be passed by the name with its underscores, and by no other.
        if ours.kind == POSITIONAL_OR_KEYWORD and ours.name != theirs.name:
            yield _differ(couple, "name", ours.name, theirs.name)
        return
    tighter = Stricter.NEITHER
    if ours.kind == POSITIONAL_OR_KEYWORD:
        tighter = Stricter.CODE
    elif theirs.kind == POSITIONAL_OR_KEYWORD:
        tighter = Stricter.SPEC
    yield _differ(couple, "kind", ours.kind, theirs.kind, tighter)


def _by_name_only(code: Parameters, matching: Matching) -> Iterator[Discrepancy]:
    """What a stub lets callers pass by position, and the code can take by its `**kwargs` only."""
    for ours in matching.swallowed if code.star is None else ():
        if ours.kind != KEYWORD_ONLY:
            yield _differ((ours, ours), "kind", ours.kind, KEYWORD_ONLY, Stricter.CODE)


def _default(couple: Couple) -> Iterator[Discrepancy]:
    ours, theirs = couple
    if ours.default is None and theirs.default is None:
        return
    if ours.default is None or theirs.default is None:
        tighter = Stricter.SPEC if ours.default is None else Stricter.CODE
        yield _differ(couple, "default", ours.value, theirs.value, tighter)
    elif _surely_differ(read_literal(ours.default), read_literal(theirs.default)):
        yield _differ(couple, "default", as_json(ours.default), as_json(theirs.default))


def _surely_differ(spec: Literal | None, code: Literal | None) -> bool:
    """Whether two defaults are different values; a flag is none of the numbers that it equals."""
    if compare_values(spec, code) is Verdict.DIFFER:
        return True
    return (
        spec is not None and code is not None and isinstance(spec.value, bool) != isinstance(code.value, bool)
    )


def _unfit_default(couple: Couple, scope: Scope, types: _Types) -> Iterator[Discrepancy]:
    """A default of the code that the stub, which leaves the value open or has the same, surely gives another type.

    A stub that says `None` itself only leaves out of the type what it says; where the code has the stub's type and
    value, it is its own that do not agree.
    """
    ours, theirs = couple
    if ours.annotation is None or theirs.default is None or ours.default not in (theirs.default, "..."):
        return
    if ours.default == theirs.default != "None" and types.are_equal(couple):
        return
    literal = read_literal(theirs.default)
    annotation = scope.annotation(ours.annotation)
    if literal is None or admits(annotation, literal.value) is not Verdict.DIFFER:
        return
    if literal.value not in FLAGS or all(member.name != "bool" for member in annotation.alternatives):
        tighter = Stricter.SPEC if ours.default == "None" else Stricter.NEITHER
        yield _differ(couple, "default-type", ours.annotation, as_json(theirs.default), tighter)


def _swallowed(matching: Matching) -> list[Silence]:
    return [
        Silence(_place(ours), "the code takes it, if at all, through *args or **kwargs")
        for ours in matching.swallowed
    ]


def _stars(spec: Parameters, code: Parameters) -> Iterator[Couple]:
    for ours, theirs in ((spec.star, code.star), (spec.double_star, code.double_star)):
        if ours is not None and theirs is not None:
            yield ours, theirs


def _place(parameter: Parameter) -> str:
    return f"{PLACE}.{parameter.label}"


def _alone(
    parameter: Parameter, change: str, *, spec: Json, code: Json, stricter: Stricter = Stricter.CODE
) -> Discrepancy:
    spec_line, code_line = (parameter.line, 0) if change == "missing" else (0, parameter.line)
    difference = Difference(
        change=change, spec=spec, code=code, stricter=stricter, spec_line=spec_line, code_line=code_line
    )
    return Discrepancy(_place(parameter), difference)


def _differ(
    couple: Couple, change: str, spec: Json, code: Json, stricter: Stricter = Stricter.NEITHER
) -> Discrepancy:
    ours, theirs = couple
    difference = Difference(
        change=change, spec=spec, code=code, stricter=stricter, spec_line=ours.line, code_line=theirs.line
    )
    return Discrepancy(_place(ours), difference)
