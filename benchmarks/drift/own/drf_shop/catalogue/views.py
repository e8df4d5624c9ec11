from drf_spectacular.utils import OpenApiTypes, extend_schema, inline_serializer
from rest_framework import generics, parsers, renderers, serializers, status, viewsets
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.permissions import AllowAny
from rest_framework.response import Response
from rest_framework.views import APIView

from catalogue.models import Category, Product
from catalogue.serializers import CategorySerializer, PriceSerializer, ProductSerializer, TreeSerializer


class CategoryViewSet(viewsets.ModelViewSet):
    queryset = Category.objects.all()
    serializer_class = CategorySerializer
    http_method_names = ["get", "post", "patch"]


class Tree(generics.ListAPIView):
    serializer_class = TreeSerializer
    permission_classes = (AllowAny,)

    def get_queryset(self):
        return Category.objects.filter(parent=None)


class Products(generics.ListCreateAPIView):
    queryset = Product.objects.all()
    serializer_class = ProductSerializer
    parser_classes = [parsers.MultiPartParser, parsers.JSONParser]


class OneProduct(generics.RetrieveUpdateDestroyAPIView):
    queryset = Product.objects.all()
    serializer_class = ProductSerializer
    lookup_url_kwarg = "number"


class Price(APIView):
    """What a product costs, and what it shall cost."""

    renderer_classes = [renderers.JSONRenderer]

    @extend_schema(responses={200: PriceSerializer, 404: OpenApiTypes.OBJECT})
    def get(self, request, number):
        if number > 1000:
            raise NotFound()
        return Response(PriceSerializer({}).data)

    @extend_schema(
        request=PriceSerializer,
        responses={
            201: inline_serializer(
                "PriceChanged",
                fields={
                    "before": serializers.FloatField(),
                    "after": serializers.FloatField(),
                    "by": serializers.EmailField(),
                },
            ),
        },
    )
    def put(self, request, number):
        serializer = PriceSerializer(data=request.data)
        if not serializer.is_valid():
            raise ValidationError(serializer.errors)
        return Response({"before": 1.0, "after": 2.0, "by": "a@b.c"}, status=status.HTTP_201_CREATED)

    @extend_schema(
        responses={(200, "text/csv"): OpenApiTypes.STR}, exclude=False, operation_id="price_history"
    )
    def post(self, request, number):
        return Response("a,b", content_type="text/csv")
