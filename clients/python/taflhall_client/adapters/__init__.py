"""The games as environments of the libraries for reinforcement learning and game research.

* :mod:`~taflhall_client.adapters.encoding`: views and options as numbers, the same for every game;
* :mod:`~taflhall_client.adapters.pettingzoo`: an AEC environment of PettingZoo (extra
  ``pettingzoo``);
* :mod:`~taflhall_client.adapters.openspiel`: games and states with the methods of OpenSpiel;
* :mod:`~taflhall_client.adapters.vectorised`: many matches side by side, in arrays.

An action is the index of an option: no decision lists more than
:data:`~taflhall_engine.kernel.agenda.MAX_OPTIONS`. They need numpy (extra ``tournament``).
"""
