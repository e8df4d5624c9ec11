"""What dotted names stand for."""

from __future__ import annotations

from graph.facts import Fact, Kind, Location, Tag
from healer.reading.world import World


def _fact(kind: Kind, key: str) -> Fact:
    return Fact(
        tag=Tag.CODE,
        kind=kind,
        key=key,
        name=key.rpartition(".")[2],
        source=Location("src/shop/__init__.py", 1, 1),
    )


FACTS = {fact.id: fact for fact in (_fact(Kind.MODULE, "shop"), _fact(Kind.FUNCTION, "shop.price"))}


def test_a_name_may_begin_with_the_folder_above_its_package() -> None:
    world = World(FACTS.get)
    assert world.resolve("shop.price") == "shop.price"
    assert world.resolve("src.shop.price") == "shop.price"
    assert world.resolve("src.shop") == "shop"
    assert world.resolve("lib.shop.price") == ""
    assert world.resolve("src.shop.cost") == ""
