"""A match on the screen of a terminal.

:mod:`session` brings what happens, hosted or in process; :mod:`screen` is what the player sees,
without a toolkit; :mod:`controller` carries out what is typed and clicked; :mod:`app` draws it.
"""
