"""Yggdrasil (Lefebvre, Rabellino, 2011): gods hold back six enemies until the deck is empty.

Read :mod:`ids` (ids, labels), :mod:`components` (what is printed), :mod:`table` (what lies on
the table), then :mod:`rules.turn` and follow a turn: card, power, actions, check. ``effects``
holds the verbs, ``view`` what may be known. The numbers YG-x.y are those of the specification;
``data/rulebook.toml`` lists them all.
"""
