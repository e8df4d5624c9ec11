import uuid
from django.conf import settings
from django.core.validators import MaxValueValidator, MinLengthValidator, MinValueValidator, RegexValidator
from django.db import models


class Owner(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True)
    name = models.CharField(max_length=80)
    phone = models.CharField(max_length=20, validators=[RegexValidator(r"^\+?\d{6,15}$")], blank=True)
    address = models.GenericIPAddressField(protocol="ipv4", null=True)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)


class Species(models.Model):
    name = models.CharField(max_length=30, unique=True)
    slug = models.SlugField()
    parent = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.CASCADE, related_name="children"
    )


class Animal(models.Model):
    class Sex(models.TextChoices):
        FEMALE = "f", "Female"
        MALE = "m", "Male"

    SIZES = ((1, "small"), (2, "large"))

    name = models.CharField(max_length=40, validators=[MinLengthValidator(2)])
    species = models.ForeignKey(Species, on_delete=models.PROTECT, related_name="animals")
    owner = models.ForeignKey(Owner, on_delete=models.CASCADE, related_name="animals")
    sex = models.CharField(max_length=1, choices=Sex.choices, blank=True)
    size = models.IntegerField(choices=SIZES, default=1)
    weight = models.DecimalField(max_digits=5, decimal_places=2, validators=[MinValueValidator(0)])
    age = models.PositiveSmallIntegerField(null=True, blank=True, validators=[MaxValueValidator(200)])
    born = models.DateField(null=True)
    photo = models.FileField(upload_to="photos", null=True, blank=True)
    chip = models.UUIDField(null=True, blank=True, unique=True)
    traits = models.JSONField(default=dict)
    homepage = models.URLField(blank=True)
    friends = models.ManyToManyField("self", blank=True)
    alive = models.BooleanField(default=True)


class Visit(models.Model):
    animal = models.ForeignKey(Animal, on_delete=models.CASCADE, related_name="visits")
    at = models.DateTimeField()
    length = models.DurationField(null=True)
    price = models.FloatField(default=0)
    reason = models.TextField(blank=True)
    urgent = models.BooleanField(null=True)
