"""``deploy/``, tried: its services (``make deploy-try``) and its image (``make image-try``)."""
