"""What an operator sees: :mod:`~.logging` and :mod:`~.metrics`."""
