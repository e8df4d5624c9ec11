"""Verdicts that need no reader: what importing the package, or the text of the code alone, settles.

They are the only ones for the part that nobody reads, and stand behind people's judgements in the other.
"""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
from pathlib import Path

from benchmarks.stubs.agreement import Agreement, Disagreement, Verdict
from benchmarks.stubs.corpus import PYTHON, Pair
from benchmarks.stubs.records import Kind
from benchmarks.stubs.targets import bound_names

_SCRIPT = Path(__file__).parent / "existence.py"


def settle(pair: Pair, agreed: Agreement) -> Agreement:
    """The agreement with a verdict on each report that was not judged, where one can be had this way."""
    ours = [each for each in agreed.disagreements if _is_claim_of_absence(each)]
    existing = _existing(pair, [each.report.symbol for each in ours]) if ours else {}
    return agreed._replace(disagreements=[_settled(pair, each, existing) for each in agreed.disagreements])


def _settled(pair: Pair, each: Disagreement, existing: dict[str, bool | None]) -> Disagreement:
    if each.verdict is not Verdict.UNJUDGED:
        return each
    if _is_claim_of_absence(each):
        match existing.get(each.report.symbol):
            case False if not _may_belong_to_instances(pair, each):
                return each._replace(
                    verdict=Verdict.THEIRS, why="when the package is imported it is not there"
                )
            case True:
                return each._replace(verdict=Verdict.OURS, why="when the package is imported it is there")
    if not each.ours and each.report.kind is Kind.NOT_IN_STUB and _is_unwritten(pair, each.report.symbol):
        return each._replace(
            verdict=Verdict.RUNTIME, why="no statement of the module or class binds the name"
        )
    return each


def _is_claim_of_absence(each: Disagreement) -> bool:
    """Whether crossfact says that the code lacks something, which importing may show."""
    return each.ours and each.report.kind is Kind.NOT_IN_CODE


def _may_belong_to_instances(pair: Pair, each: Disagreement) -> bool:
    """Whether an attribute that the class lacks may be given to its instances: some text of it has its name."""
    if not each.report.message.startswith("attribute-not-implemented"):
        return False
    word = re.compile(rf"\b{each.report.symbol.rpartition('.')[2]}\b".encode())
    return any(word.search(file.read_bytes()) for file in pair.runtime.rglob("*.py"))


def _existing(pair: Pair, symbols: list[str]) -> dict[str, bool | None]:
    done = subprocess.run(
        [str(PYTHON), str(_SCRIPT)],
        input=json.dumps(symbols),
        env={**os.environ, "PYTHONPATH": str(pair.runtime)},
        capture_output=True,
        text=True,
        check=False,
    )
    found: dict[str, bool | None] = json.loads(done.stdout) if done.returncode == 0 else {}
    return found


def _is_unwritten(pair: Pair, symbol: str) -> bool:
    """Whether the module or class that a name is said to belong to is there, and nothing in its text binds the name."""
    parts = symbol.split(".")
    for length in range(len(parts) - 1, 0, -1):
        place = pair.runtime.joinpath(*parts[:length])
        file = next((f for f in (place.with_suffix(".py"), place / "__init__.py") if f.is_file()), None)
        if file is None:
            continue
        try:
            body = ast.parse(file.read_text(encoding="utf-8")).body
        except (SyntaxError, UnicodeDecodeError):
            return False
        for owner in parts[length:-1]:
            classes = [node for node in ast.walk(ast.Module(body, [])) if isinstance(node, ast.ClassDef)]
            named = [node for node in classes if node.name == owner]
            if len(named) != 1:
                return not named
            body = named[0].body
        names = bound_names(body)
        return parts[-1] not in names and "*" not in names
    return False
