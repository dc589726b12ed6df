"""Fuzzing (G14): no input causes INTERNAL, UNKNOWN or a crash; malformed input is refused as such.

``messages`` makes messages: true ones, spoilt ones, bytes that are none; ``volume`` sends them
to the handlers directly, ``wire`` over a real socket, with fuzzed metadata too.
"""
