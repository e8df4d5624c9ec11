"""What is left of a run that somebody interrupts."""

from __future__ import annotations

import multiprocessing
import time

import pytest

from engine.cli import entry


def test_no_process_is_left_waiting_for_work(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: list[str]) -> int:
        multiprocessing.get_context("fork").Process(target=time.sleep, args=(60,)).start()
        raise KeyboardInterrupt

    monkeypatch.setattr(entry, "run_plainly", interrupted)
    before = time.monotonic()
    assert entry.exit_code() == 130
    for child in multiprocessing.active_children():
        child.join()
    assert time.monotonic() - before < 30
