"""A real headless Chromium and pages in it that must stay silent: no error, no message, no dialog, no request.

These tests are left out where Chromium or playwright is not installed; `make test-browser` installs them.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.commands import crossfact

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parent.parent.parent


def _chromium(own: str) -> str:
    """The program to start: the system's, or the one that playwright has downloaded; empty where there is none."""
    names = ("chromium", "chromium-browser", "google-chrome")
    found = next((path for name in names if (path := shutil.which(name))), "")
    return found or (own if Path(own).exists() else "")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One for the tests of a module: while it runs, no test of that process can run an event loop of its own."""
    pytest.importorskip("playwright.sync_api", reason="playwright is not installed (make test-browser)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        program = _chromium(playwright.chromium.executable_path)
        if not program:
            pytest.skip("Chromium is not installed (make test-browser)")
        # Chromium's own sandbox refuses to run as root.
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        running = playwright.chromium.launch(executable_path=program, args=arguments)
        yield running
        running.close()


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens a file at an address within it; when the test ends, nothing may have been said, asked or tried."""
    noises: list[str] = []
    contexts = []

    def open_file(file: Path, at: str = "", **options: Any) -> Page:
        context = browser.new_context(**{"viewport": {"width": 1440, "height": 900}, **options})
        contexts.append(context)
        page = context.new_page()

        def dismissed(dialog: Any) -> None:
            noises.append(f"dialog: {dialog.message}")
            dialog.dismiss()

        page.on("console", lambda message: noises.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: noises.append(f"error: {error}"))
        page.on("dialog", dismissed)
        page.on("popup", lambda popup: noises.append(f"popup: {popup.url}"))

        def request(sent: Any) -> None:
            if sent.url.partition("#")[0] != file.as_uri() and not sent.url.startswith("data:"):
                noises.append(f"request: {sent.url}")

        page.on("request", request)
        page.goto(file.as_uri() + at)
        return page

    yield open_file
    for context in contexts:
        context.close()
    assert noises == []


@pytest.fixture(scope="session")
def bookshop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report that the command makes of the example, with a plan of tests of which one was healed."""
    folder = tmp_path_factory.mktemp("html") / "bookshop"
    ignored = shutil.ignore_patterns(".crossfact", "__pycache__")
    shutil.copytree(ROOT / "specs_examples" / "bookshop", folder, ignore=ignored)
    (folder / "test_execution_state.yaml").write_text(PLAN, encoding="utf-8")
    report = folder.parent / "report.html"
    asked = ("--fail-on", "never", "--no-history", "--format", "html", "--output", str(report))
    crossfact(ROOT, "check", str(folder), *asked).check_returncode()
    return report


PLAN = """\
test_cases:
  - id: get-books-200-000001
    description: "GET /books succeeds"
    subject: GET /books
    aspect: responses.200
    technique: success
    layer: L2
    status: HEALED
    cites: ["spec:operation:GET /books"]
    priority: 40.0
    node: "tests/crossfact/test_books.py::test_books"
    proof: {twins_green: 3, twins: 3, mutants_killed: 5, mutants: 5, real: green, reason: ""}
    healing_history: [{method: update, healer: renames, reasoning: "limit is called count now"}]
  - id: post-orders-409-000002
    description: "POST /orders refuses what is not in stock"
    subject: POST /orders
    aspect: responses.409
    technique: error
    layer: L2
    status: PENDING
    cites: ["spec:operation:POST /orders"]
"""
