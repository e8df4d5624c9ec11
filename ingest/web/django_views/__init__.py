"""Plain Django views: what they read from their request, and the JSON that they make of rows."""
