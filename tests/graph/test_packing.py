"""What is unpacked is of the kind that was asked for, and no decoder is made before."""

import msgspec
import pytest

from graph.packing import unpacking


class Price(msgspec.Struct):
    amount: int


def test_it_gives_back_what_was_packed() -> None:
    unpack = unpacking(tuple[Price, ...])
    for _ in range(2):
        assert unpack(msgspec.msgpack.encode((Price(3), Price(4)))) == (Price(3), Price(4))


def test_what_is_of_another_kind_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError):
        unpacking(Price)(msgspec.msgpack.encode({"amount": "much"}))


def test_the_kind_is_looked_at_when_something_is_unpacked() -> None:
    class Broken(msgspec.Struct):
        amount: "Missing"  # type: ignore[name-defined] # noqa: F821 (what cannot be known is the point)

    unpack = unpacking(Broken)
    with pytest.raises(NameError):
        unpack(b"")
