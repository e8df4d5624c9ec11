"""How routes come about: applications and routers, what is registered on each, and what functions register."""
