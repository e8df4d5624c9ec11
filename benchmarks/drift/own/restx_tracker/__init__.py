"""A tracker of issues with Flask-RESTX: namespaces in modules of their own, models, parsers, a blueprint."""
