"""The commands. While one starts, and nothing has been written, Ctrl-C ends it without a word."""

import gc
import os
import sys

if os.path.splitext(os.path.basename(sys.argv[0] if sys.argv else ""))[0] in ("aascompile", "aas", "aasview", "bspc"):
    gc.disable()  # until the command runs: nothing that is imported is garbage
    # Built in: signal itself imports other modules, and meanwhile Ctrl-C would be a traceback.
    import _signal  # type: ignore[import-not-found]

    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
        from aascompile.system import end_when_interrupted

        _signal.signal(_signal.SIGINT, _signal.default_int_handler)
        end_when_interrupted()
