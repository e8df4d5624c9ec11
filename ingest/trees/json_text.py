"""Reads JSON that YAML's parser refuses (surrogate pairs, very long keys), with the line of every value."""

from __future__ import annotations

import json
import math
import re
from typing import Never

from graph.facts import Json
from ingest.trees.builder import MAX_DEPTH, Builder, RefusedError
from ingest.trees.tree import Tree, Unreadable

_TOKEN = re.compile(r'\s+|"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s"{}\[\],:]+')
_SURROGATE = re.compile("[\ud800-\udfff]")
_FIX = "Correct the JSON here."


def read_json(text: str, path: str) -> Tree | Unreadable:
    """The value of a JSON text, or why it cannot be read."""
    try:
        _check_depth(text)
        json.loads(text, parse_constant=_refuse_constant, parse_int=str, parse_float=str)
        return _built(text, path)
    except RefusedError as refused:
        return Unreadable(path, refused.line, refused.reason, refused.remedy)
    except json.JSONDecodeError as error:
        return Unreadable(path, error.lineno, error.msg, _FIX)


def _refuse_constant(name: str) -> Never:
    raise RefusedError(1, f"{name} is no JSON", "Write a number or null.")


def _check_depth(text: str) -> None:
    """Before the recursive parser of the standard library sees the text."""
    depth = 0
    line = 1
    for match in _TOKEN.finditer(text):
        token = match.group()
        if token in ("{", "["):
            depth += 1
            if depth > MAX_DEPTH:
                raise RefusedError(
                    line, f"nested more than {MAX_DEPTH} levels deep", "Split the document or flatten it."
                )
        elif token in ("}", "]"):
            depth -= 1
        elif token[0].isspace():
            line += token.count("\n")


def _built(text: str, path: str) -> Tree:
    """The tree of a text that is known to be valid, so that its tokens alone tell its structure."""
    builder = Builder(path)
    line = 1
    for match in _TOKEN.finditer(text):
        token = match.group()
        if token[0].isspace():
            line += token.count("\n")
            continue
        builder.last = line
        if token in ("{", "["):
            builder.open({} if token == "{" else [], line)
        elif token in ("}", "]"):
            builder.close()
        elif token not in (",", ":"):
            value = _value(token)
            if builder.expects_key:
                builder.key(value, line)
            else:
                builder.scalar(value, line)
    return builder.tree()


def _value(token: str) -> Json:
    if token[0] == '"':
        return _SURROGATE.sub("\ufffd", json.loads(token, strict=False))
    if token in ("true", "false", "null"):
        return {"true": True, "false": False, "null": None}[token]
    if token.lstrip("-").isdigit():
        return int(token) if len(token) < 300 else token
    number = float(token)
    return number if math.isfinite(number) else token
