"""Libraries that only an extra of the package brings along."""

from __future__ import annotations


class ExtraMissing(ImportError):
    """What was asked for needs an extra of the package that is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f'{what} needs the extra {extra}: pip install "taflhall[{extra}]"')
        self.extra = extra
