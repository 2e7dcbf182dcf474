"""`python -m hotato.benchmark` is the command in `hotato.cli.measurement`."""

import sys

from hotato.cli import measure

if __name__ == "__main__":
    sys.exit(measure())
