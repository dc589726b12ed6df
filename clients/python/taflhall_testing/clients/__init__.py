"""The kit that runs scenarios against a client in any language: ``taflhall conformance client``.

``docs/writing-a-client.md`` describes the format of the scenarios and the protocol of drivers.

* :mod:`~taflhall_testing.clients.scenarios` reads the files,
  :mod:`~taflhall_testing.clients.values` compares and fills in values;
* :mod:`~taflhall_testing.clients.fake` is the server that follows a script,
  :mod:`~taflhall_testing.clients.messages` makes its messages,
  :mod:`~taflhall_testing.clients.real` starts the real one;
* :mod:`~taflhall_testing.clients.driver` talks to the driver, :mod:`~taflhall_testing.clients.run`
  runs scenarios, :mod:`~taflhall_testing.clients.coverage` prints what they touched;
* :mod:`~taflhall_testing.clients.python_driver` is the driver of the Python SDK.
"""
