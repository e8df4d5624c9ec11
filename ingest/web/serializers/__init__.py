"""Serializers of Django's REST framework: their fields, those of models' columns, and what decorators declare."""
