from django.db import models


class Category(models.Model):
    name = models.CharField("name", max_length=80)
    parent = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.CASCADE, related_name="children"
    )
    position = models.PositiveSmallIntegerField(default=0)


class Product(models.Model):
    STATES = [("draft", "Draft"), ("live", "Live"), ("gone", "Gone")]

    category = models.ForeignKey(Category, on_delete=models.PROTECT)
    title = models.CharField(max_length=150)
    text = models.TextField(blank=True, default="")
    state = models.CharField(max_length=5, choices=STATES, blank=True)
    price = models.DecimalField(max_digits=9, decimal_places=2)
    stock = models.IntegerField(default=0)
    weight = models.FloatField(null=True)
    image = models.ImageField(upload_to="images", blank=True)
    sheet = models.FileField(null=True)
    lead_time = models.DurationField(null=True)
    opened = models.TimeField(null=True, blank=True)
    address = models.GenericIPAddressField(protocol="IPv4", null=True)
    related = models.ManyToManyField("self", blank=True)
    launched = models.DateTimeField()

    @property
    def is_scarce(self) -> bool:
        return self.stock < 3

    def label(self) -> str:
        return self.title


class Discount(models.Model):
    product = models.OneToOneField(Product, primary_key=True, on_delete=models.CASCADE)
    percent = models.PositiveSmallIntegerField()
