"""The baseline: findings that a project has accepted, kept in a file that is meant to be committed."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable
from pathlib import Path

import msgspec

from crossval.findings import Finding
from crossval.report.escape import encodable, json_safe
from graph.compiled import compiled
from graph.errors import ConfigurationError
from graph.files import keep_file, read_plain

FILE = "crossfact-baseline.json"
VERSION = 1
_CONFLICT = compiled(rb"^(<{7}|={7}|>{7})", re.MULTILINE)
_BYTE = compiled(r"\(byte (\d+)\)")
_MEND = "Mend the file, or delete it and run `crossfact baseline` again."


class Entry(msgspec.Struct, frozen=True, order=True, kw_only=True, forbid_unknown_fields=True):
    """One accepted finding. The fingerprint identifies it; the rest is for people and is as it was when accepted."""

    path: str
    rule: str
    subject: str
    aspect: str
    fingerprint: str


class Baseline(msgspec.Struct, frozen=True):
    """Accepted findings, sorted. Two findings with one fingerprint are two equal entries."""

    entries: tuple[Entry, ...] = ()


class Split(msgspec.Struct, frozen=True):
    """Findings held against a baseline: what is new, what it knows, and its entries that no finding matches."""

    new: list[Finding]
    known: list[Finding]
    stale: list[Entry]


class _Document(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    version: int
    findings: tuple[Entry, ...]


class _Versioned(msgspec.Struct, frozen=True):
    version: int


def accept(findings: Iterable[Finding]) -> Baseline:
    """The baseline that knows exactly these findings."""
    return Baseline(tuple(sorted(_entry(finding) for finding in findings)))


def part(baseline: Baseline, *, known: Collection[str], chosen: Collection[str]) -> tuple[Baseline, Baseline]:
    """The entries of the chosen rules and of rules that no longer exist, and those of rules that were not asked."""
    asked = [entry for entry in baseline.entries if entry.rule in chosen or entry.rule not in known]
    others = [entry for entry in baseline.entries if entry.rule in known and entry.rule not in chosen]
    return Baseline(tuple(asked)), Baseline(tuple(others))


def join(baseline: Baseline, other: Baseline) -> Baseline:
    """The baseline that knows what both know."""
    return Baseline(tuple(sorted((*baseline.entries, *other.entries))))


def split(findings: Iterable[Finding], baseline: Baseline) -> Split:
    """The findings parted in their order. An entry covers one finding of its fingerprint, at its own path first."""
    ordered = list(findings)
    entries: dict[str, dict[str, list[Entry]]] = defaultdict(lambda: defaultdict(list))
    for entry in baseline.entries:
        entries[entry.fingerprint][entry.path].append(entry)
    known = _matched(ordered, entries) if entries else set()
    return Split(
        new=[finding for index, finding in enumerate(ordered) if index not in known],
        known=[finding for index, finding in enumerate(ordered) if index in known],
        stale=sorted(entry for paths in entries.values() for left in paths.values() for entry in left),
    )


def update(baseline: Baseline, findings: Iterable[Finding]) -> Baseline:
    """The baseline with today's findings accepted too; what it knew and no longer occurs is kept."""
    today = list(findings)
    stale = split(today, baseline).stale
    return Baseline(tuple(sorted([*accept(today).entries, *stale])))


def prune(baseline: Baseline, findings: Iterable[Finding]) -> Baseline:
    """The baseline without the entries that no longer occur; no new finding is accepted."""
    return accept(split(findings, baseline).known)


def load(file: Path) -> Baseline:
    """The baseline in a file; empty where there is no such file.

    Raises ConfigurationError, naming the place, for a file that is damaged, of a newer version or unreadable.
    """
    content = _content(file)
    if content is None:
        return Baseline()
    conflict = _CONFLICT.search(content)
    if conflict:
        line = _line(content, conflict.start())
        raise ConfigurationError(
            f"{file}:{line}: an unresolved merge conflict", "Resolve it; one line is one finding."
        )
    try:
        text = content.decode("utf-8-sig")
        version = msgspec.json.decode(text, type=_Versioned).version
        if version != VERSION:
            raise ConfigurationError(
                f"{file}: a baseline of version {version}, where this crossfact knows version {VERSION}",
                "Use the crossfact that wrote it, or accept today's findings anew with `crossfact baseline`.",
            )
        document = msgspec.json.decode(text, type=_Document)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{file}{_place(content, error)}: not a baseline: {error}", _MEND) from error
    return Baseline(tuple(sorted(document.findings)))


def save(baseline: Baseline, file: Path) -> bool:
    """Write the baseline as a whole or not at all; whether the file had to be changed.

    Raises ConfigurationError where the file cannot be written.
    """
    return keep_file(file, _rendered(baseline), "the baseline")


def _matched(findings: list[Finding], entries: dict[str, dict[str, list[Entry]]]) -> set[int]:
    """The indices of findings that an entry covers; each entry that covers one is taken away."""
    known: set[int] = set()
    fingerprints = [finding.fingerprint for finding in findings]
    for same_path in (True, False):
        for index, finding in enumerate(findings):
            paths = entries.get(fingerprints[index])
            if not paths or index in known:
                continue
            path = encodable(finding.primary.path) if same_path else next(iter(paths))
            if path in paths:
                paths[path].pop()
                known.add(index)
                if not paths[path]:
                    del paths[path]
    return known


def _entry(finding: Finding) -> Entry:
    return Entry(
        path=encodable(finding.primary.path),
        rule=finding.rule,
        subject=encodable(finding.subject),
        aspect=encodable(finding.aspect),
        fingerprint=finding.fingerprint,
    )


def _rendered(baseline: Baseline) -> bytes:
    """One line per entry, so that a merge of two branches seldom conflicts and a review reads well."""
    lines = ["    " + msgspec.json.encode(entry).decode() for entry in baseline.entries]
    findings = "[\n" + ",\n".join(lines) + "\n  ]" if lines else "[]"
    return json_safe(f'{{\n  "version": {VERSION},\n  "findings": {findings}\n}}\n').encode()


def _content(file: Path) -> bytes | None:
    """The bytes of a regular file of bearable size, None where there is none."""
    try:
        return read_plain(file)
    except OSError as error:
        raise ConfigurationError(
            f"{file}: the baseline cannot be read: {error.strerror}", "Check its rights."
        ) from error
    except ValueError as error:
        raise ConfigurationError(f"{file}: {error}", _MEND) from error


def _place(content: bytes, error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f":{_line(content, error.start)}"
    found = _BYTE.search(str(error))
    return f":{_line(content, int(found.group(1)))}" if found else ""


def _line(content: bytes, offset: int) -> int:
    return content.count(b"\n", 0, offset) + 1
