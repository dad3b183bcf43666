"""Side-by-side measurements of what is generated with what a person would write: `python -m benchmarks`.

They run from a checkout, with or without the package installed.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))
