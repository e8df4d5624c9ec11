"""Times asking and indexing on a graph of many facts that are made up for it, and prints the figures.

    python -m benchmarks.retrieval.speed [FACTS]        (100,000 where nothing is said)

Asking needs an index of that many vectors, which would take minutes to make: the vectors of most facts are drawn at
random, those of `_REAL` facts are embedded, and that embedding is what indexing is timed by.
"""

from __future__ import annotations

import itertools
import os
import random
import sys
import time
from pathlib import Path

from benchmarks.measuring import run
from benchmarks.retrieval.gold import ROOT, WORK
from engine.project import open_project, refresh
from graph.facts import Extract, Fact, Kind, Location, Relation, Tag, Verb
from graph.retrieval.embedding import MiniLm
from graph.retrieval.index import Index
from graph.retrieval.passages import passage
from graph.retrieval.search import Searcher
from graph.retrieval.vectors import Exact
from graph.store.records import Owner
from graph.store.store import Store
from graph.store.writing import Writer

_REAL = 2_000
_PER_FILE = 40
_WORDS = [
    line for line in Path(__file__).read_text(encoding="utf-8").replace("\n", " ").split() if line.isalpha()
]
_QUESTIONS = ("what is timed by embedding?", "where are vectors drawn at random", "most facts are made up")


def main() -> None:
    """Print cold and warm times of asking, and how fast indexing is beside the bare embedder."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    folder = WORK / f"many-{count}"
    place = folder / ".crossfact" / "facts.db"
    if not place.exists():
        _write(folder, count)
    asking(folder, place)
    indexing()


def indexing() -> None:
    """Print texts per second of CPU of the bare embedder and of the index, in turns in one process."""
    model = MiniLm()
    facts = [_fact(number, random.Random(number)) for number in range(_REAL)]
    rates: dict[str, list[float]] = {"bare": [], "index": []}
    for _ in range(2):
        texts = [passage(fact).meaning for fact in facts]
        begun = time.process_time()
        model.embed(texts)
        rates["bare"].append(_REAL / (time.process_time() - begun))
        WORK.mkdir(parents=True, exist_ok=True)
        place = WORK / "indexing.db"
        for each in WORK.glob("indexing.db*"):
            each.unlink()
        store = Store.open(place)
        _fill(store, facts)
        begun = time.process_time()
        index = Index(store)
        index.refresh(print)
        index.embed(model)
        rates["index"].append(_REAL / (time.process_time() - begun))
        begun = time.process_time()
        again = index.refresh(print) + index.embed(model)
        print(f"unchanged: {again} facts indexed again in {time.process_time() - begun:.3f} s")
        store.close()
    bare, indexed = max(rates["bare"]), max(rates["index"])
    print(
        f"texts per second of CPU: embedder alone {bare:.0f}, whole indexing {indexed:.0f}, {indexed / bare:.2f} of it"
    )


def asking(folder: Path, place: Path) -> None:
    """Print how long `ask` takes as a process and in a running one."""
    command = [
        sys.executable,
        "-m",
        "crossfact",
        "ask",
        "--project",
        str(folder),
        "--no-history",
        _QUESTIONS[0],
    ]
    for name, further in (("files looked at", []), ("files not looked at", ["--no-refresh"])):
        runs = [run([*command, *further], cwd=ROOT) for _ in range(4)]
        assert all(each.code == 0 for each in runs)
        best = min(runs, key=lambda each: each.wall)
        print(f"cold, {name}: {best.wall:.2f} s wall, {best.cpu:.2f} s CPU, {best.peak:.0f} MB")
    store, model = Store.open(place), MiniLm()
    begun = time.perf_counter()
    searcher = Searcher(store, model, Exact(store, model.dimension))
    print(f"vectors loaded in {time.perf_counter() - begun:.2f} s")
    times = []
    for question in _QUESTIONS * 5:
        begun = time.perf_counter()
        searcher.search(question)
        times.append(time.perf_counter() - begun)
    times.sort()
    print(f"running: median {times[len(times) // 2] * 1000:.0f} ms, slowest {times[-1] * 1000:.0f} ms")


def _write(folder: Path, count: int) -> None:
    """A project whose code makes so many facts, read and indexed, with made-up vectors."""
    import numpy

    for number in range(0, count, _PER_FILE):
        facts = [_fact(number + at, random.Random(number + at)) for at in range(_PER_FILE - 1)]
        path = folder / facts[0].source.path
        path.parent.mkdir(parents=True, exist_ok=True)
        bodies = (f'def {fact.name}():\n    """{fact.aspects["doc"]["summary"]}."""\n\n' for fact in facts)
        path.write_text('"""Made up."""\n' + "".join(bodies), encoding="utf-8")
    project = open_project(
        [str(folder)], here=ROOT, environment={}, options={"history": False}, configuration=None, tell=print
    )
    refresh(project, tell=print)
    store = project.store
    index = Index(store)
    index.refresh(print)
    index.use(MiniLm.name)
    digests = [
        digest for (digest,) in store.dialect.execute("SELECT digest FROM passage WHERE digest IS NOT NULL")
    ]
    numbers = numpy.random.default_rng(7).normal(size=(len(digests), MiniLm.dimension))
    vectors = (numbers / numpy.linalg.norm(numbers, axis=1, keepdims=True)).astype(numpy.float16)
    store.dialect.begin()
    store.dialect.insert_many(
        "INSERT OR IGNORE INTO vector (digest, numbers) VALUES (?, ?)",
        ((digest, row.tobytes()) for digest, row in zip(digests, vectors, strict=True)),
    )
    store.dialect.execute(
        "UPDATE passage SET vector = (SELECT id FROM vector WHERE vector.digest = passage.digest)"
    )
    store.dialect.commit()
    print(
        f"made {sum(sum(kinds.values()) for kinds in store.counts().values())} facts, {index.vectors()} vectors"
    )
    store.close()


def _fill(store: Store, facts: list[Fact]) -> None:
    writer = Writer(store)
    with writer.transaction():
        for start in range(0, len(facts), _PER_FILE):
            some = facts[start : start + _PER_FILE]
            edges = [
                Relation(Verb.CALLS, first.id, second.id, first.source.line)
                for first, second in itertools.pairwise(some)
            ]
            extract = Extract(facts=some, relations=edges)
            writer.replace(Owner(name=some[0].source.path, reader="made 1", role="code"), extract)
    store.publish()


def _fact(number: int, chance: random.Random) -> Fact:
    """A function with a name and two lines of prose, out of the words of this file."""
    module = f"made.part{number // 4000}.file{number // _PER_FILE}"
    name = f"{chance.choice(_WORDS)}_{chance.choice(_WORDS)}_{number}"
    line = 1 + 3 * (number % _PER_FILE)
    return Fact(
        tag=Tag.CODE,
        kind=Kind.FUNCTION,
        key=f"{module}.{name}",
        name=name,
        source=Location(module.replace(".", "/") + ".py", line, line + 2),
        aspects={"parameters": [], "doc": {"summary": " ".join(chance.choices(_WORDS, k=14))}},
    )


if __name__ == "__main__":
    main()
