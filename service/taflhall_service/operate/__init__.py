"""An operator's tools: back up, restore, verify, and rehearse all of it.

``taflhall-server backup | restore | verify-store | drill``; begin with
:mod:`~taflhall_service.operate.command`.
"""
