from typing import Literal, Optional, TypedDict

from django.contrib.auth import get_user_model
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from news.models import Article, Comment, Topic


class Counts(TypedDict):
    likes: int
    shares: Optional[int]


class AuthorSerializer(serializers.ModelSerializer):
    class Meta:
        model = get_user_model()
        fields = ["id", "username", "email", "is_staff", "last_login"]
        read_only_fields = ["is_staff"]


class TopicSerializer(serializers.ModelSerializer):
    link = serializers.HyperlinkedIdentityField(view_name="v1:topic-detail")

    class Meta:
        model = Topic
        fields = ["id", "title", "weight", "link", "created"]
        extra_kwargs = {"weight": {"min_value": 0, "max_value": 9}}


class ReplySerializer(serializers.ModelSerializer):
    replies = serializers.SerializerMethodField()

    class Meta:
        model = Comment
        fields = ["id", "text", "replies"]

    @extend_schema_field(serializers.ListSerializer(child=serializers.CharField()))
    def get_replies(self, obj):
        return []


class CommentSerializer(serializers.ModelSerializer):
    replies = ReplySerializer(many=True, read_only=True)
    article_title = serializers.CharField(source="article.title", read_only=True)
    author_id = serializers.HiddenField(default=serializers.CurrentUserDefault())

    class Meta:
        model = Comment
        fields = [
            "id",
            "article",
            "reply_to",
            "text",
            "mail",
            "flagged",
            "replies",
            "article_title",
            "author_id",
        ]
        read_only_fields = ["flagged"]


class ArticleList(serializers.ModelSerializer):
    author = serializers.StringRelatedField()
    topics = serializers.SlugRelatedField(many=True, slug_field="title", queryset=Topic.objects.all())
    counts = serializers.SerializerMethodField()
    mode = serializers.SerializerMethodField()

    class Meta:
        model = Article
        fields = [
            "id",
            "title",
            "state",
            "author",
            "topics",
            "rating",
            "teaser",
            "minutes",
            "counts",
            "mode",
            "words",
            "published",
        ]

    def get_counts(self, obj) -> Counts:
        return {"likes": 1, "shares": None}

    def get_mode(self, obj) -> Literal["a", "b"]:
        return "a"


class ArticleDetail(ArticleList):
    author = AuthorSerializer(read_only=True)
    comments = CommentSerializer(many=True, required=False)

    class Meta(ArticleList.Meta):
        fields = ArticleList.Meta.fields + ["body", "comments"]


class ArticleWrite(serializers.ModelSerializer):
    topics = serializers.PrimaryKeyRelatedField(many=True, queryset=Topic.objects.all(), allow_empty=False)
    state = serializers.ChoiceField(choices=["draft", "live"], required=False)

    class Meta:
        model = Article
        fields = ["title", "state", "topics", "body", "cover", "rating"]


class PublishSerializer(serializers.Serializer):
    at = serializers.DateTimeField(required=False, allow_null=True)
    notify = serializers.BooleanField(default=True)
    channels = serializers.ListField(
        child=serializers.ChoiceField(choices=["mail", "push"]), allow_empty=False, min_length=1
    )

    def create(self, validated_data):
        return validated_data


class LoginSerializer(serializers.Serializer):
    username = serializers.CharField(max_length=150)
    password = serializers.CharField(write_only=True, trim_whitespace=False, style={"input_type": "password"})
    token = serializers.CharField(read_only=True)
