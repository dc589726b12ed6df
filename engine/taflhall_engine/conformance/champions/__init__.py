"""CM-20 The case runner: positions, answers and expectations of the conformance cases."""
