"""What people do to things through an interface, as it is said of the deed and of who does it."""

from __future__ import annotations

from ingest.claims.vocabulary import DEEDS

_BASES = {
    spelled: deed
    for deed in DEEDS
    for spelled in (f"{deed}ing", f"{deed.removesuffix('e')}ing", f"{deed}{deed[-1]}ing")
}


def base_of(word: str) -> str:
    """The verb that a word is a form of (`deleting`, `delete`), or the word itself in small letters."""
    small = word.lower()
    return _BASES.get(small, small)


def thing_of_deed(words: str) -> str | None:
    """To what something is done where words tell of a deed (`creating an account`), else None."""
    first, _, rest = words.strip().partition(" ")
    return rest.strip() or None if first.lower() in _BASES else None
