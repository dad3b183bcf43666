"""Commands for developers; they run from a checkout, with or without the package installed."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "src"))
