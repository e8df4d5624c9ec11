"""What serves the paths."""
