"""A shop: tokens of OAuth's kind, requests and answers in components of their own."""

import os

SECRET_KEY = os.environ.get("SECRET_KEY", "not secret")
INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "rest_framework",
    "drf_spectacular",
    "catalogue",
    "orders.apps.OrdersConfig",
]
ROOT_URLCONF = "urls"
USE_TZ = True
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}
DEFAULT_AUTO_FIELD = "django.db.models.AutoField"
_PERMISSION = "rest_framework.permissions.IsAuthenticated"
REST_FRAMEWORK = {
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_AUTHENTICATION_CLASSES": (
        "rest_framework.authentication.SessionAuthentication",
        "rest_framework.authentication.BasicAuthentication",
    ),
    "DEFAULT_PERMISSION_CLASSES": (_PERMISSION,),
    "COERCE_DECIMAL_TO_STRING": False,
}
SPECTACULAR_SETTINGS = {"TITLE": "Shop", "VERSION": "2", "COMPONENT_SPLIT_REQUEST": True}
