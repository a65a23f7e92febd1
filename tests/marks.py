"""What tests say they prove: the texts of their marks."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

TESTS = Path(__file__).parent


@cache
def marked(name: str) -> dict[str, list[str]]:
    """Give the texts in all marks of this name, each with the places; read from the sources, whatever part of the tests is run."""
    found: dict[str, list[str]] = {}
    for file in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == f"pytest.mark.{name}":
                texts = [n.value for n in ast.walk(node) if isinstance(n, ast.Constant)]
                assert texts, f"{file.name}:{node.lineno}: texts are written out where they mark"
                for text in texts:
                    found.setdefault(str(text), []).append(f"{file.name}:{node.lineno}")
    return found
