from django.urls import path
from blog.api import api

urlpatterns = [path("v1/", api.urls)]
