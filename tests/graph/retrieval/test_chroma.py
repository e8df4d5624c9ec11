"""A real Chroma keeps in line with the store, whatever happens to its folder."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from graph.facts import Extract, Fact, Kind, Location, Tag
from graph.retrieval import chroma
from graph.retrieval.embedding import MiniLm
from graph.retrieval.index import Index
from graph.retrieval.search import Searcher
from graph.retrieval.vectors import Exact
from graph.store.records import Owner
from graph.store.store import Store
from graph.store.writing import Writer

pytestmark = pytest.mark.filterwarnings("ignore")  # what Chroma's own imports warn of

DOCS = {
    "reserve": "Sets copies of a book aside.",
    "send": "Brings a parcel on its way.",
    "total": "Adds up prices.",
    "paint": "Chooses a colour.",
}
WORDS = "crossfact: the {} was damaged; it is made anew from the stored vectors."


@pytest.fixture(scope="module")
def model() -> MiniLm:
    return MiniLm(1)


def write(store: Store, names: list[str]) -> None:
    facts = [
        Fact(
            tag=Tag.CODE,
            kind=Kind.FUNCTION,
            key=f"shop.{name}",
            name=name,
            source=Location("shop.py", 1, 2),
            aspects={"parameters": [], "doc": {"summary": DOCS[name]}},
        )
        for name in names
    ]
    writer = Writer(store)
    with writer.transaction():
        writer.replace(Owner(name="shop.py", reader="python 1", digest=str(names)), Extract(facts=facts))
    store.publish()


@pytest.fixture
def store(tmp_path: Path, model: MiniLm) -> Iterator[Store]:
    store = Store.open(tmp_path / "facts.db")
    write(store, list(DOCS))
    index = Index(store)
    index.refresh(print)
    index.embed(model)
    yield store
    store.close()


def opened(store: Store, folder: Path) -> tuple[chroma.Chroma, list[str]]:
    said: list[str] = []
    return chroma.embedded(store, folder, MiniLm.dimension, said.append), said


def test_it_finds_what_comparing_with_all_vectors_finds(store: Store, tmp_path: Path, model: MiniLm) -> None:
    index, said = opened(store, tmp_path / "chroma")
    exact = Searcher(store, model, Exact(store, model.dimension)).search("where is it delivered to?")
    approximate = Searcher(store, model, index).search("where is it delivered to?")
    assert [hit.fact.id for hit in approximate] == [hit.fact.id for hit in exact]
    assert said == []
    vector = model.embed(["colours"])[0]
    assert len(index.nearest(vector, (), 2)) == 2
    assert index.nearest(vector, {1_000}, 2) == {}


def test_facts_that_go_and_come_are_followed(store: Store, tmp_path: Path, model: MiniLm) -> None:
    opened(store, tmp_path / "chroma")
    write(store, ["send"])
    keyword = Index(store)
    keyword.refresh(print)
    keyword.embed(model)
    index, said = opened(store, tmp_path / "chroma")
    assert len(index.nearest(model.embed(["parcel"])[0], (), 10)) == 1
    assert said == []


def test_vectors_that_someone_took_out_are_put_back_which_is_told(
    store: Store, tmp_path: Path, model: MiniLm
) -> None:
    opened(store, tmp_path / "chroma")
    collection = chroma._collection(chroma._persistent(tmp_path / "chroma"), store)
    collection.delete(ids=collection.get(include=[])["ids"][:2])
    index, said = opened(store, tmp_path / "chroma")
    assert said == [
        "crossfact: the facts and the vector index disagreed; it is mended from the stored vectors."
    ]
    assert len(index.nearest(model.embed(["parcel"])[0], (), 10)) == len(DOCS)


@pytest.mark.parametrize("damage", ["garbage", "cut", "missing"])
def test_a_damaged_folder_is_made_anew_without_embedding(
    store: Store, tmp_path: Path, model: MiniLm, damage: str
) -> None:
    from chromadb.api.shared_system_client import SharedSystemClient

    folder = tmp_path / "chroma"
    opened(store, folder)
    SharedSystemClient.clear_system_cache()
    database = folder / "chroma.sqlite3"
    if damage == "garbage":
        database.write_bytes(b"no database" * 1_000)
    elif damage == "cut":
        database.write_bytes(database.read_bytes()[:5_000])
    else:
        database.unlink()
    index, said = opened(store, folder)
    assert said in ([], [WORDS.format("vector index")])
    assert bool(said) is (damage != "missing")
    assert len(index.nearest(model.embed(["parcel"])[0], (), 10)) == len(DOCS)
    assert Index(store).waiting() == 0


def test_a_server_serves(store: Store, tmp_path: Path, model: MiniLm, free_port: int) -> None:
    program = Path(sys.executable).with_name("chroma")
    command = [str(program), "run", "--path", str(tmp_path / "served"), "--host", "127.0.0.1"]
    server = subprocess.Popen(
        [*command, "--port", str(free_port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        index = _when_up(store, f"http://127.0.0.1:{free_port}")
        assert len(index.nearest(model.embed(["parcel"])[0], (), 10)) == len(DOCS)
    finally:
        server.kill()
        server.wait()


@pytest.fixture
def free_port() -> int:
    import socket

    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def _when_up(store: Store, url: str) -> chroma.Chroma:
    from graph.errors import StoreError

    until = time.monotonic() + 60
    while True:
        try:
            return chroma.served(store, url, MiniLm.dimension, print)
        except StoreError:
            if time.monotonic() > until:
                raise
            time.sleep(0.2)  # until a process that says nothing listens
