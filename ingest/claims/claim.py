"""The record of one claim: what a sentence says of a subject, in a form that can be compared."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from graph.facts import Json


class Claimed(StrEnum):
    """What a claim is about."""

    QUANTITY = "quantity"
    ENUMERATION = "enumeration"
    OUTCOME = "outcome"
    RAISES = "raises"
    REQUEST = "request"
    FIELD = "field"
    REQUIRED = "required"
    DEFAULT = "default"
    FORMAT = "format"
    ROLE = "role"


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """One claim. `subject` is as written, without its article; None where the sentence names none.

    `comparator` is one of `>= <= > < =` (quantities, defaults), else empty. `unit` is normalised: bytes, seconds,
    percent, characters, digits, letters, items, times, length; else the noun as written. `modality` is `must` (also
    for plain statements), `must not`, `should` or `may`; `negated` says that the statement is denied. `condition` has
    the words under which it holds, `words` the whole sentence, `line` its first line.
    """

    kind: Claimed
    subject: str | None = None
    comparator: str = ""
    value: Json = None
    unit: str = ""
    modality: str = "must"
    negated: bool = False
    condition: str = ""
    words: str = ""
    line: int = 0

    def as_json(self) -> dict[str, Json]:
        """The entry of the aspect `claims`: without what is empty, but always with `subject` and
        `modality`."""
        entry: dict[str, Json] = {"kind": str(self.kind), "subject": self.subject}
        for name in ("comparator", "value", "unit"):
            value = getattr(self, name)
            if value not in ("", None):
                entry[name] = value
        entry["modality"] = self.modality
        if self.negated:
            entry["negated"] = True
        if self.condition:
            entry["condition"] = self.condition
        return entry | {"words": self.words, "line": self.line}
