"""``taflhall load``: a load generator for servers of Taflhall.

Start with :mod:`plan`, what is asked for, and :mod:`run`, which starts the generator processes and
adds up what they measured. One process is :mod:`worker`. It opens tables (:mod:`tables`) at which
people play (:mod:`people`) or bots (:mod:`play_bots`), watchers follow them (:mod:`watches`), and
others look into the lobby (:mod:`lobby`).

The load is an open model. When a person's command is due depends on drawn think times alone, not
on when the server answered the command before, and its latency counts from the moment when it was
due. A server that stalls is charged with every command that was due in the meantime, so the
percentiles are free of coordinated omission.
"""
