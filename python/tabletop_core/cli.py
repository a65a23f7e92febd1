"""The command `tabletop-core`; its work is done in `_cli`, which needs the `cli` extra."""

from __future__ import annotations

import sys
from importlib import import_module

__all__ = ["main"]

_EXTRA = frozenset({"rich", "typer"})


def main() -> None:
    """Run the command line: `games`, `show`, `simulate`, `play`, `bench`; it ends the process.

    Exit codes: 0; 1 for an error of tabletop-core, where the output cannot be written and without
    the `cli` extra; 2 for a wrong call.

    >>> main.__name__
    'main'
    """
    try:
        commands = import_module("._cli", __package__)
    except ModuleNotFoundError as error:
        if error.name not in _EXTRA:
            raise
        sys.exit(
            f"The command line needs the package {error.name!r}: "
            "install it with pip install 'tabletop-core[cli]'."
        )
    commands.run()
