import uuid

from django.contrib.auth.models import User
from django.db import models


class Project(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    name = models.CharField(max_length=80)
    owner = models.ForeignKey(User, on_delete=models.CASCADE)


class Task(models.Model):
    PRIORITIES = [(1, "low"), (2, "high")]
    project = models.ForeignKey(Project, on_delete=models.CASCADE)
    title = models.CharField("title", max_length=200, help_text="What is to be done")
    done = models.BooleanField(default=False)
    priority = models.IntegerField(choices=PRIORITIES, default=1)
    due = models.DateTimeField(null=True, blank=True)
    estimate = models.DurationField(null=True)
    score = models.FloatField(default=0.0)
