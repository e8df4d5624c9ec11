"""Connexion: contracts that name their handlers, what these take, and how they answer."""
