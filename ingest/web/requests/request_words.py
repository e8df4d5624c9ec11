"""What the attributes of a request are called in the frameworks that hand it to their handlers."""

from __future__ import annotations

import ast

import msgspec

from ingest.web.syntax.naming import is_self


class Vocabulary(msgspec.Struct, frozen=True):
    """What the attributes of one framework's request hold.

    `mappings` are those that hold named values, with their place; `raw` are bodies and queries as a whole, `json` and
    `form` are methods that are awaited, `credentials` tell who calls. `owner` is the attribute of a class-based view
    that holds the request, `content` the one of a request that holds the bytes of its body, which `json.loads` reads,
    `parts` the method that gives what reads a form part by part, `sent` those of `raw` that give the body as it is.
    """

    mappings: dict[str, str]
    json: str
    form: str
    raw: frozenset[str]
    credentials: frozenset[str]
    urls: frozenset[str] = frozenset()
    owner: str = ""
    content: str = ""
    parts: str = ""
    sent: frozenset[str] = frozenset()

    def is_owned(self, node: ast.AST) -> bool:
        """Whether a node is the request as a class-based view holds it: `self.request`."""
        return (
            bool(self.owner)
            and isinstance(node, ast.Attribute)
            and node.attr == self.owner
            and is_self(node.value)
        )


AIOHTTP = Vocabulary(
    mappings={"query": "query", "headers": "header", "cookies": "cookie", "match_info": "path"},
    json="json",
    form="post",
    raw=frozenset({"read", "text", "content", "multipart", "query_string", "raw_headers", "path_qs"}),
    credentials=frozenset({"headers", "cookies"}),
    urls=frozenset({"rel_url", "url"}),
    owner="request",
    parts="multipart",
    sent=frozenset({"read", "text", "content"}),
)
STARLETTE = Vocabulary(
    mappings={"query_params": "query", "headers": "header", "cookies": "cookie", "path_params": "path"},
    json="json",
    form="form",
    raw=frozenset({"body", "stream", "scope", "receive"}),
    credentials=frozenset({"auth", "user", "session"}),
    sent=frozenset({"body", "stream"}),
)
DJANGO = Vocabulary(
    mappings={"GET": "query", "headers": "header", "COOKIES": "cookie", "POST": "form", "FILES": "file"},
    json="",
    form="",
    raw=frozenset({"META", "read", "readline", "readlines", "get_full_path", "get_signed_cookie", "scope"}),
    credentials=frozenset({"META", "user", "auser", "session", "get_signed_cookie"}),
    owner="request",
    content="body",
)
