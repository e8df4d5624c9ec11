"""The records of a test plan: what a test case is about, why it comes when it comes, and how it stands."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from graph.facts import Json


class Status(StrEnum):
    """How a test case stands; the checklist writes these words."""

    PENDING = "PENDING"
    GENERATED = "GENERATED"
    RED_EXPECTED = "RED_EXPECTED"
    PASSED = "PASSED"
    FAILED = "FAILED"
    RETRYING = "RETRYING"
    HEALED = "HEALED"
    CODE_WRONG = "CODE_WRONG"
    FLAKY = "FLAKY"
    INCONCLUSIVE = "INCONCLUSIVE"
    NEEDS_HUMAN = "NEEDS_HUMAN"
    REJECTED = "REJECTED"
    OBSOLETE = "OBSOLETE"


class Layer(StrEnum):
    """L0 static, L1 one function or class, L2 several parts or a contract, L3 a whole story from end to end."""

    STATIC = "L0"
    UNIT = "L1"
    INTEGRATION = "L2"
    END_TO_END = "L3"


class Technique(StrEnum):
    """The one behaviour that a case checks."""

    SUCCESS = "success"
    """A valid request is answered with the documented status and shape."""
    EXAMPLE = "example"
    """A value that a spec gives as example, default or doctest holds."""
    ERROR = "error"
    """A documented error status is given under its condition."""
    BOUND_KEPT = "bound-kept"
    """The last value inside a bound is taken."""
    BOUND_BROKEN = "bound-broken"
    """The first value outside a bound is refused."""
    REQUIRED_MISSING = "required-missing"
    WRONG_TYPE = "wrong-type"
    UNKNOWN_VALUE = "unknown-value"
    UNKNOWN_FIELD = "unknown-field"
    """A field that a closed body does not have is refused."""
    DEFAULT = "default"
    AUTH_MISSING = "auth-missing"
    READ_BACK = "read-back"
    """What was created can be read, listed and is equal."""
    GONE = "gone"
    """What was deleted is not found any more."""
    REPEATABLE = "repeatable"
    """Reading twice gives the same."""
    LIMITED = "limited"
    """A list gives no more than is asked for."""
    PAGED = "paged"
    """Another page of a list shows others."""
    NARROWED = "narrowed"
    """A list that is narrowed by a value has what has that value, and nothing else."""
    SORTED = "sorted"
    """A list is sorted by the field that is asked for."""
    WHOLE = "whole"
    """What a request may leave out is taken, and comes back."""
    EFFECT = "effect"
    """Another value of what a request carries gives another answer."""
    SAYS = "says"
    """A reading of which no shape is documented says something."""
    IMPORTABLE = "importable"
    CALLABLE = "callable"
    """A function takes the arguments that its spec says, and no others."""
    RETURNS = "returns"
    RAISES = "raises"
    PROPERTY = "property"
    """A law over generated values holds."""
    CRITERION = "criterion"
    """The Given/When/Then of a story's criterion or a scenario."""
    STATIC = "static"
    """A finding that needs no run: L0."""


class Term(msgspec.Struct, frozen=True):
    """One term of a priority: its name, its points, and why, in words."""

    name: str
    points: float
    why: str


class Proof(msgspec.Struct, frozen=True, kw_only=True):
    """What running a test on twins gave: on how many twins it was green, how many mutants of its claims it killed.

    `real` says how it stands on the project itself: `red` for the right reason, `green`, or `wrong` with the reason.
    """

    twins_green: int = 0
    twins: int = 0
    mutants_killed: int = 0
    mutants: int = 0
    real: str = ""
    reason: str = ""

    @property
    def holds(self) -> bool:
        """Whether the test was green on every twin and red on every mutant of the claims that it cites."""
        return 0 < self.twins == self.twins_green and 0 < self.mutants == self.mutants_killed


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """One test case: one behaviour of one subject, checked by one test function.

    `id` is readable and stable: a slug of subject and technique with six hex digits of what it is about. `subject` and
    `aspect` are those of the JSON contract. `target` says what exactly is checked, as the generator of its technique
    reads it (`{"operation": "POST /orders", "place": "body.title", "bound": "maxLength"}`). `cites` are the ids of the
    spec facts that the test checks. `node` is pytest's node id once there is one. `digest` is the hash of the test's
    source as it was generated: a test whose source has another was edited by a person. `ran_with` has, for each thing
    that the test depends on (cited facts by id, `request`, `code`, `test`), a digest of it when the test last ran;
    `sandbox` the level that was in force then.
    """

    id: str
    description: str
    subject: str
    aspect: str
    technique: Technique
    layer: Layer
    cites: tuple[str, ...]
    target: dict[str, Json] = {}
    status: Status = Status.PENDING
    generator: str = ""
    router: str = ""
    priority: float = 0.0
    why: tuple[Term, ...] = ()
    findings: tuple[str, ...] = ()
    module_path: str = ""
    node: str = ""
    digest: str = ""
    proof: Proof | None = None
    needs: str = ""
    last_passed_revision: int = 0
    ran_with: dict[str, str] = {}
    sandbox: str = ""
    retry_count: int = 0
    last_error: str = ""
    error_category: str = ""
    analysis: str = ""
    healing_history: tuple[dict[str, Json], ...] = ()

    @property
    def is_under_review(self) -> bool:
        """Whether its test is there and red, and a person has to say who is wrong."""
        return self.status is Status.NEEDS_HUMAN and bool(self.node and self.analysis)
