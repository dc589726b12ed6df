"""For all tests: Hypothesis takes the same examples every time, unless one explores."""

from hypothesis import HealthCheck, settings

from tests import exploring

settings.register_profile(
    "same",
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
)
settings.register_profile(
    "explore", settings.get_profile("same"), derandomize=False, max_examples=1000
)
settings.load_profile("explore" if exploring.NUMBER else "same")
