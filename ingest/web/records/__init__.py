"""The records of one web operation, and the facts and relations that they become."""
