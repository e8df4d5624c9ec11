"""`python -m benchmarks.claims FOLDER`: how many claims read from the projects unpacked in a folder are right.

Of each project at most 16 claims are looked at, at most 5 of one kind and 2 that only name a field, in the order of the
hashes of their sentences. `judgements.csv` has a person's verdict on each; `--show` prints those that nobody judged.
`first_sight.csv` keeps, batch by batch, what was read of projects that no batch before had, with the verdicts of then:
what the grammar was worth before anybody mended it for them.

`python -m benchmarks.claims --stories` reads the sentences of `stories.csv`, from stories, acceptance criteria and
features of other projects, and compares with the verdicts on them.
"""

from __future__ import annotations

import csv
import hashlib
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.claims.prose import passages
from ingest.claims.claim import Claim, Claimed
from ingest.claims.reading import read_claims

JUDGEMENTS = Path(__file__).parent / "judgements.csv"
STORIES = Path(__file__).parent / "stories.csv"
_MOST, _MOST_OF_A_KIND, _MOST_FIELDS = 16, 5, 2


class Sampled(NamedTuple):
    """One claim that is looked at, with the project's folder name and the place of its sentence."""

    project: str
    path: str
    digest: str
    claim: Claim

    @property
    def key(self) -> tuple[str, ...]:
        """What a judgement is found by: another reading of the sentence is another claim, and not judged yet."""
        return (self.project, self.digest, told(self.claim, condition=False))


def told(claim: Claim, condition: bool = True) -> str:
    """A claim in one line, as the lists of verdicts write it."""
    value = "" if claim.value is None and claim.kind is not Claimed.DEFAULT else repr(claim.value)
    parts = (
        claim.kind,
        claim.subject,
        claim.comparator,
        value,
        claim.unit,
        claim.modality,
        "not" * claim.negated,
        f"if {claim.condition}" if condition and claim.condition else "",
    )
    return " ".join(part for part in parts if part)


def sample(project: Path) -> Iterator[Sampled]:
    """The claims of one project that are looked at."""
    found: dict[tuple[str, ...], Sampled] = {}
    for passage in passages(project):
        for claim in read_claims(passage.text, passage.line):
            digest = hashlib.sha256(claim.words.encode()).hexdigest()[:16]
            one = Sampled(project.name, passage.path.partition("/")[2], digest, claim)
            found.setdefault(one.key, one)
    kinds: Counter[Claimed] = Counter()
    for key in sorted(found, key=lambda key: key[1:]):
        kind = found[key].claim.kind
        most = _MOST_FIELDS if kind is Claimed.FIELD else _MOST_OF_A_KIND
        if kinds[kind] < most and kinds.total() < _MOST:
            kinds[kind] += 1
            yield found[key]


def judgements() -> dict[tuple[str, ...], str]:
    """The verdicts (`right` or `wrong`) by key."""
    if not JUDGEMENTS.exists():
        return {}
    with JUDGEMENTS.open(encoding="utf-8", newline="") as file:
        return {(row["project"], row["hash"], row["claim"]): row["verdict"] for row in csv.DictReader(file)}


def judge_stories() -> Counter[str]:
    """How many claims are read from the sentences of other projects' stories, by verdict."""
    with STORIES.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    verdicts = {(row["sentence"], row["claim"]): row["verdict"] for row in rows}
    counts = Counter[str]()
    for document, sentence in dict.fromkeys((row["document"], row["sentence"]) for row in rows):
        for claim in read_claims(sentence):
            verdict = verdicts.get((sentence, told(claim)), "unjudged")
            counts[verdict] += 1
            if verdict == "unjudged":
                print(f"{document}: {told(claim)}\n    {sentence}")
    return counts


def main(arguments: list[str]) -> int:
    """Print the precision over all projects in the folder or over stories, and what has no verdict yet."""
    if "--stories" in arguments:
        return _report(judge_stories())
    folders = [argument for argument in arguments if not argument.startswith("--")]
    verdicts, counts = judgements(), Counter[str]()
    for project in sorted(each for each in Path(folders[0]).iterdir() if each.is_dir()):
        for one in sample(project):
            verdict = verdicts.get(one.key, "unjudged")
            counts[verdict] += 1
            if "--rows" in arguments:
                csv.writer(sys.stdout, lineterminator="\n").writerow(
                    [one.project, one.path, one.claim.line, one.digest, one.key[2], verdict]
                )
            elif verdict == "unjudged" and "--show" in arguments:
                condition = f" IF {one.claim.condition}" if one.claim.condition else ""
                print(
                    f"{one.digest} {one.key[2]}{condition}\n    {one.path}:{one.claim.line} {one.claim.words}"
                )
    return _report(counts)


def _report(counts: Counter[str]) -> int:
    judged = counts["right"] + counts["wrong"]
    print(f"{judged} judged, {counts['wrong']} wrong, {counts['unjudged']} not judged", file=sys.stderr)
    if judged:
        print(f"precision {counts['right'] / judged:.3f}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
