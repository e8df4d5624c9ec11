from django.conf import settings
from django.db import models


class Tag(models.Model):
    label = models.CharField(max_length=20)


class Post(models.Model):
    class Status(models.IntegerChoices):
        DRAFT = 0
        PUBLISHED = 1

    title = models.CharField(max_length=120)
    body = models.TextField()
    status = models.IntegerField(choices=Status.choices, default=Status.DRAFT)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    tags = models.ManyToManyField(Tag)
    published = models.DateField(null=True)
    featured = models.BooleanField(null=True)
    views = models.BigIntegerField(default=0, editable=False)
    image = models.FileField(upload_to="images", blank=True)


class Comment(models.Model):
    post = models.ForeignKey(Post, on_delete=models.CASCADE, related_name="comments")
    author = models.CharField(max_length=40)
    text = models.TextField(max_length=1000)
    mail = models.EmailField(blank=True, null=True)
