"""Safe reading: what is read, what is skipped and why."""

from __future__ import annotations

import hashlib
import os
import re
import socket
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.facts import Skipped
from ingest.text import Content, decode, lines, read, read_bytes, read_text


def skipped(result: object) -> Skipped:
    assert isinstance(result, Skipped), result
    return result


def test_a_file_is_read_as_text_with_the_hash_of_its_bytes(tmp_path: Path) -> None:
    data = "\ufefftitel: Bücher\r\n".encode()
    (tmp_path / "a.yaml").write_bytes(data)
    assert read(tmp_path, "a.yaml") == Content(hashlib.sha256(data).digest(), "titel: Bücher\r\n")


def test_an_empty_file_is_empty_text(tmp_path: Path) -> None:
    (tmp_path / "empty.py").touch()
    assert read_text(tmp_path, "empty.py") == ""


@pytest.mark.parametrize("path", ["../secret", "a/../../secret", "/etc/passwd", "", ".", "a\0b"])
def test_a_path_that_leads_outside_is_not_read(tmp_path: Path, path: str) -> None:
    root = tmp_path / "project"
    (root / "a").mkdir(parents=True)
    (tmp_path / "secret").write_text("secret")
    assert skipped(read(root, path)).reason == "lies outside the project"


@pytest.mark.parametrize("target", ["../secret/key.md", "/etc/passwd", "../secret"])
def test_a_link_out_of_the_project_is_not_followed(tmp_path: Path, target: str) -> None:
    root = tmp_path / "project"
    root.mkdir()
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "key.md").write_text("secret")
    (root / "link").symlink_to(target)
    path = "link/key.md" if target == "../secret" else "link"
    assert skipped(read(root, path)).reason == "is or lies behind a link that leads out of the project"


def test_a_folder_whose_name_begins_like_the_root_is_outside(tmp_path: Path) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "app-secret").mkdir()
    (tmp_path / "app-secret" / "key").write_text("secret")
    (tmp_path / "app" / "key").symlink_to("../app-secret/key")
    assert "leads out" in skipped(read(tmp_path / "app", "key")).reason


def test_links_inside_the_project_are_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.md").write_text("text")
    (tmp_path / "folder").symlink_to("real")
    (tmp_path / "file.md").symlink_to("folder/a.md")
    assert read_text(tmp_path, "folder/a.md") == "text"
    assert read_text(tmp_path, "file.md") == "text"


def test_a_root_that_is_a_link_is_as_good_as_its_target(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.md").write_text("text")
    (tmp_path / "real" / "b.md").symlink_to("a.md")
    (tmp_path / "root").symlink_to("real")
    assert read_text(tmp_path / "root", "a.md") == "text"
    assert read_text(tmp_path / "root", "b.md") == "text"


def test_links_in_a_loop_are_skipped(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    assert skipped(read(tmp_path, "a")).reason == "symbolic links make a loop"


def test_a_pipe_a_socket_a_device_and_a_folder_are_no_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "zero.py").symlink_to("/dev/zero")
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket.py")
        for name in ("pipe.py", "folder.py", "socket.py"):
            assert skipped(read(tmp_path, name)).reason == "is not a regular file"
    assert "leads out" in skipped(read(tmp_path, "zero.py")).reason


def test_a_missing_file_and_a_file_used_as_folder_say_so(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("x")
    assert "No such file" in skipped(read(tmp_path, "b.md")).reason
    assert "Not a directory" in skipped(read(tmp_path, "a.md/b.md")).reason


def test_a_file_above_the_limit_is_skipped_and_one_at_the_limit_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("x" * 10)
    assert read_text(tmp_path, "a.md", limit=10) == "x" * 10
    assert (
        skipped(read(tmp_path, "a.md", limit=9)).reason
        == "is larger than the limit (10 bytes, limit 9; max_file_size sets it)"
    )


def test_a_file_in_bad_utf_8_is_skipped_with_the_line_of_the_first_bad_byte() -> None:
    result = skipped(decode("a.md", b"one\rtwo\r\nthr\xe9e\n"))
    assert result.line == 3
    assert result.reason == "is not UTF-8: byte 0xe9 in line 3; save it as UTF-8"


def test_an_encoded_surrogate_is_not_utf_8() -> None:
    assert skipped(decode("a.md", b"\xed\xa0\x80")).line == 1


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_utf_16_is_skipped_with_the_remedy(codec: str) -> None:
    reason = skipped(decode("a.yaml", "openapi: 3.0.0\n".encode(codec))).reason
    assert reason.startswith("is encoded as UTF-16") and reason.endswith("save it as UTF-8")


def test_nul_bytes_make_a_file_binary() -> None:
    assert "binary" in skipped(decode("a.py", b"x = 1\n\0\0\0\x01\x02")).reason


@pytest.mark.parametrize(
    "head",
    [
        b"# -*- coding: latin-1 -*-\n",
        b"#!/usr/bin/python\n# vim: set fileencoding=iso-8859-15 :\n",
        b"\n# coding=cp1252\n",
        b"# coding: Windows_1252\r\n",
    ],
)
def test_a_python_file_may_declare_its_encoding(head: bytes) -> None:
    text = decode("a.py", head + b"name = '\xe9'\n")
    assert isinstance(text, str) and "é" in text


@pytest.mark.parametrize("name", ["UTF", "u8", "utf_8_sig", "UTF8"])
def test_utf_8_has_several_names(name: str) -> None:
    assert decode("a.py", f"# -*- coding: {name} -*-\nname = '\xe9'\n".encode()).endswith("'é'\n")  # type: ignore[union-attr] # a skip fails


def test_an_encoding_is_declared_in_the_first_two_lines_of_python_only() -> None:
    assert skipped(decode("a.py", b"x = 1\n# coding: latin-1\ny = '\xe9'\n")).line == 3
    assert skipped(decode("a.md", b"# coding: latin-1\n\xe9\n")).line == 2


@pytest.mark.parametrize("codec", ["rot13", "unicode_escape", "zlib", "utf-16", "nonsense", "../../x"])
def test_an_encoding_that_is_no_plain_character_set_is_skipped(codec: str) -> None:
    result = skipped(decode("a.py", f"\n# coding: {codec}\n".encode()))
    assert result.line == 2 and "save it as UTF-8" in result.reason


def test_a_path_longer_than_the_system_takes_at_once_is_read(tmp_path: Path) -> None:
    name = "d" * 200
    folder = os.open(tmp_path, os.O_RDONLY)
    for _ in range(25):
        os.mkdir(name, dir_fd=folder)
        below = os.open(name, os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = below
    os.close(os.open("a.py", os.O_WRONLY | os.O_CREAT, dir_fd=folder))
    os.close(folder)
    assert read_text(tmp_path, f"{name}/" * 25 + "a.py") == ""


def test_a_name_that_is_not_utf_8_is_read(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9\n.md")
    (tmp_path / name).write_text("x")
    assert read_text(tmp_path, name) == "x"


def test_no_descriptor_stays_open(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b.md").write_text("x")
    (tmp_path / "a" / "loop").symlink_to("loop")
    before = len(list(Path("/proc/self/fd").iterdir()))
    for path in ("a/b.md", "a", "a/missing", "a/loop", "a/b.md/c", "../x"):
        read_bytes(tmp_path, path)
    assert len(list(Path("/proc/self/fd").iterdir())) == before


@given(st.text(alphabet=st.sampled_from("ab\n\r\x0b\x0c\x1c\x85\u2028 "), max_size=30))
def test_lines_and_their_ends_are_the_whole_text(text: str) -> None:
    split = lines(text)
    ends = re.findall(r"\r\n|\r|\n", text)
    assert len(split) - len(ends) in (0, 1)
    assert "".join(line + end for line, end in zip(split, [*ends, ""], strict=False)) == text
    assert not any("\n" in line or "\r" in line for line in split)


@given(st.binary(max_size=60), st.sampled_from(["a.py", "a.md"]))
def test_any_bytes_become_text_or_a_reason(data: bytes, path: str) -> None:
    assert isinstance(decode(path, data), str | Skipped)
