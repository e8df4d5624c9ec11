"""The heals that were kept, with what each file was before, so that a person can take them back."""

from __future__ import annotations

import ast
import hashlib
import time
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from engine.healing.gate import key_of, told
from engine.healing.records import Proposal
from engine.healing.trials import covers
from engine.project import Project
from graph.errors import UsageError
from graph.files import read_plain, replace_file
from healer.editing.attempts import Attempt
from healer.editing.exchanging import Refused
from healer.editing.files import read
from healer.editing.hunks import patched
from healer.editing.methods import diff
from healer.editing.texts import decoded
from planner.cases import Case

FOLDER = "heals"
_MOST = 200
_LARGEST = 40_000_000


class Edited(msgspec.Struct, frozen=True):
    """A file of a heal: what it was, and what the heal made of it."""

    path: str
    before: bytes
    after: bytes

    def undone(self, now: bytes) -> bytes:
        """The file without the heal: byte for byte as before, or, where others edited it since, with its hunks back.

        Raises Refused where that cannot be told. What is as before already stays as it is.
        """
        if now in (self.before, self.after):
            return self.before
        try:
            old, new, text = decoded(self.before).words, decoded(self.after).words, decoded(now)
            words = patched(text.words, "\n".join(diff(new, old, self.path)), self.path)
            ast.parse(words)
            return text.encoded(words)
        except (ValueError, SyntaxError) as error:
            raise Refused(f"{self.path} was edited since, where it was healed") from error


class Made(msgspec.Struct, frozen=True, kw_only=True):
    """One heal: its tests, by whom, and its files. `attempts` are the keys of the attempts that it consists of.

    `cases` are the nodes of the cases of the checklist that it was about, by their ids.
    """

    id: str
    time: str
    nodes: tuple[str, ...]
    healers: tuple[str, ...]
    attempts: tuple[str, ...]
    files: tuple[Edited, ...]
    cases: dict[str, str] = {}

    @property
    def diff(self) -> str:
        """What it changed."""
        parts = []
        for each in self.files:
            with suppress(ValueError):
                parts.append(told(each.path, decoded(each.before).words, decoded(each.after).words))
        return "".join(parts)


class Heals:
    """The heals of a project that can be taken back: one file each, the oldest ones dropped."""

    def __init__(self, project: Project) -> None:
        self._root = project.root
        self._folder = (project.root / project.settings.store).parent / "healing" / FOLDER

    def keep(
        self, attempt: Attempt, proposals: Iterable[Proposal], nodes: Sequence[str], cases: Iterable[Case]
    ) -> str:
        """Make the changes of an attempt last; the id by which they can be taken back, empty where nothing changed.

        That they cannot be noted is no reason to lose them: then the id is empty, too.
        """
        files = [self._edited(attempt, path) for path in attempt.paths]
        attempt.keep()
        changed = tuple(each for each in files if each is not None and each.before != each.after)
        if not changed:
            return ""
        proposals = list(proposals)
        made = Made(
            id="",
            time=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            nodes=tuple(nodes),
            healers=tuple(dict.fromkeys(each.healer for each in proposals)),
            attempts=tuple(dict.fromkeys(key_of(each.payloads) for each in proposals)),
            files=changed,
            cases={case.id: case.node for case in cases if case.node},
        )
        identifier = hashlib.sha256(msgspec.msgpack.encode(made)).hexdigest()[:8]
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            content = msgspec.msgpack.encode(msgspec.structs.replace(made, id=identifier))
            if len(content) > _LARGEST:
                return ""
            replace_file(self._file(identifier), content)
        except OSError:
            return ""
        for old in self._kept()[_MOST:]:
            old.unlink(missing_ok=True)
        return identifier

    def all(self) -> list[Made]:
        """All that can be read, the last one first."""
        found = []
        for file in self._kept():
            with suppress(OSError, ValueError, msgspec.MsgspecError, RecursionError):
                made = msgspec.msgpack.decode(read_plain(file, _LARGEST) or b"", type=Made)
                if made.id == file.stem:
                    found.append(made)
        return found

    def named(self, identifier: str) -> Made:
        """The heal whose id this is, or begins with this. Raises UsageError where there is not exactly one."""
        heals = self.all()
        found = [each for each in heals if each.id.startswith(identifier)]
        if len(found) != 1 or not identifier:
            listed = ", ".join(each.id for each in heals[:20]) or "none"
            raise UsageError(
                f"{identifier}: no such heal", f"Those that can be taken back, the last one first: {listed}."
            )
        return found[0]

    def remove(self, made: Made) -> None:
        """Forget a heal."""
        self._file(made.id).unlink(missing_ok=True)

    def undone(self, made: Made) -> dict[str, bytes]:
        """The files of a heal without it, as far as they are otherwise now. Raises Refused where one cannot be told."""
        contents = {}
        for each in made.files:
            now = read(self._root, each.path)
            if now is None:
                raise Refused(f"{each.path} is not there any more")
            if (content := each.undone(now)) != now:
                contents[each.path] = content
        return contents

    def taken_back(self, red: Collection[str]) -> list[Made]:
        """Heals that a person took back by hand: their files read as before, and a test that they healed is red again.

        Where no test is red, nobody can know: the code may be that of another branch.
        """
        found = []
        for each in self.all():
            with suppress(Refused, OSError):
                if any(_is_about(each, node) for node in red) and not self.undone(each):
                    found.append(each)
        return found

    def _edited(self, attempt: Attempt, path: str) -> Edited | None:
        before, after = attempt.before(path), None
        with suppress(Refused, OSError):
            after = read(self._root, path)
        return None if before is None or after is None else Edited(path, before, after)

    def _kept(self) -> list[Path]:
        """The files of heals, the last one first."""
        found = []
        for file in self._folder.glob("????????.msgpack"):
            with suppress(OSError):
                found.append((file.stat().st_mtime, file.name, file))
        return [file for *_, file in sorted(found, reverse=True)]

    def _file(self, identifier: str) -> Path:
        return self._folder / f"{identifier}.msgpack"


def _is_about(made: Made, node: str) -> bool:
    """Whether a heal was about a test, or about tests of a file or class that cannot be collected."""
    return any(covers(node, each) or covers(each, node) for each in made.nodes)
