from django.urls import include, path
from rest_framework.routers import DefaultRouter

from orders.api import OrderViewSet, coupon, coupons

orders = DefaultRouter()
orders.include_root_view = False
orders.register("orders", OrderViewSet)

v1 = [
    path("catalogue/", include("catalogue.urls")),
    path("", include(orders.urls)),
    path("coupon/", coupon),
    path("orders/<int:order_id>/coupons/", coupons),
]

urlpatterns = [path("shop/v1/", include((v1, "v1")))]
