from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from clinic.models import Animal, Owner, Species, Visit


class SpeciesSerializer(serializers.ModelSerializer):
    parent = serializers.SlugRelatedField(
        slug_field="slug", queryset=Species.objects.all(), allow_null=True, required=False
    )
    animals_count = serializers.IntegerField(read_only=True, min_value=0)

    class Meta:
        model = Species
        fields = ["id", "name", "slug", "parent", "animals_count"]


class OwnerSerializer(serializers.HyperlinkedModelSerializer):
    full = serializers.SerializerMethodField()
    animals = serializers.PrimaryKeyRelatedField(many=True, read_only=True)

    class Meta:
        model = Owner
        fields = ["url", "id", "name", "phone", "address", "created_at", "full", "animals"]
        extra_kwargs = {"phone": {"required": True, "max_length": 15}}

    def get_full(self, obj) -> str:
        return obj.name


class ShortOwner(serializers.ModelSerializer):
    class Meta:
        model = Owner
        fields = ("id", "name")
        read_only_fields = ("name",)


class AnimalSerializer(serializers.ModelSerializer):
    species = SpeciesSerializer(read_only=True)
    species_id = serializers.PrimaryKeyRelatedField(
        source="species", queryset=Species.objects.all(), write_only=True
    )
    owner = ShortOwner(read_only=True)
    age_in_days = serializers.SerializerMethodField(method_name="days")
    tags = serializers.ListField(child=serializers.CharField(max_length=10), max_length=5, required=False)
    scores = serializers.DictField(child=serializers.FloatField(), read_only=True)
    secret = serializers.CharField(write_only=True, min_length=4, required=False)
    kind = serializers.ChoiceField(choices=["pet", "wild"], default="pet")
    colours = serializers.MultipleChoiceField(choices=[("r", "red"), ("g", "green")], required=False)

    class Meta:
        model = Animal
        exclude = ["friends", "photo"]

    @extend_schema_field(OpenApiTypes.INT)
    def days(self, obj):
        return 1


class AnimalDetail(AnimalSerializer):
    visits = serializers.StringRelatedField(many=True)
    extra = serializers.JSONField(required=False)

    class Meta(AnimalSerializer.Meta):
        pass


class VisitSerializer(serializers.ModelSerializer):
    class Meta:
        model = Visit
        fields = "__all__"


class DeepVisit(serializers.ModelSerializer):
    class Meta:
        model = Visit
        fields = ["id", "animal", "at", "length"]
        depth = 1


class Tree(serializers.Serializer):
    name = serializers.CharField(max_length=30)
    children = serializers.SerializerMethodField()
    ratio = serializers.DecimalField(
        max_digits=4, decimal_places=1, coerce_to_string=False, min_value=0, max_value=100
    )
    took = serializers.DurationField()
    when = serializers.TimeField(allow_null=True)
    ip = serializers.IPAddressField(required=False)
    code = serializers.RegexField(r"^[a-z]{3}$", max_length=3)
    mail = serializers.EmailField(default="a@b.c")
    many = serializers.ListSerializer(child=serializers.IntegerField(min_value=1))

    def get_children(self, obj) -> list["Tree"]:
        return []


class Upload(serializers.Serializer):
    file = serializers.FileField(max_length=100, allow_empty_file=True)
    caption = serializers.CharField(required=False, allow_blank=True, max_length=200)


class Stats(serializers.Serializer):
    total = serializers.IntegerField(min_value=0)
    by_species = serializers.DictField(child=serializers.IntegerField())


class Problem(serializers.Serializer):
    detail = serializers.CharField()
