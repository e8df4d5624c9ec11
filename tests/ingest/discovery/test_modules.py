"""Module names, told from the listing alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.discovery.modules import Layout, module_names
from ingest.discovery.scope import Scope
from ingest.discovery.walk import discover


def names(root: Path, *paths: str, source_roots: tuple[str, ...] = ()) -> dict[str, str]:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).touch()
    return {file.path: file.module for file in discover(root, Scope(source_roots=source_roots)).found}


@pytest.mark.parametrize(
    ("others", "path", "module"),
    [
        ([], "shop.py", "shop"),
        (["shop/__init__.py"], "shop/__init__.py", "shop"),
        (["shop/__init__.py", "shop/core/__init__.py"], "shop/core/prices.py", "shop.core.prices"),
        (["src/shop/__init__.py"], "src/shop/prices.py", "shop.prices"),
        (["code/shop/__init__.py"], "code/shop/prices.py", "shop.prices"),
        ([], "code/shop/prices.py", "shop.prices"),
        (["backend/app/__init__.py"], "backend/app/main.py", "app.main"),
        (["backend/pyproject.toml"], "backend/app/main.py", "app.main"),
        ([], "backend/app/main.py", "backend.app.main"),
        (["shop/__init__.py"], "shop/data/tables.py", "shop.data.tables"),
        (["shop/__init__.py"], "shop/lib/tables.py", "shop.lib.tables"),
        (["src/acme/shop/__init__.py"], "src/acme/shop/prices.py", "acme.shop.prices"),
        (
            ["src/backend/Dockerfile", "src/backend/shop/__init__.py"],
            "src/backend/shop/prices.py",
            "shop.prices",
        ),
        (["src/__init__.py"], "src/models.py", "src.models"),
        (["__init__.py"], "models.py", "models"),
        ([], "my-scripts/run.py", "run"),
        (["shop/__init__.py"], "shop/__main__.py", "shop.__main__"),
        (["stubs/shop-stubs/__init__.pyi"], "stubs/shop-stubs/prices.pyi", "shop.prices"),
        (["shop-stubs/__init__.pyi"], "shop-stubs/__init__.pyi", "shop"),
        (["stubs/dist/shop/__init__.pyi"], "stubs/dist/shop/prices.pyi", "shop.prices"),
        (["stubs/six-dist/METADATA.toml"], "stubs/six-dist/six.pyi", "six"),
        (["stubs/six/METADATA.toml"], "stubs/six/six.pyi", "six"),
        ([], "specs/shop/prices.pyi", "shop.prices"),
        (["shop/__init__.py", "shop/prices.py"], "shop/prices.pyi", "shop.prices"),
        (["code/shop/__init__.py", "code/shop/prices.py"], "design/shop/prices.pyi", "shop.prices"),
        (["code/shop/__init__.py", "code/shop/prices.py"], "design/shop/orders.pyi", "shop.orders"),
        (["code/shop/__init__.py"], "design/v2/shop/__init__.pyi", "shop"),
        (["shop/__init__.py", "shop/a.py", "tools.py"], "specs/shop/tools.pyi", "shop.tools"),
        (["shop/__init__.py", "shop/shop.abi3.so"], "shop/shop.pyi", "shop.shop"),
    ],
)
def test_the_name_of_a_module(tmp_path: Path, others: list[str], path: str, module: str) -> None:
    assert names(tmp_path, *others, path)[path] == module


def test_configured_source_roots_come_before_custom(tmp_path: Path) -> None:
    found = names(tmp_path, "apps/web/acme/shop/__init__.py", "apps/web/src/x.py", source_roots=("apps/web",))
    assert found == {"apps/web/acme/shop/__init__.py": "acme.shop", "apps/web/src/x.py": "x"}
    assert names(tmp_path, source_roots=("apps",))["apps/web/acme/shop/__init__.py"] == "web.acme.shop"


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("pyproject.toml", '[build-system]\nrequires = []\n\n[project]\nversion = "1"\nname = "Acme.Shop"\n'),
        ("setup.cfg", "[metadata]\nversion = 1\nname = acme-shop\n"),
        ("setup.py", "from setuptools import setup\n\nsetup(**{'name': 'acme_shop'})\n"),
        ("PKG-INFO", "Metadata-Version: 2.1\nName: acme-shop\n"),
    ],
)
def test_a_project_tells_by_its_name_that_it_is_a_portion_of_a_namespace(
    tmp_path: Path, file: str, text: str
) -> None:
    assert names(tmp_path, "acme/shop/__init__.py") == {"acme/shop/__init__.py": "shop"}
    (tmp_path / file).write_text(text, encoding="utf-8")
    found = names(tmp_path, "acme/_core/x.py", "acme/_core/__init__.py")
    assert {path: name for path, name in found.items() if path != file} == {
        "acme/shop/__init__.py": "acme.shop",
        "acme/_core/__init__.py": "acme._core",
        "acme/_core/x.py": "acme._core.x",
    }


def test_an_unpacked_wheel_lies_as_it_is_imported(tmp_path: Path) -> None:
    (tmp_path / "acme_shop_client-1.0.dist-info").mkdir()
    (tmp_path / "acme_shop_client-1.0.dist-info" / "METADATA").write_text(
        "Name: acme-shop-client\n", encoding="utf-8"
    )
    found = names(tmp_path, "acme/shop/__init__.py", "acme/shop/cart.py", "acme/one.py")
    assert {path: name for path, name in found.items() if path.startswith("acme/")} == {
        "acme/shop/__init__.py": "acme.shop",
        "acme/shop/cart.py": "acme.shop.cart",
        "acme/one.py": "acme.one",
    }


@pytest.mark.parametrize(
    "text",
    [
        '[project]\nname = "acme"\n',
        '[tool.other]\nname = "acme-shop"\n',
        '[project]\nname = "acme-shopping"\n',
        "[project",
    ],
)
def test_a_project_of_another_name_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
    assert names(tmp_path, "acme/shop/__init__.py") == {"acme/shop/__init__.py": "shop"}


FOLDERS = st.lists(st.sampled_from(["src", "shop", "core", "x-stubs", "my-dir", "stubs"]), max_size=4).map(
    "/".join
)


@given(
    folders=st.lists(FOLDERS, min_size=1, max_size=6, unique=True),
    packages=st.sets(FOLDERS),
    projects=st.sets(FOLDERS),
    holders=st.sets(FOLDERS),
    data=st.data(),
)
def test_the_order_of_paths_changes_no_name_and_each_has_one(
    folders: list[str], packages: set[str], projects: set[str], holders: set[str], data: st.DataObject
) -> None:
    paths = [f"{folder}/{name}".strip("/") for folder in folders for name in ("a.py", "a.pyi", "__init__.py")]
    answers = []
    for order in (paths, data.draw(st.permutations(paths))):
        layout = Layout(packages=packages, projects=projects, holders=holders)
        code = [path for path in order if path.endswith(".py")]
        answers.append(module_names(code, [path for path in order if path.endswith(".pyi")], layout))
    assert answers[0] == answers[1]
    assert all(answers[0].values())
    assert all(answers[0][path] == answers[0][path + "i"] for path in paths if path.endswith("a.py"))
