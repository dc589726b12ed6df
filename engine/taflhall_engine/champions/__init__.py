"""Champions of Midgard: 2 to 4 clans, eight rounds, the most glory wins.

Start reading at ``rules/rounds.py``: the parts of a round. ``rules/placement.py`` is the most
frequent decision, ``rules/combat.py`` the loop of every fight. ``destinies.py`` models the
secret cards. ``table.py`` is the state of the table, ``effects.py`` the verbs that change it,
``data/components.toml`` the text of the pieces. Rule numbers are those of the specification
(CM-x.y).
"""
