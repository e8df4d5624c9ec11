"""Whether a contract is valid OpenAPI: the verdict of openapi-spec-validator, kept from opening anything."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Never

from graph.facts import Defect, Json, Skipped
from ingest.openapi.bundle import HOLDER, Bundle
from ingest.openapi.files import Files, invalid

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

MAX_DEFECTS = 20
MAX_CHARACTERS = {"2": 1_500_000, "3.0": 1_500_000, "3.1": 350_000, "3.2": 350_000}
"""Per version, how long a contract may be to be checked within a few seconds."""

_LONGEST = 200
_PLACE = re.compile(r"'(get|put|post|delete|options|head|patch|trace|query)'(?: operation)? in '(/[^']*)'")
_SCHEMES = ("", "file", "http", "https", "<all_urls>")


def validate(files: Files, version: str) -> tuple[list[Defect], list[Skipped]]:
    """What makes the contract invalid, at most 20 defects, or why it was not checked.

    Nothing is opened or fetched: references to other files must have been followed by `files`.
    """
    main = files.main.tree
    known = next((key for key in MAX_CHARACTERS if version == key or version.startswith(f"{key}.")), None)
    if known is None:
        line = main.line(main.value, "openapi" if "openapi" in main.value else "swagger")
        return [invalid(main.path, line, f"OpenAPI has no version {version} that is known here")], []
    size = sum(len(text) for text in files.texts.values())
    if size > MAX_CHARACTERS[known]:
        reason = f"not checked for validity: longer than {MAX_CHARACTERS[known]:,} characters"
        return [], [Skipped(main.path, 0, reason)]
    bundle = Bundle(files, known == "2")
    defects: dict[tuple[str, int, str], Defect] = {}
    for defect in _defects(files, bundle, known):
        defects.setdefault((defect.path, defect.line, defect.message), defect)
        if len(defects) == MAX_DEFECTS:
            break
    return list(defects.values()), []


def _defects(files: Files, bundle: Bundle, version: str) -> Iterator[Defect]:
    from jsonschema.exceptions import best_match
    from openapi_spec_validator.validation.exceptions import UnresolvableParameterError

    main = files.main.tree
    try:
        for error in _errors(bundle.value, version):
            if bundle.incomplete and isinstance(error, UnresolvableParameterError):
                continue
            path, line = _place(files, bundle, error)
            yield invalid(path, line, _sentence(best_match([error]) or error))
    except TimeoutError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever breaks the validator is a verdict on the contract
        line = main.first_line(main.value)
        yield invalid(
            main.path, line, f"The validator gave up: {type(error).__name__}: {_shortened(str(error))}"
        )


def _errors(value: Json, version: str) -> Iterator[ValidationError]:
    # Imported here: half a second that only contracts need.
    import openapi_spec_validator
    from jsonschema_path import SchemaPath

    validators = {
        "2": openapi_spec_validator.OpenAPIV2SpecValidator,
        "3.0": openapi_spec_validator.OpenAPIV30SpecValidator,
        "3.1": openapi_spec_validator.OpenAPIV31SpecValidator,
        "3.2": openapi_spec_validator.OpenAPIV32SpecValidator,
    }
    path = SchemaPath.from_dict(value, handlers=dict.fromkeys(_SCHEMES, _refuse))
    yield from validators[version](path).iter_errors()


def _refuse(uri: str) -> Never:
    raise PermissionError(f"{uri} is not opened")


def _place(files: Files, bundle: Bundle, error: ValidationError) -> tuple[str, int]:
    """The file and line that an error is about."""
    keys = [str(key) for key in error.absolute_path]
    if not keys and (match := _PLACE.search(error.message)):
        keys = ["paths", match[2], match[1]]
    tree = files.main.tree
    if len(keys) > 1 and keys[0] == HOLDER:
        tree = files.root(bundle.paths[int(keys[1])]).tree
        keys = keys[2:]
    pointer = "".join("/" + key.replace("~", "~0").replace("/", "~1") for key in keys)
    return tree.path, tree.line_at(pointer)


def _sentence(error: ValidationError) -> str:
    keys = [str(key) for key in error.absolute_path]
    where = ".".join(keys[-3:])
    return f"{where}: {_shortened(error.message)}" if where else _shortened(error.message)


def _shortened(message: str) -> str:
    text = " ".join(message.split())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
