"""What the library owns."""

from pathlib import Path

import pytest
from library.catalogue import Catalogue, Item, UnknownItem


@pytest.fixture
def catalogue() -> Catalogue:
    return Catalogue([Item(1, "Emma", "Jane Austen"), Item(2, "Walden", "H. D. Thoreau")])


def test_the_search_finds_titles_and_authors_in_any_case(catalogue: Catalogue) -> None:
    """AC-1.1"""
    assert [item.number for item in catalogue.search("AUSTEN")] == [1]
    assert [item.number for item in catalogue.search("wal")] == [2]


def test_a_search_shows_ten_items_at_most() -> None:
    """AC-1.2"""
    many = Catalogue(Item(number, "Emma", "Jane Austen") for number in range(1, 20))
    assert len(many.search("emma")) == 10
    assert len(many.search("emma", limit=1)) == 1


def test_a_new_item_gets_the_next_number(catalogue: Catalogue) -> None:
    assert catalogue.add("Odyssey", "Homer").number == 3
    assert len(catalogue) == 3


def test_an_unknown_number_is_an_error(catalogue: Catalogue) -> None:
    catalogue.remove(1)
    with pytest.raises(UnknownItem):
        catalogue.item(1)


def test_a_catalogue_survives_its_file(catalogue: Catalogue, tmp_path: Path) -> None:
    catalogue.save(tmp_path / "catalogue.json")
    assert list(Catalogue.load(tmp_path / "catalogue.json")) == list(catalogue)
