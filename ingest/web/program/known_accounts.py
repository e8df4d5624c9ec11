"""Views and serializers of packages that sign users in by the REST framework, written as far as contracts tell of them.

What a settings' table may replace is asked for by the object that hands such settings out.
"""

from __future__ import annotations

from typing import Final

_AUTHTOKEN_SERIALIZERS: Final = """
from rest_framework import serializers

class AuthTokenSerializer(serializers.Serializer):
    username = serializers.CharField(write_only=True)
    password = serializers.CharField(write_only=True)
    token = serializers.CharField(read_only=True)
"""

_AUTHTOKEN_VIEWS: Final = """
from rest_framework import parsers, renderers
from rest_framework.authtoken.serializers import AuthTokenSerializer
from rest_framework.generics import GenericAPIView
from rest_framework.response import Response

class ObtainAuthToken(GenericAPIView):
    throttle_classes = ()
    permission_classes = ()
    parser_classes = (parsers.FormParser, parsers.MultiPartParser, parsers.JSONParser)
    renderer_classes = (renderers.JSONRenderer,)
    serializer_class = AuthTokenSerializer

    def post(self, request, *args, **kwargs):
        serializer = self.get_serializer(data=request.data)
        return Response(serializer.validated_data)

obtain_auth_token = ObtainAuthToken.as_view()
"""

_JWT_SETTINGS: Final = """
from django.conf import settings
from rest_framework.settings import APISettings

DEFAULTS = {
    "ROTATE_REFRESH_TOKENS": False,
    "TOKEN_OBTAIN_SERIALIZER": "rest_framework_simplejwt.serializers.TokenObtainPairSerializer",
    "TOKEN_REFRESH_SERIALIZER": "rest_framework_simplejwt.serializers.TokenRefreshSerializer",
    "TOKEN_VERIFY_SERIALIZER": "rest_framework_simplejwt.serializers.TokenVerifySerializer",
    "TOKEN_BLACKLIST_SERIALIZER": "rest_framework_simplejwt.serializers.TokenBlacklistSerializer",
    "SLIDING_TOKEN_OBTAIN_SERIALIZER": "rest_framework_simplejwt.serializers.TokenObtainSlidingSerializer",
    "SLIDING_TOKEN_REFRESH_SERIALIZER": "rest_framework_simplejwt.serializers.TokenRefreshSlidingSerializer",
}
IMPORT_STRINGS = (
    "TOKEN_OBTAIN_SERIALIZER",
    "TOKEN_REFRESH_SERIALIZER",
    "TOKEN_VERIFY_SERIALIZER",
    "TOKEN_BLACKLIST_SERIALIZER",
    "SLIDING_TOKEN_OBTAIN_SERIALIZER",
    "SLIDING_TOKEN_REFRESH_SERIALIZER",
)
api_settings = APISettings(getattr(settings, "SIMPLE_JWT", None), DEFAULTS, IMPORT_STRINGS)
"""

_JWT_SERIALIZERS: Final = """
from rest_framework import serializers

class TokenObtainSerializer(serializers.Serializer):
    username = serializers.CharField(write_only=True)
    password = serializers.CharField(write_only=True)

class TokenObtainPairSerializer(TokenObtainSerializer):
    access = serializers.CharField(read_only=True)
    refresh = serializers.CharField(read_only=True)

class TokenObtainSlidingSerializer(TokenObtainSerializer):
    token = serializers.CharField(read_only=True)

class TokenRefreshSerializer(serializers.Serializer):
    access = serializers.CharField(read_only=True)
    refresh = serializers.CharField(write_only=True)

class TokenRefreshSlidingSerializer(serializers.Serializer):
    token = serializers.CharField()

class TokenVerifySerializer(serializers.Serializer):
    token = serializers.CharField(write_only=True)

class TokenBlacklistSerializer(serializers.Serializer):
    refresh = serializers.CharField(write_only=True)
"""

_JWT_VIEWS: Final = """
from rest_framework.generics import GenericAPIView
from rest_framework.response import Response
from rest_framework_simplejwt.settings import api_settings

class TokenViewBase(GenericAPIView):
    permission_classes = ()
    authentication_classes = ()

    def post(self, request, *args, **kwargs):
        serializer = self.get_serializer(data=request.data)
        return Response(serializer.validated_data, status=200)

class TokenObtainPairView(TokenViewBase):
    serializer_class = api_settings.TOKEN_OBTAIN_SERIALIZER

class TokenRefreshView(TokenViewBase):
    serializer_class = api_settings.TOKEN_REFRESH_SERIALIZER

class TokenObtainSlidingView(TokenViewBase):
    serializer_class = api_settings.SLIDING_TOKEN_OBTAIN_SERIALIZER

class TokenRefreshSlidingView(TokenViewBase):
    serializer_class = api_settings.SLIDING_TOKEN_REFRESH_SERIALIZER

class TokenVerifyView(TokenViewBase):
    serializer_class = api_settings.TOKEN_VERIFY_SERIALIZER

class TokenBlacklistView(TokenViewBase):
    serializer_class = api_settings.TOKEN_BLACKLIST_SERIALIZER

token_obtain_pair = TokenObtainPairView.as_view()
token_refresh = TokenRefreshView.as_view()
token_obtain_sliding = TokenObtainSlidingView.as_view()
token_refresh_sliding = TokenRefreshSlidingView.as_view()
token_verify = TokenVerifyView.as_view()
token_blacklist = TokenBlacklistView.as_view()
"""

_REST_AUTH_SETTINGS: Final = """
from django.conf import settings
from rest_framework.settings import APISettings

DEFAULTS = {
    "USE_JWT": False,
    "LOGIN_SERIALIZER": "dj_rest_auth.serializers.LoginSerializer",
    "PASSWORD_RESET_SERIALIZER": "dj_rest_auth.serializers.PasswordResetSerializer",
    "PASSWORD_RESET_CONFIRM_SERIALIZER": "dj_rest_auth.serializers.PasswordResetConfirmSerializer",
    "PASSWORD_CHANGE_SERIALIZER": "dj_rest_auth.serializers.PasswordChangeSerializer",
}
IMPORT_STRINGS = (
    "LOGIN_SERIALIZER",
    "PASSWORD_RESET_SERIALIZER",
    "PASSWORD_RESET_CONFIRM_SERIALIZER",
    "PASSWORD_CHANGE_SERIALIZER",
)
api_settings = APISettings(getattr(settings, "REST_AUTH", None), DEFAULTS, IMPORT_STRINGS)
"""

_REST_AUTH_SERIALIZERS: Final = """
from rest_framework import serializers

class LoginSerializer(serializers.Serializer):
    username = serializers.CharField(required=False, allow_blank=True)
    email = serializers.EmailField(required=False, allow_blank=True)
    password = serializers.CharField()

class PasswordResetSerializer(serializers.Serializer):
    email = serializers.EmailField()

class PasswordResetConfirmSerializer(serializers.Serializer):
    new_password1 = serializers.CharField(max_length=128)
    new_password2 = serializers.CharField(max_length=128)
    uid = serializers.CharField()
    token = serializers.CharField()
"""
"""What a change of the password takes depends on the settings, and users on the project's model."""

_REST_AUTH_VIEWS: Final = """
from dj_rest_auth.app_settings import api_settings
from rest_framework.generics import GenericAPIView, RetrieveUpdateAPIView
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.response import Response
from rest_framework.views import APIView

class LoginView(GenericAPIView):
    permission_classes = (AllowAny,)
    serializer_class = api_settings.LOGIN_SERIALIZER

    def post(self, request, *args, **kwargs):
        serializer = self.get_serializer(data=request.data)
        return Response(self.tokens(serializer))

class LogoutView(APIView):
    permission_classes = (AllowAny,)

    def post(self, request, *args, **kwargs):
        return Response(told(request.user))

class UserDetailsView(RetrieveUpdateAPIView):
    permission_classes = (IsAuthenticated,)
    serializer_class = details_of_users()

class PasswordResetView(GenericAPIView):
    permission_classes = (AllowAny,)
    serializer_class = api_settings.PASSWORD_RESET_SERIALIZER

    def post(self, request, *args, **kwargs):
        serializer = self.get_serializer(data=request.data)
        return Response(told(serializer))

class PasswordResetConfirmView(GenericAPIView):
    permission_classes = (AllowAny,)
    serializer_class = api_settings.PASSWORD_RESET_CONFIRM_SERIALIZER

    def post(self, request, *args, **kwargs):
        serializer = self.get_serializer(data=request.data)
        return Response(told(serializer))

class PasswordChangeView(GenericAPIView):
    permission_classes = (IsAuthenticated,)
    serializer_class = api_settings.PASSWORD_CHANGE_SERIALIZER

    def post(self, request, *args, **kwargs):
        serializer = self.get_serializer(data=request.data)
        return Response(told(serializer))
"""

_REST_AUTH_URLS: Final = """
from dj_rest_auth.app_settings import api_settings
from dj_rest_auth.views import (
    LoginView,
    LogoutView,
    PasswordChangeView,
    PasswordResetConfirmView,
    PasswordResetView,
    UserDetailsView,
)
from django.urls import re_path
from rest_framework_simplejwt.views import TokenRefreshView, TokenVerifyView

urlpatterns = [
    re_path(r"password/reset/?$", PasswordResetView.as_view()),
    re_path(r"password/reset/confirm/?$", PasswordResetConfirmView.as_view()),
    re_path(r"login/?$", LoginView.as_view()),
    re_path(r"logout/?$", LogoutView.as_view()),
    re_path(r"user/?$", UserDetailsView.as_view()),
    re_path(r"password/change/?$", PasswordChangeView.as_view()),
]
if api_settings.USE_JWT or jwt_of_earlier_versions():
    urlpatterns += [re_path(r"token/verify/?$", TokenVerifyView.as_view())]
"""

_DJOSER_VIEWS: Final = """
from rest_framework.generics import GenericAPIView
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.response import Response
from rest_framework.views import APIView

class TokenCreateView(GenericAPIView):
    permission_classes = (AllowAny,)
    serializer_class = chosen_by_settings()

    def post(self, request):
        serializer = self.get_serializer(data=request.data)
        return Response(self.token(serializer), status=200)

class TokenDestroyView(APIView):
    permission_classes = (IsAuthenticated,)

    def post(self, request):
        return Response(status=204)
"""

_DJOSER_TOKEN_URLS: Final = """
from django.urls import re_path
from djoser.views import TokenCreateView, TokenDestroyView

urlpatterns = [
    re_path(r"^token/login/?$", TokenCreateView.as_view()),
    re_path(r"^token/logout/?$", TokenDestroyView.as_view()),
]
"""

_DJOSER_JWT_URLS: Final = """
from django.urls import re_path
from rest_framework_simplejwt.views import TokenObtainPairView, TokenRefreshView, TokenVerifyView

urlpatterns = [
    re_path(r"^jwt/create/?", TokenObtainPairView.as_view()),
    re_path(r"^jwt/refresh/?", TokenRefreshView.as_view()),
    re_path(r"^jwt/verify/?", TokenVerifyView.as_view()),
]
"""

ACCOUNTS: Final = {
    "rest_framework.authtoken.serializers": _AUTHTOKEN_SERIALIZERS,
    "rest_framework.authtoken.views": _AUTHTOKEN_VIEWS,
    "rest_framework_simplejwt.settings": _JWT_SETTINGS,
    "rest_framework_simplejwt.serializers": _JWT_SERIALIZERS,
    "rest_framework_simplejwt.views": _JWT_VIEWS,
    "dj_rest_auth.app_settings": _REST_AUTH_SETTINGS,
    "dj_rest_auth.serializers": _REST_AUTH_SERIALIZERS,
    "dj_rest_auth.views": _REST_AUTH_VIEWS,
    "dj_rest_auth.urls": _REST_AUTH_URLS,
    "djoser.views": _DJOSER_VIEWS,
    "djoser.urls.authtoken": _DJOSER_TOKEN_URLS,
    "djoser.urls.jwt": _DJOSER_JWT_URLS,
}
"""The modules by their dotted names, each as the text of one."""
