"""What nobody can make up for a request: credentials, accounts, and the names of things that must be there."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from crossval.compare.components import split_null
from graph.facts import Json
from planner.contracts.confidential import is_credential, is_secret
from planner.contracts.entrances import LOGIN, is_registration
from planner.contracts.operations import Member, Operation
from planner.contracts.readiness import unready_as_made
from planner.contracts.resolving import EXAMPLE
from planner.contracts.resources import comes_and_goes
from planner.contracts.schemes import other_scheme
from planner.contracts.states import condition_in_words, is_vague, makes_first

_IDENTITY = re.compile(r"(?i)(^|[-_])(id|uuid|guid|slug)$|(?-i:[a-z](Id|Uuid|UUID|ID)$)")
# What a path carries to be worked on, and not to be found by.
_CONTENT = re.compile(
    r"(?i)(^|_)(text|word|words|phrase|sentence|message|msg|query|q|term|expression|input|value|string)$"
)
# What names a thing that a server numbers; a caller's own name for a request or for itself is none.
_NAMING = re.compile(r"(?i)_(id|uuid)$|(?-i:[a-z](Id|Uuid)$)")
_PROVING = re.compile(
    r"(?i)(^|_)(token|jwt|session|session_id)$|^(access|refresh)$|(?-i:[a-z](Token|Jwt|SessionId)$)"
)
_ISSUED = re.compile(
    r"(?i)^(jwt|token|refresh|challenge|otp|totp|attestation|(webauthn_?)?credential)$"
    r"|^(otp|totp|two_?factor|2fa|mfa|recovery|backup|verification|confirmation|activation|reset|sms)_?code$"
    r"|(^|_)(access|refresh|reset|auth|id|verification|activation|confirmation|invit\w+|magic|session|bearer)_?(token|code|key)$"
)
# Where a `code` or `key` alone is one that the service gave out.
_PROOFS = re.compile(
    r"(?i)[/_-](2fa|mfa|otp|totp|two[-_]?factor|verify|verification|activate|activation|confirm|reset[-_]?password|password[-_]?reset)\b"
)
_CALLED_BACK = re.compile(r"(?i)[/_-]call[-_]?back\b")
_CALLER = re.compile(r"(?i)^(me|self|myself|account|profile|whoami|current[-_]?user|user)$")
_KIND_OF_FILE = re.compile(
    r"(?i)\b(images?|photos?|pictures?|avatars?|logos?|icons?|thumbnails?|videos?|audios?|csv|excel|xlsx|pdf|zip|archives?"
    r"|backups?|restore|imports?|spreadsheets?)\b"
)
_OF_ACCOUNT = re.compile(r"(?i)^(user_?name|login|e_?mail|(new_?|current_?|old_?)?password)$")
_REMEMBERED = re.compile(
    r"(?i)[/_-](?:resend|forgot|forget|reset|recover|unsubscribe|(?:request|send)[-_](?:verif|otp|code|password|activat|magic))"
)
_NEW_PASSWORD = re.compile(r"(?i)^new_?password$")
_ENDING = re.compile(r"(?i)^(log[-_]?out|sign[-_]?out|revoke|deactivate|(delete|close)[-_]?account)$")
_ENDED = re.compile(r"(?i)^(tokens?|sessions?|log[-_]?in|auth)$")
_RENEWING = re.compile(r"(?i)[/_-]refresh(?:[/_-]?(?:access)?[/_-]?token)?/?$")
_IF_MATCH = "if-match"
_LACKING = frozenset({"404", "410", "4XX", "default"})
_CHOICE = re.compile(r"(?i)(?:^|_)(?:sex|gender)$")
_SHAPED = frozenset(
    {"properties", "anyOf", "oneOf", "allOf", "patternProperties", EXAMPLE, "default", "enum"}
)
_TOLD_VALUES = frozenset({EXAMPLE, "default", "enum", "const"})


def is_content(name: str) -> bool:
    """Whether a value is called as what is worked on, and not as what something is found by."""
    return _CONTENT.search(name) is not None


def is_code_of_another(operation: Operation) -> str | None:
    """The code in the query that only another service gives out, which sends its callers here: OAuth."""
    codes = (each.name for each in operation.parameters if each.location == "query" and each.name == "code")
    return next(codes, None) if _CALLED_BACK.search(operation.path) else None


def is_unknown_credential(member: Member) -> bool:
    """Whether a parameter proves who somebody is, and no example tells a value of it."""
    return is_credential(member.name) and not _TOLD_VALUES & set(member.schema)


def unknown_token(operation: Operation) -> str | None:
    """The field that a body has to have, and only the service itself could have given out; no example tells it.

    A single one has to be there, too, where a contract does not say so: it may come in a cookie instead.
    """
    if operation.body is None or EXAMPLE in operation.body.schema:
        return None
    plain = split_null(operation.body.schema)[0]
    fields = plain.get("properties", {})
    of_proof = {"code", "key"} if _PROOFS.search(operation.path) else set()
    sent = [name for name, each in fields.items() if each.get("readOnly") is not True]
    needed = [each for each in plain.get("required", ()) if each in sent] or sent[: len(sent) == 1]
    issued = (name for name in needed if _ISSUED.search(name) or name in of_proof)
    return next((name for name in issued if not _TOLD_VALUES & set(fields.get(name, {}))), None)


def is_unlisted_choice(name: str, schema: dict[str, Json]) -> bool:
    """Whether a free text is one of few for whoever asks for it, though each writes them otherwise: `sex`, `gender`."""
    plain = split_null(schema)[0]
    return _CHOICE.search(name) is not None and not _TOLD_VALUES & {*schema, *plain}


def unknown_choice(operation: Operation) -> str | None:
    """The required text of a body that is one of few, of which the contract lists none."""
    if operation.body is None or EXAMPLE in operation.body.schema:
        return None
    members = (each for each in operation.members() if each.location == "body" and each.required)
    return next((each.name for each in members if is_unlisted_choice(each.name, each.schema)), None)


def unknown_file(operation: Operation) -> str | None:
    """What the file that a form has to carry must be, where its name or the path tells that not any will do."""
    if operation.body is None or EXAMPLE in operation.body.schema:
        return None
    plain = split_null(operation.body.schema)[0]
    for name in plain.get("required", ()):
        field = split_null(plain.get("properties", {}).get(name, {}))[0]
        is_file = field.get("format") == "binary" or "contentMediaType" in field
        told = _KIND_OF_FILE.search(f"{name} {operation.path}".replace("_", " "))
        if is_file and told is not None:
            return told[0].lower()
    return None


def is_about_its_caller(operation: Operation) -> bool:
    """Whether a request that is taken changes or ends what its caller is let in by: other tests use the same."""
    last = operation.path.rstrip("/").rpartition("/")[2]
    if not operation.secured or "{" in operation.path or names_account(operation):
        return False
    if _ENDING.search(last) or (
        operation.method == "DELETE" and (_ENDED.search(last) or _CALLER.search(last))
    ):
        return operation.method in ("POST", "DELETE", "GET")
    if operation.method not in ("PUT", "PATCH", "POST") or operation.body is None:
        return False
    plain = split_null(operation.body.schema)[0]
    fields, required = plain.get("properties", {}), plain.get("required", ())
    if required and all(is_secret(name) for name in required):
        return True  # It asks its caller once more for what only that one knows.
    is_own = _CALLER.search(last) is not None and operation.method != "POST"
    changes_password = "password" in last.lower() or any(_NEW_PASSWORD.search(name) for name in fields)
    return changes_password or (is_own and any(_OF_ACCOUNT.search(name) for name in fields))


def names_account(operation: Operation) -> bool:
    """Whether a request names an account that has to be there, and nothing else: one that forgot its password."""
    sent = operation.given()
    required = [each.name for each in operation.members() if each.required and len(each.path) == 2]
    is_one = bool(sent and required) and all(map(_OF_ACCOUNT.search, required))
    return is_one and _REMEMBERED.search(operation.path) is not None


def asks_for_version(operation: Operation) -> bool:
    """Whether a request has to tell which version of a thing it changes, by its ETag or as any (`If-Match: *`)."""
    takes = [
        each for each in operation.parameters if each.name.lower() == _IF_MATCH and each.location == "header"
    ]
    return any(each.required for each in takes) or any(each.status == "428" for each in operation.answers)


def is_open_to_all(operation: Operation) -> bool:
    """Whether an operation is by its name for those who are not let in yet, whatever a contract says of all."""
    return is_registration(operation) or is_login(operation) or names_account(operation)


def is_login(operation: Operation) -> bool:
    """Whether a body says who somebody is, so as to be let in, and no example tells how."""
    if not lets_in(operation) or operation.body is None or EXAMPLE in operation.body.schema:
        return False
    sent = split_null(operation.body.schema)[0].get("properties", {})
    return any(is_secret(name) and EXAMPLE not in sent[name] for name in sent)


def lets_in(operation: Operation) -> bool:
    """Whether a body says who somebody is, so as to be let in."""
    if operation.body is None or is_registration(operation):
        return False
    sent = split_null(operation.body.schema)[0].get("properties", {})
    shown = (operation.success.schema if operation.success is not None else None) or {}
    gives = any(_PROVING.search(name) for name in split_null(shown)[0].get("properties", {}))
    is_one = gives or "grant_type" in sent or LOGIN.search(operation.path) is not None
    return is_one and any(map(is_secret, sent))


def names_what_may_lack(operation: Operation) -> bool:
    """Whether a request has to name something that may not be there, though its path names nothing but that.

    What an example names is there. A path that stands for one thing (`/active`) names it.
    """
    if "{" in operation.path:
        return False
    if not any(answer.status in ("404", "410") for answer in operation.answers):
        return False
    if operation.body is not None and EXAMPLE in operation.body.schema:
        return False
    if any(not each.required and _NAMING.search(each.name) for each in operation.members()):
        return False  # What may be lacking is what such a field names, and it need not be sent.
    named = [each for each in operation.members() if each.required and len(each.path) < 3]
    if not named:
        return _is_of_one(operation)
    return any(
        split_null(each.schema)[0].get("type") in ("string", "integer")
        and not {EXAMPLE, "enum", "default"} & set(each.schema)
        for each in named
    )


def _is_of_one(operation: Operation) -> bool:
    """Whether an operation is about the one thing that its path stands for, and not about a list or its caller."""
    shown = split_null((operation.success.schema if operation.success is not None else None) or {})[0]
    last = operation.path.rstrip("/").rpartition("/")[2]
    return shown.get("type") != "array" and not _CALLER.search(last) and operation.body is None


def may_lack(operation: Operation, member: Member, operations: Iterable[Operation]) -> bool:
    """Whether what a path's parameter names need not be there: else each valid name is a good one."""
    return (
        any(answer.status in _LACKING for answer in operation.answers)
        or is_looked_up(operation, member)
        or comes_and_goes(operation.path, member.name, operations)
    )


def is_looked_up(operation: Operation, member: Member) -> bool:
    """Whether a path's parameter identifies a thing that must be there, so that no made-up value can be expected to.

    A text in no format does, unless it is called as what is worked on, and so does what a server gives out in a POST,
    which makes things without being told their number. A number may be one that is there, where a
    reading of the whole thing does not say what it shows: numbers begin at one.
    """
    plain = split_null(member.schema)[0]
    is_given_out = plain.get("type") == "integer" or plain.get("format") == "uuid"
    is_acting = operation.method == "POST" and (is_given_out or not operation.path.rstrip("/").endswith("}"))
    if operation.method == "PUT" and is_given_out and _IDENTITY.search(member.name):
        return all(answer.status != "201" for answer in operation.answers)  # What it changes was made before.
    if operation.method not in ("GET", "PATCH", "DELETE"):
        return is_acting and _IDENTITY.search(member.name) is not None
    if not _IDENTITY.search(member.name):
        is_free = plain.get("type") == "string" and not {"format", "pattern"} & set(plain)
        return is_free and not is_content(member.name)
    is_open = operation.success is not None and operation.success.is_open
    is_part = not operation.path.rstrip("/").endswith("}")
    return not (plain.get("type") == "integer" and is_open and operation.method == "GET" and not is_part)


def unsendable(operation: Operation, known: Collection[str] = ()) -> str | None:
    """What a body has to carry and nobody can make up, in words; None where there is nothing.

    `known` are the fields that what was asked before tells: somebody is there, then, whom a login lets in.
    """
    if is_login(operation) and not known:
        return f"an account that {operation.key} lets in: its contract gives no example of one"
    if _says_only_object(operation):
        return f"what the body of {operation.key} has to have: its contract says only that it is an object"
    choice = unknown_choice(operation)
    if choice is not None:
        return f"which {choice} {operation.key} takes: its contract lists none"
    kind = unknown_file(operation)
    if kind is not None:
        return f"a file that {operation.key} takes as {kind}"
    token = unknown_token(operation)
    if token is None or token in known:
        return None
    return f"a {token} that {operation.key} takes: its contract gives no example of one"


def _says_only_object(operation: Operation) -> bool:
    """Whether a body has to be sent of which nothing is said but that it is an object: an empty one says nothing."""
    if operation.body is None or not operation.body.required or operation.body.examples:
        return False
    plain = split_null(operation.body.schema)[0]
    more = plain.get("additionalProperties", True)
    return plain.get("type") == "object" and more is True and not _SHAPED & {*plain, *operation.body.schema}


def cannot_be_asked(
    operation: Operation, usual: str, operations: Collection[Operation], *, has_own_caller: bool = False
) -> str | None:
    """Why no request for an operation can be expected to be taken; `usual` is how most ask for credentials.

    With `has_own_caller` nobody else uses the credentials of a test.
    """
    refusal = unready_as_made(operation, operations)
    if refusal is not None and not is_vague(refusal) and not makes_first(operation):
        return f"a state in which {operation.key} is not refused with {refusal}"
    asked = condition_in_words(operation)
    if asked is not None:
        return f"a request to {operation.key} that keeps what its schema does not say: “{asked}”"
    if code := is_code_of_another(operation):
        return f"a {code} that {operation.key} takes: another service gives it out"
    if (
        operation.secured
        and operation.method == "POST"
        and operation.body is None
        and _RENEWING.search(operation.path)
    ):
        return f"the token by which {operation.key} gives another one: it may be asked with that alone"
    if not has_own_caller and is_about_its_caller(operation):
        return f"a caller of its own for {operation.key}: other tests use the same credentials"
    if scheme := other_scheme(operation, usual):
        return f"{scheme} credentials for {operation.key}: those of the fixture `auth` are others"
    return None
