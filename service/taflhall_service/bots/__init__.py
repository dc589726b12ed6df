"""The server's own bots (stand-ins) and its analyst, in processes with a bounded share of CPU.

Start with :mod:`~taflhall_service.bots.process_pool`. The bots are a
:class:`~taflhall_service.bots.pool.BotPool`, which runs :mod:`~taflhall_service.bots.worker`; the
analyst is an :class:`~taflhall_service.bots.analyst.AnalystPool`.
:mod:`~taflhall_service.bots.frames` says what passes between a pool and its processes.
"""
