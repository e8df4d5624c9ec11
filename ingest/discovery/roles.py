"""What a file is taken for: by its path first, and where that leaves a choice, by its content."""

from __future__ import annotations

import re

from graph.facts import Skipped
from graph.patterns import pattern
from graph.test_folders import is_in_test_folder, is_test_module
from ingest.change_lists import is_list_of_changes
from ingest.discovery.scope import Found
from ingest.ingestor import Role

_BY_SUFFIX: dict[str, tuple[Role, ...]] = {
    "py": (Role.PYTHON,),
    "pyi": (Role.STUB,),
    "feature": (Role.FEATURE,),
    "md": (Role.STORY, Role.PAGE, Role.IGNORED),
    "markdown": (Role.STORY, Role.PAGE, Role.IGNORED),
    "rst": (Role.PAGE, Role.IGNORED),
    "yaml": (Role.CONTRACT, Role.IGNORED),
    "yml": (Role.CONTRACT, Role.IGNORED),
    "json": (Role.CONTRACT, Role.IGNORED),
}
# Files of well-known tools that are YAML or JSON, and never a contract.
_NO_CONTRACTS = pattern(
    r"\..*|package(?:-lock)?\.json|npm-shrinkwrap\.json|composer\.json|(?:ts|js)config.*\.json|angular\.json|lerna\.json"
    r"|pnpm-(?:lock|workspace)\.yaml|(?:docker-)?compose.*\.ya?ml|mkdocs\.ya?ml|codecov\.ya?ml|dependabot\.ya?ml"
    r"|environment\.ya?ml|(?:conda-)?lock\.ya?ml|pyrightconfig\.json|renovate\.json|crossfact-.*|test_execution_state\.yaml"
    r"|.*\.(?:lock|min|geo|schema)\.json|manifest\.json|CHANGELOG\.json"
)
_PYTHON = frozenset({Role.PYTHON, Role.TEST, Role.STUB})
_TOLD = frozenset({Role.STORY, Role.FEATURE, Role.PAGE})
_NAME_IT = "name it to have it compared"
_GENERATED = pattern(
    r"@generated\b|\bgenerated\b.{0,200}?\bdo not (?:edit|modify|change)\b"
    r"|\bdo not (?:edit|modify|change)\b.{0,200}?\bgenerated\b",
    re.IGNORECASE | re.DOTALL,
)
_LONG_LINE = 2_000
_APPLICATION = pattern(
    r"^[A-Za-z_]\w*(?:\s*:\s*\S+)?\s*=\s*(?:\w+\.)*(?:Flask|APIFlask|OpenAPI|FastAPI|Litestar|Starlette|Quart|Application"
    r"|FlaskApp|AsyncApp|FlaskOpenAPI|NinjaAPI)\(",
    re.MULTILINE,
)
_TESTING = pattern(
    r"^\s*(?:async\s+)?def\s+test|^\s*class\s+Test|\b(?:pytest|unittest|hypothesis|nose|doctest|behave)\b"
    r"|\b[Tt]est_?[Cc]lient\b",
    re.MULTILINE,
)

MAYBE_TESTS = (Role.PYTHON, Role.TEST)
"""What a module may be that is called as tests are and has a stub (`test_client.py` of a web framework)."""
_TESTS = pattern(
    r"^\s*(?:async\s+)?def\s+test_(?=[\s\S]*\b(?:assert|raise)\b)|^\s*(?:from|import)\s+(?:pytest|unittest|nose|hypothesis)\b",
    re.MULTILINE,
)


def roles_by_path(path: str, below: str) -> tuple[Role, ...]:
    """The roles that a file may have by its path; empty where it is of no interest.

    `below` is the path from the folder that the search began at: a test folder above that says nothing.
    """
    name = path.rpartition("/")[2]
    roles = roles_by_suffix(path)
    if roles == (Role.PYTHON,) and (is_test_module(name) or is_in_test_folder(below)):
        return (Role.TEST,)
    if Role.CONTRACT in roles and _NO_CONTRACTS.fullmatch(name):
        return ()
    return roles


def roles_by_suffix(path: str) -> tuple[Role, ...]:
    """The roles that the suffix alone allows; a list of changes may have none."""
    name = path.rpartition("/")[2]
    stem, dot, suffix = name.rpartition(".")
    if not dot or (suffix == "txt" and stem):
        return (Role.PAGE, Role.IGNORED) if is_list_of_changes(path) else ()
    return _BY_SUFFIX.get(suffix.lower(), ())


def classify(found: Found, text: str) -> Role:
    """The role of a file whose text is known; `IGNORED` for what is no source, or was left out (see `left_out`)."""
    role = _by_content(found, text)
    return Role.IGNORED if left_out(found, text, role) else role


def left_out(found: Found, text: str, role: Role | None = None) -> Skipped | None:
    """Why a file that could be read as a source is not: it was generated, minified, or is test data."""
    role = role or _by_content(found, text)
    if found.named:
        return None
    if role in _PYTHON and (reason := _unfit(text, stub=role is Role.STUB and not _of_protobuf(found.path))):
        return Skipped(found.path, 0, reason)
    if role is Role.CONTRACT and found.fixture:
        return Skipped(
            found.path, 0, f"is a contract below a test folder, so it is taken for test data; {_NAME_IT}"
        )
    if role in _TOLD and found.data:
        return Skipped(
            found.path, 0, f"lies in a folder of test data, so it says nothing of this project; {_NAME_IT}"
        )
    return None


def _by_content(found: Found, text: str) -> Role:
    if found.roles == (Role.TEST,) and not found.fixture and _is_application(found.path, text):
        return Role.PYTHON
    if found.roles == MAYBE_TESTS:
        return Role.TEST if _TESTS.search(text) else Role.PYTHON
    if len(found.roles) == 1:
        return found.roles[0]
    if Role.CONTRACT in found.roles and _looks_like_contract(text):
        return Role.CONTRACT
    may_tell = Role.STORY in found.roles and _looks_like_stories(text)
    is_page = Role.PAGE in found.roles and (is_list_of_changes(found.path) or _looks_like_page(text))
    # A README that lists choices or criteria of its own looks like stories at a glance.
    if may_tell and not (is_page and not _tells_stories(found.path, text)):
        return Role.STORY
    return Role.PAGE if is_page else Role.IGNORED


def _is_application(path: str, text: str) -> bool:
    """Whether a module that is only called as tests are (`ab_test.py`) makes a web application, and tests nothing."""
    name = path.rpartition("/")[2]
    return (
        is_test_module(name)
        and name not in ("conftest.py", "tests.py")
        and _APPLICATION.search(text) is not None
        and _TESTING.search(text) is None
    )


def _of_protobuf(path: str) -> bool:
    """Whether a stub belongs to a module that protobuf's compiler writes: one program wrote both."""
    return path.endswith(("_pb2.pyi", "_pb2_grpc.pyi"))


def _unfit(text: str, *, stub: bool) -> str:
    """Why Python source is not worth reading; empty where it is.

    A stub that a program wrote is a promise all the same.
    """
    if not stub and _GENERATED.search(_head(text)):
        return "was generated, as it says itself"
    if len(text) > 10 * _LONG_LINE and len(text) > _LONG_LINE * (text.count("\n") + 1):
        return "is minified, or data: its lines are too long for source"
    return ""


def _head(text: str) -> str:
    """The comments and the docstring that a Python file begins with, at most."""
    head = text[:2_000].lstrip()
    if head.startswith(('"""', "'''")):
        return head[: head.find(head[:3], 3)]
    comments = []
    for line in head.splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            break
        comments.append(line)
    return "\n".join(comments)


def _looks_like_contract(text: str) -> bool:
    from ingest.openapi.sniff import looks_like_contract

    return looks_like_contract(text)


def _looks_like_stories(text: str) -> bool:
    from ingest.stories.reader import looks_like_stories

    return looks_like_stories(text)


def _tells_stories(path: str, text: str) -> bool:
    from ingest.ingestor import Document
    from ingest.stories.reader import StoryReader

    return bool(StoryReader().read(Document(path, Role.STORY, text)).facts)


def _looks_like_page(text: str) -> bool:
    from ingest.pages import looks_like_page

    return looks_like_page(text)
