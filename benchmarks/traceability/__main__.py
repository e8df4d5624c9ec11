"""Measures linking on sets of requirements, code and known links.

    python -m benchmarks.traceability REQUIREMENTS CODE GOLD [REQUIREMENTS CODE GOLD …]

REQUIREMENTS is a folder of texts, one requirement per file, named as the requirement; CODE a folder of files in any
language; GOLD has `requirement,path` per line, the path in CODE. Several sets are averaged. There is nothing to set:
the same coefficients and the same cut serve every project.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.traceability import measures, reading
from crossval.link.traces.proposing import propose

Ranked = list[tuple[measures.Pair, float]]


def measure(
    requirements: Path, code: Path, gold: Path
) -> tuple[measures.Figures, Ranked, set[measures.Pair]]:
    """The figures of one set, every scored pair, best first, and the known links."""
    passages, artifacts = reading.requirements(requirements), reading.code(code)
    known = reading.gold(gold, artifacts)
    proposals = propose(passages, artifacts)
    proposals.sort(key=lambda each: -each.confidence)
    ranked = [((each.passage, each.artifact), each.confidence) for each in proposals]
    found = {(each.passage, each.artifact) for each in proposals if each.proposed}
    return measures.score(found, ranked, known), ranked, known


def main(arguments: Sequence[str]) -> int:
    """Print a line per set, their average, and the calibration over all of them; 2 where the arguments do not fit."""
    if not arguments or len(arguments) % 3:
        print(__doc__, file=sys.stderr)
        return 2
    figures, bins = [], []
    print(f"{'set':24} {'P':>6} {'R':>6} {'F1':>6} {'F2':>6} {'MAP':>6} {'links':>6} {'s':>6}")
    for start in range(0, len(arguments), 3):
        requirements, code, gold = (Path(argument) for argument in arguments[start : start + 3])
        begun = time.process_time()
        figure, ranked, known = measure(requirements, code, gold)
        spent = time.process_time() - begun
        figures.append(figure)
        bins.append(measures.bins(ranked, known))
        print(f"{gold.parent.name[:24]:24} {figure.row()} {len(known):6} {spent:6.1f}")
    print(f"{'average':24} {measures.average(figures).row()}")
    print("\n".join(measures.calibration(bins)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
