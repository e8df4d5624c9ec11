"""What a handler reads from its request, what it demands of it, and what becomes of a value on its way."""
