"""Settings for the whole suite: random tests draw the same programs on every run, and no run is judged by its speed."""

import sys
from typing import Any

from hypothesis import HealthCheck, settings

settings.register_profile("suite", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("suite")

# Where libcst is installed, hypothesis imports it to write a patch for a failure; its own warnings would then be errors
# and hide the failure.
hidden: dict[str, Any] = {"libcst": None}
sys.modules.update(hidden)
