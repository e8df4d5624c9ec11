from django.db import models


class Note(models.Model):
    title = models.CharField(max_length=80)
    text = models.TextField(blank=True)
    tag = models.SlugField(null=True)
    archived = models.BooleanField(default=False)

    def as_json(self):
        return {
            "id": self.id,
            "title": self.title,
            "text": self.text,
            "tag": self.tag,
            "archived": self.archived,
        }
