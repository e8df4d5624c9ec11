"""What is said of passwords: that a wrong one lets nobody in, and that no answer shows one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from planner.contracts.confidential import is_secret
from planner.contracts.entrances import let_in_by
from planner.contracts.operations import Operation
from planner.contracts.unknowable import lets_in
from planner.stories.behaviours import Behaviour, facts_of

_WRONG = re.compile(
    r"\b(?:wrong|incorrect|invalid|bad|false|another|different)\s+(?:password|passphrase|credentials|login)\b"
    r"|\b(?:password|passphrase|credentials)\s+(?:is|are|was|were)\s+"
    r"(?:wrong|incorrect|invalid|not (?:right|correct))\b",
    re.I,
)
_UNSHOWN = re.compile(
    r"\b(?:password|passphrase)s?\b.{0,30}\b(?:never|not|n[’']t)\b.{0,30}"
    r"\b(?:shown|returned|exposed|included|contained|visible|part|in (?:the|an|any) (?:answer|response|reply))\b"
    r"|\b(?:never|not)\s+(?:return|show|expose|include|contain|tell|reveal|give out)\s+"
    r"(?:an?\s+|any\s+|the\s+)?password"
    r"|\bbut\s+(?:never|not)\s+(?:an?\s+|any\s+|the\s+|its\s+|their\s+)?password"
    r"|\b(?:answer|response|reply|profile|account|user|it)\b.{0,20}\b(?:never|not|n[’']t)\b.{0,12}"
    r"\b(?:has|have|shows?|includes?|contains?|returns?|exposes?|tells?|reveals?)\b.{0,12}\bpassword",
    re.I,
)


def of_wrong_password(status: str, text: str, operations: Sequence[Operation]) -> Iterator[Behaviour]:
    """That a login refuses another password than that of the account, where the contract tells how one is made."""
    if not _WRONG.search(text):
        return
    logins = [each for each in operations if lets_in(each) and facts_of(each, status)]
    if len(logins) == 1 and let_in_by(logins[0], operations) is not None:
        yield Behaviour(
            "password", {"operation": logins[0].key, "status": status}, facts_of(logins[0], status)
        )


def of_unshown_password(text: str, operations: Sequence[Operation]) -> Iterator[Behaviour]:
    """That what takes a password and makes an account answers without it."""
    if not _UNSHOWN.search(text):
        return
    for operation in operations:
        sent = [each for each in operation.members() if each.location == "body" and len(each.path) == 2]
        is_making = operation.method == "POST" and not lets_in(operation)
        if is_making and operation.success is not None and any(is_secret(each.name) for each in sent):
            target = {"operation": operation.key, "status": operation.success.status}
            yield Behaviour("unshown", {**target}, facts_of(operation))
