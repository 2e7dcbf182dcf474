"""`python -m hotato` is the `hotato` command."""

import sys

from hotato.cli import main

if __name__ == "__main__":
    sys.exit(main())
