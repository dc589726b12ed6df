"""Use cases. They know the engine and the protocol of the store, no messages and no Redis."""
