"""The commands. While one starts, and nothing has been written, Ctrl-C ends it without a word."""

import os
import sys

if os.path.splitext(os.path.basename(sys.argv[0] if sys.argv else ""))[0] in ("aascompile", "aas", "aasview", "bspc"):
    from aascompile.system import end_when_interrupted

    end_when_interrupted()
