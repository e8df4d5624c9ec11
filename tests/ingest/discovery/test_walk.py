"""What discovery finds, leaves out, and names."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.errors import UsageError
from ingest.discovery.roles import classify
from ingest.discovery.scope import Found, Listing, Scope
from ingest.discovery.walk import discover
from ingest.ingestor import Role


def plant(root: Path, *paths: str, text: str = "") -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


def paths(listing: Listing) -> list[str]:
    return [file.path for file in listing.found]


def by_path(listing: Listing) -> dict[str, Found]:
    return {file.path: file for file in listing.found}


def reasons(listing: Listing) -> dict[str, str]:
    return {skipped.path: skipped.reason for skipped in listing.skipped}


def test_sources_are_found_by_their_suffix_and_sorted_by_path(tmp_path: Path) -> None:
    plant(
        tmp_path,
        "b.py",
        "a/c.pyi",
        "z.feature",
        "README.md",
        "x.MARKDOWN",
        "openapi.yaml",
        "api.json",
        "logo.png",
        "q",
    )
    listing = discover(tmp_path)
    assert paths(listing) == [
        "README.md",
        "a/c.pyi",
        "api.json",
        "b.py",
        "openapi.yaml",
        "x.MARKDOWN",
        "z.feature",
    ]
    assert listing.skipped == ()
    assert by_path(listing)["b.py"].roles == (Role.PYTHON,)
    assert by_path(listing)["a/c.pyi"].roles == (Role.STUB,)
    assert by_path(listing)["openapi.yaml"].roles == (Role.CONTRACT, Role.IGNORED)


def test_the_size_and_time_of_a_file_are_those_of_the_system(tmp_path: Path) -> None:
    plant(tmp_path, "a.py", text="x = 1\n")
    status = (tmp_path / "a.py").stat()
    found = discover(tmp_path).found[0]
    assert (found.size, found.mtime_ns, found.inode) == (6, status.st_mtime_ns, status.st_ino)


@pytest.mark.parametrize(
    "path", ["test_a.py", "a_test.py", "conftest.py", "tests/a.py", "shop/test/b/c.py", "shop/tests.py"]
)
def test_tests_are_told_from_code_by_name_and_folder(tmp_path: Path, path: str) -> None:
    plant(tmp_path, path)
    assert discover(tmp_path).found[0].roles == (Role.TEST,)


@pytest.mark.parametrize("path", ["testing/a.py", "contest.py", "latest_test/a.py", "src/tested.py"])
def test_names_that_only_contain_test_are_code(tmp_path: Path, path: str) -> None:
    plant(tmp_path, path)
    assert discover(tmp_path).found[0].roles == (Role.PYTHON,)


@pytest.mark.parametrize(
    "folder",
    [
        ".git",
        ".venv",
        "node_modules",
        "__pycache__",
        ".tox",
        ".mypy_cache",
        "a/site-packages",
        "shop.egg-info",
        ".crossfact",
    ],
)
def test_folders_of_tools_are_passed_over_without_a_word(tmp_path: Path, folder: str) -> None:
    plant(tmp_path, f"{folder}/a.py", f"{folder}/b/openapi.yaml", "c.py")
    listing = discover(tmp_path)
    assert (paths(listing), listing.skipped) == (["c.py"], ())


def test_a_virtual_environment_is_known_by_its_configuration(tmp_path: Path) -> None:
    plant(tmp_path, "env311/pyvenv.cfg", "env311/lib/a.py", "b.py")
    assert paths(discover(tmp_path)) == ["b.py"]


@pytest.mark.parametrize("folder", ["shop/_vendor", "third_party", "vendor"])
def test_vendored_code_is_skipped_with_one_entry(tmp_path: Path, folder: str) -> None:
    plant(tmp_path, f"{folder}/x/a.py", f"{folder}/b.py", "c.py")
    listing = discover(tmp_path)
    assert (paths(listing), reasons(listing)) == (["c.py"], {folder: "is vendored: code of others"})


def test_proposed_and_archived_changes_are_no_specs_unless_one_is_named(tmp_path: Path) -> None:
    plant(
        tmp_path,
        "openspec/specs/a/spec.md",
        "openspec/changes/b/spec.md",
        "openspec/changes/archive/c/spec.md",
    )
    listing = discover(tmp_path)
    assert (paths(listing), list(reasons(listing))) == (["openspec/specs/a/spec.md"], ["openspec/changes"])
    named = discover(tmp_path, Scope(stories=("openspec/changes/b",)))
    assert "openspec/changes/b/spec.md" in paths(named)


def test_a_package_named_vendor_is_the_projects_own(tmp_path: Path) -> None:
    plant(tmp_path, "shop/vendor/__init__.py", "shop/vendor/models.py")
    plant(tmp_path, "stubs/shop/vendor/__init__.pyi")
    assert len(discover(tmp_path).found) == 3


def test_what_a_build_left_behind_is_passed_over_but_a_package_named_build_is_not(tmp_path: Path) -> None:
    plant(
        tmp_path,
        "pyproject.toml",
        "build/lib/shop/a.py",
        "dist/b.py",
        "shop/build/__init__.py",
        "sub/dist/c.py",
    )
    assert paths(discover(tmp_path)) == ["shop/build/__init__.py", "sub/dist/c.py"]


def test_a_file_above_the_limit_is_skipped_and_its_module_is_unread(tmp_path: Path) -> None:
    plant(tmp_path, "src/big.py", text="x" * 11)
    plant(tmp_path, "src/small.py", text="x" * 10)
    listing = discover(tmp_path, Scope(limit=10))
    assert paths(listing) == ["src/small.py"]
    assert reasons(listing) == {
        "src/big.py": "is larger than the limit (11 bytes, limit 10; max_file_size sets it)"
    }
    assert list(listing.unread) == ["big"]


def test_a_stub_without_source_may_be_of_a_module_in_another_language(tmp_path: Path) -> None:
    plant(tmp_path, "src/fast/__init__.pyi", "src/fast/table.pyi", "src/fast/table.py", "src/fast/fast.c")
    listing = discover(tmp_path)
    assert listing.unread == {"fast": "may be written in another language, as src/fast/fast.c is"}


def test_sources_of_another_language_speak_for_the_stubs_of_their_own_project(tmp_path: Path) -> None:
    plant(
        tmp_path, "one/pyproject.toml", "one/one.pyi", "two/pyproject.toml", "two/two.pyi", "two/src/lib.rs"
    )
    assert set(discover(tmp_path).unread) == {"two"}
    plant(tmp_path, "lib.rs")
    assert set(discover(tmp_path).unread) == {"one", "two"}


def test_a_template_is_no_source_unless_it_is_named(tmp_path: Path) -> None:
    path = "template/{{cookiecutter.name}}/app.py"
    plant(tmp_path, path, "setup.py")
    listing = discover(tmp_path)
    assert paths(listing) == ["setup.py"]
    assert "is a template" in reasons(listing)[path]
    assert paths(discover(tmp_path, Scope(code=(path,)))) == [path]


def test_a_compiled_module_is_unread_unless_its_source_is_there(tmp_path: Path) -> None:
    plant(tmp_path, "shop/__init__.py", "shop/fast.cpython-311-x86_64-linux-gnu.so", "shop/fast.pyi")
    plant(tmp_path, "shop/both.so", "shop/both.py")
    listing = discover(tmp_path)
    assert listing.unread == {"shop.fast": "is compiled, and cannot be read as source"}
    assert by_path(listing)["shop/fast.pyi"].module == "shop.fast"


def test_a_pipe_with_the_name_of_a_source_is_skipped(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.py")
    assert reasons(discover(tmp_path)) == {"a.py": "is not a regular file"}


def test_names_that_hold_control_characters_are_kept(tmp_path: Path) -> None:
    names = sorted(["line\nbreak.py", "\x1b[31m.py", "-rf.py", "a b.md"])
    plant(tmp_path, *names)
    assert paths(discover(tmp_path)) == names


def test_a_name_that_is_not_utf_8_is_skipped(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9.py")
    plant(tmp_path, name, "a.py")
    listing = discover(tmp_path)
    assert paths(listing) == ["a.py"]
    assert reasons(listing) == {name: "has a name that is not UTF-8; rename it to have it read"}


def test_links_that_leave_the_project_are_skipped_and_links_into_it_are_not_read_twice(
    tmp_path: Path,
) -> None:
    root = tmp_path / "project"
    plant(tmp_path, "outside/secret.py", "outside/api.yaml")
    plant(root, "shop/a.py")
    (root / "out.yaml").symlink_to("../outside/api.yaml")
    (root / "outside").symlink_to("../outside")
    (root / "again.py").symlink_to("shop/a.py")
    (root / "copy").symlink_to("shop")
    (root / "shop" / "loop").symlink_to("..")
    (root / "self.py").symlink_to("self.py")
    listing = discover(root)
    assert paths(listing) == ["shop/a.py"]
    assert reasons(listing) == {
        "out.yaml": "is or lies behind a link that leads out of the project",
        "outside": "is or lies behind a link that leads out of the project",
        "self.py": "is a symbolic link that leads nowhere",
    }


def test_a_link_to_what_would_not_be_found_otherwise_is_followed_once(tmp_path: Path) -> None:
    plant(tmp_path, ".gitignore", text="/generated/\n/stash/\n")
    plant(tmp_path, "generated/openapi.yaml", "stash/shop/a.py")
    (tmp_path / "stash" / "shop" / "loop").symlink_to("..")
    (tmp_path / "openapi.yaml").symlink_to("generated/openapi.yaml")
    (tmp_path / "zweite.yaml").symlink_to("generated/openapi.yaml")
    (tmp_path / "linked").symlink_to("stash/shop")
    assert paths(discover(tmp_path)) == ["linked/a.py", "openapi.yaml"]


def test_stubs_below_a_test_folder_are_test_data_unless_named(tmp_path: Path) -> None:
    plant(tmp_path, "tests/data/a.pyi", "tests/data/api.yaml")
    listing = discover(tmp_path)
    assert list(reasons(listing)) == ["tests/data/a.pyi"]
    assert by_path(listing)["tests/data/api.yaml"].fixture
    named = discover(tmp_path, Scope(spec=("tests/data",)))
    assert [(f.roles[0], f.fixture) for f in named.found] == [(Role.STUB, False), (Role.CONTRACT, False)]


def test_the_root_must_be_a_folder(tmp_path: Path) -> None:
    plant(tmp_path, "a.py")
    with pytest.raises(UsageError, match="is not a folder"):
        discover(tmp_path / "a.py")


def test_a_generated_module_is_read_all_the_same_where_a_stub_speaks_of_it(tmp_path: Path) -> None:
    plant(tmp_path, "shop/a.py", "shop/a.pyi", "shop/b.py")
    found = by_path(discover(tmp_path))
    assert (found["shop/a.py"].named, found["shop/b.py"].named) == (True, False)


NAMES = st.sampled_from(
    ["a.py", "b.pyi", "__init__.py", "c.yaml", "d.md", "test_e.py", "pyproject.toml", "f.so"]
)
FOLDERS = st.sampled_from(
    ["", "src", "src/shop", "shop", "shop/core", "tests", "vendor", "stubs/shop-stubs", "build"]
)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_the_order_in_which_files_were_made_changes_nothing(data: st.DataObject) -> None:
    tree = data.draw(st.lists(st.tuples(FOLDERS, NAMES), unique=True, max_size=12))
    listings = []
    for order in (tree, data.draw(st.permutations(tree))):
        with tempfile.TemporaryDirectory() as folder:
            plant(Path(folder), *(f"{place}/{name}".strip("/") for place, name in order))
            listing = discover(Path(folder))
            found = [(f.path, f.roles, f.module, f.named, f.fixture) for f in listing.found]
            listings.append((found, listing.skipped, listing.unread))
    assert listings[0] == listings[1]


IGNORES = st.lists(
    st.sampled_from(
        [
            "*.md",
            "/a",
            "a/",
            "b/*",
            "!b/c.py",
            "**/d.py",
            "a/**/d.py",
            "!d.py",
            "c.*",
            "# x",
            "",
            "\\!x",
            "b",
            "!b/",
            "*",
            "!*/",
            "!*.py",
        ]
    ),
    max_size=5,
)
FILES = ["a/d.py", "a/b/d.py", "a/b/c.py", "b/c.py", "b/e.md", "c.py", "d.py", "e.md", "b/a/c.py"]


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("repository")
    plant(root, *FILES)
    subprocess.run(
        ["git", "init", "-q", str(root)], check=True, env={**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null"}
    )
    return root


@settings(max_examples=40, deadline=None)
@given(top=IGNORES, below=IGNORES, exclude=IGNORES)
def test_ignore_files_mean_what_they_mean_to_git(
    repository: Path, top: list[str], below: list[str], exclude: list[str]
) -> None:
    (repository / ".gitignore").write_text("\n".join(top))
    (repository / "b" / ".gitignore").write_text("\n".join(below))
    (repository / ".git" / "info" / "exclude").write_text("\n".join(exclude))
    command = ["git", "-C", str(repository), "ls-files", "--others", "--exclude-standard", "-z"]
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null"}
    told = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout.split(
        "\0"
    )
    assert paths(discover(repository)) == sorted(set(told) & set(FILES))


def test_ignore_files_above_the_root_hold_up_to_the_repositorys_top(tmp_path: Path) -> None:
    root = tmp_path / "repository" / "services" / "api"
    plant(root, "a.py", "local.py", "generated/b.py", "secret.py", "outer.py")
    plant(tmp_path, ".gitignore", text="outer.py\n")
    plant(tmp_path / "repository", ".gitignore", text="/services/api/generated/\nlocal.py\nservices/api\n")
    plant(tmp_path / "repository", ".git/info/exclude", text="secret.py\n")
    plant(tmp_path / "repository" / "services", ".gitignore", text="!local.py\n")
    # The pattern that hides the root itself takes its whole file with it: the root was asked for.
    assert paths(discover(root)) == ["a.py", "generated/b.py", "local.py", "outer.py"]
    plant(tmp_path / "repository", ".gitignore", text="/services/api/generated/\nlocal.py\n")
    assert paths(discover(root)) == ["a.py", "local.py", "outer.py"]


def test_patterns_that_could_take_for_ever_or_make_no_sense_are_passed_over(tmp_path: Path) -> None:
    plant(tmp_path, "a" * 200 + ".py", "b.py")
    plant(tmp_path, ".gitignore", text="*a" * 40 + "\n!\nfoo\\\n[z-\nb.py\n")
    assert paths(discover(tmp_path)) == ["a" * 200 + ".py"]


def test_an_ignore_file_in_any_encoding_is_read(tmp_path: Path) -> None:
    plant(tmp_path, os.fsdecode(b"caf\xe9.py"), "b.py")
    (tmp_path / ".gitignore").write_bytes(b"caf\xe9.py\r\n")
    listing = discover(tmp_path)
    assert (paths(listing), listing.skipped) == (["b.py"], ())


def test_readers_of_plug_ins_may_claim_suffixes_of_their_own(tmp_path: Path) -> None:
    plant(tmp_path, "api/shop.proto", "api/shop.spec.txt", "notes.txt", "data.spec.toml")
    found = by_path(discover(tmp_path, Scope(suffixes=(".proto", ".spec.txt"))))
    assert list(found) == ["api/shop.proto", "api/shop.spec.txt"]
    assert {file.roles for file in found.values()} == {(Role.OTHER,)}


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("class ShopTestClient:\n    pass\n", Role.PYTHON),
        ("def test_odd(value):\n    return value % 2 == 1\n", Role.PYTHON),
        ("import pytest\n", Role.TEST),
        ("def test_price():\n    assert True\n", Role.TEST),
    ],
)
def test_a_module_that_is_called_as_tests_are_is_code_where_a_stub_speaks_of_it(
    tmp_path: Path, text: str, role: Role
) -> None:
    plant(
        tmp_path,
        "shop/__init__.py",
        "shop/test_client.py",
        "shop/test_client.pyi",
        "shop/test_more.py",
        text=text,
    )
    found = by_path(discover(tmp_path))
    assert classify(found["shop/test_client.py"], text) is role
    assert classify(found["shop/test_more.py"], text) is Role.TEST


def test_a_test_folder_of_a_package_of_stubs_holds_stubs(tmp_path: Path) -> None:
    plant(
        tmp_path,
        "shop/__init__.py",
        "shop/test/__init__.py",
        "shop/test/runner.py",
        "shop/tests/test_cart.py",
        "shop-stubs/__init__.pyi",
        "shop-stubs/test/__init__.pyi",
        "shop-stubs/test/runner.pyi",
        "checks/tests/typing/runner.pyi",
    )
    found = by_path(discover(tmp_path))
    assert found["shop-stubs/test/runner.pyi"].module == "shop.test.runner"
    assert found["shop/test/runner.py"].roles == (Role.PYTHON,)
    assert found["shop/tests/test_cart.py"].roles == (Role.TEST,)
    assert "checks/tests/typing/runner.pyi" not in found
