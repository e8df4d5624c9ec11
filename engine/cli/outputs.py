"""Options that say in which forms a report is made, and to which files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from engine.cli.destinations import Target, ordered

_Command = TypeVar("_Command", bound=Callable[..., Any])

_ORDER = "engine.cli.outputs"


class OrderedCommand(click.Command):
    """A command that remembers in which order its options were given, so that `--output` can belong to a `--format`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click does, which it asks twice."""
        _, _, order = self.make_parser(ctx).parse_args(args=list(args))
        ctx.meta[_ORDER] = [parameter.name for parameter in order]
        return super().parse_args(ctx, args)


def output_options(forms: Sequence[str]) -> Callable[[_Command], _Command]:
    """The options `--format` and `--output` of an `OrderedCommand`, which may be given several times."""

    def decorate(command: _Command) -> _Command:
        command = click.option(
            "--output",
            "outputs",
            multiple=True,
            metavar="FILE",
            help="Write the form before it to a file (repeatable).",
        )(command)
        return click.option(
            "--format",
            "forms",
            multiple=True,
            type=click.Choice(tuple(forms)),
            help="The form of the report (default text); repeatable, each with an --output of its own.",
        )(command)

    return decorate


def targets(forms: Sequence[str], outputs: Sequence[str]) -> list[Target]:
    """Where the reports go that the options of an `OrderedCommand` ask for; see `ordered`."""
    return ordered(forms, outputs, click.get_current_context().meta.get(_ORDER, ()))
