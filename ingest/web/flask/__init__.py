"""Flask and its extensions for APIs: the tree of blueprints, requests, answers, and what decorators declare."""
