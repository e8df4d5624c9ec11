"""Makes a set out of what features execute: a feature is a requirement, the modules that it calls are its links.

    python -m benchmarks.traceability.executed RECORDED PACKAGE FOLDER

RECORDED is what `recording.py` wrote, PACKAGE the folder of the package that was recorded, FOLDER where the set goes.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.traceability.sets import Gold, write


def features(recorded: list[dict[str, Any]], package: Path) -> tuple[dict[str, str], dict[str, str], Gold]:
    """The text of each feature, and the modules that its scenarios call; those that most features call are no link."""
    code = {
        file.relative_to(package.parent).as_posix(): text
        for file in sorted(package.rglob("*.py"))
        if (text := file.read_text("utf-8")).strip()
    }
    requirements: dict[str, str] = {}
    scenarios: set[tuple[str, str]] = set()
    called: dict[str, set[str]] = {}
    for entry in recorded:
        name = Path(entry["file"]).stem
        requirements.setdefault(name, "\n".join(entry["feature"]) + "\n")
        if (name, entry["scenario"]) not in scenarios:
            scenarios.add((name, entry["scenario"]))
            requirements[name] += "\n".join((entry["scenario"], *entry["steps"])) + "\n"
        called.setdefault(name, set()).update(entry["called"])
    spread = Counter(path for paths in called.values() for path in paths)
    everywhere = {path for path, count in spread.items() if count > len(called) / 2}
    return requirements, code, {(name, path) for name, paths in called.items() for path in paths - everywhere}


if __name__ == "__main__":
    write(Path(sys.argv[3]), *features(json.loads(Path(sys.argv[1]).read_text("utf-8")), Path(sys.argv[2])))
