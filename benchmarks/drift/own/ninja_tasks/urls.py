from django.urls import path
from tasks.api import api

urlpatterns = [path("api/", api.urls)]
