"""Where reports go: which form to which file, and how these are written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from engine.cli.console import say
from graph.errors import UsageError

_STANDARD = ("-", "/dev/stdout")


class Target(msgspec.Struct, frozen=True):
    """One report to make: its form, and the file that it goes to, which is None for standard output."""

    form: str
    file: Path | None = None


def ordered(forms: Sequence[str], outputs: Sequence[str], order: Iterable[str]) -> list[Target]:
    """What the options ask for, in their order; text on standard output where they ask for nothing.

    `order` names the options as they were given: `forms` for a form, `outputs` for a file. One form and one file
    belong together however they stand; otherwise a file belongs to the form before it. Raises UsageError where that
    cannot be, where two forms would go to one place, and for a file that cannot be written.
    """
    if len(forms) <= 1 and len(outputs) <= 1:
        found = [Target(form, _file(output)) for form in forms or ["text"] for output in outputs or ["-"]]
    else:
        found = _paired(list(forms), list(outputs), order)
    _refuse_shared(found)
    for target in found:
        if target.file is not None:
            _refuse_unwritable(target.file)
    return found


def put(target: Target, text: str) -> None:
    """Write a report where it belongs: to standard output, or as a whole to its file. Raises UsageError."""
    if target.file is None:
        say(text)
        return
    from graph.files import replace_file

    content = text.encode("utf-8", "backslashreplace")
    file = target.file
    try:
        if file.exists() and not file.is_file():
            file.write_bytes(content)  # a pipe or a device, whose place must not be taken
        else:
            replace_file(file.resolve(), content)
    except OSError as error:
        raise _unwritable(file, error.strerror or "") from error


def _paired(forms: list[str], outputs: list[str], order: Iterable[str]) -> list[Target]:
    found: list[Target] = []
    for name in order:
        if name == "forms":
            found.append(Target(forms.pop(0)))
        elif name == "outputs":
            output = outputs.pop(0)
            if not found or found[-1].file is not None:
                taken = f": `{found[-1].form}` goes to {found[-1].file} already" if found else ""
                raise UsageError(
                    f"--output {output} belongs to no --format{taken}", "Put its --format FORM before it."
                )
            found[-1] = Target(found[-1].form, _file(output))
    return found


def _file(output: str) -> Path | None:
    return None if output in _STANDARD else Path(output)


def _refuse_shared(found: Sequence[Target]) -> None:
    seen: dict[Path | None, str] = {}
    for target in found:
        place = target.file.resolve() if target.file else None
        if place in seen:
            where = str(target.file) if target.file else "standard output"
            raise UsageError(
                f"`{seen[place]}` and `{target.form}` would both go to {where}",
                "Give each form an --output of its own, behind its --format.",
            )
        seen[place] = target.form


def _refuse_unwritable(file: Path) -> None:
    """What can be told before a long check: a folder that is missing, or one in the file's place."""
    if file.is_dir():
        raise _unwritable(file, "it is a folder")
    if not file.parent.is_dir():
        raise _unwritable(file, f"there is no folder {file.parent}")


def _unwritable(file: Path, reason: str) -> UsageError:
    return UsageError(f"{file}: cannot be written: {reason}", "Name another file with --output.")
