from django.contrib.auth import get_user_model
from django.db import models

from catalogue.models import Product


class Order(models.Model):
    class State(models.TextChoices):
        OPEN = "open"
        PAID = "paid"
        SENT = "sent"

    buyer = models.ForeignKey(get_user_model(), on_delete=models.CASCADE, editable=False)
    state = models.CharField(max_length=4, choices=State.choices, default=State.OPEN)
    placed = models.DateTimeField(auto_now_add=True)
    remark = models.CharField(max_length=300, blank=True, null=True)
    products = models.ManyToManyField(Product, through="Line")


class Line(models.Model):
    order = models.ForeignKey(Order, on_delete=models.CASCADE, related_name="lines")
    product = models.ForeignKey(Product, on_delete=models.PROTECT)
    count = models.PositiveIntegerField(default=1)
