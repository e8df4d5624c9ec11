from typing import Annotated, Union

from ninja import Body, Header, Path, Query, Router, Schema
from ninja.pagination import LimitOffsetPagination, paginate
from pydantic import EmailStr, Field, StringConstraints, IPvAnyAddress, HttpUrl, PositiveInt, NonNegativeFloat

from blog.api.common import Detail
from blog.models import Comment

router = Router()
Short = Annotated[str, StringConstraints(min_length=1, max_length=40)]


class CommentIn(Schema):
    author: Short
    text: str = Field(min_length=1)
    mail: EmailStr | None = None
    website: HttpUrl | None = None
    address: IPvAnyAddress | None = None
    weight: NonNegativeFloat = 0.0


class CommentOut(Schema):
    id: PositiveInt
    author: str
    text: str
    parent: Union["CommentOut", None] = None
    kind: Union[int, str] = 0


class Sorting(Schema):
    by: Annotated[str, Field(alias="sort")] = "id"
    down: bool = False


@router.get("/", response=list[CommentOut])
@paginate(LimitOffsetPagination)
def comments(
    request, post: Annotated[int, Query(ge=1, description="of which post")], sorting: Query[Sorting]
):
    return Comment.objects.filter(post_id=post)


@router.post("/", response={200: CommentOut, 403: Detail, 422: Detail})
def comment(request, data: CommentIn, x_client: Annotated[str | None, Header()] = None):
    return Comment.objects.create()


@router.get("/{comment_id}", response=CommentOut)
def one(request, comment_id: Annotated[int, Path(ge=1, title="number")]):
    return Comment.objects.get(id=comment_id)


@router.put("/{comment_id}/text", response=CommentOut)
def text(request, comment_id: int, text: Annotated[str, Body(max_length=1000)]):
    return Comment.objects.get(id=comment_id)


@router.post("/{comment_id}/votes", response={201: None})
def vote(request, comment_id: int, up: bool, weight: float = 1):
    return 201, None
