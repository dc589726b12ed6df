"""Stores: one protocol (:mod:`taflhall_service.app.storage`), kept in memory or by Redis.

Begin with :mod:`~taflhall_service.store.address` (which store an address means), then
:mod:`~taflhall_service.store.redis` and ``commit.lua`` beside it.
"""
