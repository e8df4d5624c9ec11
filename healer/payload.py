"""What a healer proposes: one edit of one file, with its reason and the facts that it rests on.

Deterministic healers, models and people all propose in this form, and everything that is proposed goes the same way:
`healer.editing.edits` applies it, `healer.guarding.forbidden` refuses what would weaken the test, whoever wants it.
"""

from __future__ import annotations

import msgspec


class Update(msgspec.Struct, frozen=True):
    """One text that occurs exactly once in the file, and what takes its place."""

    old_str: str
    new_str: str


class Payload(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One proposed edit: exactly one of `update`, `patch`, `new_content` and `retire` is given.

    `file_to_patch` is relative to the project's root with `/`. `patch` is a unified diff whose hunks are found by
    their content. `new_content` is that of the whole file, or of one test function where `function` names it
    (`test_it`, `TestClass.test_it`). `retire` are the names of tests, or of whole classes of them, whose deletion is
    proposed; it always waits for a person. `cites` are ids of facts.
    """

    reasoning: str
    file_to_patch: str
    cites: tuple[str, ...] = ()
    update: Update | None = None
    patch: str | None = None
    new_content: str | None = None
    function: str | None = None
    retire: tuple[str, ...] = ()

    @property
    def method(self) -> str:
        """Which of the methods it is: `update`, `patch`, `rewrite` or `retire`; empty where it is not exactly one."""
        given = {
            "update": self.update is not None,
            "patch": self.patch is not None,
            "rewrite": self.new_content is not None,
            "retire": bool(self.retire),
        }
        methods = [name for name, is_given in given.items() if is_given]
        return methods[0] if len(methods) == 1 else ""
