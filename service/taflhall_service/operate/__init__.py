"""What an operator does beside running servers: back up, restore, verify, and try it all out.

``taflhall-server backup | restore | verify-store | drill``; begin with
:mod:`~taflhall_service.operate.command`.
"""
