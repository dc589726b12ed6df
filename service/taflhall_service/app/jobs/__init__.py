"""What the server does without a request. Start with deadlines.py."""
