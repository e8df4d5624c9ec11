"""Which rules a user wants to hear of, how severe they are, and which findings make a run fail."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase

import msgspec

from crossval.findings import Finding, FindingKind, Severity
from crossval.rules.rule import Named
from graph.errors import ConfigurationError

QUIET = frozenset({"module-unasked"})
"""Rules that speak only where `select` or `severity` has their very name."""

OFF = "off"
NEVER = "never"
_GLOB = frozenset("*?[")
_UNREADABLE = "-unreadable"


class Selection(msgspec.Struct, frozen=True):
    """What was chosen: the severity of each chosen rule by its name, and from which severity on a run fails.

    `usual` holds every known rule's own severity; `fail_on` is None where no finding makes a run fail.
    """

    severities: dict[str, Severity]
    usual: dict[str, Severity]
    fail_on: Severity | None

    def apply(self, findings: Iterable[Finding]) -> list[Finding]:
        """The findings of chosen rules, in their order, with the severities that were chosen.

        A finding that its rule rates lower than it usually does is never raised, only lowered further.
        """
        return [self._rated(finding) for finding in findings if finding.rule in self.severities]

    def exit_code(self, findings: Iterable[Finding]) -> int:
        """1 where a finding is at least as severe as `fail_on`, else 0."""
        if self.fail_on is None:
            return 0
        return int(any(finding.severity.rank >= self.fail_on.rank for finding in findings))

    def _rated(self, finding: Finding) -> Finding:
        chosen = self.severities[finding.rule]
        if finding.severity is not self.usual[finding.rule]:
            chosen = min(chosen, finding.severity, key=lambda severity: severity.rank)
        return finding if chosen is finding.severity else msgspec.structs.replace(finding, severity=chosen)


def choose(
    rules: Sequence[Named],
    *,
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    severity: Mapping[str, str] | None = None,
    fail_on: str = Severity.ERROR.value,
) -> Selection:
    """The selection that these words make. A rule is named by its name, its family, its kind, or a glob of names.

    Without `select` all rules but the quiet ones are chosen; `ignore` and the severity `off` take away. `select`
    alone never hides that a source could not be read: only naming that rule under `ignore` or as `off` does. Of
    several words for one rule's severity the most exact wins: name, glob, family, kind.
    Raises ConfigurationError for a word that names no rule or no severity, and where no rule is left.
    """
    select, severity = tuple(select), severity or {}
    chosen = _named(rules, select or ("*",), "select")
    chosen -= QUIET.difference(select, severity)
    chosen |= {rule.name for rule in rules if rule.name.endswith(_UNREADABLE)}
    chosen -= _named(rules, ignore, "ignore")
    severities: dict[str, Severity] = {rule.name: rule.severity for rule in rules if rule.name in chosen}
    for name, level in _levels(rules, severity).items():
        if level is None:
            severities.pop(name, None)
        elif name in severities:
            severities[name] = level
    if rules and not severities:
        raise ConfigurationError("select and ignore leave no rule to run", "Ignore less, or select more.")
    return Selection(
        severities=severities,
        usual={rule.name: rule.severity for rule in rules},
        fail_on=_level(fail_on, NEVER, "fail-on"),
    )


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word that is most like this one, or an empty string where none is near."""
    import difflib

    return next(iter(difflib.get_close_matches(word, sorted(known), n=1)), "")


def _named(rules: Sequence[Named], words: Iterable[str], option: str) -> set[str]:
    return {rule.name for word in words for rule in _matching(rules, word, option)}


def _levels(rules: Sequence[Named], severity: Mapping[str, str]) -> dict[str, Severity | None]:
    """Each named rule's severity, None for `off`; vague words come first, so that exact ones overwrite them."""
    names = {rule.name for rule in rules}
    families = {rule.family for rule in rules}

    def exactness(word: str) -> tuple[int, str]:
        if word in names:
            return 3, word
        if _GLOB & set(word):
            return 2, word
        return int(word in families), word

    levels: dict[str, Severity | None] = {}
    for word in sorted(severity, key=exactness):
        level = _level(severity[word], OFF, f"severity of `{word}`")
        levels.update((rule.name, level) for rule in _matching(rules, word, "severity"))
    return levels


def _matching(rules: Sequence[Named], word: str, option: str) -> list[Named]:
    if _GLOB & set(word):
        found = [rule for rule in rules if fnmatchcase(rule.name, word)]
    else:
        found = [rule for rule in rules if word in (rule.name, rule.family, rule.kind)]
    if found or not rules or word in set(FindingKind):
        return found
    near = nearest(word, {name for rule in rules for name in (rule.name, rule.family, rule.kind)})
    raise ConfigurationError(
        f"{option}: `{word}` names no rule, family or kind",
        f"Did you mean `{near}`?" if near else "`crossfact rules` lists them all.",
    )


def _level(word: str, none: str, option: str) -> Severity | None:
    if word == none:
        return None
    if word in set(Severity):
        return Severity(word)
    known = [*Severity, none]
    near = nearest(word, known)
    raise ConfigurationError(
        f"{option}: `{word}` is no severity",
        f"Did you mean `{near}`?" if near else f"Use one of {', '.join(known)}.",
    )
