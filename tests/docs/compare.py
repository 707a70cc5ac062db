"""Whether an output is the one that a page shows: lines `...` of the page stand for any lines, and what differs from
run to run is masked on both sides."""
import re

ANY = "..."

# Text that depends on the time, the computer or the revision, not on the program.
MASKS = [
    r"\b\d[\d,.]*(?= ?(?:s|ms|min|h|seconds?|minutes?)\b)",      # durations
    r"\b\d[\d,.]*(?= ?[kMG]? ?(?:warp |thread )?instr\S*(?:/| a )s)",  # rates of the simulator
    r"(?<=\()[0-9a-f]{7,12}\b(?:-dirty|\+)?(?=\))",  # revisions
]


def masked(line, masks=()):
    for mask in [*MASKS, *masks]:
        line = re.sub(mask, "#", line)
    return line.rstrip()


def _matches(expected, actual):
    """Whether the lines are equal, with any lines for each ANY. The shortest text for each is enough: no other choice
    can match where this one does not."""
    pieces, piece = [], []
    for line in expected:
        if line == ANY:
            pieces.append(piece)
            piece = []
        else:
            piece.append(line)
    pieces.append(piece)
    if len(pieces) == 1:
        return expected == actual
    first, *middle, last = pieces
    if len(actual) < len(first) + len(last) or actual[:len(first)] != first:
        return False
    end = len(actual) - len(last)
    if actual[end:] != last:
        return False
    at = len(first)
    for piece in middle:
        while at + len(piece) <= end and actual[at:at + len(piece)] != piece:
            at += 1
        if at + len(piece) > end:
            return False
        at += len(piece)
    return True


def matches(expected, actual, masks=()):
    return _matches([line if line == ANY else masked(line, masks) for line in expected],
                    [masked(line, masks) for line in actual])


def updated(expected, actual):
    """The output of a page, made new: as many lines of the begin and of the end as the page shows now. Pieces between
    two ANY lines are for a person to renew: None where there is one."""
    breaks = [at for at, line in enumerate(expected) if line == ANY]
    if not breaks:
        return list(actual)
    if len(breaks) > 1:
        return None
    begin, end = breaks[0], len(expected) - breaks[0] - 1
    if begin + end >= len(actual):
        return list(actual)
    return [*actual[:begin], ANY, *actual[len(actual) - end:]]
