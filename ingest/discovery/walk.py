"""Discovery itself: from a project's root to the listing of its sources."""

from __future__ import annotations

import os
from collections.abc import Container, Iterator, Mapping
from pathlib import Path

import msgspec

from graph.errors import UsageError
from graph.facts import Skipped
from graph.test_folders import TEST_FOLDERS, is_test_module
from ingest.discovery.distributions import distribution_of
from ingest.discovery.folders import Folders
from ingest.discovery.modules import Layout, module_names
from ingest.discovery.named import Choice, Named, existing
from ingest.discovery.roles import MAYBE_TESTS
from ingest.discovery.scope import Found, Listing, Scope
from ingest.ingestor import Role

_PYTHON = (".py", ".pyi")
# What stands in the names of folders and files that cookiecutter and copier fill in.
_PLACE = "{{"
_TEMPLATE = "is a template, as its path has a place to be filled in; name it to have it read"
_DATA = "is a stub below a test folder, so it is taken for test data; name it to have it compared"


def discover(root: Path, scope: Scope | None = None) -> Listing:
    """The files below `root` that are worth reading, and what was left out and why.

    The same files give the same listing, in whatever order the system names them. Raises `UsageError` where the
    root is no folder, or where the scope names a path that does not exist or lies outside the root.
    """
    scope = scope or Scope()
    root = Path(os.path.realpath(root))
    if not root.is_dir():
        raise UsageError(f"{root} is not a folder", "Name the folder of the project.")
    named = Named(root, scope)
    folders = Folders(root, exclude=scope.exclude, suffixes=scope.suffixes, limit=scope.limit)
    for start in named.starts or [""]:
        folders.start(start)
    for claim in named.claims:
        if claim.glob is None or os.path.isdir(root / claim.folder):  # noqa: PTH112 (no error, whatever it is)
            folders.start(claim.folder)
    folders.follow_links()
    choices = {path: choice for path in folders.files if (choice := named.choose(path))}
    skipped = [*folders.skipped, *_without_match(named, choices)]
    for path, choice in list(choices.items()):
        if choice.fixture and choice.roles == (Role.STUB,) and _is_of_stubs(path, folders.files):
            choice = choices[path] = msgspec.structs.replace(choice, fixture=False)
        if (reason := _left_out(path, choice)) is not None:
            skipped.append(Skipped(path, 0, reason))
            del choices[path]
    layout = Layout(
        packages=folders.packages,
        projects=folders.projects,
        holders=folders.holders,
        unpacked=folders.unpacked,
        source_roots=[existing(root, text) for text in scope.source_roots],
        published=lambda folder: distribution_of(root, folder),
    )
    return _listing(folders, choices, layout, skipped)


def _listing(folders: Folders, choices: dict[str, Choice], layout: Layout, skipped: list[Skipped]) -> Listing:
    python = [path for path in choices if path.endswith(_PYTHON)]
    code = [path for path in python if Role.STUB not in choices[path].roles]
    stubs = [path for path in python if Role.STUB in choices[path].roles]
    modules = module_names(code, stubs, layout)
    specified = {modules[path]: path for path in stubs}
    found = []
    for path in sorted(choices):
        size, mtime_ns, inode = folders.files[path]
        choice = choices[path]
        module = modules.get(path, "")
        roles = choice.roles
        if roles == (Role.TEST,) and module in specified and not choice.named:
            called = is_test_module(path.rpartition("/")[2])
            roles = MAYBE_TESTS if called else (Role.PYTHON,) if choice.fixture else roles
        # A stub demands what a generated module holds: then it has to be read all the same.
        named = choice.named or (Role.PYTHON in roles and module in specified)
        found.append(Found(path, size, mtime_ns, inode, roles, module, named, choice.fixture, choice.data))
    unread = {
        **_elsewhere(folders, specified),
        **{layout.module(_source(path)): reason for path, reason in sorted(folders.unread.items())},
    }
    for file in found:
        if Role.PYTHON in file.roles:
            unread.pop(file.module, None)
    return Listing(tuple(found), tuple(sorted(skipped)), unread)


def _is_of_stubs(path: str, files: Container[str]) -> bool:
    """Whether the test folder that a stub lies in is one of a package of stubs: `django/test` in `django-stubs`."""
    folders = path.split("/")[:-1]
    tests = [place for place, name in enumerate(folders) if name in TEST_FOLDERS]
    return all("/".join([*folders[:place], "__init__.pyi"]) in files for place in tests)


def _elsewhere(folders: Folders, specified: Mapping[str, str]) -> dict[str, str]:
    """Why the modules of these stubs may exist without Python source: their project has that of another language."""
    native: dict[str, str] = {}
    for path in sorted(folders.native):
        native.setdefault(next(_projects(folders, path)), path)
    found = {}
    for module, stub in specified.items() if native else ():
        source = next((native[each] for each in _projects(folders, stub) if each in native), None)
        if source is not None:
            found[module] = f"may be written in another language, as {source} is"
    return found


def _projects(folders: Folders, path: str) -> Iterator[str]:
    """The folders of the projects that a file lies in, the innermost first, the root last."""
    while path:
        path = path.rpartition("/")[0]
        if not path or path in folders.projects:
            yield path


def _left_out(path: str, choice: Choice) -> str | None:
    """Why a file that may be a source is not read, as far as its path tells."""
    if choice.fixture and choice.roles == (Role.STUB,):
        return _DATA
    if _PLACE in path and not choice.named:
        return _TEMPLATE
    return None if _is_text(path) else "has a name that is not UTF-8; rename it to have it read"


def _is_text(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _source(path: str) -> str:
    """The path that the source of a compiled module would have (`shop/fast.cpython-311-x86_64.so`: `shop/fast.py`)."""
    folder, slash, name = path.rpartition("/")
    return f"{folder}{slash}{name.partition('.')[0]}.py"


def _without_match(named: Named, choices: dict[str, Choice]) -> list[Skipped]:
    """One entry for each glob of an option that matches no file."""
    globs = [claim for claim in named.claims if claim.glob is not None]
    return [
        Skipped(claim.text, 0, f"no file matches this pattern, given for {claim.option}")
        for claim in globs
        if not any(claim.covers(path) for path in choices)
    ]
