from decimal import Decimal

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _


class Timed(models.Model):
    created = models.DateTimeField(auto_now_add=True)
    updated = models.DateTimeField(auto_now=True)

    class Meta:
        abstract = True


class Category(Timed):
    name = models.CharField(_("name"), max_length=50)
    slug = models.SlugField(unique=True)
    parent = models.ForeignKey(
        "Category", null=True, blank=True, on_delete=models.CASCADE, related_name="children"
    )


class Product(Timed):
    sku = models.CharField(max_length=12, primary_key=True)
    title = models.CharField(max_length=200)
    price = models.DecimalField(max_digits=8, decimal_places=2, default=Decimal("1.00"))
    stock = models.PositiveIntegerField(validators=[MinValueValidator(0), MaxValueValidator(1000)])
    rating = models.FloatField(null=True, blank=True)
    category = models.ForeignKey(Category, on_delete=models.PROTECT)
    url = models.URLField(blank=True)
    picture = models.FileField(null=True)
    weight = models.SmallIntegerField(null=True)
    opened = models.TimeField(null=True)
    address = models.GenericIPAddressField(null=True)
    blob = models.BinaryField(null=True)


class Order(Timed):
    STATES = (("new", "New"), ("paid", "Paid"), ("sent", "Sent"))
    state = models.CharField(max_length=4, choices=STATES, default="new")
    products = models.ManyToManyField(Product, through="Line")
    note = models.TextField(null=True)


class Line(models.Model):
    order = models.ForeignKey(Order, on_delete=models.CASCADE)
    product = models.ForeignKey(Product, on_delete=models.CASCADE)
    quantity = models.PositiveSmallIntegerField(default=1)
