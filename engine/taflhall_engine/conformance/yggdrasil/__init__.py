"""The parts of the conformance runner of :mod:`~taflhall_engine.conformance.yggdrasil.runner`."""
