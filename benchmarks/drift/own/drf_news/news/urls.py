from django.urls import path
from rest_framework import routers

from news import views

router = routers.SimpleRouter()
router.register("topics", views.TopicViewSet)
router.register("articles", views.ArticleViewSet)
router.register(r"articles/(?P<article_pk>\d+)/comments/all", views.CommentViewSet, basename="comment")

urlpatterns = [
    path("users/", views.Users.as_view(), name="users"),
    path("me/", views.Me.as_view()),
    path("login/", views.Login.as_view()),
    path("health", views.Health.as_view()),
    path("search/", views.Search.as_view()),
    path("best/", views.best),
    path("ping/", views.ping),
    *router.urls,
]
