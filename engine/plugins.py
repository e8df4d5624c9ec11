"""The readers and rules of a run: the built-in ones, listed here one by one, and those of installed plug-ins."""

from __future__ import annotations

import itertools
from typing import Any

from crossval.rules.rule import Rule
from graph.errors import ConfigurationError
from ingest.ingestor import Ingestor
from ingest.resolver import Resolver

INGESTORS = "crossfact.ingestors"
RULES = "crossfact.rules"


def ingestors() -> tuple[Ingestor, ...]:
    """Every reader: of an installed plug-in first, so that it may take over what a built-in one would read."""
    from ingest.gherkin_features import GherkinReader
    from ingest.openapi.reader import OpenApiReader
    from ingest.python.reader import PythonReader
    from ingest.python.tests import PythonTestReader
    from ingest.stories.reader import StoryReader

    return (
        *_installed(INGESTORS),
        PythonReader(),
        PythonTestReader(),
        OpenApiReader(),
        StoryReader(),
        GherkinReader(),
    )


def resolvers() -> tuple[Resolver, ...]:
    """Every built-in resolver."""
    from ingest.web.fastapi import FastApiResolver
    from ingest.web.flask import FlaskResolver

    return (FastApiResolver(), FlaskResolver())


def rules() -> tuple[Rule, ...]:
    """Every rule, in the order of their names. Raises ConfigurationError where two have one name."""
    from crossval.rules.registry import RULES as BUILT_IN

    everything = sorted((*BUILT_IN, *_installed(RULES)), key=lambda rule: rule.name)
    for one, other in itertools.pairwise(everything):
        if one.name == other.name:
            raise ConfigurationError(
                f"two rules are called {one.name}", "Uninstall the plug-in that brings the second one."
            )
    return tuple(everything)


def _installed(group: str) -> list[Any]:
    """What installed distributions offer under an entry-point group, in the order of their names.

    An entry point names an ingestor, a rule, or a callable without arguments that makes one.
    Raises ConfigurationError where one cannot be loaded.
    """
    from importlib.metadata import entry_points

    found = []
    for point in sorted(entry_points(group=group), key=lambda point: point.name):
        try:
            thing = point.load()
            found.append(thing() if isinstance(thing, type) else thing)
        except Exception as error:
            distribution = point.dist.name if point.dist else "?"
            raise ConfigurationError(
                f"the plug-in {point.name} of {distribution} cannot be loaded: {type(error).__name__}: {error}",
                f"Uninstall or mend {distribution}.",
            ) from error
    return found
