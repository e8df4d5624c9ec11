from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossval.findings import Finding, FindingKind, Severity, Witness
from crossval.pairs import Pair
from crossval.rules.rule import Rule
from crossval.selection import choose
from graph.errors import ConfigurationError


def nothing(pair: Pair) -> Iterator[Finding]:
    return iter(())


def made(name: str, family: str, kind: FindingKind, severity: Severity) -> Rule:
    return Rule(name, family, kind, severity, frozenset(), "", "", nothing)


RULES = (
    made("operation-not-implemented", "gaps", FindingKind.GAP, Severity.ERROR),
    made("operation-undocumented", "gaps", FindingKind.GAP, Severity.WARNING),
    made("response-undeclared", "operations", FindingKind.CONTRADICTION, Severity.ERROR),
    made("response-not-produced", "operations", FindingKind.CONTRADICTION, Severity.ERROR),
    made("contract-unreadable", "specs", FindingKind.DEFECT, Severity.ERROR),
    made("contract-invalid", "specs", FindingKind.DEFECT, Severity.ERROR),
)


def finding(rule: str, severity: Severity = Severity.ERROR) -> Finding:
    return Finding(
        subject="s", aspect="a", message="", rule=rule, severity=severity, code=Witness("code:x:y", "a", 1)
    )


def chosen(**options: object) -> set[str]:
    return set(choose(RULES, **options).severities)  # type: ignore[arg-type]  # each test gives one kind of option


def test_without_words_every_rule_is_chosen_with_its_own_severity() -> None:
    assert choose(RULES).severities == {rule.name: rule.severity for rule in RULES}


@pytest.mark.parametrize(
    ("word", "names"),
    [
        ("response-undeclared", {"response-undeclared"}),
        ("gaps", {"operation-not-implemented", "operation-undocumented"}),
        ("gap", {"operation-not-implemented", "operation-undocumented"}),
        ("response-*", {"response-undeclared", "response-not-produced"}),
        ("defect", {"contract-unreadable", "contract-invalid"}),
    ],
)
def test_rules_are_named_by_name_family_kind_or_glob(word: str, names: set[str]) -> None:
    everything = {rule.name for rule in RULES}
    assert chosen(select=[word]) == names | {"contract-unreadable"}
    assert chosen(ignore=[word]) == everything - names


def test_ignore_takes_away_from_what_was_selected() -> None:
    assert chosen(select=["gaps", "operations"], ignore=["operation-*"]) == {
        "response-undeclared",
        "response-not-produced",
        "contract-unreadable",
    }


def test_that_a_source_cannot_be_read_is_hidden_only_by_its_own_name() -> None:
    assert "contract-unreadable" in chosen(select=["gaps"])
    assert "contract-unreadable" not in chosen(select=["gaps"], ignore=["contract-unreadable"])
    assert "contract-unreadable" not in chosen(severity={"contract-unreadable": "off"})


def test_severities_are_overridden_and_the_most_exact_word_wins() -> None:
    severities = choose(
        RULES,
        severity={
            "response-undeclared": "error",
            "response-*": "note",
            "operations": "warning",
            "gap": "note",
            "operation-undocumented": "off",
        },
    ).severities
    assert severities["response-undeclared"] is Severity.ERROR
    assert severities["response-not-produced"] is Severity.NOTE
    assert severities["operation-not-implemented"] is Severity.NOTE
    assert "operation-undocumented" not in severities


def test_findings_of_other_rules_are_dropped_and_the_rest_get_the_chosen_severity() -> None:
    selection = choose(RULES, ignore=["gaps"], severity={"response-undeclared": "warning"})
    assert selection.apply([finding("operation-undocumented"), finding("response-undeclared")]) == [
        finding("response-undeclared", Severity.WARNING)
    ]


def test_a_finding_that_its_rule_rates_lower_is_lowered_but_never_raised() -> None:
    low = finding("response-undeclared", Severity.NOTE)
    assert choose(RULES, severity={"response-undeclared": "warning"}).apply([low]) == [low]
    high = finding("operation-undocumented", Severity.WARNING)
    assert choose(RULES, severity={"operation-undocumented": "error"}).apply([high]) == [
        finding("operation-undocumented", Severity.ERROR)
    ]


@pytest.mark.parametrize(
    ("fail_on", "codes"),
    [("error", (1, 0, 0)), ("warning", (1, 1, 0)), ("note", (1, 1, 1)), ("never", (0, 0, 0))],
)
def test_the_exit_code_follows_the_severity_to_fail_on(fail_on: str, codes: tuple[int, ...]) -> None:
    selection = choose(RULES, fail_on=fail_on)
    assert tuple(selection.exit_code([finding("x", severity)]) for severity in Severity) == codes
    assert selection.exit_code([]) == 0


@pytest.mark.parametrize(
    ("options", "message", "remedy"),
    [
        ({"select": ["response-undecl"]}, "select: `response-undecl`", "Did you mean `response-undeclared`?"),
        ({"ignore": ["operation"]}, "ignore: `operation`", "Did you mean `operations`?"),
        ({"select": ["zzz"]}, "select: `zzz`", "`crossfact rules` lists them all."),
        ({"ignore": ["nothing-*"]}, "ignore: `nothing-*`", "`crossfact rules` lists them all."),
        ({"severity": {"gapps": "off"}}, "severity: `gapps`", "Did you mean `gaps`?"),
        ({"severity": {"gaps": "eror"}}, "severity of `gaps`: `eror`", "Did you mean `error`?"),
        ({"fail_on": "nver"}, "fail-on: `nver`", "Did you mean `never`?"),
        ({"fail_on": "42"}, "fail-on: `42`", "Use one of error, warning, note, never."),
        ({"ignore": ["*"]}, "leave no rule", "Ignore less, or select more."),
    ],
)
def test_an_unknown_word_is_refused_and_the_nearest_known_one_named(
    options: dict[str, object], message: str, remedy: str
) -> None:
    with pytest.raises(ConfigurationError) as raised:
        chosen(**options)
    assert message in str(raised.value)
    assert raised.value.remedy == remedy


def test_a_kind_that_no_rule_has_is_no_error() -> None:
    rules = RULES[:3]
    assert set(choose(rules, ignore=["defect"]).severities) == {rule.name for rule in rules}


@given(
    st.sampled_from([rule.name for rule in RULES]),
    st.sampled_from(["error", "warning", "note", "off"]),
    st.lists(st.builds(finding, st.sampled_from([rule.name for rule in RULES]), st.sampled_from(Severity))),
)
def test_applying_a_selection_twice_is_applying_it_once(
    name: str, level: str, findings: list[Finding]
) -> None:
    selection = choose(RULES, severity={name: level})
    once = selection.apply(findings)
    assert selection.apply(once) == once


def test_a_quiet_rule_speaks_only_where_its_name_is_given() -> None:
    rules = (*RULES, made("module-unasked", "stories", FindingKind.GAP, Severity.NOTE))
    assert "module-unasked" not in choose(rules).severities
    assert "module-unasked" not in choose(rules, select=["gap"]).severities
    assert "module-unasked" in choose(rules, select=["gap", "module-unasked"]).severities
    assert choose(rules, severity={"module-unasked": "error"}).severities["module-unasked"] is Severity.ERROR
