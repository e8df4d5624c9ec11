"""What a library holds and lends."""

import uuid

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models


class Stamped(models.Model):
    created = models.DateTimeField(auto_now_add=True)
    changed = models.DateTimeField(auto_now=True)

    class Meta:
        abstract = True


class Author(Stamped):
    name = models.CharField(max_length=120)
    born = models.DateField(null=True, blank=True)
    website = models.URLField(blank=True)
    email = models.EmailField(unique=True)

    @property
    def initials(self) -> str:
        return "".join(part[0] for part in self.name.split())


class Shelf(models.Model):
    code = models.CharField(max_length=8, primary_key=True, validators=[RegexValidator(r"^[A-Z]\d+$")])
    floor = models.SmallIntegerField(default=0)


class Book(Stamped):
    class Kind(models.TextChoices):
        NOVEL = "novel", "A novel"
        ESSAY = "essay", "An essay"
        POEM = "poem", "Poems"

    class Grade(models.IntegerChoices):
        POOR = 1
        FINE = 2
        MINT = 3

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    title = models.CharField(max_length=200, db_index=True)
    subtitle = models.CharField(max_length=200, null=True, blank=True)
    slug = models.SlugField(unique=True)
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.NOVEL)
    grade = models.IntegerField(choices=Grade.choices, null=True, blank=True)
    isbn = models.CharField(max_length=13, blank=True, help_text="Thirteen digits")
    pages = models.PositiveIntegerField()
    rating = models.FloatField(default=0, validators=[MinValueValidator(0), MaxValueValidator(5)])
    price = models.DecimalField(max_digits=7, decimal_places=2)
    authors = models.ManyToManyField(Author, related_name="books")
    shelf = models.ForeignKey(Shelf, null=True, blank=True, on_delete=models.SET_NULL)
    tags = models.JSONField(default=list)
    available = models.BooleanField(default=True)


class Loan(models.Model):
    book = models.ForeignKey(Book, on_delete=models.CASCADE, related_name="loans")
    reader = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    since = models.DateField()
    days = models.PositiveSmallIntegerField(default=14, validators=[MaxValueValidator(60)])
    fee = models.DecimalField(max_digits=5, decimal_places=2, null=True)
    note = models.TextField(blank=True)
    returned = models.DateTimeField(null=True, editable=False)

    class Meta:
        unique_together = [("book", "since")]
