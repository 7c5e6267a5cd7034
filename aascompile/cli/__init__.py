"""The commands. While one starts, and nothing has been written, Ctrl-C ends it without a word."""

# Both are loaded before anything is looked for; signal imports more, and meanwhile Ctrl-C would be a traceback.
import _signal  # type: ignore[import-not-found]
import sys

_name = sys.argv[0].replace("\\", "/").rpartition("/")[2].partition(".")[0] if sys.argv else ""
if _name in ("aascompile", "aas", "aasview", "bspc"):
    _handler = _signal.getsignal(_signal.SIGINT)
    if _handler is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)

    import gc

    gc.disable()  # until the command runs: nothing that is imported is garbage
    try:
        from aascompile.cli.quick_loader import find_quickly

        find_quickly()
    except ImportError:  # a Python that loads modules in another way
        pass
    if _handler is _signal.default_int_handler:
        from aascompile.system import end_when_interrupted

        end_when_interrupted()

    from aascompile.cli.imports import import_click

    import_click()
