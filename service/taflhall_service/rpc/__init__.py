"""The contract's services over gRPC: read a message, call a use case, write a message.

Begin with :mod:`~taflhall_service.rpc.match_service`; the code common to all calls is in
``call`` (bytes to messages, errors to statuses) and ``status`` (the one table of them).
"""
