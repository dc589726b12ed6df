# The table screen.
