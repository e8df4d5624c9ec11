"""What a red test tells: category, place, symbol, and which failures have one cause."""
