"""An animal clinic with flask-smorest: blueprints in modules of their own, a factory, schemas of every kind."""
