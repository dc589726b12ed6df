"""The rules, a module for each chapter of the specification.

``setup`` YG-2, ``turn`` YG-3, YG-4 and YG-11, ``powers`` YG-5, ``actions`` and ``use`` YG-6,
``worlds``, ``midgard``, ``exchange`` (with ``amounts``) and ``vanaheim`` YG-7, ``battle`` YG-8,
``giants`` YG-9, ``dice`` YG-10.5; ``answers`` holds what all decisions share (YG-6.8).
"""
