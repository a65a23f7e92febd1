"""Faults that users of other engines reported: none of them is forgotten.

The rows of that list are numbered A001 to A112, with gaps. The name of a test says which rows it answers, `test_a020_a064_...`; most
of these tests are beside this file and run on every game. A row that asks about something which does not exist here is in the
table below, with the reason.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

TESTS = Path(__file__).parent.parent

ROWS = frozenset(
    re.findall(
        r"A\d+",
        """
        A001 A002 A004 A005 A007 A008 A010 A011 A013 A014 A016 A017 A019 A020 A022 A023
        A025 A026 A028 A029 A031 A032 A034 A035 A037 A038 A040 A041 A043 A044 A046 A047
        A049 A050 A052 A053 A055 A056 A058 A059 A061 A062 A064 A065 A067 A068 A070 A071
        A073 A074 A076 A077 A079 A080 A082 A083 A085 A086 A088 A089 A091 A092 A094 A095
        A097 A098 A100 A101 A103 A104 A106 A107 A109 A110 A112
        """,
    )
)

NOT_HERE = {
    "A034": "there is no undo: a position is copied instead",
    "A035": "there is no undo, and nothing derived is kept beside the position",
    "A038": "there is no undo, so none at the root either",
}


@cache
def answered() -> set[str]:
    """Give the rows that are in the names of tests, wherever these are."""
    found: set[str] = set()
    for file in TESTS.rglob("test_*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found |= {f"A{number}" for number in re.findall(r"_a(\d{3})(?=_|$)", node.name)}
    return found


def test_every_row_is_answered_or_has_a_reason() -> None:
    assert answered() | NOT_HERE.keys() >= ROWS


def test_no_row_is_made_up() -> None:
    assert answered() | NOT_HERE.keys() <= ROWS


def test_reasons_are_given_only_where_there_is_no_test() -> None:
    assert not answered() & NOT_HERE.keys()
