from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path

import pytest

from graph.facts import Kind, Verb
from graph.store.store import Store
from ingest.history.facts import commit_facts
from ingest.history.functions import touched_functions
from ingest.history.reader import clean_paths, joined, read_history
from ingest.history.refresh import refresh_history
from ingest.history.repository import head
from ingest.history.statistics import churn, cochange


class Repo:
    """A real git repository whose clock only moves when it is told to."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.now = 1_700_000_000
        root.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str, author: str = "Ada") -> str:
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.root),
            "GIT_CONFIG_GLOBAL": "/dev/null",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": author,
            "GIT_AUTHOR_EMAIL": "a@example.org",
            "GIT_COMMITTER_NAME": author,
            "GIT_COMMITTER_EMAIL": "a@example.org",
            "GIT_AUTHOR_DATE": f"{self.now} +0000",
            "GIT_COMMITTER_DATE": f"{self.now} +0000",
        }
        done = subprocess.run(
            ["git", *arguments], cwd=self.root, env=environment, check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    def commit(self, subject: str, files: dict[str, str | None], author: str = "Ada") -> str:
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if text is None:
                path.unlink()
            else:
                path.write_bytes(text.encode())
        self.now += 60
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", subject, author=author)
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path / "project")


def test_commits_are_facts_with_author_time_subject_and_touched_lines(repo: Repo) -> None:
    first = repo.commit("Add the shop", {"shop.py": "a\nb\n"})
    second = repo.commit("Price in cents", {"shop.py": "a\nB\nc\n"}, author="Grace")
    extract = commit_facts(read_history(repo.root), {"shop.py": "shop"})
    assert [fact.key for fact in extract.facts] == [second, first]
    newest = extract.facts[0]
    assert (newest.kind, newest.name) == (Kind.COMMIT, "Price in cents")
    assert newest.aspects == {
        "author": "Grace",
        "time": 1_700_000_120,
        "subject": "Price in cents",
        "touches": [["shop.py", 2, 1]],
    }
    assert [(r.verb, r.first, r.second) for r in extract.relations] == [
        (Verb.TOUCHES, f"code:commit:{second}", "code:module:shop"),
        (Verb.TOUCHES, f"code:commit:{first}", "code:module:shop"),
    ]


def test_only_the_last_commits_up_to_the_limit_are_read(repo: Repo) -> None:
    hashes = [repo.commit(str(n), {"a": str(n)}) for n in range(5)]
    assert [commit.hash for commit in read_history(repo.root, 2).commits] == [hashes[4], hashes[3]]


def test_unusual_names_and_texts_are_read_as_they_are(repo: Repo) -> None:
    name = 'd/q "é\nx\t\\.py'
    repo.commit("diff --git a/x b/x\n\n@@ -1 +1 @@", {name: "@@ -1 +1 @@\n--- a/y\ndiff --git a/y b/y\n"})
    repo.commit("no end of line", {name: "x"})
    repo.commit("nor here", {name: "y"})
    history = read_history(repo.root)
    assert [commit.changes[0].path for commit in history.commits] == [name] * 3
    assert [(c.changes[0].added, c.changes[0].removed) for c in history.commits] == [(1, 1), (1, 3), (3, 0)]
    assert history.commits[2].subject == "diff --git a/x b/x"


def test_churn_follows_a_file_through_its_renames(repo: Repo) -> None:
    repo.commit("one", {"old.py": "a\nb\nc\nd\n"})
    repo.commit("two", {"old.py": "a\nb\nc\nD\n"}, author="Grace")
    repo.git("mv", "old.py", "new.py")
    repo.commit("three", {}, author="Grace")
    repo.commit("four", {"old.py": "something else\n", "gone.py": "x\n"})
    repo.commit("five", {"gone.py": None})
    found = {file.path: file for file in churn(read_history(repo.root))}
    assert set(found) == {"new.py", "old.py"}
    new = found["new.py"]
    assert (new.commits, new.added, new.deleted, new.authors) == (3, 5, 1, ("Grace", "Ada"))
    assert (new.first, new.last) == (1_700_000_060, 1_700_000_180)
    assert found["old.py"].commits == 1


def test_a_swap_of_names_is_two_rewritten_files_as_git_tells_it(repo: Repo) -> None:
    one = "".join(f"one {n}\n" for n in range(20))
    other = "".join(f"other {n}\n" for n in range(20))
    repo.commit("both", {"a": one, "b": other})
    repo.commit("only a", {"a": one + "more\n"})
    repo.commit("swap", {"a": other, "b": one + "more\n"})
    found = {file.path: file.commits for file in churn(read_history(repo.root))}
    # Without the option to break pairs apart, git tells a swap as two rewritten files.
    assert found == {"a": 3, "b": 2}


def test_files_that_change_together_are_counted_and_mass_commits_are_not(repo: Repo) -> None:
    repo.commit("mass", {f"{n}.txt": "x\n" for n in range(60)})
    repo.commit("pair", {"1.txt": "y\n", "2.txt": "y\n"})
    repo.commit("pair", {"1.txt": "z\n", "2.txt": "z\n", "3.txt": "z\n"})
    pairs = [(pair.first, pair.second, pair.commits) for pair in cochange(read_history(repo.root))]
    assert pairs == [("1.txt", "2.txt", 2), ("1.txt", "3.txt", 1), ("2.txt", "3.txt", 1)]


BEFORE = "import x\n\n\ndef a():\n    one\n    two\n\n\ndef b():\n    three\n    four\n"


def test_a_change_is_found_in_the_function_where_its_lines_stand_today(repo: Repo) -> None:
    born = repo.commit("born", {"m.py": BEFORE})
    in_b = repo.commit("b", {"m.py": BEFORE.replace("three", "3")})
    in_a = repo.commit("a", {"m.py": BEFORE.replace("three", "3").replace("two", "2\n    more\n    lines")})
    above = repo.commit("imports", {"m.py": "import y\n" + (repo.root / "m.py").read_text()})
    removed = repo.commit("less", {"m.py": (repo.root / "m.py").read_text().replace("    more\n", "")})
    history = read_history(repo.root)
    functions = {"m.py": [("m.a", 5, 8), ("m.b", 11, 13)]}
    assert touched_functions(history, functions, {"m.py"}) == {
        "m.a": (removed, in_a, born),
        "m.b": (in_b, born),
    }
    assert above not in touched_functions(history, functions, {"m.py"})["m.a"]


def test_nothing_is_said_of_functions_in_files_that_differ_from_the_head(repo: Repo) -> None:
    repo.commit("born", {"m.py": BEFORE, "n.py": BEFORE, "crlf.py": BEFORE})
    (repo.root / "m.py").write_text("\n" + BEFORE)
    (repo.root / "crlf.py").write_bytes(BEFORE.replace("\n", "\r\n").encode())
    history = read_history(repo.root)
    clean = clean_paths(repo.root, history, ["m.py", "n.py", "crlf.py", "absent.py"])
    assert clean == {"n.py", "crlf.py"}
    functions = {"m.py": [("m.a", 5, 7)], "n.py": [("n.a", 4, 6)]}
    assert set(touched_functions(history, functions, clean)) == {"n.a"}


def test_a_function_is_followed_through_renames_and_both_sides_of_a_merge(repo: Repo) -> None:
    born = repo.commit("born", {"m.py": BEFORE})
    repo.git("checkout", "-q", "-b", "side")
    on_side = repo.commit("side", {"m.py": BEFORE.replace("four", "4")})
    repo.git("checkout", "-q", "main")
    on_main = repo.commit("main", {"m.py": "import z\nimport q\n" + BEFORE.replace("one", "1")})
    repo.now += 60
    repo.git("merge", "-q", "--no-edit", "side")
    repo.git("mv", "m.py", "n.py")
    repo.commit("renamed", {})
    history = read_history(repo.root)
    assert touched_functions(history, {"n.py": [("n.a", 6, 8), ("n.b", 11, 13)]}, {"n.py"}) == {
        "n.a": (on_main, born),
        "n.b": (on_side, born),
    }


def test_what_stood_in_the_place_of_a_new_function_is_not_taken_for_its_past(repo: Repo) -> None:
    repo.commit("born", {"m.py": BEFORE})
    replaced = repo.commit(
        "other", {"m.py": BEFORE[: BEFORE.index("def a")] + "def c():\n    new\n\ndef d():\n    newer\n"}
    )
    history = read_history(repo.root)
    touched = touched_functions(history, {"m.py": [("m.c", 4, 5), ("m.d", 7, 8)]}, {"m.py"})
    assert touched == {"m.c": (replaced,), "m.d": (replaced,)}


def test_a_project_below_the_top_has_its_own_paths_and_commits(repo: Repo) -> None:
    inside = repo.commit("inside", {"app/shop.py": "a\n", "other/x.py": "x\n"})
    repo.commit("outside", {"other/x.py": "y\n"})
    history = read_history(repo.root / "app")
    assert [(c.hash, [change.path for change in c.changes]) for c in history.commits] == [
        (inside, ["shop.py"])
    ]
    assert set(history.blobs) == {"shop.py"}
    assert history.head == head(repo.root / "app") == repo.git("rev-parse", "HEAD")


@pytest.mark.parametrize("seed", range(3))
def test_reading_what_is_new_gives_what_reading_all_gives(repo: Repo, seed: int) -> None:
    chance = random.Random(seed)
    older = None
    for number in range(12):
        branch = chance.choice(["main", "main", "side"])
        if number == 3:
            repo.git("branch", "side")
        if number > 3:
            repo.git("checkout", "-q", branch)
        repo.commit(
            str(number), {f"{branch}{chance.randrange(3)}.py": f"{number}\n" * chance.randrange(1, 5)}
        )
        if number in (6, 9):
            repo.git("checkout", "-q", "main")
            repo.now += chance.choice([0, 60])
            repo.git("merge", "-q", "--no-edit", "side")
        cold = read_history(repo.root, 8)
        if older:
            assert joined(older, read_history(repo.root, 8, since=older.head), 8) == cold
        if chance.random() < 0.5:
            older = cold


def test_a_head_that_is_no_ancestor_any_more_is_read_anew(repo: Repo) -> None:
    repo.commit("one", {"a": "1\n"})
    gone = repo.commit("two", {"a": "2\n"})
    older = read_history(repo.root)
    repo.git("reset", "-q", "--hard", "HEAD~1")
    repo.commit("other two", {"a": "3\n"})
    newer = read_history(repo.root, since=gone)
    assert newer.since == ""
    assert joined(older, newer) == newer == read_history(repo.root)
    assert read_history(repo.root, since="--output=x") == newer


def test_the_head_is_found_without_git(repo: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert head(repo.root) is None
    first = repo.commit("one", {"a": "1\n", "sub/b": "2\n"})
    repo.git("worktree", "add", "-q", "-b", "linked", str(tmp_path / "linked"))
    second = repo.commit("two", {"a": "2\n"})
    repo.git("pack-refs", "--all")
    monkeypatch.setenv("PATH", "")
    assert head(repo.root) == head(repo.root / "sub") == second
    assert head(tmp_path / "linked") == first
    (repo.root / ".git" / "HEAD").write_text(f"{first}\n")
    assert head(repo.root) == first


@pytest.mark.parametrize(
    "content", ["", "ref: ../../secret", "ref: refs/heads/../../x", "nonsense", "\0", "ref: HEAD", "ref: "]
)
def test_a_damaged_head_is_none(repo: Repo, content: str) -> None:
    repo.commit("one", {"a": "1\n"})
    (repo.root / ".git" / "HEAD").write_text(content)
    assert head(repo.root) is None
    assert read_history(repo.root).commits == ()
    assert len(read_history(repo.root).skipped) <= 1


def test_a_folder_without_git_has_no_history_and_no_note(tmp_path: Path) -> None:
    assert read_history(tmp_path) == read_history(tmp_path / "absent")
    assert read_history(tmp_path).skipped == ()


def test_a_repository_without_commits_has_no_history_and_no_note(repo: Repo) -> None:
    assert read_history(repo.root).head == ""
    assert read_history(repo.root).skipped == ()


def test_a_bare_repository_has_no_history(repo: Repo, tmp_path: Path) -> None:
    repo.commit("one", {"a": "1\n"})
    repo.git("clone", "-q", "--bare", ".", str(tmp_path / "bare.git"))
    assert read_history(tmp_path / "bare.git").commits == ()


def test_a_shallow_clone_is_one_note_and_no_facts(repo: Repo, tmp_path: Path) -> None:
    repo.commit("one", {"a": "1\n"})
    repo.commit("two", {"a": "2\n"})
    repo.git("clone", "-q", "--depth", "1", f"file://{repo.root}", str(tmp_path / "shallow"))
    history = read_history(tmp_path / "shallow")
    assert history.commits == ()
    assert "shallow" in history.skipped[0].reason


def test_without_a_git_program_there_is_one_note(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit("one", {"a": "1\n"})
    monkeypatch.setenv("PATH", "/nonexistent")
    (note,) = read_history(repo.root).skipped
    assert "no git program" in note.reason


def test_missing_objects_are_one_note(repo: Repo) -> None:
    repo.commit("one", {"a": "1\n"})
    for path in (repo.root / ".git" / "objects").rglob("*"):
        if path.is_file():
            path.unlink()
    history = read_history(repo.root)
    assert (history.commits, len(history.skipped)) == ((), 1)


def test_nothing_that_a_repository_names_is_run(repo: Repo, tmp_path: Path) -> None:
    canary = tmp_path / "fired"
    script = tmp_path / "canary.sh"
    script.write_text(f"#!/bin/sh\necho $0 $@ >> {canary}\ncat\n")
    script.chmod(0o755)
    repo.commit(
        "one", {"a.txt": "1\n", ".gitattributes": "*.txt diff=evil filter=evil\n", "sub/b.txt": "x\n"}
    )
    repo.commit("two", {"a.txt": "2\n"})
    for key in (
        *("core.fsmonitor", "core.pager", "core.sshCommand", "core.editor", "core.askPass", "diff.external"),
        *(
            "diff.evil.textconv",
            "diff.evil.command",
            "filter.evil.clean",
            "filter.evil.smudge",
            "gpg.program",
        ),
        *(
            "core.alternateRefsCommand",
            "uploadpack.packObjectsHook",
            "credential.helper",
            "pager.log",
            "alias.rev-list",
        ),
    ):
        repo.git("config", key, str(script))
    for key in ("log.showSignature", "diff.noprefix", "core.quotePath"):
        repo.git("config", key, "true")
    repo.git("config", "color.ui", "always")
    repo.git("config", "core.hooksPath", str(tmp_path))
    repo.git("config", "core.worktree", "/")
    canary.unlink(missing_ok=True)
    history = read_history(repo.root)
    clean_paths(repo.root, history, history.blobs)
    read_history(repo.root / "sub")
    read_history(repo.root, since=history.commits[-1].hash)
    assert not canary.exists()
    assert [[(x.path, x.added) for x in c.changes] for c in history.commits] == [
        [("a.txt", 1)],
        [(".gitattributes", 1), ("a.txt", 1), ("sub/b.txt", 1)],
    ]


def test_the_store_follows_the_head(repo: Repo, tmp_path: Path) -> None:
    store = Store.open(None)
    cache = tmp_path / "history"
    assert not refresh_history(tmp_path / "empty", store)
    repo.commit("one", {"a": "1\n"})
    assert refresh_history(repo.root, store, cache)
    store.publish()
    assert not refresh_history(repo.root, store, cache)
    second = repo.commit("two", {"a": "2\n"})
    assert refresh_history(repo.root, store, cache)
    store.publish()
    assert sorted(fact.name for fact in store.facts(kinds={Kind.COMMIT})) == ["one", "two"]
    cache.write_bytes(b"damaged")
    repo.git("reset", "-q", "--hard", "HEAD~1")
    assert refresh_history(repo.root, store, cache)
    store.publish()
    assert [fact.name for fact in store.facts(kinds={Kind.COMMIT})] == ["one"]
    assert not store.by_key(second)
    store.close()
