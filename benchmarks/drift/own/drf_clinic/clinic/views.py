from django.db.models import Count
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    OpenApiResponse,
    PolymorphicProxySerializer,
    extend_schema,
    extend_schema_view,
    inline_serializer,
)
from rest_framework import (
    filters,
    generics,
    mixins,
    pagination,
    parsers,
    permissions,
    renderers,
    serializers,
    status,
    viewsets,
)
from rest_framework.authentication import SessionAuthentication
from rest_framework.decorators import action, api_view, permission_classes
from rest_framework.response import Response
from rest_framework.views import APIView

from clinic import serializers as s
from clinic.filters import AnimalFilter, VisitFilter
from clinic.models import Animal, Owner, Species, Visit


class Cursor(pagination.CursorPagination):
    page_size = 5
    ordering = "at"


class Limited(pagination.LimitOffsetPagination):
    default_limit = 10


class SpeciesViewSet(viewsets.ModelViewSet):
    queryset = Species.objects.annotate(animals_count=Count("animals"))
    serializer_class = s.SpeciesSerializer
    lookup_field = "slug"
    pagination_class = None
    filter_backends = [filters.SearchFilter, filters.OrderingFilter]
    search_fields = ["name"]

    @extend_schema(responses={200: s.Tree(many=True)})
    @action(detail=False, url_path="as-tree", pagination_class=None, filter_backends=[])
    def tree(self, request):
        return Response([])


@extend_schema_view(
    list=extend_schema(
        summary="All owners", parameters=[OpenApiParameter("active", bool, description="only active")]
    ),
    destroy=extend_schema(exclude=True),
    update=extend_schema(deprecated=True),
)
class OwnerViewSet(viewsets.ModelViewSet):
    queryset = Owner.objects.all()
    serializer_class = s.OwnerSerializer
    pagination_class = Limited
    http_method_names = ["get", "post", "put", "delete"]

    @extend_schema(request=None, responses={204: None, 409: s.Problem})
    @action(detail=True, methods=["post"], permission_classes=[permissions.IsAdminUser])
    def archive(self, request, pk=None):
        return Response(status=status.HTTP_204_NO_CONTENT)

    @action(detail=True, methods=["get", "post"], serializer_class=s.AnimalSerializer)
    def animals(self, request, pk=None):
        owner = self.get_object()
        if request.method == "POST":
            serializer = self.get_serializer(data=request.data)
            serializer.is_valid(raise_exception=True)
            serializer.save(owner=owner)
            return Response(serializer.data, status=status.HTTP_201_CREATED)
        return Response(self.get_serializer(owner.animals.all(), many=True).data)


class AnimalViewSet(
    mixins.CreateModelMixin,
    mixins.RetrieveModelMixin,
    mixins.ListModelMixin,
    mixins.UpdateModelMixin,
    viewsets.GenericViewSet,
):
    queryset = Animal.objects.all()
    filterset_class = AnimalFilter
    lookup_value_regex = "[0-9]+"

    def get_serializer_class(self):
        if self.action == "retrieve":
            return s.AnimalDetail
        return s.AnimalSerializer

    @extend_schema(
        request={"multipart/form-data": s.Upload},
        responses={201: OpenApiTypes.OBJECT, (415, "application/json"): s.Problem},
    )
    @action(detail=True, methods=["put"], parser_classes=[parsers.MultiPartParser])
    def photo(self, request, pk):
        return Response({}, status=201)

    @extend_schema(operation_id="stats", responses=OpenApiResponse(s.Stats, description="numbers"))
    @action(detail=False)
    def stats(self, request):
        return Response(s.Stats({}).data)

    @extend_schema(
        responses=inline_serializer(
            "Weighed", {"mean": serializers.FloatField(), "unit": serializers.CharField(default="kg")}
        )
    )
    @action(detail=False, url_path=r"weights/(?P<unit>kg|lb)")
    def weights(self, request, unit):
        return Response({})


class VisitList(generics.ListCreateAPIView):
    queryset = Visit.objects.all()
    serializer_class = s.VisitSerializer
    pagination_class = Cursor
    filterset_class = VisitFilter


class VisitDetail(generics.RetrieveUpdateDestroyAPIView):
    queryset = Visit.objects.all()
    serializer_class = s.DeepVisit
    permission_classes = [permissions.AllowAny]
    lookup_url_kwarg = "visit_id"


class Anything(APIView):
    authentication_classes = [SessionAuthentication]
    permission_classes = [permissions.IsAuthenticated]

    @extend_schema(
        parameters=[
            OpenApiParameter("q", OpenApiTypes.STR, required=True, enum=["a", "b"]),
            OpenApiParameter("X-Tenant", OpenApiTypes.UUID, OpenApiParameter.HEADER),
            s.Problem,
        ],
        responses={
            200: PolymorphicProxySerializer("Either", [s.Stats, s.Problem], resource_type_field_name=None)
        },
    )
    def get(self, request):
        return Response({})

    @extend_schema(
        request=s.Tree,
        responses={201: s.Tree, 400: OpenApiResponse(description="bad")},
        examples=[OpenApiExample("one", {})],
        tags=["x"],
    )
    def post(self, request):
        return Response({}, status=201)


class Handmade(APIView):
    def get(self, request, pk):
        return Response({"pk": pk})

    def put(self, request, pk):
        serializer = s.SpeciesSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        return Response(serializer.data)

    def delete(self, request, pk):
        return Response(status=204)


@extend_schema(request=s.Problem, responses={202: s.Problem}, methods=["POST"])
@extend_schema(
    responses={200: OpenApiTypes.DATETIME},
    methods=["GET"],
    parameters=[OpenApiParameter("tz", str, default="utc")],
)
@api_view(["GET", "POST"])
@permission_classes([permissions.AllowAny])
def clock(request):
    return Response({}, status=202)


class Export(generics.ListAPIView):
    queryset = Animal.objects.order_by("id")
    serializer_class = s.AnimalSerializer
    renderer_classes = [renderers.JSONRenderer, renderers.BrowsableAPIRenderer]
    pagination_class = None
    filter_backends = []


class Mine(generics.RetrieveAPIView):
    serializer_class = s.OwnerSerializer

    def get_object(self):
        return self.request.user.owner
