"""Django: settings, URLconfs, models and their columns, and the answers of views."""
