"""Analysis of finished matches: what each decision was worth, by search.

:mod:`~taflhall_client.analysis.judgement` judges one answer, :mod:`~.analysis.match` all answers
of a record, :mod:`~.analysis.run` in several processes. :mod:`~.analysis.report` writes what was
found, and :mod:`~.analysis.worker` is what a server runs for its AnalyseRecord.
"""
