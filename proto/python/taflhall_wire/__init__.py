"""Between the engine's values and the contract's messages: translated by name.

:class:`~taflhall_wire.translate.Translator` serves one game; the service and the Python
client both use it, so there is one mapping and no hand-written one.
"""
