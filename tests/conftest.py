"""Settings for the whole suite: random tests draw the same programs on every run, and no run is judged by its speed."""

from hypothesis import HealthCheck, settings

settings.register_profile("suite", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("suite")
