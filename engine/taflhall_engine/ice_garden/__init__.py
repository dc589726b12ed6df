"""The Lord of the Ice Garden (Wolicki): four scientists gone mad struggle for Midgaard.

Read :mod:`ids` (ids, labels), :mod:`components` (what is printed), :mod:`table` (what lies on
the table) and :mod:`influence` (presence, influence, dominance, reputation); then
:mod:`rules.rounds` and follow a round: catch-up, initiative, planning, the fields, the
activation, Vuko, domination, end. ``effects`` holds the verbs, ``rules.solo`` the automatic
opponent, ``view`` what may be known. The numbers IG-x.y are those of the specification;
``data/rulebook.toml`` lists them all.

Every list "by faction" has four entries, however many take part; a seat's faction is
``options.factions[seat]``.
"""
