"""What the user names overrules what would be found."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from graph.errors import UsageError
from ingest.discovery.scope import Listing, Scope
from ingest.discovery.walk import discover
from ingest.ingestor import Role


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    for path in (
        "api/openapi.yaml",
        "api/parts/book.yaml",
        "docs/stories.md",
        "docs/guide.md",
        "features/buy.feature",
        "shop/__init__.py",
        "shop/ports.py",
        "shop/orders.py",
        "stubs/shop/orders.pyi",
        "tests/test_orders.py",
        "tests/fake/app.py",
        "third_party/own/tool.py",
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).touch()
    return tmp_path


def roles(listing: Listing) -> dict[str, tuple[Role, ...]]:
    return {file.path: file.roles for file in listing.found}


def test_path_arguments_narrow_the_search(shop: Path) -> None:
    listing = discover(shop, Scope(paths=("shop", "api/openapi.yaml")))
    assert list(roles(listing)) == ["api/openapi.yaml", "shop/__init__.py", "shop/orders.py", "shop/ports.py"]


def test_a_narrowed_search_gives_the_same_module_names(shop: Path) -> None:
    assert discover(shop, Scope(paths=("shop/orders.py",))).found[0].module == "shop.orders"


def test_paths_may_be_absolute_or_globs(shop: Path) -> None:
    listing = discover(shop, Scope(paths=(str(shop / "docs"), "shop/o*.py")))
    assert list(roles(listing)) == ["docs/guide.md", "docs/stories.md", "shop/orders.py"]


def test_a_folder_that_was_asked_for_is_not_taken_for_tests_because_of_the_folders_above_it(
    shop: Path,
) -> None:
    assert roles(discover(shop, Scope(paths=("tests/fake",)))) == {"tests/fake/app.py": (Role.PYTHON,)}
    assert roles(discover(shop, Scope(paths=("tests",))))["tests/fake/app.py"] == (Role.TEST,)


def test_a_named_folder_is_searched_even_if_it_would_be_passed_over(shop: Path) -> None:
    (shop / ".gitignore").write_text("api/\n*.feature\n")
    listing = discover(shop, Scope(paths=("api", "third_party/own", "features")))
    assert list(roles(listing)) == ["api/openapi.yaml", "api/parts/book.yaml", "third_party/own/tool.py"]


def test_spec_names_every_spec(shop: Path) -> None:
    found = roles(discover(shop, Scope(spec=("api/openapi.yaml", "shop/ports.py"))))
    assert found["api/openapi.yaml"] == (Role.CONTRACT,)
    assert found["shop/ports.py"] == (Role.STUB,)
    assert found["shop/orders.py"] == (Role.PYTHON,)
    assert not {
        "api/parts/book.yaml",
        "docs/stories.md",
        "features/buy.feature",
        "stubs/shop/orders.pyi",
    } & set(found)


def test_a_folder_of_specs_is_judged_by_content_where_a_named_file_is_not(shop: Path) -> None:
    found = roles(discover(shop, Scope(spec=("api", "docs/stories.md"))))
    assert found["api/parts/book.yaml"] == (Role.CONTRACT, Role.IGNORED)
    assert found["docs/stories.md"] == (Role.STORY,)
    assert "docs/guide.md" not in found


def test_stories_and_stubs_replace_only_their_own_role(shop: Path) -> None:
    found = roles(discover(shop, Scope(stories=("docs",))))
    assert "features/buy.feature" not in found
    assert found["stubs/shop/orders.pyi"] == (Role.STUB,)
    assert found["api/openapi.yaml"] == (Role.CONTRACT, Role.IGNORED)


def test_code_and_tests_are_where_they_were_said_to_be(shop: Path) -> None:
    found = roles(discover(shop, Scope(code=("tests/fake", "third_party/own"), tests=("shop",))))
    assert found["tests/fake/app.py"] == found["third_party/own/tool.py"] == (Role.PYTHON,)
    assert found["shop/orders.py"] == (Role.TEST,)
    assert "tests/test_orders.py" not in found


def test_naming_the_whole_project_as_spec_leaves_code_to_be_code(shop: Path) -> None:
    found = roles(discover(shop, Scope(spec=(".",))))
    assert found["shop/orders.py"] == (Role.PYTHON,)
    assert found["stubs/shop/orders.pyi"] == (Role.STUB,)


def test_the_more_exact_of_two_names_wins(shop: Path) -> None:
    found = roles(discover(shop, Scope(code=("shop",), spec=("shop/ports.py",))))
    assert (found["shop/ports.py"], found["shop/orders.py"]) == ((Role.STUB,), (Role.PYTHON,))


def test_a_named_file_of_any_suffix_is_taken_for_what_it_was_named_as(shop: Path) -> None:
    (shop / "contract.txt").touch()
    assert roles(discover(shop, Scope(spec=("contract.txt",))))["contract.txt"] == (Role.CONTRACT,)


def test_options_add_to_a_narrowed_search(shop: Path) -> None:
    found = roles(discover(shop, Scope(paths=("shop",), spec=("api/*.yaml",))))
    assert sorted(found) == ["api/openapi.yaml", "shop/__init__.py", "shop/orders.py", "shop/ports.py"]


def test_a_glob_that_matches_nothing_is_reported(shop: Path) -> None:
    listing = discover(shop, Scope(stories=("stories/**/*.md",)))
    assert [(s.path, s.reason) for s in listing.skipped if s.path != "third_party"] == [
        ("stories/**/*.md", "no file matches this pattern, given for stories")
    ]


def test_excluded_files_are_left_out(shop: Path) -> None:
    found = roles(discover(shop, Scope(exclude=("/api/parts", "*.feature", "tests/"))))
    assert not {path for path in found if path.startswith(("api/parts", "features", "tests"))}


@pytest.mark.parametrize(
    ("scope", "message", "remedy"),
    [
        (
            Scope(spec=("api/openapi.yml",)),
            "api/openapi.yml does not exist",
            "Did you mean api/openapi.yaml?",
        ),
        (Scope(code=("shopp/orders.py",)), "shopp/orders.py does not exist", "Did you mean shop?"),
        (Scope(paths=("zzz",)), "zzz does not exist", "Name a path that exists, relative to the project."),
        (Scope(paths=("shop/q*.py",)), "no file matches", "Name a path that exists."),
        pytest.param(
            Scope(paths=("shop/**py",)),
            "no file matches",
            "Name a path that exists.",
            marks=pytest.mark.skipif(sys.version_info >= (3, 13), reason="there it means shop/*py"),
        ),
        (Scope(code=("shop/or\0ders.py",)), "does not exist", "Did you mean shop/orders.py?"),
        (
            Scope(stubs=("../elsewhere",)),
            "lies outside the project",
            "Run crossfact on a folder that holds all of it.",
        ),
    ],
)
def test_a_path_that_does_not_exist_is_an_error_that_names_it(
    shop: Path, scope: Scope, message: str, remedy: str
) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        discover(shop, scope)
    assert caught.value.remedy == remedy


def test_a_pattern_that_means_nothing_names_nothing(shop: Path) -> None:
    listing = discover(shop, Scope(spec=("api/" + "*a" * 40,)))
    assert [s.reason for s in listing.skipped if s.path != "third_party"] == [
        "no file matches this pattern, given for spec"
    ]
