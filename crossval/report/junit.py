"""The report as JUnit XML, which CI servers show as test results: a suite per family, a case per rule or finding."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from crossval.findings import Finding, Silenced, Witness
from crossval.report.escape import brief, clean_line, place
from crossval.report.excerpts import framed
from crossval.report.shown import Shown

_ILLEGAL = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ELSEWHERE = "other"


def show(shown: Shown) -> str:
    """The document. A rule that found nothing is a passed case; a finding is a failed one if the run fails for it.

    Findings below that severity are passed cases that tell of themselves on standard output; silenced ones, where they
    are to be shown, are skipped cases.
    """
    families = {rule.name: rule.family for rule in shown.rules()}
    found: dict[str, list[Finding]] = defaultdict(list)
    for finding in shown.report.findings:
        found[finding.rule].append(finding)
    silenced: dict[str, list[Silenced]] = defaultdict(list)
    for each in shown.report.silenced if shown.manner.silenced else ():
        silenced[each.finding.rule].append(each)
    suites: dict[str, Element] = {}
    for rule in sorted(
        {*families, *found, *silenced}, key=lambda name: (families.get(name, _ELSEWHERE), name)
    ):
        family = families.get(rule, _ELSEWHERE)
        suite = suites.setdefault(family, Element("testsuite", name=_plain(f"crossfact.{family}")))
        for finding in found[rule]:
            _add_finding(suite, finding, shown)
        for each in silenced[rule]:
            SubElement(_case(suite, each.finding), "skipped", message=_plain(brief(each.reason)))
        if not found[rule] and not silenced[rule]:
            SubElement(
                suite, "testcase", classname=_plain(f"crossfact.{family}"), name=_plain(rule), time="0"
            )
    return _document(suites.values())


def _add_finding(suite: Element, finding: Finding, shown: Shown) -> None:
    case = _case(suite, finding)
    told = _told(finding, shown)
    if shown.fails(finding):
        message = _plain(brief(finding.message))
        SubElement(case, "failure", message=message, type=_plain(finding.rule)).text = told
    else:
        SubElement(case, "system-out").text = told


def _case(suite: Element, finding: Finding) -> Element:
    primary = finding.primary
    name = f"{finding.rule}: {brief(finding.subject, 200)} {brief(finding.aspect, 200)}".strip()
    return SubElement(
        suite,
        "testcase",
        classname=_plain(clean_line(primary.path)),
        name=_plain(name),
        file=_plain(clean_line(primary.path)),
        line=str(primary.line),
        time="0",
    )


def _told(finding: Finding, shown: Shown) -> str:
    primary = finding.primary
    lines = [
        f"{place(primary.path, primary.line)}: {finding.severity}[{finding.rule}]: {brief(finding.message)}"
    ]
    witnesses: list[Witness] = [each for each in (finding.spec, finding.code) if each is not None]
    for witness in witnesses:
        lines += framed(witness, shown.texts)
    if finding.hint:
        lines.append(f"help: {brief(finding.hint)}")
    return _plain("\n".join(lines))


def _document(suites: Iterable[Element]) -> str:
    whole = Element("testsuites", name="crossfact")
    total: dict[str, int] = defaultdict(int)
    for suite in suites:
        counts = {
            "tests": len(suite),
            "failures": len(suite.findall("testcase/failure")),
            "errors": 0,
            "skipped": len(suite.findall("testcase/skipped")),
        }
        for name, count in counts.items():
            suite.set(name, str(count))
            total[name] += count
        whole.append(suite)
    for name in ("tests", "failures", "errors", "skipped"):
        whole.set(name, str(total[name]))
    ElementTree.indent(whole)
    text = ElementTree.tostring(whole, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _plain(text: str) -> str:
    """A text in which what XML cannot hold is a question mark."""
    return _ILLEGAL.sub("?", text)
