"""The same questions and steps as on the command line, for coding agents, over the Model Context Protocol."""
