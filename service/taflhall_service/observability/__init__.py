"""Observability for operators: :mod:`~.logging` and :mod:`~.metrics`."""
