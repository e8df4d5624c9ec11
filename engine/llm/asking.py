"""Asks a model within a budget, and keeps what it said, so that a second run asks nothing."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from engine.llm.client import Endpoint, ModelError
from graph.facts import Json


class Budget(msgspec.Struct, frozen=True):
    """How much a run may ask of a model: calls, tokens as far as the endpoint tells them, and seconds."""

    calls: int
    tokens: int
    seconds: float


class Asker:
    """Asks one endpoint. Replies are kept in `folder` by what was asked of which model.

    After the first failure of the endpoint, and where the budget is spent, only kept replies are given.
    """

    def __init__(self, endpoint: Endpoint, folder: Path, budget: Budget) -> None:
        self.calls = 0
        self._endpoint = endpoint
        self._folder = folder
        self._budget = budget
        self._over = ""
        self._seconds = 0.0

    def ask(self, prompt: str, schema: Mapping[str, Json]) -> str:
        """What the model says to a prompt, now or earlier. Raises ModelError, also where the budget is spent."""
        asked = f"{self._endpoint.model}\n{prompt}"
        digest = hashlib.blake2b(asked.encode(errors="replace"), digest_size=16).hexdigest()
        kept = self._folder / f"{digest}.json"
        with suppress(OSError, UnicodeDecodeError):
            return kept.read_text(encoding="utf-8")
        self._over = self._over or self._spent()
        if self._over:
            raise ModelError(self._over)
        begun = time.monotonic()
        try:
            said = self._endpoint.complete(prompt, schema)
        except ModelError as error:
            self._over = str(error)
            raise
        finally:
            self.calls += 1
            self._seconds += time.monotonic() - begun
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            kept.write_text(said, encoding="utf-8", errors="replace")
        return said

    def _spent(self) -> str:
        budget = self._budget
        if self.calls >= budget.calls:
            return f"the model was asked {budget.calls} times, which is the budget of a run (llm_calls)"
        if self._endpoint.tokens >= budget.tokens:
            return f"the model used {self._endpoint.tokens} tokens, more than a run may (llm_tokens)"
        if self._seconds >= budget.seconds:
            return f"the model took {self._seconds:.0f} seconds, more than a run may (llm_seconds)"
        return ""
