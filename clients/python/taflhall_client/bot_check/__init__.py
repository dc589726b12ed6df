"""Plays a bot against scripted situations and says in plain words what it did wrong.

Start with :mod:`~taflhall_client.bot_check.check` (all of it together), then

* :mod:`~taflhall_client.bot_check.positions`: the positions of a game that a bot is asked in;
* :mod:`~taflhall_client.bot_check.bench`: asks a bot under a time limit, and says what was wrong;
* :mod:`~taflhall_client.bot_check.situations`: for classes and programs alike;
* :mod:`~taflhall_client.bot_check.class_situations` and ``line_situations``: for one of them;
* :mod:`~taflhall_client.bot_check.hosted` and ``proxy``: for programs that speak gRPC.
"""
