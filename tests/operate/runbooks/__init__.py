"""Each runbook of docs/runbooks.md, tried: ``make runbooks``.

:mod:`~tests.operate.runbooks.page` reads the runbooks; a trial
(:mod:`~tests.operate.runbooks.trial`) is one run of one of them on a rig of real processes. Each
script makes the situation, lets the trial look for the signs that the page names, has it run the
commands of the page (with their variables in the environment, and nothing replaced), and checks
what was kept and what was lost.
"""
