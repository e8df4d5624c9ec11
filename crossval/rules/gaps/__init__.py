"""Rules about gaps: what one witness tells and the other does not."""
