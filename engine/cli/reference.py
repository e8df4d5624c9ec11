"""The page of all commands, written from the commands themselves."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence

import click

from engine.cli.main import COMMANDS, crossfact
from engine.cli.options import rule_options, source_options

_INTRODUCTION = """\
# Commands

Every command takes `--help`. What a program could read goes to standard output, everything else to standard error.
Exit codes: 0 nothing to report, 1 findings at or above `--fail-on` (or tests that are unexpectedly red), 2 wrong
use, unreadable configuration or nothing to compare, 3 an internal error: what it concerns is unknown, and
all else is reported.

This page is written from the commands themselves: change their docstrings and options, then run `pytest --update`.
"""


_SHARED = (
    ("What to read", "the options of what to read", source_options),
    ("Which rules count", "the options of which rules count", rule_options),
)


def reference() -> str:
    """The page: a table, each command with its usage, its words and its options, and the options that they share."""
    context = click.Context(crossfact, info_name="crossfact")
    shared = [(title, words, _in_order(share, context)) for title, words, share in _SHARED]
    parts = [_INTRODUCTION, "\n| command | what it does |\n|---|---|\n"]
    parts += [f"| [`{name}`](#{name}) | {_cell(summary)} |\n" for name, summary in COMMANDS.items()]
    for name in COMMANDS:
        command = crossfact.get_command(context, name)
        assert command is not None
        parts.append(_section(name, command, context, shared))
    for title, _, options in shared:
        parts.append(f"\n## {title}\n{_table(options.items())}")
    return "".join(parts)


def _in_order(share: Callable[[click.Command], click.Command], context: click.Context) -> dict[str, str]:
    command = share(click.Command("shared", add_help_option=False))
    command.params.reverse()  # on a command that is made already, options are added at the end
    return _options(command, context)


def _section(
    name: str,
    command: click.Command,
    context: click.Context,
    shared: Sequence[tuple[str, str, Mapping[str, str]]],
) -> str:
    own = click.Context(command, info_name=name, parent=context)
    usage = " ".join([f"crossfact {name}", *command.collect_usage_pieces(own)])
    # A command that has run keeps its option of help as that run spelled it: `-h, --help`.
    options = {
        spelled: meaning
        for spelled, meaning in _options(command, own).items()
        if not spelled.endswith("--help")
    }
    text = f"\n## {name}\n\n```text\n{usage}\n```\n\n{inspect.cleandoc(command.help or '')}\n"
    also = []
    for title, words, group in shared:
        if group.items() <= options.items():
            options = {spelled: meaning for spelled, meaning in options.items() if spelled not in group}
            also.append(f"[{words}](#{title.lower().replace(' ', '-')})")
    if options:
        text += _table(options.items())
    return f"{text}\nBesides: {' and '.join(also)}.\n" if also else text


def _options(command: click.Command, context: click.Context) -> dict[str, str]:
    """What each option of a command means, by how it is spelled."""
    records = (
        each.get_help_record(context)
        for each in command.get_params(context)
        if isinstance(each, click.Option)
    )
    return {spelled: meaning for record in records if record for spelled, meaning in [record]}


def _table(options: Iterable[tuple[str, str]]) -> str:
    rows = [f"| `{_cell(spelled)}` | {_cell(meaning)} |\n" for spelled, meaning in options]
    return "".join(["\n| option | meaning |\n|---|---|\n", *rows])


def _cell(words: str) -> str:
    return words.replace("|", r"\|")
