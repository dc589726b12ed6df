"""Champions of Midgard: 2 to 4 clans, eight rounds, the most glory wins.

Start reading at ``rules/rounds.py``: what a round is made of. ``rules/placement.py`` is the
decision that is asked most, ``rules/combat.py`` the loop that every fight runs through.
``destinies.py`` tells what is secret and for how long. ``table.py`` holds what lies on the
table, ``effects.py`` the verbs that change it, ``data/components.toml`` what is printed on
the pieces. Rule numbers are those of the specification (CM-x.y).
"""
