"""Settings of the whole suite: fixed seeds, so that a run can be repeated; no time limit a test."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "fixed",
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
#: `--hypothesis-profile=explore` draws new examples every time.
settings.register_profile("explore", parent=settings.get_profile("fixed"), derandomize=False)
settings.load_profile("fixed")
