"""The id of a test case: readable, stable, and the same on every machine."""

from __future__ import annotations

import hashlib
import re

import msgspec

from graph.facts import Json

_OTHER = re.compile(r"[^a-z0-9]+")
_LONGEST = 60


def case_id(subject: str, technique: str, target: dict[str, Json]) -> str:
    """`post-todos-bound-broken-body-title-a1b2c3`: a slug with six hex digits of a hash over all that it is about."""
    told = " ".join(
        str(target[name]) for name in ("status", "place", "bound", "exception", "name") if name in target
    )
    slug = _OTHER.sub("-", f"{subject} {technique} {told}".lower()).strip("-")[:_LONGEST].rstrip("-")
    identity = msgspec.json.encode([subject, technique, target], order="deterministic")
    return f"{slug}-{hashlib.sha256(identity).hexdigest()[:6]}"
