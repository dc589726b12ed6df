"""``deploy/``, tried: its services (``make deploy-try``), its image (``make image-try``) and its
Kubernetes files (``make deploy-apply``).
"""
