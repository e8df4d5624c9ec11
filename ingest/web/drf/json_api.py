"""What JSON:API, as djangorestframework-jsonapi speaks it, makes of the query: its own names of pages and filters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, Target

ROOT: Final = "rest_framework_json_api"
_ROOTS: Final = frozenset({ROOT, "drf_spectacular_jsonapi"})
"""The package itself, and the one whose classes do the same and describe themselves."""
ASKED: Final = ("query.include", "query.fields[*]")
"""What each answer in this form may be asked for: resources that belong to it, and the fields of each kind."""
_BY_NUMBER: Final = (("page_query_param", "page[number]"), ("page_size_query_param", "page[size]"))
_BY_OFFSET: Final = (("limit_query_param", "page[limit]"), ("offset_query_param", "page[offset]"))
CHECKING: Final = External(f"{ROOT}.filters.QueryParameterValidationFilter")
"""The filter that refuses all but the names of JSON:API, and takes none itself."""
ORDERING: Final = External(f"{ROOT}.filters.OrderingFilter")
FILTERING: Final = External(f"{ROOT}.django_filters.DjangoFilterBackend")


def is_asked_by_form(renderers: Sequence[Target | None]) -> bool:
    """Whether one of a view's renderers writes documents of JSON:API."""
    return any(isinstance(each, External) and each.root in _ROOTS for each in renderers)


def pages(program: Program, target: Target | None) -> tuple[tuple[str, str], ...]:
    """The attributes that name the parameters of a pagination of JSON:API, with their usual names; else none."""
    owners = program.ancestry(target) if isinstance(target, ClassTarget) else [target]
    for each in owners:
        if isinstance(each, External) and each.root in _ROOTS:
            return _BY_OFFSET if "LimitOffset" in each.name else _BY_NUMBER
    return ()


def filter_name(name: str) -> str:
    """The parameter by which a filter is asked for: `filter[name]`."""
    return f"filter[{name}]"


def also_filtering(name: str) -> list[str]:
    """The keys of other spellings of a filter's parameter: `filter[author.name]`."""
    return [f"query.filter[{name.replace('__', '.')}]"] if "__" in name else []
