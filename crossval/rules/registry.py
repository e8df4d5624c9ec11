"""The one explicit list of built-in rules."""

from __future__ import annotations

from crossval.rules.rule import Rule

RULES: tuple[Rule, ...] = ()
