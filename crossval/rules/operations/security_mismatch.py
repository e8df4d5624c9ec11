"""The rule about authentication."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.blame import judged
from crossval.findings import Finding, Severity
from crossval.pairs import Pair, Stricter
from crossval.rules.rule import rule
from crossval.wording import listing
from graph.facts import Json, Kind


@rule(Severity.ERROR, looks_at=Kind.OPERATION, changes=("security.scopes", "security"))
def security_mismatch(pair: Pair) -> Iterator[Finding]:
    """Contract and code disagree on whether or how a caller must authenticate.

    Schemes are compared by what travels (a bearer token, basic credentials, an API key in a certain place), not by
    name. The rule speaks up only where the code provably has no authentication. Scopes of tokens are compared too.

    ## Why it matters
    An operation that should be protected is open to everybody, or clients are refused for reasons nobody told them.

    ## How to fix
    Add the dependency that authenticates, or state in the contract what the code asks for.
    """
    for difference in pair.changed("security.scopes"):
        told = (
            f"{pair.subject} requires {_scopes(difference.spec)} in the contract, "
            f"but {_scopes(difference.code)} in the code"
        )
        yield pair.differs(difference, told, hint="Require the same scopes on both sides.")
    for difference in pair.changed("security"):
        if difference.stricter is Stricter.SPEC:
            told = f"{pair.subject} requires {_ways(difference.spec)} in the contract, but the code lets everybody in"
        elif difference.stricter is Stricter.CODE:
            told = f"{pair.subject} is public in the contract, but the code requires {_ways(difference.code)}"
        elif not difference.spec:
            told = (
                f"{pair.subject} takes no credentials in the contract, but {_ways(difference.code)} in the code, "
                "though it lets everybody in"
            )
            finding = pair.differs(difference, told, hint="Offer the same credentials on both sides.")
            yield judged(finding, Severity.WARNING)
            continue
        else:
            told = (
                f"{pair.subject} requires {_ways(difference.spec)} in the contract, "
                f"but {_ways(difference.code)} in the code"
            )
        yield pair.differs(difference, told, hint="Require the same authentication on both sides.")


def _scopes(alternatives: Json) -> str:
    named = [f"the scope{'s' if len(each) > 1 else ''} {listing(each)}" for each in alternatives if each]
    return " or ".join(named) or "no scope"


def _ways(alternatives: Json) -> str:
    return " or ".join(listing(alternative) for alternative in alternatives)
