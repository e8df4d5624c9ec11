"""`python -m benchmarks.drift.project FOLDER CONTRACT`: the benchmark's changes, tried on any project.

A first look at a project that nobody has seen: FOLDER holds its code, CONTRACT the OpenAPI document (JSON) that its
framework exports at run time, or one written by hand. What is printed has to be read: of a finding about the true
contract nothing here knows whether it is false.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from collections import Counter
from pathlib import Path

from benchmarks.drift.applications.registry import FRAMEWORKS
from benchmarks.drift.exporters.swagger_two import converted
from benchmarks.drift.records import Json, Truth
from benchmarks.drift.report import details, operators
from benchmarks.drift.run import Options, Score, score, total
from benchmarks.drift.subject import Subject


def main() -> None:
    """Measure one project and print its row, its findings and, if asked, what was missed."""
    arguments = _arguments()
    framework = next(each for each in FRAMEWORKS if each.name.lower() == arguments.framework)
    truth = Truth(arguments.folder.resolve().name, _contract(arguments.contract))
    options = Options(Path(tempfile.gettempdir()), arguments.seed, arguments.changes)
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.folder
        if framework.needs_contract:  # Its contract is written anew for each change.
            folder = Path(scratch) / truth.name
            shutil.copytree(arguments.folder, folder)
        subject = Subject(folder.resolve(), framework.needs_contract, arguments.environment)
        counted = score(subject, framework, truth, options)
    print(_row(counted))
    print("\n".join(f"  finding: {line}" for line in counted.false))
    print("\n".join(f"  neutral: {line}" for line in counted.neutral_false))
    if arguments.details:
        print("\n".join(operators([counted])))
        print("\n".join(details([counted], arguments.details)))


def _contract(path: Path) -> dict[str, Json]:
    """The contract in the spelling that the operators change, which is OpenAPI 3's."""
    document: dict[str, Json] = json.loads(path.read_text())
    return converted(document) if "swagger" in document else document


def _row(counted: Score) -> str:
    made, told = total([counted.made]).total(), total([counted.told]).total()
    rules = Counter(line.partition(": ")[0] for line in counted.false)
    neutral = total([counted.neutral]).total()
    return " | ".join(
        [
            f"| {counted.name}",
            f"{counted.found}/{counted.operations}",
            f"{len(counted.false)} to be read, {counted.true} true",
            f"{told}/{made} ({told / max(made, 1):.3f})",
            f"neutral {len(counted.neutral_false)}/{neutral}",
            f"{dict(rules)} |",
        ]
    )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.drift.project", description=__doc__)
    parser.add_argument("folder", type=Path, help="the project's code")
    parser.add_argument("contract", type=Path, help="the OpenAPI document that is true of it (JSON)")
    parser.add_argument(
        "--framework", type=str.lower, default="fastapi", choices=[each.name.lower() for each in FRAMEWORKS]
    )
    parser.add_argument("--environment", type=Path, help="the virtual environment in which it is installed")
    parser.add_argument("--changes", type=int, default=2, help="per operator")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--details", type=int, default=0, metavar="LINES", help="what was missed and is unknown"
    )
    return parser.parse_args()


if __name__ == "__main__":
    main()
