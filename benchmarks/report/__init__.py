"""How large and how fast reports are: a made report of thousands of findings, and what shows it."""
