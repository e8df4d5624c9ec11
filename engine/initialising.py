"""Writes the first configuration of a project: what was found, and every setting with its default, as comments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from crossval.report.escape import clean_line
from crossval.report.sections import plural
from engine.configuration import FILE, Settings
from engine.detecting import Detected, folders
from graph.errors import UsageError
from graph.facts import Json, Tag
from graph.files import read_plain, replace_file

_SHOWN = 4

SECTIONS: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    (
        "What is read",
        (
            ("spec", "Paths or globs of all specs, instead of what is found."),
            ("code", "Paths or globs of the code, instead of what is found."),
            ("stories", "Paths or globs of stories and features."),
            ("stubs", "Paths or globs of type stubs."),
            ("tests", "Paths or globs of tests."),
            ("exclude", "Patterns as in a .gitignore, on top of the project's own."),
            ("source_roots", "Folders that Python module names begin below."),
            ("max_file_size", "Bytes; larger files are skipped and listed."),
            ("history", "Whether the git history is read."),
            ("jobs", "Processes to read with; 0 is one per core."),
            ("store", "Where facts are kept: a cache, not to be committed."),
        ),
    ),
    (
        "What is reported",
        (
            ("select", "Only these rules: names, families, kinds or globs (`crossfact rules` lists them)."),
            ("ignore", "Not these rules."),
            ("severity", "Another severity for a rule: error, warning, note or off."),
            (
                "fail_on",
                "The severity from which findings make the exit code 1: error, warning, note, never.",
            ),
            ("strict", "Also show what could not be known."),
            ("baseline", "Accepted findings, to be committed (`crossfact baseline` writes it)."),
            ("python_version", "Compare stubs for this Python (`3.12`); empty for the running one."),
            ("platform", "Compare stubs for this sys.platform; empty for the running one."),
        ),
    ),
    (
        "Tests that are made from the specs",
        (
            ("app", "The application that they call: `module:name`, or a base URL."),
            ("tests_folder", "Where they go."),
            ("python", "The interpreter that they run in; empty for the project's own."),
            (
                "sandbox",
                "The weakest sandbox that they may run in: limits or strict; empty for the strongest.",
            ),
        ),
    ),
    (
        "Healing tests",
        (
            ("heal_attempts", "How many edits are tried for one cause of red tests."),
            ("heal_budget", "How many are tried in one run."),
            ("heal_confidence", "Below this confidence, from 0 to 1, a person decides."),
            (
                "heal_patch_lines",
                "From this many changed lines on, a function is written anew instead of patched.",
            ),
            ("heal_update_lines", "Up to this many lines, an edit is one text that is unique in its file."),
            ("heal_order", "Which healer is asked first: table (a fixed order) or learnt (by what held)."),
            ("heal_share", "Whether counts of what held go to your data folder, for your other projects."),
        ),
    ),
    (
        "Searching and models (nothing is sent anywhere unless a URL is named)",
        (
            ("vectors", "auto, exact, chroma, or the URL of a Chroma server."),
            (
                "embedding_url",
                "An OpenAI-compatible endpoint that embeds texts; empty for the installed model.",
            ),
            ("embedding_model", "Its model."),
            ("llm_url", "An OpenAI-compatible endpoint that writes the answers of `crossfact ask`."),
            ("llm_model", "Its model; give its key as CROSSFACT_LLM_KEY, not here."),
            ("llm_timeout", "Seconds that one request may take."),
            ("llm_calls", "How many requests one run of generate may make."),
            ("llm_tokens", "How many tokens it may use, as far as the endpoint counts them."),
            ("llm_seconds", "How many seconds it may wait for the model."),
        ),
    ),
)
"""Every setting that belongs in a file, with what it means."""


def configuration(detected: Detected) -> str:
    """The text of a configuration for a project; every setting in it is a comment, with its default."""
    lines = [
        "# Settings of crossfact, written by `crossfact init` after looking at this project.",
        "# What is left out, or stands behind a #, is as its comment says: nothing has to be set.",
        "#",
        "# Found:",
        *(f"#   {clean_line(line)}" for line in summary(detected)),
    ]
    defaults = msgspec.structs.asdict(Settings())
    for title, settings in SECTIONS:
        lines += ["", f"# --- {title}"]
        for key, meaning in settings:
            lines += ["", f"# {meaning}", *_hints(key, detected), f"# {key} = {toml(defaults[key])}"]
    return "\n".join(lines) + "\n"


def summary(detected: Detected) -> Iterator[str]:
    """What was found, a line each."""
    operations = plural(detected.operations[Tag.SPEC], "operation")
    for label, files, more in (
        ("contracts", detected.contracts, f" with {operations}" if detected.contracts else ""),
        ("stories", detected.stories, f", acceptance criteria: {detected.criteria}"),
        ("features", detected.features, ""),
        ("stubs", detected.stubs, ""),
        ("code", detected.code, ""),
        ("tests", detected.tests, f" with {plural(detected.test_functions, 'test')}"),
    ):
        yield f"{label}: {_files(files)}{more}" if files else f"{label}: none"
    if detected.frameworks:
        told = ", ".join(f"{name} ({plural(n, 'module')})" for name, n in detected.frameworks.items())
        yield f"web frameworks: {told}; {plural(detected.operations[Tag.CODE], 'operation')} in the code"
    if detected.applications:
        yield f"applications: {_some(list(detected.applications))}"
    if detected.source_roots:
        yield f"modules begin below: {_some(detected.source_roots)}"
    if detected.skipped:
        yield f"left out: {plural(len(detected.skipped), 'path')} (`crossfact check --verbose` lists them)"


def write(root: Path, text: str) -> Path:
    """Put the configuration into the project's root, in the place of one that is there. Raises UsageError."""
    file = root / FILE
    try:
        if file.is_symlink() or (file.exists() and not file.is_file()):
            raise UsageError(f"{file}: is no plain file", "Move it away.")
        replace_file(file, text.encode())
    except OSError as error:
        raise UsageError(f"{file}: cannot be written: {error.strerror}", "Check its rights.") from error
    return file


def toml(value: Json) -> str:
    """A setting's value as TOML writes it."""
    if isinstance(value, list):
        return f"[{', '.join(map(toml, value))}]"
    if isinstance(value, dict):
        return (
            f"{{ {', '.join(f'{toml(key)} = {toml(item)}' for key, item in value.items())} }}"
            if value
            else "{}"
        )
    if isinstance(value, str):
        # TOML knows the escapes of JSON, and demands one more.
        return msgspec.json.encode(value).decode().replace("\x7f", "\\u007f")
    return msgspec.json.encode(value).decode()


def refuse_another(root: Path) -> None:
    """Raise UsageError where the project has a configuration already."""
    file = root / FILE
    if file.exists() or file.is_symlink():
        raise UsageError(
            f"{file}: there is a configuration already", "Edit it, or have it replaced with --force."
        )
    shared = root / "pyproject.toml"
    try:
        content = read_plain(shared) or b""
    except (OSError, ValueError):
        return
    import tomllib

    try:
        tool = tomllib.loads(content.decode("utf-8-sig")).get("tool", {})
    except (UnicodeDecodeError, tomllib.TOMLDecodeError):
        return
    if isinstance(tool, dict) and "crossfact" in tool:
        raise UsageError(
            f"{shared}: there is a configuration already, in [tool.crossfact]",
            f"Edit it; with --force a {FILE} is written, which is then read instead.",
        )


def _hints(key: str, detected: Detected) -> list[str]:
    """What was found that bears on a setting."""
    found: Sequence[str] = ()
    match key:
        case "app":
            found = list(detected.applications)
            if len(found) > 1:
                return [f"# Several were found, so one has to be named: {_quoted(found)}"]
        case "source_roots":
            found = detected.source_roots
        case "spec":
            found = list(folders(detected.specs))
        case "code":
            found = list(folders(detected.code))
        case "tests":
            found = list(folders(detected.tests))
        case "stubs":
            found = list(folders(detected.stubs))
        case "stories":
            found = (*detected.stories, *detected.features)
    return [f"# Found: {_quoted(found)}"] if found else []


def _quoted(names: Sequence[str]) -> str:
    rest = f", … {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(toml(clean_line(name)) for name in names[:_SHOWN]) + rest


def _files(paths: Sequence[str]) -> str:
    if len(paths) <= 2:
        return ", ".join(paths)
    return f"{len(paths)} files in {_some(list(folders(paths)))}"


def _some(names: Sequence[str]) -> str:
    rest = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + rest
