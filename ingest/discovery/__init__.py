"""Discovery: which files of a project are sources, what each is taken for, and what is left out and why."""
