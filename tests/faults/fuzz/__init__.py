"""Rubbish in (G14): whatever comes, no INTERNAL, no UNKNOWN, no crash, and malformed is told so.

``messages`` makes messages: true ones, spoilt ones, bytes that are none; ``volume`` sends them
to the handlers directly, ``wire`` over a real socket, with rubbish as metadata too.
"""
