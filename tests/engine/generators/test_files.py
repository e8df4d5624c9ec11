"""Generated tests among others in a file: replaced where they are ours, left alone where a person was."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.generators.files import Known, Placed, digest, place, source_of, take_out
from graph.errors import UsageError
from planner.generator import Draft

FILE = "tests/crossfact/test_todos.py"


def draft(case: str, name: str, status: int = 200, imports: tuple[str, ...] = ("import pytest",)) -> Draft:
    source = (
        f'@pytest.mark.spec("x")\ndef {name}(client):\n    assert client.get("/").status_code == {status}\n'
    )
    return Draft(case=case, module_path=FILE, name=name, source=source, imports=imports)


def known(placed: list[Placed]) -> dict[str, Known]:
    return {each.case: Known(each.node, each.digest) for each in placed}


def test_a_new_file_has_its_imports_and_its_tests(tmp_path: Path) -> None:
    placed = place(
        tmp_path, [draft("a", "test_a"), draft("b", "test_b", imports=("from datetime import date",))], {}
    )
    text = (tmp_path / FILE).read_text(encoding="utf-8")
    assert text.startswith("from datetime import date\n\nimport pytest\n\n\n@pytest.mark.spec")
    assert [each.node for each in placed] == [f"{FILE}::test_a", f"{FILE}::test_b"]
    compile(text, FILE, "exec")


def test_generating_again_changes_nothing(tmp_path: Path) -> None:
    placed = place(tmp_path, [draft("a", "test_a")], {})
    text = (tmp_path / FILE).read_bytes()
    assert place(tmp_path, [draft("a", "test_a")], known(placed)) == placed
    assert (tmp_path / FILE).read_bytes() == text


def test_a_test_that_nobody_edited_follows_its_facts(tmp_path: Path) -> None:
    placed = place(tmp_path, [draft("a", "test_a"), draft("b", "test_b")], {})
    (again,) = place(tmp_path, [draft("a", "test_a", 201)], known(placed))
    text = (tmp_path / FILE).read_text(encoding="utf-8")
    assert "== 201" in (source_of(text, "test_a") or "")
    assert "== 200" in (source_of(text, "test_b") or "")
    assert again.digest != placed[0].digest


def test_a_test_that_a_person_edited_stays_byte_for_byte(tmp_path: Path) -> None:
    placed = place(tmp_path, [draft("a", "test_a")], {})
    file = tmp_path / FILE
    text = file.read_text(encoding="utf-8").replace("== 200", "in (200, 202)")
    file.write_text(text, encoding="utf-8")
    (again,) = place(tmp_path, [draft("a", "test_a", 201)], known(placed))
    assert again.kept
    assert file.read_text(encoding="utf-8") == text


def test_a_change_of_layout_alone_is_no_edit(tmp_path: Path) -> None:
    placed = place(tmp_path, [draft("a", "test_a")], {})
    file = tmp_path / FILE
    file.write_text(file.read_text(encoding="utf-8").replace('"x")', "'x')  # cited"), encoding="utf-8")
    (again,) = place(tmp_path, [draft("a", "test_a", 201)], known(placed))
    assert not again.kept


def test_a_function_of_the_same_name_that_is_not_ours_is_not_touched(tmp_path: Path) -> None:
    file = tmp_path / FILE
    file.parent.mkdir(parents=True)
    file.write_text("def test_a():\n    assert 1\n", encoding="utf-8")
    (placed,) = place(tmp_path, [draft("a", "test_a")], {})
    assert placed.node == f"{FILE}::test_a_2"
    assert "def test_a():\n    assert 1\n" in file.read_text(encoding="utf-8")


def test_a_docstring_of_the_module_stays_first(tmp_path: Path) -> None:
    file = tmp_path / FILE
    file.parent.mkdir(parents=True)
    file.write_text('"""Mine."""\n\n\ndef helper():\n    return 1\n', encoding="utf-8")
    place(tmp_path, [draft("a", "test_a")], {})
    assert file.read_text(encoding="utf-8").startswith('"""Mine."""\n\nimport pytest\n')


def test_what_is_taken_out_leaves_the_others(tmp_path: Path) -> None:
    placed = place(tmp_path, [draft("a", "test_a"), draft("b", "test_b"), draft("c", "test_c")], {})
    take_out(tmp_path, [Known(placed[1].node, placed[1].digest), Known(placed[2].node, "edited since")])
    text = (tmp_path / FILE).read_text(encoding="utf-8")
    assert [source_of(text, name) is not None for name in ("test_a", "test_b", "test_c")] == [
        True,
        False,
        True,
    ]


def test_the_hash_of_a_test_is_that_of_what_it_does() -> None:
    assert digest("def f():\n    return 'a'\n") == digest('def f():\n    # why\n    return "a"\n')
    assert digest("def f():\n    return 1\n") != digest("def f():\n    return 2\n")


@pytest.mark.parametrize("path", ["../outside.py", "tests/x.txt"])
def test_nothing_is_written_outside_of_the_project(tmp_path: Path, path: str) -> None:
    bad = Draft(case="a", module_path=path, name="test_a", source="def test_a():\n    assert 1\n")
    with pytest.raises(UsageError):
        place(tmp_path / "project", [bad], {})


def test_a_link_that_leads_outside_is_refused(tmp_path: Path) -> None:
    (tmp_path / "project" / "tests").mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "project" / "tests" / "crossfact").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError):
        place(tmp_path / "project", [draft("a", "test_a")], {})
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_file_that_is_no_python_is_told_and_left(tmp_path: Path) -> None:
    file = tmp_path / FILE
    file.parent.mkdir(parents=True)
    file.write_text("def broken(:\n", encoding="utf-8")
    with pytest.raises(UsageError, match="cannot be read as Python"):
        place(tmp_path, [draft("a", "test_a")], {})
    assert file.read_text(encoding="utf-8") == "def broken(:\n"
