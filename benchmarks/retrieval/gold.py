"""Reads the questions whose answers are known, and asks a project's searcher about them."""

from __future__ import annotations

import io
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from engine.project import Project, open_project, refresh
from graph.retrieval.search import Searcher

ROOT = Path(__file__).parent.parent.parent
WORK = ROOT / "benchmarks" / ".work" / "retrieval"
GOLD = Path(__file__).parent / "gold.txt"

PACKAGES = {"tenacity": "9.1.2", "cachetools": "8.0.1"}
"""Packages of others that questions are asked about; they are fetched, and stay out of the repository."""

AS_OF = "af12d92b"
"""The commit whose tree the questions about crossfact are asked of: each fact more is one more that may answer."""

_DEPTH = 50


class Asked(NamedTuple):
    """A question with the keys that answer it; `testing` where it was not used for tuning."""

    project: str
    question: str
    keys: frozenset[str]
    testing: bool


class Figures(NamedTuple):
    """The mean reciprocal rank of the first right fact; the share of questions with one among the first 1, 5, 10."""

    mrr: float
    first: float
    five: float
    ten: float
    questions: int


def read_gold(path: Path = GOLD) -> list[Asked]:
    """All questions; within a project every second one is for testing."""
    found: list[Asked] = []
    project, number = "", 0
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#") or not line.strip():
            continue
        if line.startswith("["):
            project, number = line.strip("[]"), 0
            continue
        question, keys = line.rsplit(" => ", 1)
        found.append(Asked(project, question, frozenset(keys.split(" | ")), number % 2 == 1))
        number += 1
    return found


def place_of(name: str) -> Path:
    """The folder of a project that questions are asked about; packages and crossfact's own past are fetched first."""
    if name == "crossfact":
        return _as_of(AS_OF)
    if name not in PACKAGES:
        return ROOT / "specs_examples" / name
    folder = WORK / "projects" / name
    if not folder.is_dir():
        WORK.mkdir(parents=True, exist_ok=True)
        wanted = f"{name}=={PACKAGES[name]}"
        fetch = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(WORK), wanted]
        subprocess.run(fetch, check=True)
        (wheel,) = WORK.glob(f"{name}-*.whl")
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
    return folder


def _as_of(commit: str) -> Path:
    """The folder that holds crossfact as it was at a commit of its own history."""
    folder = WORK / "projects" / f"crossfact-{commit}"
    if not folder.is_dir():
        archive = subprocess.run(["git", "archive", commit], cwd=ROOT, check=True, capture_output=True).stdout
        with tarfile.open(fileobj=io.BytesIO(archive)) as tree:
            tree.extractall(folder, filter="data")
    return folder


def opened(name: str, folder: Path | None = None) -> Project:
    """The project, of another folder where one is given, with an up-to-date store outside its folder."""
    WORK.mkdir(parents=True, exist_ok=True)
    place = folder or place_of(name)
    options = {"store": str(WORK / f"{place.name}.db"), "history": False, "jobs": 1}
    project = open_project(
        [str(place)], here=ROOT, environment={}, options=options, configuration=None, tell=print
    )
    refresh(project, tell=print)
    return project


def measured(searchers: dict[str, Searcher], questions: Sequence[Asked]) -> Figures:
    """What the searchers find for these questions."""
    ranks = [rank_of(searchers[each.project], each) for each in questions]
    found = [rank for rank in ranks if rank]
    count = len(ranks) or 1
    return Figures(
        sum(1 / rank for rank in found) / count,
        sum(rank <= 1 for rank in found) / count,
        sum(rank <= 5 for rank in found) / count,
        sum(rank <= 10 for rank in found) / count,
        len(ranks),
    )


def rank_of(searcher: Searcher, asked: Asked) -> int:
    """The place, from 1, of the first fact that answers; 0 where none is among the first 50."""
    hits = searcher.search(asked.question, limit=_DEPTH)
    return next((at for at, hit in enumerate(hits, start=1) if hit.fact.key in asked.keys), 0)


def unknown_keys(project: Project, questions: Sequence[Asked]) -> list[str]:
    """Keys of the gold set that no fact of the project has (any more)."""
    keys = {key for each in questions for key in each.keys}
    return sorted(key for key in keys if not project.store.by_key(key))
