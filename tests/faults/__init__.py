"""The rig that proves the promises of hosted matches.

It kills, freezes, rewinds, drains and fuzzes real servers while clients play that do
everything wrong that a client may do, records what each of them received, and checks that
against the promises and against the store. Where to start reading:

* :mod:`~tests.faults.scenarios.storm`: what every run has in common;
* :mod:`~tests.faults.history`: the lines that a run leaves behind, and
  :mod:`~tests.faults.truth`: what is really stored;
* :mod:`~tests.faults.checkers`: the promises, one function each;
* :mod:`~tests.faults.traffic`: the clients; :mod:`~tests.faults.control`: the processes;
* :mod:`~tests.faults.scenarios`: what goes wrong;
* :mod:`~tests.faults.fuzz` (malformed input), :mod:`~tests.faults.leaks` (hidden information);
* :mod:`~tests.faults.seeded`: deliberate faults that the rig must find.

``pytest tests/faults`` is the short form; ``python -m tests.faults --minutes 30`` (``make prove``)
the long one, which writes its report to docs/measurements.md. The full numbers (1,000 kills of the
store, 500,000 cut streams, :data:`~tests.faults.plan.DEMANDED`) are demanded of 30 minutes on a
quiet machine with two processors; of less time, or while other programs run, less. A run with too
little traffic proves nothing: the long form ends as void, and fails; a test of the short form is
skipped, which pytest reports. Histories of failed runs are kept; the message says where.
"""
