from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossval.baseline import Baseline, accept, load, prune, save, split, update
from crossval.findings import Finding, Witness
from graph.errors import ConfigurationError


def finding(subject: str, path: str = "app.py", line: int = 1, value: int = 0) -> Finding:
    return Finding(
        rule="type-mismatch",
        subject=subject,
        aspect="type",
        message="",
        code=Witness("code:field:x", path, line, value),
    )


some_findings = st.lists(
    st.builds(finding, st.sampled_from("abc"), st.sampled_from(["x.py", "y.py"]), st.integers(1, 3)),
    max_size=8,
)


def test_what_was_accepted_is_known_even_when_its_lines_and_file_have_moved() -> None:
    baseline = accept([finding("a"), finding("b")])
    moved = finding("a", path="other.py", line=99)
    parted = split([moved, finding("c")], baseline)
    assert parted.known == [moved]
    assert parted.new == [finding("c")]
    assert [entry.subject for entry in parted.stale] == ["b"]


def test_a_changed_value_is_a_new_finding() -> None:
    assert split([finding("a", value=2)], accept([finding("a", value=1)])).known == []


def test_findings_that_share_a_fingerprint_are_counted_and_the_same_path_is_matched_first() -> None:
    baseline = accept([finding("a", "x.py"), finding("a", "y.py")])
    elsewhere, first, second = finding("a", "w.py"), finding("a", "x.py"), finding("a", "y.py")
    parted = split([elsewhere, first, second], baseline)
    assert parted.known == [first, second]
    assert parted.new == [elsewhere]


@given(some_findings, some_findings)
def test_splitting_loses_and_invents_nothing(accepted: list[Finding], today: list[Finding]) -> None:
    baseline = accept(accepted)
    parted = split(today, baseline)
    assert Counter(parted.new + parted.known) == Counter(today)
    assert len(parted.known) + len(parted.stale) == len(baseline.entries)
    shared = Counter(f.fingerprint for f in today) & Counter(f.fingerprint for f in accepted)
    assert len(parted.known) == shared.total()


@given(some_findings, some_findings)
def test_after_an_update_nothing_is_new_and_after_a_prune_nothing_is_stale(
    accepted: list[Finding], today: list[Finding]
) -> None:
    baseline = accept(accepted)
    assert split(today, update(baseline, today)).new == []
    assert split(accepted, update(baseline, today)).new == []
    pruned = prune(baseline, today)
    assert split(today, pruned).stale == []
    assert prune(update(baseline, today), today) == accept(today)


@given(some_findings)
def test_the_order_of_findings_does_not_change_the_file(findings: list[Finding]) -> None:
    assert accept(findings) == accept(findings[::-1])


def test_a_saved_baseline_is_loaded_again_and_has_one_line_per_finding(tmp_path: Path) -> None:
    file = tmp_path / "crossfact-baseline.json"
    baseline = accept([finding("b"), finding("a\n\x1b"), finding("a\n\x1b")])
    assert save(baseline, file)
    assert load(file) == baseline
    lines = file.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 3 + len(baseline.entries) + 2
    assert json.loads(lines[-3])["subject"] == "b"
    assert list(tmp_path.iterdir()) == [file]


def test_saving_the_same_baseline_touches_nothing(tmp_path: Path) -> None:
    file = tmp_path / "crossfact-baseline.json"
    assert save(accept([finding("a")]), file)
    before = file.stat()
    assert not save(accept([finding("a", line=9)]), file)
    after = file.stat()
    assert (after.st_ino, after.st_mtime_ns, after.st_ctime_ns) == (
        before.st_ino, before.st_mtime_ns, before.st_ctime_ns,
    )  # fmt: skip


def test_an_empty_baseline_is_a_file_too_and_no_file_is_an_empty_baseline(tmp_path: Path) -> None:
    file = tmp_path / "crossfact-baseline.json"
    assert load(file) == Baseline()
    assert save(Baseline(), file)
    assert load(file) == Baseline()


def test_the_rights_of_an_existing_file_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "crossfact-baseline.json"
    save(Baseline(), file)
    file.chmod(0o640)
    save(accept([finding("a")]), file)
    assert file.stat().st_mode & 0o777 == 0o640


def test_a_symbolic_link_is_replaced_and_its_target_left_alone(tmp_path: Path) -> None:
    target = tmp_path / "target.txt"
    target.write_text("precious", encoding="utf-8")
    file = tmp_path / "crossfact-baseline.json"
    file.symlink_to(target)
    save(Baseline(), file)
    assert target.read_text(encoding="utf-8") == "precious"
    assert not file.is_symlink()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "not a baseline"),
        (b"[]", "not a baseline"),
        (b'{"version": 1, "findings": [{"path": "a.py"}]}', "findings[0]"),
        (b'{\n"version": 1,\n"findings": [,]}', ".json:3: not a baseline"),
        (b'{"version": 1, "findings": [], "extra": 1}', "extra"),
        (b'{\n"version": 1, "findings": [\xff]}', ".json:2: not a baseline"),
        (b'{\n<<<<<<< HEAD\n  "version": 1,', ".json:2: an unresolved merge conflict"),
        (b'{"version": 2, "results": []}', "version 2"),
    ],
)
def test_a_damaged_file_is_refused_with_its_place_and_a_remedy(
    tmp_path: Path, content: bytes, told: str
) -> None:
    file = tmp_path / "crossfact-baseline.json"
    file.write_bytes(content)
    with pytest.raises(ConfigurationError) as raised:
        load(file)
    assert str(file) in str(raised.value)
    assert told in str(raised.value)
    assert raised.value.remedy


def test_what_is_no_regular_file_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    for file in (tmp_path, tmp_path / "pipe.json"):
        with pytest.raises(ConfigurationError):
            load(file)


def test_a_folder_that_is_not_there_is_told_and_nothing_is_left_behind(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="cannot be written"):
        save(Baseline(), tmp_path / "missing" / "crossfact-baseline.json")
    (tmp_path / "taken.json").mkdir()
    with pytest.raises(ConfigurationError, match="cannot be written"):
        save(Baseline(), tmp_path / "taken.json")
    assert list(tmp_path.iterdir()) == [tmp_path / "taken.json"]
