"""Whether a contract is valid OpenAPI: the verdict of openapi-spec-validator, kept from opening anything."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Never

from graph.facts import Defect, Json, Skipped
from ingest.openapi.bundle import HOLDER, Bundle
from ingest.openapi.files import Files, invalid

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError
    from jsonschema_path import SchemaPath
    from openapi_spec_validator.validation.validators import SpecValidator

MAX_DEFECTS = 20
MAX_CHARACTERS = {"2": 1_500_000, "3.0": 1_500_000, "3.1": 1_000_000, "3.2": 1_000_000}
"""Per version, how long a contract may be to be checked: 3.1 takes about 11 seconds per million."""

_MAX_ERRORS = 500
_LONGEST = 200
_OF_PYTHON = {"None": "null", "True": "true", "False": "false"}
_PLACE = re.compile(r"'(get|put|post|delete|options|head|patch|trace|query)'(?: operation)? in '(/[^']*)'")
_SURPRISED = re.compile(
    r"^(?:Unevaluated|Additional) properties are not allowed \(.* (?:was|were) unexpected\)$"
)
_UNEXPECTED = re.compile(r"'([^']*)'(?=,| was| were)")
_LATER = frozenset({"itemSchema", "itemEncoding", "prefixEncoding"})
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
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # patterns of the contract make the validator warn on the console
        return _judged(files, Bundle(files, known == "2"), _validator(known))


def _judged(files: Files, bundle: Bundle, judge: type[SpecValidator]) -> tuple[list[Defect], list[Skipped]]:
    main = files.main.tree
    errors = _structural(judge, bundle)
    unchecked = []
    try:
        root = judge(_closed(bundle.value))
        errors.extend(_referential(root, bundle))
    except TimeoutError:
        raise
    except Exception as error:  # noqa: BLE001 - what breaks the validator says nothing certain about the contract
        if not errors:
            reason = f"not wholly checked for validity: {type(error).__name__}: {_shortened(str(error))}"
            unchecked = [Skipped(main.path, 0, reason)]
    defects: dict[tuple[str, int, str], Defect] = {}
    for found in errors:
        if len(defects) == MAX_DEFECTS:
            break
        path, line = _place(files, bundle, found)
        defects.setdefault((path, line, _sentence(found)), invalid(path, line, _sentence(found)))
    return list(defects.values()), unchecked


def _validator(version: str) -> type[SpecValidator]:
    # Imported here: half a second that only contracts need.
    import openapi_spec_validator

    validators: dict[str, type[SpecValidator]] = {
        "2": openapi_spec_validator.OpenAPIV2SpecValidator,
        "3.0": openapi_spec_validator.OpenAPIV30SpecValidator,
        "3.1": openapi_spec_validator.OpenAPIV31SpecValidator,
        "3.2": openapi_spec_validator.OpenAPIV32SpecValidator,
    }
    return validators[version]


def _structural(judge: type[SpecValidator], bundle: Bundle) -> list[ValidationError]:
    """Where the document has not the shape that its version's schema asks for."""
    from jsonschema.exceptions import best_match

    found = list(islice(judge.schema_validator.iter_errors(bundle.value), _MAX_ERRORS))
    # "Fits none of the alternatives" says nothing where another error names the very place.
    precise = {
        tuple(path[:length]) for e in found for path in [list(e.absolute_path)] for length in range(len(path))
    }
    kept = [error for error in found if not error.context or tuple(error.absolute_path) not in precise]
    causes = [best_match([error]) or error for error in kept]
    return [cause for cause in causes if not _is_only_python(cause) and not _is_only_later(cause)]


def _referential(validator: SpecValidator, bundle: Bundle) -> Iterator[ValidationError]:
    """What only the document as a whole shows: parameters of paths, operation ids, defaults."""
    from openapi_spec_validator.validation import exceptions

    old = "swagger" in bundle.value
    for error in islice(validator.root_validator(validator.schema_path), _MAX_ERRORS):
        if bundle.incomplete and isinstance(error, exceptions.UnresolvableParameterError):
            continue
        # An error of no kind and no keyword says what the validator cannot do: check another dialect, say.
        if type(error) is exceptions.OpenAPIValidationError and not isinstance(error.validator, str):
            continue
        # The format of a default value is a remark on it, which binds nobody.
        if error.validator != "format" and not (old and _is_a_file(error)):
            yield error


def _is_a_file(error: ValidationError) -> bool:
    """Whether a type is refused that only OpenAPI 2 has; the schema of the document tells where it may stand."""
    return error.instance == "file" and list(error.absolute_path)[-1:] == ["type"]


def _is_only_python(error: ValidationError) -> bool:
    """Whether a pattern was refused because Python, whose patterns are others than ECMAScript's, cannot read it."""
    return error.validator == "format" and error.validator_value == "regex"


def _is_only_later(error: ValidationError) -> bool:
    """Whether all that is wrong are keywords of OpenAPI 3.2 for streams, which frameworks write into contracts of 3.1.

    Nobody can mend what a framework exports.
    """
    names = _UNEXPECTED.findall(error.message) if _SURPRISED.search(error.message) else []
    return bool(names) and _LATER.issuperset(names)


def _closed(value: Json) -> SchemaPath:
    """The document as the validator walks it, with every way to other documents shut."""
    from jsonschema_path import SchemaPath

    return SchemaPath.from_dict(value, handlers=dict.fromkeys(_SCHEMES, _refuse))


def _refuse(uri: str) -> Never:
    raise PermissionError(f"{uri} is not opened")


def _place(files: Files, bundle: Bundle, error: ValidationError) -> tuple[str, int]:
    """The file and line that an error is about; errors about values carry no path, but the schema they broke."""
    keys = [str(key) for key in error.absolute_path]
    if not keys and (match := _PLACE.search(error.message)):
        keys = ["paths", match[2], match[1]]
    if keys and keys[0] not in bundle.value:
        keys = _whole_path(bundle.value, list(error.absolute_path), error.instance) or keys
    tree = files.main.tree
    if keys and keys[0] in bundle.value:
        if len(keys) > 1 and keys[0] == HOLDER:
            tree = files.root(bundle.paths[int(keys[1])]).tree
            keys = keys[2:]
        pointer = "".join("/" + key.replace("~", "~0").replace("/", "~1") for key in keys)
        return tree.path, tree.line_at(pointer)
    for broken in (error.schema, error.instance):
        node = bundle.nodes.get(id(broken))
        if node is not None:
            line = node.tree.line(node.value, "default") if node.has("default") else node.line
            return node.tree.path, line
    return tree.path, tree.first_line(tree.value)


def _whole_path(document: Json, end: list[str | int], value: Json) -> list[str]:
    """The path to the first place in a document that ends so and holds this value; empty where there is none.

    Errors of a schema against its own dialect know only the path within the schema.
    """
    waiting: list[tuple[list[str], Json]] = [([], document)]
    seen: set[int] = set()
    while waiting:
        path, node = waiting.pop()
        if id(node) in seen:
            continue
        if isinstance(node, dict | list):
            seen.add(id(node))
        if isinstance(node, dict) and end[0] in node and _at(node, end) is value:
            return [*path, *map(str, end)]
        items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
        waiting.extend(([*path, str(key)], below) for key, below in reversed(list(items)))
    return []


def _at(node: Json, path: list[str | int]) -> Json:
    for key in path:
        if isinstance(node, list) and isinstance(key, int) and key < len(node):
            node = node[key]
        else:
            node = node.get(key) if isinstance(node, dict) else None
    return node


def _sentence(error: ValidationError) -> str:
    keys = [str(key) for key in error.absolute_path]
    where = ".".join(keys[-3:])
    return f"{where}: {_shortened(error.message)}" if where else _shortened(error.message)


def _shortened(message: str) -> str:
    words = message.split()
    text = " ".join([_OF_PYTHON.get(words[0], words[0]), *words[1:]]) if words else ""
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
