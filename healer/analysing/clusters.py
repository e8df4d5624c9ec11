"""Failures that share a root cause, brought together: each cluster gets one judgement and one heal."""

from __future__ import annotations

from collections.abc import Iterable

from healer.analysis import Analysis, Category

_Cause = tuple[str, ...]
_WITHOUT_PLACE = frozenset(
    {Category.IMPORT_ERROR, Category.NAME_ERROR, Category.ATTRIBUTE_ERROR, Category.FIXTURE_ERROR}
    | {Category.SIGNATURE_ERROR, Category.MOCK_ERROR, Category.ENVIRONMENT}
)
"""Where a missing symbol is the cause, whoever asks for it."""
_NOTHING_CALLED = "'NoneType' object is not callable"
"""What each call says of what went through one broken decorator, whatever it is called."""


def clustered(analyses: Iterable[Analysis]) -> list[tuple[Analysis, ...]]:
    """The analyses in groups of one root cause, each in the order given, by their first members.

    Failures that name the same missing symbol in the same way belong together, in how many files they may be; others
    where the same line of the project failed in the same way, or else the same line of the tests. Where nothing is
    what tests call, all of them do.
    """
    groups: dict[_Cause, list[Analysis]] = {}
    for each in analyses:
        groups.setdefault(_cause(each), []).append(each)
    return [tuple(group) for group in groups.values()]


def _cause(analysis: Analysis) -> _Cause:
    if analysis.category in _WITHOUT_PLACE and analysis.symbol:
        return (analysis.category, analysis.exception, analysis.symbol, _wording(analysis))
    root = analysis.root
    if analysis.message.startswith(_NOTHING_CALLED):
        return (analysis.category, analysis.exception, _NOTHING_CALLED)
    if root is None:
        return (analysis.category, analysis.exception, analysis.file, analysis.node, analysis.message)
    place = (root.path, str(root.line))
    if root.owner == "test":
        return (analysis.category, analysis.exception, analysis.symbol, *place)
    return (analysis.category, analysis.exception, analysis.symbol, *place, root.function)


def _wording(analysis: Analysis) -> str:
    """What distinguishes failures about one symbol: a call has another fault than one with another wrong argument."""
    return analysis.message.partition("\n")[0] if analysis.category is Category.SIGNATURE_ERROR else ""
