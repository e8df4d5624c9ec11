"""A file of tests as text that can be edited: its encoding, mark and line ends come back unchanged."""

from __future__ import annotations

import io
import re
import tokenize

import msgspec

from graph.facts import Skipped
from ingest.text import decode

_ROW = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_MARK = b"\xef\xbb\xbf"


class Text(msgspec.Struct, frozen=True):
    """The words of a file, each line ended by `\\n` where all of its lines end alike; how its bytes wrote them."""

    words: str
    encoding: str = "utf-8"
    mark: bool = False
    newline: str = "\n"

    def encoded(self, words: str) -> bytes:
        """Other words as the bytes of this file. Raises ValueError where its encoding has no such letter."""
        data = words.replace("\n", self.newline) if self.newline != "\n" else words
        return (_MARK if self.mark else b"") + data.encode(self.encoding)


def decoded(content: bytes) -> Text:
    """The text of a Python file. Raises ValueError where its bytes are not what it declares to be."""
    if isinstance(plain := decode("it.py", content), Skipped):
        raise ValueError(plain.reason)
    try:
        declared, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
    except SyntaxError as error:
        raise ValueError(str(error)) from error
    mark = content.startswith(_MARK)
    encoding = "utf-8" if declared == "utf-8-sig" else declared
    words = (content.removeprefix(_MARK) if mark else content).decode(encoding)
    alike = "\r\n" in words and words.count("\r\n") == words.count("\n") == words.count("\r")
    text = Text(words.replace("\r\n", "\n"), encoding, mark, "\r\n") if alike else Text(words, encoding, mark)
    if text.encoded(text.words) != content:
        raise ValueError(f"its letters in {encoding} cannot be written back as they were")
    return text


def rows(words: str) -> list[str]:
    """The lines of a text with their ends, counted as Python's parser counts them."""
    return _ROW.findall(words)
