"""The durable fact store: facts and relations with their revisions, in SQL."""
