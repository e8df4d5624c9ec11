"""Which attributes surely hold a plain value: a guess here would call what a star import brings a gap."""

from __future__ import annotations

import pytest

from crossval.link.names.plain_values import holds_plain_value
from graph.facts import Fact, Kind, Location, Tag


def attribute(value: str) -> Fact:
    return Fact(
        tag=Tag.CODE,
        kind=Kind.ATTRIBUTE,
        key="m.X",
        name="X",
        source=Location("m.py", 1, 1),
        aspects={"value": value},
    )


@pytest.mark.parametrize(
    "value",
    [
        *("1", "-2.5", "b'x'", "[f, g]", '{"a": f}', '("a", f)', '"%s" % f', "a == b", "not f"),
        *('", ".join(names)', "sys.version_info[0]", "os.path.join(a, b)"),
        *("[1, 2, 3, …", '"a text that is cut', "(1, 2, …"),
    ],
)
def test_values_that_are_written_out_are_plain(value: str) -> None:
    assert holds_plain_value(attribute(value))


@pytest.mark.parametrize(
    "value", ["", "f", "-f", "[f][0]", '{"a": f}["a"]', '"a" and f', "(f)", "(f, g)[0]", "make(1)", "f + 1"]
)
def test_values_that_take_part_in_more_are_not(value: str) -> None:
    assert not holds_plain_value(attribute(value))
