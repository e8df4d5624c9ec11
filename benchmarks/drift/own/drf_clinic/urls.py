from django.urls import include, path, re_path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerView
from rest_framework.routers import DefaultRouter

from clinic import views

router = DefaultRouter()
router.register("species", views.SpeciesViewSet)
router.register("owners", views.OwnerViewSet)
router.register(r"animals", views.AnimalViewSet, basename="animal")

urlpatterns = [
    path("api/", include(router.urls)),
    path("api/visits/", views.VisitList.as_view()),
    path("api/visits/<int:visit_id>/", views.VisitDetail.as_view()),
    path("api/anything/", views.Anything.as_view()),
    re_path(r"^api/handmade/(?P<pk>\d+)$", views.Handmade.as_view()),
    path("api/clock", views.clock),
    path("api/export", views.Export.as_view()),
    path("api/mine", views.Mine.as_view()),
    path("schema/", SpectacularAPIView.as_view()),
    path("docs/", SpectacularSwaggerView.as_view()),
]
