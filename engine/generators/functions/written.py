"""The pieces of a test of a function, and the block in which what it made up may be refused."""

from __future__ import annotations

import msgspec

from planner.generator import Assertion

ARRANGE = ("arrange",)
"""What is made up is what the object under test is made of."""
ALL = ("arrange", "act")
"""What is made up is also what it is told or asked."""


class Written(msgspec.Struct):
    """What a test is made of, beside what its case says; `imports` stand inside the test, `heading` is a page's.

    `others` are packages of others, without which it is left undecided. `made_up` says which of its steps work with
    values that nobody told: these may be refused without that being wrong.
    """

    name: str
    imports: list[str] = []
    arrange: list[str] = []
    act: list[str] = []
    assertions: list[Assertion] = []
    top: list[str] = []
    fixtures: tuple[str, ...] = ()
    negative: bool = False
    heading: str = ""
    made_up: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


def may_be_refused(written: Written) -> Written:
    """The pieces, with those steps that work with made-up values in a block that leaves the test undecided."""
    steps = [line for part in written.made_up for line in getattr(written, part)]
    if not steps:
        return written
    block = ["with made_up:", *(f"    {line}" for step in steps for line in step.splitlines())]
    last = written.made_up[-1]
    return msgspec.structs.replace(
        written,
        arrange=block if last == "arrange" else [],
        act=block if last == "act" else written.act,
        fixtures=(*written.fixtures, "made_up"),
        made_up=(),
    )
