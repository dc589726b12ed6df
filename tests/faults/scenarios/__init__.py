"""What is done to a server while a crowd plays. Each scenario returns a :class:`Verdict`.

``storm`` is the common part: a rig, a crowd, something that goes wrong, then quiet, the truth and
the checkers. ``kills``, ``rewind``, ``hints``, ``draining``, ``rolling``, ``topologies``,
``stores`` say what goes wrong.
"""
