"""What examples have to do with the world outside of them: files and addresses that only their writer has, variables
of the environment, and what writes itself to where it belongs."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from engine.generators.functions.facts import NoTestError
from engine.generators.functions.needed_steps import Step
from planner.functions.drawn_values import words_of

# Names of files, and what functions are called that read one or ask for an address.
_A_FILE = re.compile(
    r"[^\s:*?\"<>|]+\.(?:cfg|conf|css|csv|db|docx?|gif|gz|html?|ini|jpe?g|jsonl?|log|md|mo|mp3|pdf|pem|pkl|png|po|pyc?|rst|"
    r"sqlite3?|svg|tar|toml|tsv|txt|wav|xlsx?|xml|ya?ml|zip)"
    r"|(?:/(?:usr|home|etc|var|opt|Users)|[A-Z]:\\|~)[/\\].+"  # wherever it lies on the writer's machine
    r"|(?:\S*/)?\.(?:env|\w+(?:rc|ignore|attributes|config))"
)
# A file of any form below a folder, for what opens it.
_BELOW_A_FOLDER = re.compile(r"(?:[\w.-]+/)+[\w-]+\.\w{1,5}")
# What an object is told as its file: `Table(file="prices.tab")`.
_A_NAME = re.compile(r"[\w./-]+\.\w{1,5}")
_STORING = frozenset({"write", "save", "commit", "persist", "flush_to_disk"})
# What is mostly called so asks the environment for a variable, where it is named like one.
_ENVIRONMENTS = frozenset({"env", "environ", "getenv", "config"})
_A_VARIABLE = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*")
_OPENING = frozenset({"open", "load", "read", "reader", "loader"})
# The same without an ending, which what opens it adds by itself.
_WITHOUT_ENDING = re.compile(r"(?:[A-Za-z][\w.-]*/)+[\w-]+")
_AN_ADDRESS = re.compile(r"(?:https?|ftp|wss?)://\S+")
_ASKING = frozenset(
    {"open", "load", "read", "fetch", "download", "connect", "request", "urlopen", "import", "upload"}
)
# What asks there by its whole name, unless it makes an address of it.
_FROM_THERE = frozenset({"from_url", "from_uri", "from_web", "fromurl", "by_url", "with_url"})
# What only says whether somebody may ask there: `can_fetch`.
_WHETHER = frozenset({"can", "may", "should"})
_READING = _ASKING | frozenset(
    {
        *(
            "parse",
            "from",
            "file",
            "files",
            "path",
            "filename",
            "reader",
            "source",
            "check",
            "detect",
            "exists",
        ),
        *(
            "size",
            "stat",
            "checksum",
            "hash",
            "md5",
            "sha1",
            "sha256",
            "scan",
            "inspect",
            "extract",
            "process",
            "info",
        ),
    }
)
# What reads a file of a form, and is called after it.
_FORMS = frozenset(
    {"csv", "json", "jsonl", "yaml", "toml", "xml", "sqlite", "sqlite3", "excel", "ini", "image"}
)
_WRITING = frozenset({"to", "write", "save", "dump", "export", "store", "render", "plot", "savefig"})


def refuse_outside(steps: Sequence[Step], step: Step) -> None:
    """Raise NoTestError for an example that needs what only its writer has, or leaves something behind outside."""
    if any(_stores(each.tree) for each in steps):
        raise NoTestError(
            "an example that leaves nothing behind: a line above it writes where it was read from"
        )
    for each in (*steps, step):
        if variable := _of_environment(each.tree):
            raise NoTestError(f"an example that does not depend on whether `{variable}` is set")
        if place := looked_at(each.tree):
            raise NoTestError(f"an example without `{place}`, which only its writer has")


def looked_at(tree: ast.Module) -> str:
    """A file or an address that is given by its name to what reads or writes it; empty without one."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", "") or getattr(node.func, "id", "")
        words = set(words_of(name)) | ({"file"} if name.lower().endswith("file") else set())
        for each in (*node.args, *(word.value for word in node.keywords)):
            text = each.value if isinstance(each, ast.Constant) and isinstance(each.value, str) else ""
            is_asked = bool(words & _ASKING) and words_of(name)[0] not in _WHETHER
            is_asked = is_asked or (name.lower() in _FROM_THERE and not _named_for_address(node.func))
            if (words & (_READING | _WRITING | _FORMS) and _A_FILE.fullmatch(text)) or (
                is_asked and _AN_ADDRESS.fullmatch(text)
            ):
                return text
        if name[:1].isupper() and (found := _file_told(node)):
            return found
        if words & _OPENING:
            given = [one for each in (*node.args, *node.keywords) for one in texts_in(each)]
            forms = [_BELOW_A_FOLDER, *([_WITHOUT_ENDING] if words & {"reader", "loader"} else [])]
            if found := next((each for each in given if any(form.fullmatch(each) for form in forms)), ""):
                return found
    return ""


def _of_environment(tree: ast.Module) -> str:
    """The variable of the environment that a call asks for by its name: `env("HOST")`, `env.int("PORT")`; or empty."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(
                func=ast.Name(id=root) | ast.Attribute(value=ast.Name(id=root)),
                args=[ast.Constant(value=str() as name), *_],
            ) if root in _ENVIRONMENTS and _A_VARIABLE.fullmatch(name):
                return name
    return ""


def _stores(tree: ast.Module) -> bool:
    """Whether a line tells something to write itself to where it belongs: `table.write()`."""
    match tree.body:
        case [ast.Expr(value=ast.Call(func=ast.Attribute(attr=name), args=[], keywords=[]))]:
            return name in _STORING
    return False


def _file_told(call: ast.Call) -> str:
    """The name of a file that a call tells as such: `tabfile="prices.tab"`; empty without one."""
    for word in call.keywords:
        match word:
            case ast.keyword(arg=str() as told, value=ast.Constant(value=str() as text)):
                if told.lower().endswith(("file", "filename", "filepath")) and _A_NAME.fullmatch(text):
                    return text
    return ""


def _named_for_address(function: ast.expr) -> bool:
    """Whether a method is one of a class or module that is named for addresses."""
    holder = getattr(function, "value", None)
    words = set(words_of(getattr(holder, "attr", "") or getattr(holder, "id", "")))
    return bool(words & {"url", "uri", "urls", "link", "address", "href", "furl", "yarl"})


def texts_in(tree: ast.AST) -> list[str]:
    """The texts and numbers that stand in a piece of code."""
    values = (each.value for each in ast.walk(tree) if isinstance(each, ast.Constant))
    return [each.decode("latin-1") if isinstance(each, bytes) else str(each) for each in values]
