"""How many examples property tests try: few in an everyday run, AASCOMPILE_EXAMPLES times as many when that is set."""

from __future__ import annotations

import os


def examples(everyday: int) -> int:
    """The number of examples to try in this run."""
    return max(1, round(everyday * float(os.environ.get("AASCOMPILE_EXAMPLES") or 1)))
