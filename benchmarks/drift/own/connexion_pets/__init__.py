"""A shelter for pets, on Connexion."""
