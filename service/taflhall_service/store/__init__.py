"""Stores: one protocol (:mod:`taflhall_service.app.ports.match_store`), kept in memory or by Redis.

Begin with :mod:`~taflhall_service.store.address` (which store an address means), then
:mod:`~taflhall_service.store.redis.store` and its ``commit.lua``.
"""
