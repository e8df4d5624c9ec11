from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from crossval.findings import Finding, FindingKind, Severity
from crossval.pairs import Pair
from crossval.report.rule_help import catalogue, explain
from crossval.rules.registry import RULES
from crossval.rules.rule import Rule, rule

PAGE = Path(__file__).parents[2] / "docs" / "RULES.md"


@rule(Severity.ERROR, kind=FindingKind.GAP)
def page_torn_out(pair: Pair) -> Iterator[Finding]:
    """A page is torn out | gone.

    It happens more often than one would
    think.

    ## Why it matters
    Readers miss it. They come back and ask for the whole book again, at once and loudly.

    - first
      they ask
    - then they shout

    ## How to fix
    Bind it again:

    ```sh
    # with glue
    bind   --page 3
    ```
    """
    return iter(())


def test_a_rule_is_explained_in_wrapped_plain_text() -> None:
    named = msgspec.structs.replace(page_torn_out, family="books")
    assert explain(named, width=50, colour=False) == (
        "page-torn-out (error, gap, family books)\n"
        "\n"
        "A page is torn out | gone.\n"
        "\n"
        "  It happens more often than one would think.\n"
        "\n"
        "Why it matters\n"
        "  Readers miss it. They come back and ask for the\n"
        "  whole book again, at once and loudly.\n"
        "\n"
        "  - first they ask\n"
        "  - then they shout\n"
        "\n"
        "How to fix\n"
        "  Bind it again:\n"
        "\n"
        "    # with glue\n"
        "    bind   --page 3\n"
        "\n"
        "How to silence it\n"
        "  In one place, write `# crossfact:\n"
        "  ignore[page-torn-out] reason` on its line. For\n"
        "  the whole project, put `page-torn-out` under\n"
        "  `ignore` in the configuration, or accept today's\n"
        "  with `crossfact baseline`.\n"
    )


def test_colour_marks_name_and_headings_only() -> None:
    coloured = explain(page_torn_out, width=50, colour=True)
    assert coloured.startswith("\x1b[1;31mpage-torn-out\x1b[0m (error")
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == explain(page_torn_out, width=50, colour=False)


def test_what_no_suppression_silences_does_not_advise_one() -> None:
    unused = next(rule for rule in RULES if rule.name == "unused-suppression")
    assert "ignore[unused-suppression]" not in explain(unused, width=100, colour=False)


def test_a_rule_of_a_stranger_cannot_steer_the_terminal() -> None:
    hostile = msgspec.structs.replace(
        page_torn_out, name="x\x1b[2J", summary="y\x9b\n", help="## z\x07\n\tt\u202e", family="f\r"
    )
    text = explain(hostile, width=10, colour=False)
    assert re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", text) is None


def test_the_catalogue_lists_rules_by_family_and_puts_their_headings_below_the_rules() -> None:
    other = Rule(
        "a-first", "alpha", FindingKind.DEFECT, Severity.NOTE, frozenset(), "First.", "", page_torn_out.check
    )
    page = catalogue([page_torn_out, other])
    assert page.index("## alpha") < page.index("### a-first") < page.index("### page-torn-out")
    assert "| gap | error | [A page is torn out \\| gone.](#page-torn-out) |" in page
    assert "\n#### Why it matters\n" in page
    assert "\n# with glue\n" in page
    assert catalogue([other, page_torn_out]) == page


def test_the_committed_page_is_what_the_rules_say(request: pytest.FixtureRequest) -> None:
    page = catalogue(RULES)
    if request.config.getoption("--update", default=False):
        PAGE.write_text(page, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == page, "run `pytest --update` and read the difference"
