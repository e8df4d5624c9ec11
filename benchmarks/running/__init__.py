"""How long running tests through crossfact takes beside plain pytest."""
