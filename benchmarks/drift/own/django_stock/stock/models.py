import uuid

from django.db import models


class Item(models.Model):
    key = models.UUIDField(primary_key=True, default=uuid.uuid4)
    name = models.CharField(max_length=60)
    amount = models.IntegerField(default=0)


class Movement(models.Model):
    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="movements")
    change = models.IntegerField()
