from django.db import models
from django.utils.translation import gettext_lazy as _

STATES = [("draft", _("Draft")), ("live", _("Live"))]


class Base(models.Model):
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        abstract = True


class Topic(Base):
    title = models.CharField(_("title"), max_length=60)
    weight = models.SmallIntegerField(default=0)


class Article(Base):
    title = models.CharField(max_length=120, db_index=True)
    state = models.CharField(max_length=5, choices=STATES, default="draft")
    topics = models.ManyToManyField(Topic, related_name="articles")
    author = models.ForeignKey("auth.User", on_delete=models.SET_NULL, null=True, related_name="+")
    rating = models.DecimalField(max_digits=3, decimal_places=1, null=True)
    body = models.TextField()
    cover = models.FileField(upload_to="covers")
    published = models.DateTimeField(null=True, blank=True, editable=False)
    words = models.PositiveIntegerField(default=0)

    @property
    def teaser(self) -> str:
        return self.body[:10]

    @property
    def minutes(self) -> int | None:
        return None


class Comment(Base):
    article = models.ForeignKey(Article, on_delete=models.CASCADE, related_name="comments")
    reply_to = models.ForeignKey("Comment", on_delete=models.CASCADE, null=True, related_name="replies")
    text = models.CharField(max_length=500)
    mail = models.EmailField()
    flagged = models.BooleanField(default=False)
