"""Observability for operators: :mod:`~.logging`, :mod:`~.metrics` and :mod:`~.tracing`."""
