# The drawings of the games.
