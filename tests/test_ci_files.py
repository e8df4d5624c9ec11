"""The doors for CI servers and editors: they are valid, and what they run works."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from tests.commands import git, surroundings
from tests.engine.test_diff import CODE, STUB

ROOT = Path(__file__).parent.parent
PAGES = {name: (ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("CI.md", "EDITORS.md")}
BLOCKS = re.findall(r"^```yaml\n# (\S+)\n([\s\S]*?)^```$", PAGES["CI.md"], re.MULTILINE)
SCHEMAS = {".github/workflows/crossfact.yml": "github-workflows", ".gitlab-ci.yml": "gitlab-ci"}


def schema(name: str) -> jsonschema.Draft7Validator:
    """A schema of another project's files, as the package `check-jsonschema` ships it."""
    content = files("check_jsonschema") / "builtin_schemas" / "vendor" / f"{name}.json"
    return jsonschema.Draft7Validator(json.loads(content.read_text(encoding="utf-8")))


def loaded(text: str) -> Any:
    """YAML in which `on` is a word, as these servers read it."""

    class Loader(yaml.SafeLoader):
        pass

    Loader.yaml_implicit_resolvers = {
        first: [pair for pair in pairs if pair[0] != "tag:yaml.org,2002:bool"]
        for first, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }
    Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(?:true|false)$"), list("tf"))
    return yaml.load(text, Loader)  # noqa: S506 (a SafeLoader)


def action() -> Any:
    return loaded((ROOT / "action.yml").read_text(encoding="utf-8"))


def template() -> tuple[Any, Any]:
    header, job = (ROOT / "templates" / "crossfact.yml").read_text(encoding="utf-8").split("\n---\n")
    return loaded(header), loaded(job)


def hooks() -> Any:
    return loaded((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A repository whose first commit has one disagreement; a second one is not committed."""
    for name in ("old", "new"):
        (tmp_path / f"{name}.pyi").write_text(STUB, encoding="utf-8")
    (tmp_path / "old.py").write_text(CODE.format(2), encoding="utf-8")
    (tmp_path / "new.py").write_text(CODE.format(1), encoding="utf-8")
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "First")
    (tmp_path / "new.py").write_text(CODE.format(3), encoding="utf-8")
    return tmp_path


def bash(script: str, folder: Path, tools: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """A script as a server runs it; `python` is the one that runs the tests, `crossfact` this checkout."""
    tools.mkdir(exist_ok=True)
    for name, command in (("python", ""), ("crossfact", "-m crossfact ")):
        program = tools / name
        program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {command}"$@"\n', encoding="utf-8")
        program.chmod(0o755)
    kept = {name: value for name, value in surroundings().items() if not name.startswith("CI_")}
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
        cwd=folder,
        env={**kept, "PATH": path, **variables},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def action_run(folder: Path, tools: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """The action's check with these inputs, the others as they are by default."""
    given = {name: each["default"] for name, each in action()["inputs"].items()} | inputs
    step = next(each for each in action()["runs"]["steps"] if each.get("id") == "check")
    variables = {
        name: given[re.fullmatch(r"\$\{\{ inputs\.([\w-]+) \}\}", value)[1]]  # type: ignore[index]
        for name, value in step["env"].items()
    }
    assert "${{" not in step["run"], "no input is part of the script"
    tools.mkdir(exist_ok=True)
    own = {"GITHUB_OUTPUT": str(tools / "output"), "GITHUB_STEP_SUMMARY": str(tools / "summary")}
    return bash(step["run"], folder, tools, **variables, **own)


def test_the_action_is_valid() -> None:
    schema("github-actions").validate(action())


def test_the_action_annotates_writes_its_files_and_fails(
    shop: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    tools = tmp_path_factory.mktemp("tools")
    done = action_run(shop, tools)
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("::error file=new.py,line=1,title=argument-default-mismatch (crossfact)::")
    assert (tools / "output").read_text(encoding="utf-8") == "exit-code=1\n"
    assert (tools / "summary").read_text(encoding="utf-8") == (shop / "crossfact.md").read_text(
        encoding="utf-8"
    )
    assert len(json.loads((shop / "crossfact.sarif").read_text(encoding="utf-8"))["runs"][0]["results"]) == 2


def test_the_inputs_of_the_action_are_words_and_not_part_of_its_script(
    shop: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    tools = tmp_path_factory.mktemp("tools")
    (shop / "a b").mkdir()
    inputs = {"since": "main", "fail-on": "never", "options": "--ignore\nsecurity-mismatch\n\n--verbose"}
    done = action_run(shop, tools, sarif="a b/x.sarif", summary="false", **inputs)
    assert done.returncode == 0, done.stderr
    assert len(json.loads((shop / "a b/x.sarif").read_text(encoding="utf-8"))["runs"][0]["results"]) == 1
    assert not (tools / "summary").exists()
    done = action_run(shop, tools, path="$(touch owned); touch owned #")
    assert done.returncode == 2
    assert not (shop / "owned").exists()
    assert (tools / "output").read_text(encoding="utf-8").endswith("exit-code=2\n")


def test_the_template_is_valid_and_its_inputs_are_those_it_uses() -> None:
    header, job = template()
    schema("gitlab-ci").validate(job)
    text = json.dumps(job)
    assert set(re.findall(r"\$\[\[ inputs\.([\w-]+) \]\]", text)) == set(header["spec"]["inputs"])


@pytest.mark.parametrize(("base", "issues"), [("", 2), ("main", 1)])
def test_the_template_gives_gitlab_its_reports(
    shop: Path, tmp_path_factory: pytest.TempPathFactory, base: str, issues: int
) -> None:
    header, jobs = template()
    job = jobs["crossfact"]
    defaults = {name: each["default"] for name, each in header["spec"]["inputs"].items()}
    variables = {
        name: re.sub(r"\$\[\[ inputs\.([\w-]+) \]\]", lambda match: defaults[match[1]], value)
        for name, value in job["variables"].items()
    }
    (script,) = job["script"]
    done = bash(
        script, shop, tmp_path_factory.mktemp("tools"), CI_MERGE_REQUEST_DIFF_BASE_SHA=base, **variables
    )
    assert done.returncode == 1, done.stderr
    assert "error[argument-default-mismatch]" in done.stdout
    reports = job["artifacts"]["reports"]
    assert len(json.loads((shop / reports["codequality"]).read_text(encoding="utf-8"))) == issues
    assert f'failures="{issues}"' in (shop / reports["junit"]).read_text(encoding="utf-8")


@pytest.mark.parametrize("hook", hooks(), ids=lambda hook: str(hook["id"]))
def test_a_hook_fails_for_what_a_commit_adds(
    hook: dict[str, Any], shop: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    assert set(hook) <= {
        "id", "name", "description", "entry", "language", "pass_filenames", "require_serial", "types_or"
    }  # fmt: skip
    tools = tmp_path_factory.mktemp("tools")
    done = bash(f"{hook['entry']} --since HEAD", shop, tools)
    assert done.returncode == 1
    assert done.stdout.startswith("new.py:1: error[argument-default-mismatch]: ")
    git(shop, "commit", "-qam", "Second")
    assert bash(f"{hook['entry']} --since HEAD", shop, tools).returncode == 0


def test_the_examples_of_the_page_are_valid_and_name_what_there_is() -> None:
    examples = {name: loaded(text) for name, text in BLOCKS}
    assert set(examples) == {*SCHEMAS, ".pre-commit-config.yaml"}
    for name, found in SCHEMAS.items():
        schema(found).validate(examples[name])
    steps = examples[".github/workflows/crossfact.yml"]["jobs"]["check"]["steps"]
    (own,) = (step for step in steps if "crossfact@" in step["uses"])
    assert set(own["with"]) <= set(action()["inputs"])
    (included,) = examples[".gitlab-ci.yml"]["include"]
    assert set(included["inputs"]) <= set(template()[0]["spec"]["inputs"])
    ids = {hook["id"] for repo in examples[".pre-commit-config.yaml"]["repos"] for hook in repo["hooks"]}
    assert ids <= {hook["id"] for hook in hooks()}
    for name in action()["inputs"]:
        assert f"`{name}`" in PAGES["CI.md"]


@pytest.mark.parametrize("command", re.findall(r"^```sh\n([\s\S]*?)^```$", PAGES["CI.md"], re.MULTILINE))
def test_the_commands_of_the_page_work(
    command: str, shop: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    git(shop, "update-ref", "refs/remotes/origin/main", "main")
    done = bash(command, shop, tmp_path_factory.mktemp("tools"))
    assert done.returncode == 1, done.stderr


def test_the_matcher_of_the_page_reads_what_a_check_prints(
    shop: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    (block,) = re.findall(r"^```json\n([\s\S]*?)^```$", PAGES["EDITORS.md"], re.MULTILINE)
    (task,) = json.loads(block)["tasks"]
    pattern = task["problemMatcher"]["pattern"]
    printed = bash("crossfact check --concise", shop, tmp_path_factory.mktemp("tools")).stdout.splitlines()
    found = [match for line in printed if (match := re.search(pattern["regexp"], line))]
    told = [tuple(match[pattern[part]] for part in ("file", "line", "severity", "code")) for match in found]
    assert told == [
        ("new.py", "1", "error", "argument-default-mismatch"),
        ("old.py", "1", "error", "argument-default-mismatch"),
    ]
    background = task["problemMatcher"]["background"]
    assert re.search(background["beginsPattern"], "crossfact: a/b.py and 2 more changed")
    assert re.search(background["endsPattern"], "crossfact: waiting for a change; Ctrl-C ends")
    (example,) = re.findall(r"^```text\n([\s\S]*?)\n```$", PAGES["EDITORS.md"], re.MULTILINE)
    assert re.search(pattern["regexp"], example)
