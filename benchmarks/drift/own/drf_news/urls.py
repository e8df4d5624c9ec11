from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView

urlpatterns = [
    path("v1/", include(("news.urls", "news"), namespace="v1")),
    path("schema/", SpectacularAPIView.as_view(), name="schema"),
]
