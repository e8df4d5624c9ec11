"""Prints which kinds of change between a contract and its code are told; `make bench-verbs`."""

from __future__ import annotations

import copy
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.drift.records import Json
from benchmarks.drift.verbs.changes import SILENT, changes
from benchmarks.measuring import crossfact, machine

_APPLICATION = Path(__file__).parent / "application" / "main.py"
_ROOT = Path(__file__).parents[3]
_EXPORT = "import json, main; print(json.dumps(main.app.openapi()))"


def main() -> int:
    """Try each kind of change. 1 where one is silent without a reason, or told in spite of one."""
    exported = subprocess.run(
        [sys.executable, "-c", _EXPORT], cwd=_APPLICATION.parent, capture_output=True, text=True, check=True
    )
    contract = json.loads(exported.stdout)
    before = _findings(contract)
    told, silent, wrong = 0, 0, []
    for name, change in changes():
        changed = copy.deepcopy(contract)
        change(changed)
        assert changed != contract, f"{name} changes nothing"
        new = sorted(_findings(changed) - before)
        reason = SILENT.get(name.partition(": ")[2])
        told, silent = told + bool(new), silent + (not new)
        if bool(new) == bool(reason):
            wrong.append(name)
        print(f"{name:55} {', '.join(new) or f'silent: {reason}'}")
    print(f"\n{machine()}")
    print(
        f"findings on the true contract: {len(before)}; changes told: {told}; silent with a reason: {silent}"
    )
    if wrong:
        print(f"not as expected: {', '.join(wrong)}")
    return 1 if wrong or before else 0


def _findings(contract: Json) -> set[str]:
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(_APPLICATION, folder)
        (Path(folder) / "openapi.json").write_text(json.dumps(contract, indent=1), encoding="utf-8")
        command = crossfact("check", "--format", "json", "--fail-on", "never")
        environment = {**os.environ, "PYTHONPATH": str(_ROOT)}
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=True
        )
        found = json.loads(done.stdout)["findings"]
    return {f"{each['rule']} ({each['severity']}) at {each['aspect']}" for each in found}


if __name__ == "__main__":
    raise SystemExit(main())
