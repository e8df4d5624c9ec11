from django.contrib.auth.models import User
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import generics, mixins, permissions, status, viewsets
from rest_framework.decorators import action, api_view
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.filters import OrderingFilter, SearchFilter
from rest_framework.pagination import PageNumberPagination
from rest_framework.permissions import SAFE_METHODS, BasePermission, IsAuthenticated
from rest_framework.response import Response
from rest_framework.views import APIView
from django_filters.rest_framework import DjangoFilterBackend

from news import serializers
from news.models import Article, Comment, Topic


class Numbered(PageNumberPagination):
    page_size = 10
    page_size_query_param = "size"
    page_query_param = "p"
    max_page_size = 50


class IsAuthor(BasePermission):
    def has_object_permission(self, request, view, obj):
        return request.method in SAFE_METHODS or obj.author == request.user


class Audited:
    def perform_create(self, serializer):
        serializer.save()


class TopicViewSet(viewsets.ReadOnlyModelViewSet):
    queryset = Topic.objects.all()
    serializer_class = serializers.TopicSerializer
    filter_backends = [DjangoFilterBackend, OrderingFilter]
    filterset_fields = ["title", "weight", "created"]


class ArticleViewSet(Audited, viewsets.ModelViewSet):
    queryset = Article.objects.select_related("author")
    permission_classes = [IsAuthenticated, IsAuthor]
    pagination_class = Numbered
    filter_backends = [SearchFilter, DjangoFilterBackend]
    search_fields = ["title", "body"]
    filterset_fields = {"state": ["exact", "in"], "words": ["gte", "lte"], "published": ["date", "isnull"]}
    serializer_classes = {"list": serializers.ArticleList, "retrieve": serializers.ArticleDetail}

    def get_serializer_class(self):
        return self.serializer_classes.get(self.action, serializers.ArticleWrite)

    @extend_schema(
        request=serializers.PublishSerializer, responses={200: serializers.ArticleDetail, 409: None}
    )
    @action(detail=True, methods=["post"], url_path="publish", url_name="publish")
    def publish(self, request, pk=None):
        serializer = serializers.PublishSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        article = self.get_object()
        if article.state == "live":
            return Response(status=status.HTTP_409_CONFLICT)
        return Response(serializers.ArticleDetail(article).data)

    @action(detail=True, methods=["get"])
    def comments(self, request, pk=None):
        page = self.paginate_queryset(self.get_object().comments.all())
        serializer = serializers.CommentSerializer(page, many=True)
        return self.get_paginated_response(serializer.data)


class CommentViewSet(mixins.CreateModelMixin, mixins.DestroyModelMixin, viewsets.GenericViewSet):
    serializer_class = serializers.CommentSerializer
    permission_classes = [permissions.AllowAny]

    def get_queryset(self):
        return Comment.objects.filter(article=self.kwargs["article_pk"])

    def create(self, request, article_pk=None):
        if not Article.objects.filter(pk=article_pk).exists():
            raise NotFound()
        return super().create(request)


@extend_schema_view(
    get=extend_schema(
        parameters=[
            OpenApiParameter("since", str, required=False),
            OpenApiParameter("tag", {"type": "array", "items": {"type": "string"}}),
        ]
    ),
    post=extend_schema(exclude=True),
)
class Users(generics.ListCreateAPIView):
    queryset = User.objects.all()
    serializer_class = serializers.AuthorSerializer
    permission_classes = [permissions.IsAdminUser]


class Me(generics.RetrieveUpdateAPIView):
    serializer_class = serializers.AuthorSerializer
    permission_classes = [IsAuthenticated]

    def get_object(self):
        return self.request.user


class Login(generics.GenericAPIView):
    serializer_class = serializers.LoginSerializer
    authentication_classes = []
    permission_classes = []

    def post(self, request, *args, **kwargs):
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        return Response(serializer.data)


class Health(APIView):
    @extend_schema(exclude=True)
    def get(self, request):
        return Response({"ok": True})


class Search(APIView):
    serializer_class = serializers.ArticleList

    def get(self, request):
        query = request.query_params.get("q", "")
        if not query:
            raise ValidationError({"q": "needed"})
        return Response(serializers.ArticleList(Article.objects.all(), many=True).data)


@extend_schema(responses={200: serializers.TopicSerializer(many=True)}, filters=False, description="the best")
@api_view(["GET"])
def best(request):
    return Response(serializers.TopicSerializer(Topic.objects.all(), many=True).data)


@api_view(["POST"])
def ping(request):
    return Response({"pong": True})
