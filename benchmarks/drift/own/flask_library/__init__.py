"""A library that lends books, on plain Flask: a factory, blueprints, views of classes, an own decorator for keys."""
