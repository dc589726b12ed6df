"""Use cases. Start with matches/transaction.py, the way in which a match changes.

They know the engine and the protocol of the store, no messages and no Redis.
"""
