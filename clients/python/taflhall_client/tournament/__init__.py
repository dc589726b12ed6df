"""Tournaments between bots: described in a file, played on all cores, resumed after any end.

Start with :mod:`~taflhall_client.tournament.description` (what a file says), then

* :mod:`~taflhall_client.tournament.schedule`: which matches a format asks for, given results;
* :mod:`~taflhall_client.tournament.referee`: one match, its time limits and faults;
* :mod:`~taflhall_client.tournament.workers`: processes that play matches side by side;
* :mod:`~taflhall_client.tournament.journal`: the results on disk, durable line by line;
* :mod:`~taflhall_client.tournament.line_protocol`: bots that are programs of any language;
* :mod:`~taflhall_client.tournament.run`: all of it together;
* :mod:`~taflhall_client.tournament.standings` and ``report``: what came out.

Ratings are those of :mod:`taflhall_client.rating`.
"""
