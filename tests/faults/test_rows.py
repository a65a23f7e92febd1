"""Faults that users of other engines reported: none of them is forgotten.

Each row says what went wrong somewhere else. A test that would show the same fault here names it, `@pytest.mark.fault("A020")`; most
of these tests are beside this file and run on every game. A row that asks about something which does not exist here is in the
second table, with the reason. The numbers have gaps.
"""

from __future__ import annotations

from tests.marks import marked

ROWS = {
    "A001": "An action that is not legal was carried out, and play went on from a wrong position.",
    "A002": "An unknown id was not refused by the call but failed somewhere inside the game.",
    "A004": "Every game treated illegal actions in a way of its own.",
    "A005": "A thread that came back to the interpreter while it shut down aborted the process.",
    "A007": "Asking for the legal actions of a seat that does not act failed behind a chance node.",
    "A008": "The list of legal actions was that of an earlier moment of the turn.",
    "A010": "What was gained in a turn could be used too early, or more often than once.",
    "A011": "Rotations of a tile were listed that the rules forbid.",
    "A013": "A house rule was taken for a rule, and legal placements were refused.",
    "A014": "The list of placements and the check of a placement did not agree.",
    "A016": "The list of legal actions changed while the caller went through it.",
    "A017": "Once in thousands of games an illegal action was listed.",
    "A019": "Legal actions came in no certain order.",
    "A020": "An id was as large as the declared number of ids.",
    "A022": "Two actions had the same text, so that reading it back gave the other one.",
    "A023": "An action had a text only in the phase in which it is legal.",
    "A025": "A copy shared its history with the original.",
    "A026": "A move on a clone showed in the original.",
    "A028": "A clone made in the middle of a turn still pointed into the original.",
    "A029": "A position that was the key of a table moved, and was not found any more.",
    "A031": "Positions kept as training data were all the last one.",
    "A032": "All games shared one list of pieces.",
    "A034": "Undo did not bring the phase back.",
    "A035": "Undo did not bring back what was derived from the position.",
    "A037": "An effect of a move was taken back only in part, or came only in part.",
    "A038": "Undo at the root had no meaning.",
    "A040": "Positions that differ in whose turn it is, or in what may still be done, had one key.",
    "A041": "Positions that differ in one piece had the same hash.",
    "A043": "Equal positions reached by different ways were unequal.",
    "A044": "A written position did not say whose turn it is.",
    "A046": "A copied or pickled object was as new, and the position was lost.",
    "A047": "Writing a position lost what chance still has to decide.",
    "A049": "In one phase the observation showed another seat's hand.",
    "A050": "The observation was filtered, and what came beside it was not.",
    "A052": "Hidden things were shown with what they are.",
    "A053": "Simulations went on from the true hidden position.",
    "A055": "Samples contradicted what everybody had seen.",
    "A056": "An action known from another sample was not possible in this one.",
    "A058": "Sampling drew from another generator than the one it was given.",
    "A059": "A block of the observation tensor stood in the wrong place.",
    "A061": "Some cards of a hand were not in the tensor.",
    "A062": "The observation failed at the first chance node.",
    "A064": "Ids of chance outcomes began at 1, or passed their declared number.",
    "A065": "Probabilities did not add up to one.",
    "A067": "The legal actions of a chance node were not its outcomes.",
    "A068": "Draws had the probabilities of the full deck.",
    "A070": "A seed was taken and not used.",
    "A071": "Processes that began together played the same games.",
    "A073": "Results depended on the order of a hash table or on the platform.",
    "A074": "Threads shared a generator or a position.",
    "A076": "Copies kept their originals alive, and memory grew.",
    "A077": "A view outlived what it looked at.",
    "A079": "The declared length and the size of the tensor were far too large.",
    "A080": "A game never ended.",
    "A082": "The last round gave a seat a turn too many.",
    "A083": "A few simulated games did not finish.",
    "A085": "Drawing from an empty deck failed, hung or did nothing.",
    "A086": "A refilled deck had cards twice.",
    "A088": "A bonus went to the seat on turn instead of the one that had earned it.",
    "A089": "A special move ended the turn wrongly.",
    "A091": "Long lines were counted too short.",
    "A092": "A line longer than needed counted twice.",
    "A094": "A step at the end of the game was left out.",
    "A095": "The winner got the return of a loser.",
    "A097": "Whatever seat was asked about, the return was that of one of them.",
    "A098": "Four equal dice were taken for two pairs.",
    "A100": "Of tied seats only the first won, or each won fully.",
    "A101": "Tracks were compared without the rotation of their tile.",
    "A103": "A piece was lost or doubled where a tile changed.",
    "A104": "Five of a long line were taken, and a second sequence through the rest never came.",
    "A106": "Tests demanded what contradicts itself, or looked elsewhere than they said.",
    "A107": "Bonuses and final points of Optimus 2 were wrong or missing.",
    "A109": "What is printed on the sheets of Optimus 2 was copied wrongly.",
    "A110": "Actions and foxes that were earned on a sheet did not arrive.",
    "A112": "Editions disagree about who wins the Dice Challenge.",
}

NOT_HERE = {
    "A034": "there is no undo: a position is copied instead",
    "A035": "there is no undo, and nothing derived is kept beside the position",
    "A038": "there is no undo, so none at the root either",
}


def test_every_row_is_answered_or_has_a_reason() -> None:
    assert marked("fault").keys() | NOT_HERE.keys() >= ROWS.keys()


def test_no_row_is_made_up() -> None:
    assert marked("fault").keys() | NOT_HERE.keys() <= ROWS.keys()


def test_reasons_are_given_only_where_there_is_no_test() -> None:
    assert not marked("fault").keys() & NOT_HERE.keys()
