"""What the server does without being asked."""
