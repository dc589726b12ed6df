"""IG-21 The parts of the conformance runner: positions, choices, findings. Not compiled."""
