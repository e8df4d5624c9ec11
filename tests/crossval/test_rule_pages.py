"""Every rule has a page with cases: the files of a small project, and exactly the findings that it yields."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Mapping
from operator import attrgetter
from pathlib import Path

import msgspec
import pytest

from crossval.findings import Finding
from crossval.report.colour import Paint
from crossval.report.text import concise_line
from crossval.rules.registry import RULES
from crossval.rules.rule import Rule

PAGES = Path(__file__).parent / "rules"
FINDINGS = "findings"
UNSEEN: frozenset[str] = frozenset()
"""Rules about facts that only readers of plug-ins tell; `test_operations.py` trips them with facts made by hand."""

_CASE = re.compile(r"^## (?P<title>.+)\n(?P<body>(?:(?!^## ).*\n?)*)", re.MULTILINE)
_BLOCK = re.compile(r"^(?P<fence>`{3,})(?P<name>\S+)\n(?P<text>(?:.*\n)*?)(?P=fence)$", re.MULTILINE)


class Case(msgspec.Struct, frozen=True):
    """One case of a page: the files by name, and the findings in concise form."""

    page: Path
    title: str
    files: dict[str, str]
    expected: str


def cases(page: Path) -> list[Case]:
    """All cases of a page in their order."""
    found = []
    for match in _CASE.finditer(page.read_text(encoding="utf-8")):
        blocks = {block["name"]: block["text"] for block in _BLOCK.finditer(match["body"])}
        expected = blocks.pop(FINDINGS, "")
        found.append(Case(page, match["title"], blocks, expected))
    return found


ALL = [case for page in sorted(PAGES.glob("*.md")) for case in cases(page)]


@pytest.mark.parametrize("case", ALL, ids=lambda case: f"{case.page.stem}: {case.title}")
def test_a_project_yields_exactly_the_findings_of_its_page(
    case: Case, check_project: Callable[[Mapping[str, str]], list[Finding]], update: bool
) -> None:
    findings = check_project(case.files)
    rendered = "".join(concise_line(finding, Paint(False)) + "\n" for finding in findings)
    if update and rendered != case.expected:
        rewrite(case, rendered)
        return
    assert rendered == case.expected
    assert all(finding.hint for finding in findings if finding.kind != "defect")


def rewrite(case: Case, findings: str) -> None:
    """Puts the findings that a case yields into its page."""
    text = case.page.read_text(encoding="utf-8")
    begin = text.index(f"## {case.title}\n")
    opening = text.index(f"```{FINDINGS}\n", begin) + len(f"```{FINDINGS}\n")
    closing = text.index("```", opening)
    case.page.write_text(text[:opening] + findings + text[closing:], encoding="utf-8")


def test_rules_and_pages_are_the_same_list() -> None:
    assert sorted(rule.name for rule in RULES) == sorted(page.stem for page in PAGES.glob("*.md"))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_page_has_a_flagged_and_a_clean_case(rule: Rule) -> None:
    flagged = [f"[{rule.name}]" in case.expected for case in cases(PAGES / f"{rule.name}.md")]
    assert (True in flagged) is (rule.name not in UNSEEN)
    assert False in flagged


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_says_what_why_and_how(rule: Rule) -> None:
    assert rule.summary.endswith(".")
    assert re.findall(r"^## .*$", rule.help, re.MULTILINE) == ["## Why it matters", "## How to fix"]


@pytest.mark.parametrize("rule", RULES, ids=attrgetter("name"))
def test_a_rule_is_asked_about_the_very_changes_that_it_looks_for(rule: Rule) -> None:
    """Where all that a rule finds, it finds in a loop over changes, these are declared; elsewhere none are."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(rule.check)))
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    finding = [each for each in function.body if any(isinstance(node, ast.Yield) for node in ast.walk(each))]
    sought: set[str] = set()
    for statement in finding:
        changes = _changes(statement, vars(inspect.getmodule(rule.check)))
        if changes is None:
            assert not rule.changes
            return
        sought |= changes
    assert rule.changes == sought


def _changes(statement: ast.stmt, names: dict[str, object]) -> set[str] | None:
    """The changes that a loop goes through; None for what is no such loop."""
    asked = statement.iter if isinstance(statement, ast.For) else None
    asked = asked.body if isinstance(asked, ast.IfExp) else asked
    if not isinstance(asked, ast.Call) or ast.unparse(asked.func) != "pair.changed":
        return None
    changes: set[str] = set()
    for each in asked.args:
        if isinstance(each, ast.Constant):
            changes.add(str(each.value))
            continue
        assert isinstance(each, ast.Starred)
        assert isinstance(each.value, ast.Name)
        listed = names[each.value.id]
        assert isinstance(listed, tuple | dict)
        changes.update(listed)
    return changes


def test_no_two_rules_share_a_name() -> None:
    names = [rule.name for rule in RULES]
    assert len(names) == len(set(names))
