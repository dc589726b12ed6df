"""IG-21 What the conformance runner needs: positions, choices, findings. Not compiled."""
