"""Who imports a package is the same, whether the store is asked for it or all imports are read at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.plugins import ingestors
from graph.store.store import Store
from ingest.discovery.scope import Scope
from ingest.discovery.walk import discover
from ingest.importing import Importing
from ingest.ingestor import Role
from ingest.refresh import Surroundings, refresh_files

FILES = {
    "shop/__init__.py": "",
    "shop/models.py": "import decimal\n",
    "shop/views/__init__.py": "from shop.models import Book\n",
    "shop/views/old.py": "import shop.models\nimport shopping\n",
    "shopping.py": "from shop.views import old\nimport django.http\n",
    "tests/test_shop.py": "import shop.models\n",
}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    store = Store.open(None)
    refresh_files(tmp_path, discover(tmp_path, Scope()), store, ingestors(), Surroundings())
    return store


@pytest.mark.parametrize(
    ("packages", "importers"),
    [
        (("shop",), ["shop.views", "shop.views.old", "shopping"]),
        (("shop.models",), ["shop.views", "shop.views.old"]),
        (("shop.views", "django"), ["shopping"]),
        (("shop.models.Book",), ["shop.views"]),
        (("shopping",), ["shop.views.old"]),
        (("sho",), []),
        (("decimal", "nothing"), ["shop.models"]),
    ],
)
def test_the_importers_of_a_package_are_those_of_its_name_and_of_its_parts(
    store: Store, packages: tuple[str, ...], importers: list[str]
) -> None:
    own = Importing(store, {*packages})
    assert [module for module, _ in own.of(packages)] == importers
    assert own.of(packages) == Importing(store, ()).of(packages) == store.importing(packages, Role.PYTHON)
