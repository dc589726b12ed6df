"""Records of finished matches, in a folder or a bucket."""
