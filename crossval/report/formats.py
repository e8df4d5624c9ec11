"""The forms of a report by name, each made by the module that knows it, which is imported when it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crossval.report.shown import Shown

FORMATS = {
    "text": "crossval.report.text",
    "json": "crossval.report.json_report",
    "ndjson": "crossval.report.ndjson",
    "sarif": "crossval.report.sarif",
    "markdown": "crossval.report.markdown",
    "github": "crossval.report.github",
    "gitlab": "crossval.report.gitlab",
    "junit": "crossval.report.junit",
    "html": "crossval.report.html.page",
}
"""Each form's name with the module whose `show` makes it."""


def shown_as(form: str, shown: Shown) -> str:
    """The report in one of the forms, as text that ends in a line feed."""
    text: str = import_module(FORMATS[form]).show(shown)
    return text
