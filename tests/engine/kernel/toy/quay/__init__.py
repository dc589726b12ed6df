"""Quay, a toy: goods are auctioned at a quay, in secret bids. It shows what a game consists of.

Start at ``rules`` (what happens), then ``table`` (what there is), ``effects`` (the verbs) and
``view`` (who knows what). ``docs/adding-a-game.md`` walks through it.
"""
