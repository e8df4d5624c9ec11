"""Files as text that can be edited: bytes come back as they were."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from healer.editing.texts import decoded, rows


@given(st.binary(max_size=60) | st.text(alphabet="ab\r\n é", max_size=40).map(str.encode))
def test_what_can_be_read_is_written_back_byte_for_byte(content: bytes) -> None:
    try:
        text = decoded(content)
    except ValueError:
        return
    assert text.encoded(text.words) == content


def test_a_mark_and_line_ends_of_windows_are_kept_and_not_seen() -> None:
    content = b"\xef\xbb\xbfa = 1\r\nb = 2\r\n"
    text = decoded(content)
    assert text.words == "a = 1\nb = 2\n"
    assert text.encoded("a = 1\nb = 3\n") == content.replace(b"2", b"3")


def test_mixed_line_ends_stay_as_they_are() -> None:
    assert decoded(b"a\r\nb\n").words == "a\r\nb\n"


def test_a_declared_encoding_is_kept_and_refuses_what_it_cannot_write() -> None:
    text = decoded("# coding: latin-1\nx = 'é'\n".encode("latin-1"))
    assert "é" in text.words
    with pytest.raises(ValueError, match=r"latin-1|iso-8859-1"):
        text.encoded("x = '€'\n")


@pytest.mark.parametrize("content", [b"\xff\xfe\0", b"x = '\xe9'\n", b"# coding: zlib\n", b"a\0b"])
def test_bytes_that_are_no_text_are_refused(content: bytes) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        decoded(content)


@given(st.text(alphabet="ab\r\n\x0c", max_size=30))
def test_rows_are_those_of_the_parser_and_lose_nothing(words: str) -> None:
    assert "".join(rows(words)) == words
