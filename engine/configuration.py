"""The settings of a run: from the command line, the environment, and the project's configuration file."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import msgspec

from graph.errors import ConfigurationError

FILE = "crossfact.toml"
PREFIX = "CROSSFACT_"


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Every setting, with its default; docs/CONFIGURATION.md explains each.

    Lists of paths and globs are relative to the project root. `jobs` 0 means one per core. `severity` maps a
    rule's name to another severity, or to `off`. `python_version` and `platform` are those of the running interpreter
    where they are empty.
    """

    spec: list[str] = []
    code: list[str] = []
    stories: list[str] = []
    stubs: list[str] = []
    tests: list[str] = []
    exclude: list[str] = []
    source_roots: list[str] = []
    max_file_size: int = 5_000_000
    store: str = ".crossfact/facts.db"
    baseline: str = "crossfact-baseline.json"
    app: str = ""
    python: str = ""
    sandbox: Literal["", "limits", "strict"] = ""
    tests_folder: str = "tests/crossfact"
    heal_attempts: int = 3
    heal_budget: int = 100
    heal_confidence: float = 0.6
    heal_patch_lines: int = 10
    heal_update_lines: int = 5
    heal_order: Literal["table", "learnt"] = "table"
    heal_share: bool = False
    jobs: int = 0
    history: bool = True
    fail_on: Literal["error", "warning", "note", "never"] = "error"
    select: list[str] = []
    ignore: list[str] = []
    severity: dict[str, Literal["error", "warning", "note", "off"]] = {}
    strict: bool = False
    python_version: str = ""
    platform: str = ""
    vectors: str = "auto"
    embedding_url: str = ""
    embedding_model: str = ""
    llm_url: str = ""
    llm_model: str = ""
    llm_key: str = ""
    llm_timeout: int = 60
    llm_calls: int = 100
    llm_tokens: int = 1_000_000
    llm_seconds: int = 1_800


_TYPES: dict[str, Any] = Settings.__annotations__
_KINDS = {
    list: "a list of texts",
    dict: "a table",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    str: "a text",
}
_LISTS = frozenset(name for name, kind in _TYPES.items() if getattr(kind, "__origin__", None) is list)


def load(
    root: Path, *, file: Path | None, environment: Mapping[str, str], options: Mapping[str, Any]
) -> Settings:
    """The settings for a project: options win over the environment, that over the file, that over the defaults.

    `options` holds only what the command line gave. Raises ConfigurationError for what cannot be used.
    """
    merged: dict[str, Any] = {}
    where, settings = _from_file(root, file)
    for values, spelled in (
        (settings, f"{where}: {{}}".format),
        (_from_environment(environment), _as_variable),
        (dict(options), _as_option),
    ):
        for key in values:
            if key not in _TYPES:
                raise _unknown(key, spelled(key))
        _check(values, spelled)
        merged.update(values)
    return msgspec.convert(merged, Settings)


def _as_variable(key: str) -> str:
    return PREFIX + key.upper()


def _as_option(key: str) -> str:
    return "--" + key.replace("_", "-")


def _check(values: dict[str, Any], spelled: Callable[[str], str]) -> None:
    try:
        msgspec.convert(values, Settings)
    except msgspec.ValidationError as error:
        reason, _, at = str(error).partition(" - at ")
        key = re.split(r"[.\[]", at.strip("`").removeprefix("$."))[0]
        words, kind = _words(key), _KINDS.get(get_origin(_TYPES[key]) or _TYPES[key], "another value")
        remedy = f"Use one of {', '.join(words)}." if words else f"Give it {kind}."
        said = reason.replace("Invalid enum value", "not known:").replace("Expected", "expected")
        raise ConfigurationError(f"{spelled(key)}: {said}", remedy) from error


def _words(key: str) -> tuple[str, ...]:
    """The words that a setting takes; empty where it takes others too."""
    kind = _TYPES.get(key)
    if get_origin(kind) is dict:
        kind = get_args(kind)[1]
    return get_args(kind) if get_origin(kind) is Literal else ()


def _unknown(key: str, shown: str) -> ConfigurationError:
    if key == "tool":
        return ConfigurationError(
            f"{shown}: settings stand below a table",
            "Write them at the top of the file, without [tool.crossfact].",
        )
    import difflib

    near = difflib.get_close_matches(key, _TYPES, n=1)
    return ConfigurationError(
        f"{shown}: no such setting",
        f"Did you mean `{near[0]}`?" if near else f"Known settings: {', '.join(sorted(_TYPES))}.",
    )


def _from_file(root: Path, file: Path | None) -> tuple[str, dict[str, Any]]:
    if file is not None:
        if not file.is_file():
            raise ConfigurationError(
                f"{file}: no such configuration file", "Name an existing file with --config."
            )
        return _section(file, whole=file.name != "pyproject.toml")
    own = root / FILE
    if own.is_file():
        return _section(own, whole=True)
    shared = root / "pyproject.toml"
    if shared.is_file():
        return _section(shared, whole=False)
    return "defaults", {}


def _section(file: Path, *, whole: bool) -> tuple[str, dict[str, Any]]:
    import tomllib

    try:
        data = tomllib.loads(file.read_bytes().decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ConfigurationError(
            f"{file}: not UTF-8 (byte {error.start})", "Save the file as UTF-8."
        ) from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(
            f"{file}: not valid TOML: {error}", "Mend the file at that place."
        ) from error
    except OSError as error:
        raise ConfigurationError(f"{file}: cannot be read: {error.strerror}", "Check its rights.") from error
    if not whole:
        tool = data.get("tool")
        data = tool.get("crossfact", {}) if isinstance(tool, dict) else {}
    if not isinstance(data, dict):
        raise ConfigurationError(f"{file}: `tool.crossfact` is no table", "Write it as `[tool.crossfact]`.")
    return str(file), {key.replace("-", "_"): value for key, value in data.items()}


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name in sorted(environment):
        if not name.startswith(PREFIX) or name == PREFIX + "DEBUG":
            continue
        key = name.removeprefix(PREFIX).lower()
        values[key] = _parsed(key, environment[name])
    return values


def _parsed(key: str, text: str) -> Any:
    """A setting's value from the text of an environment variable: lists are separated by commas."""
    if key in _LISTS:
        return [part.strip() for part in text.split(",") if part.strip()]
    if key == "severity":
        return dict(part.strip().partition("=")[::2] for part in text.split(",") if part.strip())
    if _TYPES.get(key) is bool:
        return {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}.get(
            text.strip().lower(), text
        )
    if _TYPES.get(key) is int:
        return int(text) if text.strip().isdigit() else text
    if _TYPES.get(key) is float:
        return _number(text)
    return text


def _number(text: str) -> float | str:
    """The number that a text is, else the text."""
    try:
        return float(text)
    except ValueError:
        return text
