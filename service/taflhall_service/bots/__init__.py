"""The server's own bots (stand-ins), in processes of their own with a bounded share of CPU.

Start with :mod:`~taflhall_service.bots.pool`; :mod:`~taflhall_service.bots.worker` is what runs in
the processes, :mod:`~taflhall_service.bots.frames` what passes between them.
"""
