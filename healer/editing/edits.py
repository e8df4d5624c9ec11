"""Makes a proposed edit in a text: once, exactly where it says, or not at all."""

from __future__ import annotations

import msgspec

from healer.editing.exchanging import Refused, place_of
from healer.editing.functions import parsed, with_function, without_functions
from healer.editing.hunks import patched
from healer.editing.unused import without_unused
from healer.payload import Payload

LARGEST = 2_000_000
"""The most letters that an edited file may have."""


class Edited(msgspec.Struct, frozen=True):
    """The text after an edit; `already` says that it was made before, and nothing changed."""

    words: str
    already: bool = False


def edited(payload: Payload, words: str) -> Edited:
    """What a payload makes of the text of its file.

    Making it twice is making it once. Raises Refused where the payload is not exactly one edit, where what it speaks of
    is not there exactly once, or where what comes out is no Python.
    """
    match payload.method:
        case "update":
            new = _updated(payload, words)
        case "patch":
            new = patched(words, _plain(payload.patch or "", words), payload.file_to_patch)
        case "rewrite":
            new = _rewritten(payload, words)
        case "retire":
            new = without_unused(words, without_functions(words, payload.retire))
        case _:
            raise Refused("it is not exactly one of update, patch, new_content and retire")
    if len(new) > LARGEST:
        raise Refused(f"the file would have more than {LARGEST:,} letters")
    if payload.file_to_patch.endswith(".py"):
        parsed(new)
    return Edited(new, already=new == words)


def _updated(payload: Payload, words: str) -> str:
    assert payload.update is not None, "an update is given"
    old, new = _plain(payload.update.old_str, words), _plain(payload.update.new_str, words)
    place = place_of(words, old, new)
    return words if place is None else words[:place] + new + words[place + len(old) :]


def _rewritten(payload: Payload, words: str) -> str:
    content = _plain(payload.new_content or "", words)
    if payload.function is not None:
        return with_function(words, payload.function, content)
    if not content.strip():
        raise Refused("the file would be empty")
    return content if content.endswith("\n") else f"{content}\n"


def _plain(given: str, words: str) -> str:
    """Given text with the line ends of the file: `\\n`, unless the file itself mixes them."""
    return given if "\r" in words else given.replace("\r\n", "\n")
