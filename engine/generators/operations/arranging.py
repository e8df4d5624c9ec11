"""Turns what a test asks for first into calls of the fixture `arranged`, in which it may be refused."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from engine.generators.source import literal

_ASKED = re.compile(r"(\w+) = (client\..*)")
_MADE = re.compile(r"(\w+) = (arranged\(.*)")
_STATUS = re.compile(r"assert (\w+)\.status_code (?:== (\d+)|in \((\d+(?:, \d+)*)\))")
_UNKNOWN = re.compile(r'pytest\.skip\("the contract does not tell (.*); it answered: " \+ ')
_FIELD = r"""\b{name}\.json\(\)((?:\[['"]\w+['"]\])+)"""


def arranged(lines: Sequence[str], act: Sequence[str] = (), unknown: str = "") -> list[str]:
    """The lines of an arrangement, in which a refusal of a request leaves the test undecided.

    So does an answer without the field by which what follows, the act too, goes on with it. A request whose status is
    not looked at stays as it is. `unknown` is what of all of them the contract does not tell.
    """
    kept: list[str] = []
    left = list(lines)
    while left:
        line = left.pop(0)
        asked = _ASKED.fullmatch(line)
        skips = list(_skips(left)) if asked is not None else []
        after = left[len(skips)] if len(left) > len(skips) else ""
        status = _STATUS.fullmatch(after)
        if asked is None or status is None or status[1] != asked[1]:
            kept.append(line)
            continue
        left = left[len(skips) + 1 :]
        statuses = (status[2] or status[3]).split(", ")
        is_success = all(each.startswith("2") for each in statuses)
        words = [asked[2], *(statuses[:1] if is_success else statuses)]  # Any success will do.
        words += [f"shows={literal(each)}" for each in _shown(asked[1], (*left, *act))]
        told = [found[1] for each in skips if (found := _UNKNOWN.search(each))] or [*filter(None, [unknown])]
        words += [f"unknown={literal(each)}" for each in told[:1]]
        kept.append(f"{asked[1]} = arranged({', '.join(words)})")
    return kept


def without_unused(lines: Sequence[str], after: Sequence[str]) -> list[str]:
    """The lines of an arrangement, which give no name to an answer that nothing goes on with."""
    kept: list[str] = []
    for number, line in enumerate(lines):
        made = _MADE.fullmatch(line)
        rest = "\n".join((*lines[number + 1 :], *after))
        is_used = made is None or re.search(rf"\b{re.escape(made[1])}\b", rest) is not None
        kept.append(line if made is None or is_used else made[2])
    return kept


def _shown(name: str, lines: Sequence[str]) -> list[str]:
    """The field of an answer that further requests take, if any, as a path with dots."""
    field = re.compile(_FIELD.format(name=re.escape(name)))
    asking = [line for line in lines if "client." in line]
    places = [re.findall(r"\w+", each[1]) for line in asking for each in field.finditer(line)]
    return [".".join(each) for each in places[:1]]


def _skips(lines: Sequence[str]) -> Iterator[str]:
    """The lines at the start that leave a test undecided."""
    for line in lines:
        if not (line.startswith("if ") and line.endswith(":")) and "pytest.skip(" not in line:
            return
        yield line
