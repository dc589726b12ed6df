"""The deployment of ``deploy/``, tried as processes: ``make deploy-try``."""
