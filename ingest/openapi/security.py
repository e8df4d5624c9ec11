"""What a caller must show: the security requirements of an operation and the schemes they name."""

from __future__ import annotations

import re

from graph.facts import Json
from ingest.openapi.files import Files
from ingest.openapi.node import Node

# `with required prefix "Token"`, `Authorization: Bearer <token>`.
_PREFIX = re.compile(r"(?i)\bprefix:? [\"'`]?([A-Za-z]+)\b")
# Use the api key `special-key`; the steward's handle, `hollis` by default; for tests the key `demo`.
_TOLD = re.compile(
    r"\b(?:keys?|tokens?|handles?|users?|callers?|secrets?|value)\b[^`.;]{0,40}`(?P<one>[\w.@:+-]+)`"
    r"(?=[^`.;]{0,30}\b(?:by default|to test|for test))"
    r"|\b(?:use|default|demo|test|sample|for testing)\b[^`.;]{0,20}"
    r"\b(?:keys?|tokens?|handles?|user|value)\b[^`.;]{0,12}`(?P<two>[\w.@:+-]+)`",
    re.I,
)
_SHOWN = re.compile(r"\b(Bearer|Token|JWT) (?=[<{\[$])")


class Security:
    """The requirements of a contract; an operation's own replace those of the whole document."""

    def __init__(self, files: Files, schemes: Node) -> None:
        self._default = files.main.member("security")
        info = files.main.member("info")
        about = str(info.get("description") or "") if info is not None else ""
        self._schemes = {
            name: _scheme(files.resolved(node), about) for name, node in schemes.members(extensions=True)
        }
        named = _named(files.main.value) if self._schemes else None
        self._unused = {
            name: scheme for name, scheme in self._schemes.items() if named is not None and name not in named
        }

    def aspects(self, operation: Node) -> tuple[dict[str, Json], Node | None]:
        """`security` and `security_schemes` of an operation, and where the requirements stand, if anywhere.

        One that asks for nothing also tells the schemes that no operation asks for: `unused_schemes`, if any.
        """
        stated = operation.member("security") or self._default
        alternatives = [_requirement(node) for node in stated.items()] if stated is not None else []
        names = {name for alternative in alternatives for name in alternative}
        schemes = {name: scheme for name in sorted(names) if (scheme := self._schemes.get(name))}
        found: dict[str, Json] = {"security": alternatives, "security_schemes": schemes}
        if not names and self._unused:
            found["unused_schemes"] = dict(self._unused)
        return found, stated


def _named(contract: Json) -> set[str] | None:
    """The schemes that any requirement of a contract names; None where a path is described in another file."""
    waiting = [contract.get("security")] if isinstance(contract, dict) else []
    paths = contract.get("paths") if isinstance(contract, dict) else None
    for item in paths.values() if isinstance(paths, dict) else ():
        if not isinstance(item, dict) or "$ref" in item:
            return None
        waiting += [operation.get("security") for operation in item.values() if isinstance(operation, dict)]
    alternatives = [each for stated in waiting if isinstance(stated, list) for each in stated]
    return {str(name) for each in alternatives if isinstance(each, dict) for name in each}


def _requirement(node: Node) -> dict[str, list[str]]:
    return {
        name: sorted(str(scope) for scope in scopes.value) if isinstance(scopes.value, list) else []
        for name, scopes in node.members(extensions=True)
    }


def _told(scheme: dict[str, str], described: str, about: str) -> str:
    """The one key that a contract's words say is taken in a header: its description, or what stands beside its name."""
    beside = [each for each in re.split(r"\n\s*\n", about) if f"`{scheme.get('name')}`" in each]
    for text in (described, *beside):
        found = {" ".join(filter(None, match.groups())) for match in _TOLD.finditer(" ".join(text.split()))}
        found -= {str(scheme.get("name"))}
        if len(found) == 1:
            return found.pop()
    return ""


def _scheme(node: Node | None, about: str = "") -> dict[str, str]:
    """`type`, `scheme`, `in` and `name` as OpenAPI 3 spells them; empty where the scheme cannot be known.

    Of a header `Authorization`, which says nothing of what it has, `word` is what its description has before the token.
    `told` is a key that words say is taken, where they do; `about` is what the contract says of itself.
    """
    if node is None or not isinstance(node.get("type"), str):
        return {}
    if node.get("type") == "basic":
        return {"type": "http", "scheme": "basic"}
    said = {key: node.get(key) for key in ("type", "scheme", "in", "name")}
    scheme = {key: value for key, value in said.items() if isinstance(value, str)}
    if "scheme" in scheme:
        scheme["scheme"] = scheme["scheme"].lower()
    told = str(node.get("description") or "")
    is_header = (scheme.get("in"), scheme.get("name", "").lower()) == ("header", "authorization")
    if is_header and (found := _PREFIX.search(told) or _SHOWN.search(told)):
        scheme["word"] = found[1]
    if scheme["type"] == "apiKey" and (key := _told(scheme, told, about)):
        scheme["told"] = key
    return scheme
