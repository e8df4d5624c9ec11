"""A function's parameters as records, read from its fact."""

from __future__ import annotations

import msgspec

from graph.facts import Fact, Json

POSITIONAL_ONLY = "positional-only"
POSITIONAL_OR_KEYWORD = "positional-or-keyword"
KEYWORD_ONLY = "keyword-only"
VAR_POSITIONAL = "var-positional"
VAR_KEYWORD = "var-keyword"


class Parameter(msgspec.Struct, frozen=True):
    """One parameter as written; `kind` as in `inspect`, with the older `__name` convention for positional-only."""

    name: str
    kind: str
    annotation: str | None
    default: str | None
    line: int

    @property
    def is_private(self) -> bool:
        """Whether callers are not meant to pass it; a name between two pairs of underscores is for special calls."""
        return self.name.startswith("_") and not (self.name.startswith("__") and self.name.endswith("__"))

    @property
    def is_conventional(self) -> bool:
        """Whether only its name, `__name`, makes it positional-only."""
        return self.name.startswith("__") and not self.name.endswith("__")

    @property
    def plain_name(self) -> str:
        """The name without the convention's underscores."""
        return self.name.removeprefix("__") if self.is_conventional else self.name

    @property
    def label(self) -> str:
        """The name, with the stars of a starred parameter."""
        return {VAR_POSITIONAL: "*", VAR_KEYWORD: "**"}.get(self.kind, "") + self.name

    @property
    def value(self) -> Json:
        """The parameter as evidence: its source text."""
        annotation = f": {self.annotation}" if self.annotation else ""
        equals = " = " if annotation else "="
        return f"{self.label}{annotation}{f'{equals}{self.default}' if self.default is not None else ''}"


class Parameters(msgspec.Struct, frozen=True):
    """A function's parameters by kind, without `self` and `cls`."""

    positional: tuple[Parameter, ...]
    keyword_only: tuple[Parameter, ...]
    star: Parameter | None
    double_star: Parameter | None

    @property
    def named(self) -> tuple[Parameter, ...]:
        """All but the starred ones."""
        return self.positional + self.keyword_only

    @property
    def names(self) -> list[str]:
        """All names in order, the starred ones with their stars."""
        star = [self.star.label] if self.star else []
        double_star = [self.double_star.label] if self.double_star else []
        return [
            *(parameter.name for parameter in self.positional),
            *star,
            *(parameter.name for parameter in self.keyword_only),
            *double_star,
        ]


def read_parameters(function: Fact, *, bound: bool) -> Parameters:
    """The parameters of a function's fact; `bound` leaves out the first, which the call itself provides."""
    positional: list[Parameter] = []
    keyword_only: list[Parameter] = []
    stars: dict[str, Parameter] = {}
    for row in function.aspects.get("parameters", []):
        parameter = Parameter(*row)
        if parameter.kind == KEYWORD_ONLY:
            keyword_only.append(parameter)
        elif parameter.kind in (VAR_POSITIONAL, VAR_KEYWORD):
            stars.setdefault(parameter.kind, parameter)
        else:
            positional.append(parameter)
    if bound:
        del positional[:1]
    conventional = [
        index for index, row in enumerate(positional) if row.name[:2] == "__" and row.is_conventional
    ]
    for index in range(conventional[-1] + 1 if conventional else 0):
        positional[index] = msgspec.structs.replace(positional[index], kind=POSITIONAL_ONLY)
    return Parameters(
        tuple(positional), tuple(keyword_only), stars.get(VAR_POSITIONAL), stars.get(VAR_KEYWORD)
    )
