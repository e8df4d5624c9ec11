"""The outcomes of a run as JUnit XML, which most CI servers read.

The format is the one that pytest writes (`xunit2`): a suite of test cases with `failure`, `error` or `skipped`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from xml.etree import ElementTree

from planner.cases import Case, Status
from planner.validator import Outcome

_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_GREEN = frozenset({Status.PASSED, Status.HEALED})
_ELEMENTS = {Status.RED_EXPECTED: "skipped", Status.INCONCLUSIVE: "error"}
"""A test that waits for code must not break a build; one that could not run is no failure of the code."""


def junit(cases: Sequence[Case], outcomes: Mapping[str, Outcome]) -> bytes:
    """The document for cases that ran; `outcomes` are the last ones by the cases' ids."""
    suite = ElementTree.Element("testsuite", name="crossfact", tests=str(len(cases)))
    counts = {"failure": 0, "error": 0, "skipped": 0}
    total = 0.0
    for case in cases:
        outcome = outcomes.get(case.id)
        path, _, name = case.node.partition("::")
        seconds = outcome.seconds if outcome else 0.0
        total += seconds
        classname = path.removesuffix(".py").replace("/", ".")
        element = ElementTree.SubElement(
            suite, "testcase", classname=_plain(classname), name=_plain(name), time=f"{seconds:.3f}"
        )
        if case.status in _GREEN:
            continue
        kind = _ELEMENTS.get(case.status, "failure")
        counts[kind] += 1
        told = ElementTree.SubElement(element, kind, message=_plain(f"{case.status}: {case.last_error}"))
        told.text = _plain(outcome.message if outcome else "")
        if outcome and outcome.output:
            ElementTree.SubElement(element, "system-out").text = _plain(outcome.output)
    suite.set("failures", str(counts["failure"]))
    suite.set("errors", str(counts["error"]))
    suite.set("skipped", str(counts["skipped"]))
    suite.set("time", f"{total:.3f}")
    whole = ElementTree.Element("testsuites")
    whole.append(suite)
    ElementTree.indent(whole)
    return bytes(ElementTree.tostring(whole, encoding="utf-8", xml_declaration=True)) + b"\n"


def _plain(text: str) -> str:
    """A text in which what XML cannot hold is a question mark."""
    return _ILLEGAL.sub("?", text)
