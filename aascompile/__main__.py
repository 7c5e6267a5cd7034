"""``python -m aascompile`` is the command ``aascompile``."""

from aascompile.cli.compile import main

if __name__ == "__main__":
    main()
