"""The records of discovery: what the user asked for, and what was found."""

from __future__ import annotations

import msgspec

from graph.facts import Skipped
from ingest.ingestor import Role
from ingest.text import LIMIT


class Scope(msgspec.Struct, frozen=True, kw_only=True):
    """What the user says about where to look; empty, everything is found by itself.

    Paths are absolute or relative to the project root, and may be globs (`specs/**/*.yaml`). `paths` narrows the
    search to these files and folders. What is named for a role replaces what would be found for it: `spec` all
    specs (then `stories` and `stubs` only add to it), `stories` the stories and features, `stubs` the stubs,
    `code` the code, `tests` the tests. `exclude` has patterns as in a `.gitignore` of the root. `source_roots`
    are the folders that module names begin below. `suffixes` (with their dot) are those that readers of plug-ins
    claim. `limit` is the size of the largest file to read, in bytes.
    """

    paths: tuple[str, ...] = ()
    spec: tuple[str, ...] = ()
    code: tuple[str, ...] = ()
    stories: tuple[str, ...] = ()
    stubs: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    source_roots: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()
    limit: int = LIMIT


class Found(msgspec.Struct, frozen=True, order=True, gc=False):
    """One file that is worth reading.

    `path` is relative to the project root with `/`. `roles` has one entry where the path alone decides; with more,
    `classify` decides by content. `module` is the dotted name of Python files and stubs, else empty. `named`: the
    user named this very file, or a spec speaks of it, so it is read even if it says that it was generated.
    `fixture`: it lies below a test folder and was not named, so a contract or stub there is test data.
    `data`: the same for a folder of test data, where stories and features are, too.
    """

    path: str
    size: int
    mtime_ns: int
    inode: int
    roles: tuple[Role, ...]
    module: str = ""
    named: bool = False
    fixture: bool = False
    data: bool = False


class Listing(msgspec.Struct, frozen=True):
    """The files of a project that are worth reading, sorted by path, and what was left out and why.

    `unread` has the dotted names of modules that exist but cannot be read (compiled, too large) and why: nothing
    can be said about what they lack.
    """

    found: tuple[Found, ...]
    skipped: tuple[Skipped, ...]
    unread: dict[str, str]
