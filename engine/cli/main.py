"""The list of commands, each loaded only when it is used, and how click understands the arguments."""

from __future__ import annotations

import importlib

import click

from engine.cli.console import complain

COMMANDS = {
    "check": "Compare specs with code and report where they disagree.",
    "ingest": "Only bring the fact graph up to date.",
    "facts": "List facts, filtered by kind, tag, path or name.",
    "show": "Show one fact: aspects, source lines, relations.",
    "neighbors": "List what a fact is related to.",
    "path": "Find the shortest way between two facts.",
    "query": "Ask the fact graph in openCypher, in SQL, or by name.",
    "trace": "Show the thread of a story: criteria, claims, code, tests, findings.",
    "diff": "Show what changed between two revisions: facts, and findings.",
    "link": "List which code and tests belong to each criterion, and decide it by hand.",
    "ask": "Answer a question with the facts that fit best.",
    "stats": "Count what the fact graph holds.",
    "rules": "List all rules.",
    "explain": "Explain one rule: what it finds, why it matters, how to fix it.",
    "baseline": "Accept today's findings, so that later runs report only new ones.",
    "go": "Plan tests, write them, prove them on twins, run what is open, heal what went stale.",
    "plan": "Make the test plan: what to test first, and why.",
    "generate": "Write the tests of the plan.",
    "run": "Run the tests that are open, the most important first.",
    "heal": "Heal tests that went stale, and say where the code is wrong instead.",
    "review": "Decide about what healing leaves to a person.",
    "status": "Show how the tests of the plan stand.",
    "audit": "Show what was decided, by whom or what; check that the trail is whole.",
    "stub": "Write a stub skeleton for a module of code that has none.",
    "session": "Start a test session with its context, plan and tasks, or show how it stands.",
    "init": "Look at the project and write a commented configuration.",
    "doctor": "Say what was detected, what is missing, and what to do about it.",
    "fsck": "Look whether all that crossfact keeps is whole.",
    "mcp": "Serve coding agents over the Model Context Protocol.",
}
"""Each command's name, which is its module's too, with its summary; `--help` loads none of them."""


class _Commands(click.Group):
    """A group that imports a command's module only when that command runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(f"engine.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            import difflib

            near = difflib.get_close_matches(args[0], COMMANDS, n=1)
            hint = f" Did you mean '{near[0]}'?" if near else ""
            ctx.fail(f"No such command '{args[0]}'.{hint}")
        return super().resolve_command(ctx, args)


def _show_version(ctx: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from engine.version import version

        click.echo(f"crossfact {version()}")
        ctx.exit()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_show_version,
    help="Print the version and exit.",
)
def crossfact() -> None:
    """Cross-validate what a system should do (stories, contracts, stubs) with what it does (code, tests).

    Exit codes: 0 nothing to report, 1 findings at or above --fail-on, 2 wrong use, unreadable configuration
    or nothing to compare, 3 an internal error (all else is reported).
    """


def run_command() -> int:
    """Run the command that the arguments name, and give its exit code; mistakes in the arguments are told."""
    try:
        code = crossfact.main(prog_name="crossfact", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return 2
    except click.exceptions.Exit as exit_:
        return exit_.exit_code
    except click.Abort:
        return 130
    except click.ClickException as error:
        where = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "crossfact"
        complain(error.format_message(), f"See '{where} --help'.")
        return 2
