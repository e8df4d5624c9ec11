from django.urls import path

from notes import views

urlpatterns = [
    path("notes/", views.notes),
    path("notes/<int:number>/", views.note),
    path("notes/<int:number>/archive", views.archive),
    path("tags/<slug:tag>/", views.tagged),
    path("health", views.health),
]
