"""A help desk on Connexion, whose functions are found by the paths of the contract."""
