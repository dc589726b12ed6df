"""The clients of the rig: they do what is allowed and what is not, and write all of it down.

Begin with :mod:`~tests.faults.traffic.crowd`, which plays matches and watches them; ``calls``
makes one call and records it, ``players`` sends answers blindly several times and drops
replies, ``watchers`` reconnect with resume tokens and hop between servers, ``stock`` are users of
the SDK that want no trouble.
"""
