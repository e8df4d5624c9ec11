"""The routes of the tracker."""

from datetime import date
from typing import Annotated, Any, ClassVar
from uuid import UUID

from litestar import Controller, MediaType, Response, delete, get, patch, post
from litestar.datastructures import State as AppState
from litestar.di import Provide
from litestar.enums import RequestEncodingType
from litestar.exceptions import NotFoundException, PermissionDeniedException
from litestar.params import Body, FromHeader, Parameter, QueryParameter

from litestar_tracker.schemas import Comment, Issue, NewIssue, Person, State, Summary

ISSUES: dict[UUID, Issue] = {}


class Paging:
    """Which part of a list is asked for."""

    def __init__(
        self, page: int = Parameter(ge=1, default=1), size: int = Parameter(ge=1, le=50, default=20)
    ) -> None:
        self.page, self.size = page, size


def find(issue_id: UUID) -> Issue:
    """The issue of this id."""
    try:
        return ISSUES[issue_id]
    except KeyError:
        raise NotFoundException(detail="no such issue") from None


class IssueController(Controller):
    """All about issues."""

    path = "/issues"
    tags = ("issues",)
    dependencies: ClassVar = {"paging": Provide(Paging, sync_to_thread=False)}

    @get("/", summary="All issues")
    async def listed(
        self,
        paging: Paging,
        where: State | None = None,
        since: date | None = None,
        label: Annotated[list[str] | None, QueryParameter(name="tag")] = None,
    ) -> list[Issue]:
        """All issues."""
        return list(ISSUES.values())

    @post("/", operation_id="openIssue", raises=[PermissionDeniedException])
    async def opened(self, data: NewIssue, user_agent: FromHeader[str]) -> Issue:
        """Opens an issue, which nobody may."""
        raise PermissionDeniedException

    @get("/{issue_id:uuid}", dependencies={"issue": Provide(find, sync_to_thread=False)})
    async def one(self, issue: Issue) -> Issue:
        """One issue."""
        return issue

    @patch("/{issue_id:uuid}", dependencies={"issue": Provide(find, sync_to_thread=False)})
    async def changed(self, issue: Issue, data: dict[str, Any]) -> Issue:
        """An issue, changed."""
        return issue

    @delete("/{issue_id:uuid}", deprecated=True)
    async def removed(self, issue_id: UUID) -> None:
        """Takes an issue away."""
        ISSUES.pop(issue_id, None)


class CommentController(Controller):
    """What is said about an issue."""

    path = "/issues/{issue_id:uuid}/comments"

    @get()
    async def listed(
        self, issue_id: UUID, limit: int | None = Parameter(query="max", default=None, le=100)
    ) -> list[Comment]:
        """What was said."""
        return find(issue_id).comments

    @post(status_code=200)
    async def said(self, issue_id: UUID, data: Comment) -> Comment:
        """Says something."""
        return data

    @post("/form")
    async def from_form(
        self, issue_id: UUID, data: Annotated[Person, Body(media_type=RequestEncodingType.URL_ENCODED)]
    ) -> Response[Person]:
        """Says who somebody is."""
        return Response(data)


@get("/summary", cache=60)
async def summary(state: AppState) -> Summary:
    """How many issues there are."""
    return {"open": 0, "closed": 0}


@get("/motto", media_type=MediaType.TEXT, sync_to_thread=False)
def motto() -> str:
    """A good word."""
    return "one at a time"


@get("/by-day/{day:date}/{count:int}")
async def by_day(day: date, count: int, exact: bool = False, factor: float = 1.5) -> dict[str, int]:
    """How many were opened."""
    return {}
