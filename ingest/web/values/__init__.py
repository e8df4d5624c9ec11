"""What expressions are worth: of which class they are, one of which values, and what a call makes of its arguments."""
