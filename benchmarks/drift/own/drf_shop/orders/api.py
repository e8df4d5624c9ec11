from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, OpenApiTypes, PolymorphicProxySerializer, extend_schema
from rest_framework import mixins, serializers, status, viewsets
from rest_framework.decorators import action, api_view, authentication_classes, permission_classes
from rest_framework.permissions import AllowAny
from rest_framework.response import Response

from orders.models import Line, Order


class LineSerializer(serializers.ModelSerializer):
    class Meta:
        model = Line
        fields = ["product", "count"]


class OrderSerializer(serializers.ModelSerializer):
    lines = LineSerializer(many=True)
    total = serializers.SerializerMethodField()

    class Meta:
        model = Order
        fields = ["id", "state", "placed", "remark", "lines", "products", "buyer", "total"]

    def get_total(self, order) -> float:
        return 0.0

    def create(self, validated_data):
        lines = validated_data.pop("lines")
        order = Order.objects.create(**validated_data)
        for line in lines:
            Line.objects.create(order=order, **line)
        return order


class CardSerializer(serializers.Serializer):
    number = serializers.CharField(max_length=19)
    cvc = serializers.IntegerField(min_value=100, max_value=999)


class TransferSerializer(serializers.Serializer):
    iban = serializers.CharField(max_length=34)


class OrderViewSet(mixins.CreateModelMixin, mixins.UpdateModelMixin, viewsets.ReadOnlyModelViewSet):
    serializer_class = OrderSerializer
    queryset = Order.objects.all()
    lookup_value_regex = "[0-9]+"

    def get_queryset(self):
        return super().get_queryset().filter(buyer=self.request.user)

    def perform_create(self, serializer):
        serializer.save(buyer=self.request.user)

    @extend_schema(
        request=PolymorphicProxySerializer(
            component_name="Payment",
            serializers=[CardSerializer, TransferSerializer],
            resource_type_field_name=None,
        ),
        responses={202: None},
    )
    @action(detail=True, methods=["post"])
    def pay(self, request, pk=None):
        return Response(status=status.HTTP_202_ACCEPTED)

    @extend_schema(responses=LineSerializer(many=True))
    @action(detail=True, methods=["get"])
    def lines(self, request, pk=None):
        order = self.get_object()
        return Response(LineSerializer(order.lines, many=True).data)


class CouponSerializer(serializers.Serializer):
    code = serializers.CharField()
    percent = serializers.IntegerField(default=5, min_value=1, max_value=100)


@extend_schema(
    parameters=[
        OpenApiParameter(name="code", type=OpenApiTypes.STR, location=OpenApiParameter.QUERY, required=True)
    ],
    responses=CouponSerializer,
)
@api_view(["GET"])
@permission_classes([AllowAny])
@authentication_classes([])
def coupon(request):
    return Response(CouponSerializer({"code": "x", "percent": 5}).data)


@extend_schema(methods=["POST"], request=CouponSerializer, responses={201: CouponSerializer})
@extend_schema(methods=["DELETE"], responses={204: None})
@api_view(["POST", "DELETE"])
def coupons(request, order_id: int):
    get_object_or_404(Order, pk=order_id)
    if request.method == "DELETE":
        return Response(status=204)
    serializer = CouponSerializer(data=request.data)
    serializer.is_valid(raise_exception=True)
    return Response(serializer.data, status=201)
