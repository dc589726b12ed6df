"""What the use cases need from outside: stores for matches, accounts and records."""
