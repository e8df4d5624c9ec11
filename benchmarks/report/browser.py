"""Measures the HTML report of 5,000 findings in a headless Chromium. `make bench-html` prints the table."""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import tempfile
import time
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.measuring import machine
from benchmarks.report.made import large_report
from crossval.report.html.page import show

_RUNS = 5
_WORDS = ("price", "author area_3", "isbn string", "GET /areas/7", "language contract", "no such words", "")
_FRAMES = """async () => {
  const canvas = document.querySelector("canvas");
  const times = [];
  for (let turn = 0; turn < 30; turn += 1) {
    const begun = performance.now();
    const key = turn % 2 ? "ArrowLeft" : turn < 15 ? "+" : "-";
    canvas.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    times.push(performance.now() - begun);
  }
  return times;
}"""
"""Milliseconds from a key that moves or zooms the picture until it is drawn."""

FILTER = """async (words) => {
  const field = document.querySelector("[data-search]");
  const begun = performance.now();
  field.value = words;
  field.dispatchEvent(new Event("input"));
  const own = performance.now() - begun;
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return [own, performance.now() - begun];
}"""
"""Milliseconds from a change of the words until the list is changed, and until that is painted."""

_PAINTED = "new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(performance.now()))))"


class Opened(NamedTuple):
    """One opening of the report: milliseconds of wall time, and seconds of CPU of the pages' processes.

    Until the first paint, until the findings are shown, for each filter until the list is changed and until that is
    painted, until the picture is open, and for each of its frames.
    """

    paint: float
    shown: float
    shown_cpu: float
    filters: list[tuple[float, float]]
    filter_cpu: float
    graph: float
    frames: list[float]


def main() -> None:
    """Measure and print; exit code 1 where a goal was missed."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder) / "report.html"
        begun = time.process_time()
        file.write_text(show(large_report(Path(folder) / "project")), encoding="utf-8")
        seconds = time.process_time() - begun
        program = shutil.which("chromium") or playwright.chromium.executable_path
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=program, args=arguments)
        load = os.getloadavg()[0]
        print(f"{date.today()}, {machine()}, load {load:.1f}, Chromium {browser.version}\n")
        runs = [_opened(browser, file) for _ in range(_RUNS)]
        megabytes = file.stat().st_size / 1e6
        browser.close()
    sys.exit(_told(seconds, megabytes, runs))


def pages_cpu(session: Any) -> float:
    """Seconds of CPU that the processes of a browser's pages have used so far, to hundredths."""
    told = session.send("SystemInfo.getProcessInfo")["processInfo"]
    return float(sum(each["cpuTime"] for each in told if each["type"] == "renderer"))


def _opened(browser: Any, file: Path) -> Opened:
    session = browser.new_browser_cdp_session()
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    begun = pages_cpu(session)
    page.goto(f"{file.as_uri()}#/findings")
    page.wait_for_selector(".row")
    shown_cpu = pages_cpu(session) - begun
    page.wait_for_timeout(1_500)
    told = page.evaluate("performance.getEntries().map((entry) => [entry.name, entry.startTime])")
    entries = dict(told)
    begun = pages_cpu(session)
    filters = [tuple(page.evaluate(FILTER, words)) for words in _WORDS]
    filter_cpu = (pages_cpu(session) - begun) / len(_WORDS)
    begun = page.evaluate("performance.now()")
    page.evaluate("location.hash = '#/graph'")
    page.wait_for_selector("text=5,000 facts of 5,000")
    graph = page.evaluate(_PAINTED)
    frames = page.evaluate(_FRAMES)
    page.close()
    return Opened(
        entries["first-contentful-paint"],
        entries["shown"],
        shown_cpu,
        filters,
        filter_cpu,
        graph - begun,
        frames,
    )


def _told(seconds: float, megabytes: float, runs: list[Opened]) -> bool:
    """Print the table; whether a goal was missed."""
    filters = [each for run in runs for each in run.filters]
    frames = [each for run in runs for each in run.frames]
    rows: list[tuple[str, float, str, float | None]] = [
        ("size of the file", megabytes, "MB", 10),
        ("made in, CPU", seconds, "s", None),
        ("first paint", statistics.median(run.paint for run in runs), "ms", 2_000),
        ("findings shown", statistics.median(run.shown for run in runs), "ms", 2_000),
        ("findings shown, CPU", statistics.median(run.shown_cpu for run in runs) * 1_000, "ms", None),
        ("a filter, until the list is changed", statistics.median(own for own, _ in filters), "ms", 100),
        ("a filter, until it is painted", statistics.median(all_ for _, all_ in filters), "ms", 100),
        ("a filter, painted, CPU", statistics.median(run.filter_cpu for run in runs) * 1_000, "ms", 100),
        ("picture of 5,000 facts opened", statistics.median(run.graph for run in runs), "ms", None),
        ("picture moved or zoomed, per frame", statistics.median(frames), "ms", None),
    ]
    print(f"| 5,000 findings, 5,000 facts (median of {_RUNS} openings) | | goal |\n|---|---|---|")
    for name, value, unit, goal in rows:
        figure = f"{value:.0f}" if unit == "ms" else f"{value:.1f}"
        print(f"| {name} | {figure} {unit} | {f'{goal:,} {unit}' if goal else ''} |")
    missed = [name for name, value, _, goal in rows if goal and value > goal]
    print(f"\ngoals missed: {', '.join(missed) or 'none'}")
    return bool(missed)


if __name__ == "__main__":
    main()
