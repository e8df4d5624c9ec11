"""Values for requests and calls: valid ones as a person writes them, and ones that break one statement."""
