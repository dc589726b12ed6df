"""Secrets out (G7): two worlds that look alike to a viewer must be alike in everything it gets.

``worlds`` prepares a match and a second one that differs only in what the viewer may not know,
and puts both into stores; ``looking`` is everything a viewer can do, with every byte that comes
back; ``pairs`` compares, and makes sure that the worlds do differ; ``canaries`` looks for the
secrets themselves in all that leaves a server.

Both worlds have the same ids, keys and random numbers, so everything is compared except:

* where a seat answers in secret, and differently, the opaque ids that hang on the history
  (:data:`~tests.faults.leaks.looking.OPAQUE`);
* where future random numbers differ too, the digest of its secret
  (:data:`~tests.faults.leaks.looking.LUCK`).

Both begin in the middle of a game, at what their tables are then; so views of the past, which
are computed from the beginning, are as different as they can be, and are compared as well.
"""
