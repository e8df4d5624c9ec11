from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from graph.facts import Extract, Kind
from ingest.gherkin_features import GherkinReader
from ingest.ingestor import Document, Role

LINES = st.sampled_from(
    [
        *(
            "Feature: x",
            "@US-1",
            "@a b",
            "Scenario: a",
            "Scenario Outline: b",
            "Background:",
            "Rule: r",
            "Examples:",
        ),
        *(
            "Given c",
            "When d",
            "Then e",
            "And f",
            "* g",
            "| a | b |",
            "| a |",
            '"""',
            "```",
            "# c",
            "# language: fr",
            "junk",
            "",
        ),
    ]
)


def read(text: str) -> Extract:
    return GherkinReader().read(Document("shop/checking out.feature", Role.FEATURE, text))


@given(st.lists(LINES, max_size=16))
def test_any_file_is_read_with_unique_keys_and_lines_inside_it(lines: list[str]) -> None:
    extract = read("\n".join(lines))
    ids = [fact.id for fact in extract.facts]
    assert len(set(ids)) == len(ids)
    assert sorted(edge.second for edge in extract.relations) == sorted(i for i in ids if ":criterion:" in i)
    for fact in extract.facts:
        assert 1 <= fact.source.line <= fact.source.end_line <= len(lines) + 1


def test_line_ends_change_nothing() -> None:
    text = "Feature: x\n\n  Scenario: a\n    Given b\n      | c |\n"
    assert read(text.replace("\n", "\r\n")) == read(text.replace("\n", "\r")) == read(text)


def test_a_feature_without_a_name_has_the_name_of_its_file() -> None:
    (story,) = read("Feature:\n").facts
    assert (story.key, story.name) == ("checking-out", "checking out")


def test_every_language_of_the_parser_is_read() -> None:
    from gherkin.dialect import DIALECTS, Dialect

    for name in DIALECTS:
        dialect = Dialect.for_name(name)
        assert dialect is not None
        step = next(word for word in dialect.given_keywords if word != "* ")
        then = next(word for word in dialect.then_keywords if word != "* ")
        text = (
            f"# language: {name}\n{dialect.feature_keywords[0]}: x\n"
            f"  {dialect.scenario_keywords[0]}: y\n    {step}a\n    {then}b\n"
        )
        extract = read(text)
        assert not extract.defects, name
        (criterion,) = [fact for fact in extract.facts if fact.kind is Kind.CRITERION]
        said = criterion.aspects["given"] + criterion.aspects["when"] + criterion.aspects["then"]
        assert sorted(said) == ["a", "b"], name


def test_an_outline_claims_what_its_rows_say() -> None:
    rows = ("| 10 | 201 |", "| 20 | 201 |", "| -1 | 422 |")
    outline = [
        "Feature: Paying",
        "Scenario Outline: Answers",
        "When I pay <amount> euros",
        "Then the response status code is <status>",
        "And the `total` field is <mood>",
        "Examples:",
        "| amount | status |",
        *rows,
    ]
    claims = read("\n".join(outline)).facts[1].aspects["claims"]
    said = [
        (each["value"], each.get("condition"), each["line"]) for each in claims if each["kind"] == "outcome"
    ]
    assert said == [(201, "I pay 10 euros", 4), (422, "I pay -1 euros", 4)]
