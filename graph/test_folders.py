"""Which folders and files hold tests, and which folders the data that tests are given."""

from __future__ import annotations

TEST_FOLDERS = frozenset({"tests", "test"})
# What lies in these is what a program under test is given, and not what the project should do or does.
_DATA_FOLDERS = frozenset(
    {"fixtures", "fixture", "testdata", "test_data", "test-data", "snapshots", "golden"}
)


def is_test_module(name: str) -> bool:
    """Whether pytest or unittest would take a file of this name for tests or their configuration."""
    return name.startswith("test_") or name.endswith("_test.py") or name in ("conftest.py", "tests.py")


def is_in_test_folder(path: str) -> bool:
    """Whether one of the folders of a path is one of tests."""
    return not TEST_FOLDERS.isdisjoint(path.split("/")[:-1])


def is_in_data_folder(path: str) -> bool:
    """Whether one of the folders of a path is one of test data below a test folder."""
    folders = path.split("/")[:-1]
    first = next((place for place, name in enumerate(folders) if name in TEST_FOLDERS), len(folders))
    return not _DATA_FOLDERS.isdisjoint(folders[first:])
