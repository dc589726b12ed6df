"""``python -m taflhall_client`` is ``taflhall``."""

from taflhall_client.cli import main

main()
