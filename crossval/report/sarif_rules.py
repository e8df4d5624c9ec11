"""What a SARIF log says of rules: their words, and what code hosts sort by."""

from __future__ import annotations

from crossval.findings import Severity
from crossval.report.rule_help import explain, markdown
from crossval.rules.rule import Rule
from graph.facts import Json

_WIDTH = 100
_PROBLEMS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "recommendation"}


def descriptor(rule: Rule) -> dict[str, Json]:
    """A rule's metadata (3.49): its id, its words, its help as text and as Markdown, its severity, its tags."""
    return {
        "id": rule.name,
        "name": rule.name.title().replace("-", ""),
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.summary},
        "help": {"text": explain(rule, width=_WIDTH, colour=False), "markdown": markdown(rule)},
        "defaultConfiguration": {"level": rule.severity.value},
        "properties": {
            "tags": [rule.family, rule.kind.value],
            "precision": "high",
            "problem.severity": _PROBLEMS[rule.severity],
        },
    }


def notification_descriptors() -> list[Json]:
    """What the notifications of a run are about (3.19.24), in as many words as hosts demand."""
    return [
        _notification(
            "not-read",
            "A file or folder was left out of the comparison.",
            "The message says why. Where that is a setting, such as the size from which files are skipped, change it.",
        ),
        _notification(
            "not-compared",
            "Reading alone could not settle what is meant.",
            "What cannot be known without running the code is never called a difference. Annotate or declare it.",
        ),
    ]


def _notification(name: str, summary: str, advice: str) -> dict[str, Json]:
    return {
        "id": name,
        "shortDescription": {"text": summary},
        "fullDescription": {"text": summary},
        "help": {"text": advice, "markdown": advice},
    }
