from django.urls import include, path, re_path
from rest_framework import routers

from catalogue import views

app_name = "catalogue"
router = routers.SimpleRouter(trailing_slash=False)
router.register("categories", views.CategoryViewSet, "category")

urlpatterns = [
    path("tree", views.Tree.as_view()),
    path(
        "products/",
        include([path("", views.Products.as_view()), path("<int:number>", views.OneProduct.as_view())]),
    ),
    re_path(r"^products/(?P<number>[0-9]+)/price/$", views.Price.as_view(), name="price"),
] + router.urls
