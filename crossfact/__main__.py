"""`python -m crossfact` is the command line too."""

from crossfact import main

main()
