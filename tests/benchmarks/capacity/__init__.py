"""What it takes to serve more people: a plan from measured costs, and a simulation of faults.

Start with :mod:`~tests.benchmarks.capacity.costs`, which reads ``costs.toml``. ``plan`` computes
servers, shards, network and price from it; ``simulation`` is the queueing model of a deployment,
``scenarios`` are the faults drawn on it. ``make capacity`` writes docs/scale.md.
"""
