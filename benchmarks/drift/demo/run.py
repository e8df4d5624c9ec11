"""Counts which of the ten planted disagreements crossfact and its peers find; `make bench-demo` prints the table.

The application and the contract were written once, from the list of kinds, and are frozen. What the peers find is
counted generously: any failure that schemathesis reports for the operation of a disagreement, and any item of
api-drift-agent for it that names the place. What else they report is counted as further reports.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from benchmarks.drift.applications.fastapi import FastApi
from benchmarks.drift.environment import environment
from benchmarks.drift.records import Json
from benchmarks.measuring import crossfact, machine

_DEMO = Path(__file__).resolve().parent
_CODE, _CONTRACT = _DEMO / "code", _DEMO / "specs" / "openapi.yaml"
_SCHEMATHESIS = "schemathesis==4.32.5"
_API_DRIFT_AGENT = "api-drift-agent==0.1.0"
_STARTING_SECONDS = 20


class Planted(msgspec.Struct, frozen=True):
    """One planted disagreement: what kind it is, where, and the subject and aspect of the finding that tells of it."""

    kind: str
    operation: str
    subject: str
    aspect: str


class Result(msgspec.Struct, frozen=True):
    """What one tool said: the kinds that it found, and how much else it reported."""

    tool: str
    found: frozenset[str]
    further: int
    seconds: float


def main() -> None:
    """Run all three and print the table; exit code 1 where crossfact misses one or claims another."""
    planted = msgspec.json.decode((_DEMO / "planted.json").read_bytes(), type=list[Planted])
    results = [_timed(tool, planted) for tool in (by_crossfact, by_schemathesis, by_api_drift_agent)]
    print(f"{date.today()}, {machine()}\n")
    print(f"| | {' | '.join(result.tool for result in results)} |\n|---|{'---|' * len(results)}")
    for each in planted:
        print(f"| {each.kind} | {' | '.join('yes' if each.kind in r.found else '–' for r in results)} |")
    print(f"| **found** | {' | '.join(f'{len(r.found)} of {len(planted)}' for r in results)} |")
    print(f"| further reports | {' | '.join(str(r.further) for r in results)} |")
    print(f"| seconds | {' | '.join(f'{r.seconds:.1f}' for r in results)} |")
    sys.exit(len(results[0].found) < len(planted) or results[0].further > 0)


def _timed(tool: Callable[[list[Planted], Path], Result], planted: list[Planted]) -> Result:
    begun = time.perf_counter()
    with TemporaryDirectory() as folder:
        result = tool(planted, Path(folder))
    return msgspec.structs.replace(result, seconds=time.perf_counter() - begun)


def by_crossfact(planted: list[Planted], folder: Path) -> Result:
    """A finding counts where subject and aspect are those of the disagreement; every other one is false."""
    report = folder / "report.json"
    command = crossfact("check", str(_DEMO), "--store", str(folder / "facts.db"))
    subprocess.run([*command, "--format", "json", "--output", str(report)], check=False, capture_output=True)
    told = [(each["subject"], each["aspect"]) for each in json.loads(report.read_text())["findings"]]
    wanted = {(each.subject, each.aspect): each.kind for each in planted}
    found = frozenset(wanted[place] for place in told if place in wanted)
    return Result("crossfact", found, sum(place not in wanted for place in told), 0.0)


def by_schemathesis(planted: list[Planted], folder: Path) -> Result:
    """A disagreement counts where any check failed for its operation."""
    python = environment("schemathesis", (_SCHEMATHESIS,))
    report = folder / "report.json"
    with _served() as address:
        command = [
            str(python.with_name("schemathesis")),
            "run",
            str(_CONTRACT),
            "--url",
            address,
            "--seed",
            "1",
        ]
        options = [
            "--generation-deterministic",
            "--continue-on-failure",
            "--report",
            "json",
            "--report-json-path",
        ]
        subprocess.run([*command, *options, str(report)], cwd=folder, check=False, capture_output=True)
    operations = [name for each in json.loads(report.read_text())["failures"] for name in each["operations"]]
    found = frozenset(each.kind for each in planted if each.operation in operations)
    known = {each.operation for each in planted}
    return Result(_SCHEMATHESIS.replace("==", " "), found, sum(name not in known for name in operations), 0.0)


@contextmanager
def _served() -> Iterator[str]:
    """The demo's application on a free port of this machine."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    python = environment(FastApi.name, FastApi.requirements)
    command = [str(python), "-m", "uvicorn", "kiosk:app", "--port", str(port), "--log-level", "error"]
    with subprocess.Popen(command, cwd=_CODE, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}) as server:
        try:
            address = f"http://127.0.0.1:{port}"
            _await(f"{address}/health")
            yield address
        finally:
            server.terminate()


def _await(address: str) -> None:
    end = time.monotonic() + _STARTING_SECONDS
    while True:
        try:
            urllib.request.urlopen(address, timeout=1).close()
            return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


def by_api_drift_agent(planted: list[Planted], folder: Path) -> Result:
    """A disagreement counts where an item for its operation names the place."""
    python = environment("api-drift-agent", (_API_DRIFT_AGENT,))
    report = folder / "report.json"
    command = [str(python.with_name("drift-check")), "--spec", str(_CONTRACT), "--src", str(_CODE)]
    options = ["--output-format", "json", "--output-file", str(report)]
    subprocess.run([*command, *options], cwd=folder, check=False, capture_output=True)
    items = json.loads(report.read_text())["items"]
    found = {each.kind for each in planted if any(_names(item, each) for item in items)}
    further = sum(not any(_names(item, each) for each in planted) for item in items)
    return Result(_API_DRIFT_AGENT.replace("==", " "), frozenset(found), further, 0.0)


def _names(item: dict[str, Json], planted: Planted) -> bool:
    if item["endpoint"] != planted.operation:
        return False
    place = str(item["location"])
    steps = {step for step in planted.aspect.split(".") if step not in ("fields", "parameters", "responses")}
    return place == "endpoint" if planted.aspect == "exists" else bool(steps & set(place.split(".")))


if __name__ == "__main__":
    main()
