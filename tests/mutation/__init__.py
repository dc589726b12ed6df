"""Mutation runs: is every token of the rules checked by some case or law?

``python -m tests.mutation GAME`` changes one token of the game's rules at a time (:mod:`mutants`)
and runs the tests that execute it until one fails (:mod:`runner`). What survives is either a gap
in the tests or changes nothing that can be seen; the latter stand in ``survivors/GAME.toml``,
each with the reason (:mod:`survivors`).
"""
