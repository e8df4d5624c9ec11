"""`crossfact review`: what waits for a person, and the decisions about it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click
import msgspec

from engine.cli.console import is_terminal, say, tell
from engine.cli.healing import (
    healed_document,
    healed_text,
    made_document,
    made_text,
    pending_document,
    pending_text,
)
from engine.cli.opening import project_from
from engine.cli.options import source_options
from engine.cli.rendering import as_document
from engine.cli.running import heal_options
from engine.project import Project
from graph.errors import UsageError

_KEYS = {"a": "approve", "r": "reject", "t": "try again", "e": "edit", "s": "skip", "q": "quit"}


@click.command("review")
@click.option("--project", "folder", default=".", metavar="DIR", help="The project (default: this folder).")
@click.option("--approve", metavar="ID", help="Make the proposal of this entry.")
@click.option(
    "--proposal", "number", type=click.IntRange(1), default=1, metavar="N", help="Which (default 1)."
)
@click.option("--reject", metavar="ID", help="Turn this entry down: its proposals are never made.")
@click.option("--retry", metavar="ID", help="Ask the healers again, with a --hint.")
@click.option("--hint", default="", metavar="WORDS", help="What they should know.")
@click.option("--edit", metavar="ID", help="Write the edit yourself: in your editor, or as a --payload.")
@click.option(
    "--payload",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    metavar="FILE",
    help="A payload, or a list of them, as JSON; - reads it from standard input.",
)
@click.option("--undo", metavar="ID", help="Take a heal back: files as before, and never made again.")
@click.option("--healed", is_flag=True, help="List the heals that can be taken back, the last one first.")
@click.option("--list", "listed", is_flag=True, help="Only list, also on a terminal.")
@heal_options
@source_options
def command(
    folder: str,
    approve: str | None,
    number: int,
    reject: str | None,
    retry: str | None,
    hint: str,
    edit: str | None,
    payload: Path | None,
    undo: str | None,
    healed: bool,
    listed: bool,
    timeout: float,
    level: str | None,
    parallel: int,
    as_json: bool,
    **given: Any,
) -> int:
    """List what waits for a person, or decide about it; on a terminal, one after the other.

    An approved edit stays only where its tests are green with it, check no less than before, and break no other. The
    exit code is 1 where something still waits, or where an approved edit did not hold.
    """
    from engine.healing.queue import Queue

    if sum(each is not None for each in (approve, reject, retry, edit, undo)) > 1:
        raise click.UsageError("Decide one thing at a time: --approve, --reject, --retry, --edit or --undo.")
    project = project_from((folder,), given)
    desk = _Desk(project, timeout, level or "", as_json=as_json)
    if approve:
        return desk.approve(approve, number)
    if reject:
        return desk.reject(reject)
    if retry:
        return desk.retry(retry, hint)
    if edit:
        return desk.edit(edit, payload)
    if undo is not None:
        return desk.undo(undo)
    if healed:
        return desk.healed()
    entries = Queue(project).entries()
    if as_json:
        say(as_document([pending_document(each) for each in entries]))
    elif entries and not listed and is_terminal() and sys.stdin is not None and sys.stdin.isatty():
        return desk.one_by_one()
    else:
        say("\n\n".join(pending_text(each, whole=True) for each in entries) or "Nothing waits for a person.")
    return int(bool(entries))


class _Desk:
    """Where a person decides."""

    def __init__(self, project: Project, seconds: float, sandbox: str, *, as_json: bool) -> None:
        self._project = project
        self._seconds = seconds
        self._sandbox = sandbox
        self._json = as_json

    def approve(self, identifier: str, number: int = 1, proposal: Any = None) -> int:
        """Make a proposal; the exit code."""
        from engine.healing.reviewing import approve
        from engine.running.jobs import python_of
        from engine.running.runner import PytestValidator
        from engine.running.sandboxes import sandbox_for

        box = sandbox_for(self._project, python_of(self._project), self._sandbox)
        decision = approve(
            self._project,
            identifier,
            number=number,
            proposal=proposal,
            validator=PytestValidator(box),
            seconds=self._seconds,
            tell=tell,
        )
        return self._told(decision, 0 if decision.kept else 1)

    def reject(self, identifier: str) -> int:
        """Turn an entry down; the exit code."""
        from engine.healing.reviewing import reject

        return self._told(reject(self._project, identifier, tell=tell), 0)

    def retry(self, identifier: str, hint: str) -> int:
        """Ask the healers again; the exit code."""
        from engine.healing.healing import Options, heal
        from engine.healing.queue import Queue
        from engine.healing.records import Result

        entry = Queue(self._project).entry(identifier)
        options = Options(
            names=entry.nodes,
            since=entry.since or None,
            hint=hint,
            seconds=self._seconds,
            sandbox=self._sandbox,
        )
        done = heal(self._project, options, tell=tell)
        say(as_document(healed_document(done)) if self._json else healed_text(done))
        return int(any(each.result is not Result.HEALED for each in done.treatments))

    def edit(self, identifier: str, payload: Path | None) -> int:
        """Make an edit that a person writes; the exit code."""
        from engine.healing.queue import Queue
        from engine.healing.records import Proposal

        entry = Queue(self._project).entry(identifier)
        payloads = _payloads(payload) if payload is not None else _from_editor(self._project, entry)
        if not payloads:
            tell("crossfact: nothing was changed.")
            return 1
        return self.approve(entry.id, proposal=Proposal(healer="human", payloads=payloads, confidence=1.0))

    def undo(self, identifier: str) -> int:
        """Take a heal back; the exit code."""
        from engine.healing.undoing import undo

        made = undo(self._project, identifier, tell=tell)
        if self._json:
            say(as_document(made_document(made)))
        else:
            from crossval.report.escape import clean_line

            paths = ", ".join(each.path for each in made.files)
            say(clean_line(f"{made.id}: taken back; as before: {paths}. It is never made again."))
        return 0

    def healed(self) -> int:
        """List what can be taken back; the exit code."""
        from engine.healing.made import Heals

        heals = Heals(self._project).all()
        if self._json:
            say(as_document([made_document(each) for each in heals]))
        else:
            say("\n\n".join(map(made_text, heals)) or "Nothing was healed that could be taken back.")
        return 0

    def one_by_one(self) -> int:
        """Ask about each entry; the exit code."""
        from engine.healing.queue import Queue

        queue = Queue(self._project)
        for entry in queue.entries():
            say(pending_text(entry, whole=True))
            keys = [key for key in _KEYS if key != "a" or entry.proposals]
            asked = ", ".join(f"[{key}] {_KEYS[key]}" for key in keys)
            key = click.prompt(asked, type=click.Choice(keys), default="s", show_choices=False, err=True)
            if key == "q":
                break
            self._decide(key, entry.id, len(entry.proposals))
        left = queue.entries()
        tell(f"crossfact: {len(left)} wait.")
        return int(bool(left))

    def _decide(self, key: str, identifier: str, proposals: int) -> None:
        try:
            if key == "a":
                which = click.prompt("Which", type=click.IntRange(1, proposals), default=1, err=True)
                self.approve(identifier, which)
            elif key == "r":
                self.reject(identifier)
            elif key == "t":
                self.retry(identifier, click.prompt("Hint", default="", show_default=False, err=True))
            elif key == "e":
                self.edit(identifier, None)
        except UsageError as error:
            tell(f"crossfact: {error}")

    def _told(self, decision: Any, code: int) -> int:
        if self._json:
            document = {
                "id": decision.entry.id,
                "nodes": list(decision.entry.nodes),
                "kept": decision.kept,
                "reason": decision.words,
                "undo": decision.undo,
            }
            say(as_document(document))
        else:
            from crossval.report.escape import clean_line

            say(clean_line(f"{decision.entry.id}: {decision.words}"))
        return code


def _payloads(file: Path) -> tuple[Any, ...]:
    """Payloads that a person wrote as JSON. Raises UsageError where they are none."""
    from healer.payload import Payload

    try:
        content = sys.stdin.buffer.read(5_000_000) if str(file) == "-" else file.read_bytes()
        value = msgspec.json.decode(content)
        listed = value if isinstance(value, list) else [value]
        return tuple(msgspec.convert(listed, list[Payload]))
    except (OSError, msgspec.MsgspecError, RecursionError) as error:
        raise UsageError(
            f"{file}: is no payload: {error}",
            'Write {"reasoning": …, "file_to_patch": …, "update": {"old_str": …, "new_str": …}}; see docs/HEALING.md.',
        ) from error


def _from_editor(project: Project, entry: Any) -> tuple[Any, ...]:
    """The file of an entry's first test as a person edits it, beginning with what was proposed."""
    from engine.healing.recovering import reader
    from healer.editing.edits import edited
    from healer.editing.methods import expressed

    proposal = entry.proposals[0] if entry.proposals else None
    path = proposal.payloads[0].file_to_patch if proposal else entry.nodes[0].partition("::")[0]
    before = reader(project.root)(path)
    if before is None:
        raise UsageError(f"{path}: cannot be read", "Edit it by hand.")
    start = edited(proposal.payloads[0], before).words if proposal else before
    after = click.edit(start, extension=".py", require_save=False)
    if after is None or after == before:
        return ()
    others = proposal.payloads[1:] if proposal else ()
    return (expressed(path, before, after, reasoning="written in review"), *others)
