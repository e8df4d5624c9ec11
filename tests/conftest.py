"""What all tests share: the option that rewrites expected findings, and a whole check of a small project."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from crossval.findings import Finding

# One run is like the next, however loaded the machine: the same few examples of each law, of which a test asks for
# fewer where one takes long. `--hypothesis-profile=explore` looks for new ones, and for many.
settings.register_profile(
    "steady",
    deadline=None,
    derandomize=True,
    max_examples=50,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "explore", deadline=None, max_examples=500, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("steady")

# A fault of crossfact's own fails the test that meets it, where a user would get a report of all the rest.
os.environ["CROSSFACT_DEBUG"] = "1"

CheckProject = Callable[[Mapping[str, str]], list[Finding]]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update", action="store_true", help="rewrite the findings blocks of pages; read the diff afterwards"
    )


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    """Whether expected findings are to be rewritten."""
    return bool(request.config.getoption("--update"))


@pytest.fixture
def check_project(tmp_path: Path) -> CheckProject:
    """Checks a project of these files, given by path, in a folder of its own; gives its findings in order."""

    def check_files(files: Mapping[str, str]) -> list[Finding]:
        from engine.check import check
        from engine.project import open_project

        for path, text in files.items():
            place = tmp_path / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
        project = open_project(
            [str(tmp_path)],
            here=tmp_path,
            environment={},
            options={"history": False, "jobs": 1},
            configuration=None,
            tell=lambda message: None,
        )
        try:
            return list(check(project, tell=lambda message: None).findings)
        finally:
            project.store.close()

    return check_files
