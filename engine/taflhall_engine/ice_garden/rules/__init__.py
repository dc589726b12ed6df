"""The chapters of the specification; start at :mod:`.rounds`."""
