from datetime import date
from http import HTTPStatus
from typing import Optional

from django.http import HttpRequest, HttpResponse
from ninja import File, Form, ModelSchema, Query, Router, Schema
from ninja.files import UploadedFile
from pydantic import Field

from blog.api.common import NOT_FOUND, Detail, Many, Order, Stamped, require
from blog.models import Post, Tag

router = Router(tags=["posts"])


class TagOut(ModelSchema):
    class Meta:
        model = Tag
        fields = ("id", "label")


class PostBase(Schema):
    title: str = Field(max_length=120)
    body: str


class PostIn(PostBase):
    tags: list[int] = Field(default=[], max_length=10)
    publish_on: date | None = None
    status: Post.Status = Post.Status.DRAFT


class PostOut(PostBase, Stamped):
    id: int
    author: str = Field(alias="author.username")
    tags: list[TagOut]
    excerpt: str
    word_count: int = 0

    @staticmethod
    def resolve_excerpt(obj: Post) -> str:
        return obj.body[:100]

    def resolve_word_count(self, obj):
        return len(obj.body.split())


class PostRow(ModelSchema):
    class Meta:
        model = Post
        fields = ["id", "title", "status", "author", "published", "featured", "views", "image"]


class PostAll(ModelSchema):
    class Meta:
        model = Post
        fields = "__all__"


class Upload(Schema):
    alt: str
    width: int = Field(100, ge=10)


@router.get("", response=Many[PostRow])
def index(
    request: HttpRequest, order: Order = Order.NEWEST, tag: Optional[str] = None, page: int = Query(1, gt=0)
):
    return {"items": [], "total": 0}


@router.post("", response={HTTPStatus.CREATED: PostOut, HTTPStatus.CONFLICT: Detail})
def create(request, data: PostIn):
    if not data.title:
        return HTTPStatus.CONFLICT, Detail(detail="empty")
    return HTTPStatus.CREATED, Post.objects.create()


@router.get("{int:pk}", response={200: PostOut, NOT_FOUND: Detail})
def show(request, pk: int):
    return require(Post.objects.filter(pk=pk).first())


@router.get("{int:pk}/all", response=PostAll, exclude_defaults=True)
def whole(request, pk: int):
    return Post.objects.get(pk=pk)


@router.get("by-date/{published}", response=list[PostRow])
def by_date(request, published: date):
    return Post.objects.filter(published=published)


@router.post("{int:pk}/image", response={200: PostOut, 415: Detail})
def image(request, pk: int, upload: Form[Upload], image: UploadedFile = File(...)):
    return 415, {"detail": "no"}


@router.post("{int:pk}/gallery")
def gallery(request, pk: int, images: File[list[UploadedFile]], thumb: UploadedFile | None = None):
    return HttpResponse(status=202)


@router.delete("{int:pk}", response={204: None, 404: Detail})
def remove(request, pk: int):
    Post.objects.filter(pk=pk).delete()
    return 204, None


@router.api_operation(["PUT", "PATCH"], "{int:pk}", response=PostOut)
def change(request, pk: int, data: PostIn):
    return Post.objects.get(pk=pk)
