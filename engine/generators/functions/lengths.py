"""Conditions on how long a text is, as docstrings write them, and a text that meets them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.generators.functions.calls import VAR_KEYWORD, VAR_POSITIONAL, Parameter
from engine.generators.functions.conditions import Met, alternatives, bare

_UNIT = r"(?P<unit>characters?|chars?|digits?|letters?|bytes?|octets?)"
_NUMBERS = r"(?P<numbers>\d+(?:(?:,| or|, or) \d+)*)"
_TOLD = (
    (rf" (?:is|was|are|be) not (?:exactly |of length )?{_NUMBERS} {_UNIT}(?: long| in length)?", 1),
    (rf" (?:is|was) (?:longer|more) than {_NUMBERS} {_UNIT}(?: long| in length)?", 1),
    (rf" (?:has|contains) more than {_NUMBERS} {_UNIT}", 1),
    (rf" exceeds {_NUMBERS} {_UNIT}", 1),
    (rf" (?:is|was) (?:shorter|less|fewer) than {_NUMBERS} {_UNIT}(?: long| in length)?", -1),
    (rf" (?:has|contains) (?:fewer|less) than {_NUMBERS} {_UNIT}", -1),
)
_CONDITIONS = tuple((re.compile(pattern), step) for pattern, step in _TOLD)
_LONGEST = 10_000
_SHORT = 40


def measured(words: str, parameters: Sequence[Parameter]) -> Met | None:
    """A text that is too long or too short, for the parameter of which a condition says so; None for all others."""
    for part in alternatives(words):
        text = re.sub(r"\b(is|was|are)n['’]t\b", r"\1 not", bare(part))
        for each in sorted(parameters, key=lambda one: -len(one.name)):
            if each.kind in (VAR_POSITIONAL, VAR_KEYWORD) or not text.startswith(each.name):
                continue
            for condition, step in _CONDITIONS:
                if found := condition.fullmatch(text[len(each.name) :]):
                    return _of(each, found["unit"], found["numbers"], step)
    return None


def _of(parameter: Parameter, unit: str, numbers: str, step: int) -> Met | None:
    """A text of digits that is one longer than the longest that is taken, or one shorter than the shortest."""
    listed = [int(each) for each in re.findall(r"\d+", numbers)]
    length = max(listed) + 1 if step > 0 else min(listed) - 1
    annotation = parameter.annotation or ""
    is_binary = unit.startswith(("byte", "octet"))
    if not 0 <= length <= _LONGEST or not _fits(annotation, is_binary=is_binary):
        return None
    text = f'"{"0" * length}"' if length < _SHORT else f'"0" * {length}'
    return Met(parameter.name, f"b{text}" if is_binary else text)


def _fits(annotation: str, *, is_binary: bool) -> bool:
    """Whether a type may be that of such a text; a name of the project's own may stand for it."""
    if not annotation or re.search(
        r"\b(?:Any|bytes|Buffer)\b" if is_binary else r"\b(?:Any|str)\b", annotation
    ):
        return True
    return re.fullmatch(r"(?:\w+\.)*(?:Str|String|Text|Bytes)", annotation) is not None
