"""What stands between a proposed attempt and the files: only tests, exactly applicable, and not weaker than before."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from types import MappingProxyType

import msgspec

from graph.test_folders import is_in_test_folder, is_test_module
from healer.editing.edits import edited
from healer.editing.exchanging import Refused
from healer.editing.files import checked, digest, read
from healer.editing.methods import diff
from healer.editing.texts import Text, decoded
from healer.guarding.backing import Backing
from healer.guarding.forbidden import weaknesses
from healer.payload import Payload

_LONGEST_DIFF = 20_000


class File(msgspec.Struct, frozen=True):
    """A file in an attempt: its text before, with how its bytes wrote it, and its words after."""

    text: Text
    words: str
    digest: str

    @property
    def content(self) -> bytes:
        """The bytes after the edit. Raises ValueError where its encoding cannot write them."""
        return self.text.encoded(self.words)


class Passed(msgspec.Struct, frozen=True):
    """Files as an attempt makes them; only those that change."""

    files: dict[str, File]

    @property
    def diff(self) -> str:
        """What the attempt changes."""
        return "".join(told(path, file.text.words, file.words) for path, file in sorted(self.files.items()))

    @property
    def before(self) -> dict[str, str]:
        """The digests of the files that the attempt was made for."""
        return {path: file.digest for path, file in self.files.items()}


def passed(
    root: Path,
    payloads: Sequence[Payload],
    backing: Backing,
    *,
    is_test: Callable[[str], bool],
    known: Mapping[str, str] = MappingProxyType({}),
) -> Passed:
    """The files as an attempt makes them. Nothing is written.

    Raises Refused where an edit is of no test, does not apply exactly, would change nothing at all, or makes a test
    check less. `known` are attempts, by their key, that are not made, and why.
    """
    if why_not := known.get(key_of(payloads)):
        raise Refused(why_not)
    files: dict[str, File] = {}
    for payload in payloads:
        path = checked(payload.file_to_patch)
        if not is_test(path):
            raise Refused(f"{path} is no test")
        if path in files:
            raise Refused(f"{path} is edited twice")
        file = _read(root, path)
        files[path] = msgspec.structs.replace(file, words=edited(payload, file.text.words).words)
    changed = {path: file for path, file in files.items() if file.words != file.text.words}
    if not changed:
        raise Refused("nothing would change")
    for path, file in changed.items():
        if why := weaknesses(file.text.words, file.words, backing):
            raise Refused(f"{path}: {'; '.join(why)}")
        try:
            file.content  # noqa: B018 (whether it can be written)
        except ValueError as error:
            raise Refused(f"{path}: {error}") from error
    return Passed(changed)


def key_of(payloads: Sequence[Payload]) -> str:
    """What tells attempts apart: their edits, whatever is said about them."""
    plain = [msgspec.structs.replace(each, reasoning="", cites=()) for each in payloads]
    return digest(msgspec.json.encode(sorted(plain, key=lambda each: each.file_to_patch)))[:16]


def looks_like_test(path: str) -> bool:
    """Whether a path is that of tests or of what only tests use."""
    return is_module_of_tests(path) or is_in_test_folder(path)


def is_module_of_tests(path: str) -> bool:
    """Whether a file's name is one of tests; `test.py` is where it lies at the project's top."""
    return path == "test.py" or is_test_module(PurePosixPath(path).name)


def told(path: str, before: str, after: str) -> str:
    """A change of a file as a unified diff."""
    words = "".join(f"{line}\n" for line in diff(before, after, path))
    return words if len(words) <= _LONGEST_DIFF else f"{words[:_LONGEST_DIFF]}…\n"


def _read(root: Path, path: str) -> File:
    content = read(root, path)
    if content is None:
        raise Refused(f"{path}: there is no such file")
    try:
        text = decoded(content)
    except ValueError as error:
        raise Refused(f"{path}: {error}") from error
    return File(text, text.words, digest(content))
