"""The one explicit list of frameworks."""

from __future__ import annotations

from benchmarks.drift.applications.fastapi import FastApi
from benchmarks.drift.records import Framework

FRAMEWORKS: tuple[Framework, ...] = (FastApi(),)
