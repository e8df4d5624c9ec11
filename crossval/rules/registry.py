"""The one explicit list of built-in rules."""

from __future__ import annotations

from crossval.rules.rule import Rule
from crossval.rules.specs.suppression_unknown_rule import suppression_unknown_rule
from crossval.rules.specs.suppression_without_reason import suppression_without_reason
from crossval.rules.specs.unused_suppression import unused_suppression

RULES: tuple[Rule, ...] = (
    suppression_unknown_rule,
    suppression_without_reason,
    unused_suppression,
)
