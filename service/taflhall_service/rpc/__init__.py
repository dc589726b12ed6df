"""The contract's services over gRPC: read a message, call a use case, write a message.

Begin with :mod:`~taflhall_service.rpc.match_service`; what is common to all calls is in
``calls`` (bytes to messages, errors to statuses) and ``status`` (the one table of them).
"""
