"""Which parameter of the code is which parameter of the stub."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from crossval.compare.parameters import KEYWORD_ONLY, POSITIONAL_ONLY, Parameter, Parameters

Couple = tuple[Parameter, Parameter]
"""A parameter of the spec with the one of the code that takes its place."""


class Matching(msgspec.Struct, frozen=True):
    """The parameters that belong together, and those that are alone.

    `swallowed` are the spec's parameters that the code's `*args` or `**kwargs` may take, `tolerated` those of the
    code that the spec's may name; not so what shifts others.
    """

    matched: tuple[Couple, ...]
    renamed: tuple[Couple, ...]
    missing: tuple[Parameter, ...]
    extra: tuple[Parameter, ...]
    swallowed: tuple[Parameter, ...]
    tolerated: tuple[Parameter, ...]


def match(spec: Parameters, code: Parameters, alike: Callable[[Parameter, Parameter], bool]) -> Matching:
    """Match by name, then by position; two that share only their position are one renamed where they are alike."""
    if _are_equally_named(spec, code):
        return Matching(tuple(zip(spec.named, code.named, strict=True)), (), (), (), (), ())
    matched = _by_name(spec, code)
    renamed = _by_position(spec, code, matched, alike)
    _by_plain_name(spec, code, matched, renamed)
    alone = [ours for ours in spec.named if ours not in matched and ours not in renamed]
    met = {*matched.values(), *renamed.values()}
    left = [theirs for theirs in code.named if theirs not in met]
    before = _before_the_last(code, {**matched, **renamed})
    return Matching(
        matched=tuple((ours, matched[ours]) for ours in spec.named if ours in matched),
        renamed=tuple(renamed.items()),
        missing=tuple(ours for ours in alone if not _takes(code, ours)),
        extra=tuple(theirs for theirs in left if theirs in before or not _takes(spec, theirs)),
        swallowed=tuple(ours for ours in alone if _takes(code, ours)),
        tolerated=tuple(theirs for theirs in left if theirs not in before and _takes(spec, theirs)),
    )


def _are_equally_named(spec: Parameters, code: Parameters) -> bool:
    """Whether both have the same names in the same order, all of them passed by name: as most functions do."""
    names = [ours.name for ours in spec.named if ours.kind != POSITIONAL_ONLY]
    return len(set(names)) == len(spec.named) and names == [theirs.name for theirs in code.named]


def _by_name(spec: Parameters, code: Parameters) -> dict[Parameter, Parameter]:
    names = {theirs.name: theirs for theirs in code.named}
    return {
        ours: names[ours.name] for ours in spec.named if ours.kind != POSITIONAL_ONLY and ours.name in names
    }


def _by_position(
    spec: Parameters,
    code: Parameters,
    matched: dict[Parameter, Parameter],
    alike: Callable[[Parameter, Parameter], bool],
) -> dict[Parameter, Parameter]:
    """Those that are one renamed; what is passed by position only is added to those that match, whatever its name."""
    renamed: dict[Parameter, Parameter] = {}
    used = set(matched.values())
    for ours, theirs in _same_position(spec, code):
        if ours in matched or theirs in used:
            continue
        if POSITIONAL_ONLY in (ours.kind, theirs.kind):
            matched[ours] = theirs
        elif ours.kind == theirs.kind == KEYWORD_ONLY and code.double_star is not None:
            continue
        elif alike(ours, theirs):
            renamed[ours] = theirs
        else:
            continue
        used.add(theirs)
    return renamed


def _by_plain_name(
    spec: Parameters,
    code: Parameters,
    matched: dict[Parameter, Parameter],
    renamed: dict[Parameter, Parameter],
) -> None:
    """Add what the spec takes by position only and the code has under that name at another position."""
    used = {*matched.values(), *renamed.values()}
    unused = {theirs.name: theirs for theirs in code.named if theirs not in used}
    for ours in spec.named:
        if ours.kind == POSITIONAL_ONLY and ours not in matched and ours.plain_name in unused:
            matched[ours] = unused.pop(ours.plain_name)


def _before_the_last(code: Parameters, met: dict[Parameter, Parameter]) -> set[Parameter]:
    """The code's parameters before an argument that both sides take by position.

    They are no part of what the spec's `*args` stands for.
    """
    shared = {theirs for ours, theirs in met.items() if ours.kind != KEYWORD_ONLY}
    last = max((index for index, theirs in enumerate(code.positional) if theirs in shared), default=0)
    return set(code.positional[:last]).difference(met.values())


def _same_position(spec: Parameters, code: Parameters) -> list[Couple]:
    return [
        *zip(spec.positional, code.positional, strict=False),
        *zip(spec.keyword_only, code.keyword_only, strict=False),
    ]


def _takes(parameters: Parameters, other: Parameter) -> bool:
    """Whether starred parameters can take what is passed for a parameter of the other side, in one way at least."""
    by_position = parameters.star is not None and other.kind != KEYWORD_ONLY
    by_keyword = parameters.double_star is not None and other.kind != POSITIONAL_ONLY
    return by_position or by_keyword
