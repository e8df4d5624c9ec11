"""What Python's own functions and methods do with a value, as far as following a value needs to know."""

from __future__ import annotations

import ast

LOWER = frozenset({"minimum", "exclusiveMinimum", "minLength", "minItems"})
BOUNDS = LOWER | {"maximum", "exclusiveMaximum", "maxLength", "maxItems", "multipleOf"}
EVERYTHING = BOUNDS | {"format", "pattern", "enum", "type"}
"""The keywords of JSON Schema that a value's use may check."""
ORDERING = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
CONVERTING = frozenset({"int", "float", "complex", "bytes"})
OPENING = frozenset({"open"})
"""Functions that take any text for the name of something, as those of the packages in `KEEPING` do."""
CLAMPS = frozenset({"min", "max", "range"})
PASSING = frozenset(
    {"str", "repr", "bool", "len", "list", "tuple", "set", "frozenset", "dict", "sorted", "reversed", "print"}
    | {"enumerate", "zip", "sum", "abs", "round", "any", "all", "hash", "format"}
)
"""Functions that refuse no text and no number; what they give is followed."""
TEXT_METHODS = frozenset(
    {"strip", "lstrip", "rstrip", "lower", "upper", "title", "capitalize", "casefold", "swapcase", "replace"}
    | {"startswith", "endswith", "split", "splitlines", "encode", "format", "join", "partition", "find"}
    | {"count", "zfill", "ljust", "rjust", "center", "removeprefix", "removesuffix"}
)
CONTAINER_METHODS = frozenset(
    {"append", "add", "insert", "extend", "get", "pop", "setdefault", "update", "remove", "discard", "index"}
    | {"count", "appendleft", "startswith", "endswith", "replace", "join", "format", "split"}
)
ANSWERING = frozenset({"aiohttp", "starlette", "flask", "werkzeug", "connexion", "aiohttp_jinja2"})
"""Packages whose functions put what they are given into answers."""
LOOKUPS = frozenset({"filter", "exclude", "get", "aget", "order_by"})
QUERYING = frozenset({"execute", "executemany", "fetch", "fetchrow", "fetchval", "fetch_one", "fetch_all"})
"""Methods of connections that are given the values of a statement after it."""
LOGGING = frozenset({"logging", "structlog", "loguru"})
KEEPING = frozenset(
    {"os", "pathlib", "shutil", "redis", "flask_redis", "fakeredis", "hashlib"}
    | {"subprocess", "tempfile", "glob", "smtplib"}
)
"""Packages that take any text for the name of something, and say of it only whether there is such a thing."""
WRITING = frozenset({"dump", "dumps", "jsonify", "joinpath"})
"""Methods that write values out or make paths of them, and check nothing of them."""
LATER = frozenset({"submit", "delay", "apply_async", "send_task", "enqueue", "add_task", "start_soon"})
"""Methods that have something done later: whatever that says of a value, the answer is given by then."""
COMPARING = frozenset({"startswith", "endswith", "find", "rfind"})
"""The methods by which another text is held against a value that they are given."""
