"""Flask-RESTX: namespaces, resources, models, parsers, and what decorators declare."""
