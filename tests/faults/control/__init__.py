"""Processes that the rig starts, kills, freezes and restarts; nothing of it outlives the rig.

:mod:`~tests.faults.control.rig` is what a scenario uses: a folder on a real disk, a store, and
several servers over it. Below it: ``spawner`` forks every process from one that has imported the
service already (a server is up in a few hundredths of a second), ``children`` is the rig's end of
it, ``store`` and ``server_process`` say what is started, ``topology`` has Sentinels and a Cluster.
Everything listens on 127.0.0.1 only.
"""
