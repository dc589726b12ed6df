"""The Python client of Taflhall: hosted matches, bots, records and the command line.

Start reading at :mod:`~taflhall_client.async_client`: ``Client`` opens and finds matches,
``Match`` (:mod:`~taflhall_client.match`) joins, answers, watches and plays.
:mod:`~taflhall_client.sync` is the same without asyncio.

* values: :mod:`~taflhall_client.results`, :mod:`~taflhall_client.bot` (``Decision``, ``Bot``),
  :mod:`~taflhall_client.clocks`, :mod:`~taflhall_client.spectators`,
  :mod:`~taflhall_client.errors`, and the types of each game in :mod:`~taflhall_client.games`;
* loops: :mod:`~taflhall_client.watch_loop` and :mod:`~taflhall_client.play_loop` reconnect;
* in process: :mod:`~taflhall_client.local`; many hosted matches: :mod:`~taflhall_client.runner`;
* bots: :mod:`~taflhall_client.bots`; command line: :mod:`~taflhall_client.cli`.
"""
