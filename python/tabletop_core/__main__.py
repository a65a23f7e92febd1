"""`python -m tabletop_core` is the command `tabletop-core`."""

from __future__ import annotations

from .cli import main

if __name__ == "__main__":
    main()
