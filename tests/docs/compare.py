"""Whether an output is the one that a page shows: lines `...` of the page stand for any lines, and what differs from
run to run is masked on both sides."""
import difflib
import re

ANY = "..."

# Text that depends on the time, the computer or the revision, not on the program.
MASKS = [
    r"\d[\d.,]* (k|M|G)?/s; peak memory \d+ MB",  # the last line of a summary
    r"\b\d[\d,.]*(?= ?(?:s|ms|min|h|seconds?|minutes?)\b)",      # durations
    r"\b\d[\d,.]*(?= ?[kMG]? ?(?:warp |thread )?instr\S*(?:/| a )s)",  # rates of the simulator
    r"(?<=\()[0-9a-f]{7,12}\b(?:-dirty|\+)?(?=\))",  # revisions
]


def masked(line, masks=()):
    for mask in [*MASKS, *masks]:
        line = re.sub(mask, "#", line)
    return line.rstrip()


def _pieces(lines):
    """What stands between the lines ANY."""
    out = [[]]
    for line in lines:
        if line == ANY:
            out.append([])
        else:
            out[-1].append(line)
    return out


def _places(expected, actual):
    """Where in `actual` each piece of `expected` begins; None for the first piece that is not there, and no more. A
    piece is looked for behind the piece before it, as early as possible: no other choice finds more."""
    pieces, out, at = _pieces(expected), [], 0
    for number, piece in enumerate(pieces):
        first, last = number == 0, number == len(pieces) - 1
        begins = range(at, len(actual) - len(piece) + 1)
        if first:
            begins = begins[:1]
        if last:
            begins = [begin for begin in begins if begin == len(actual) - len(piece)]
        place = next((begin for begin in begins if actual[begin:begin + len(piece)] == piece), None)
        out.append(place)
        if place is None:
            break
        at = place + len(piece)
    return out


def _masked_all(lines, masks):
    return [line if line == ANY else masked(line, masks) for line in lines]


def matches(expected, actual, masks=()):
    return None not in _places(_masked_all(expected, masks), _masked_all(actual, masks))


def explained(expected, actual, masks=()):
    """What of the page is not in the output."""
    old, new = _masked_all(expected, masks), _masked_all(actual, masks)
    if ANY not in old:
        return "\n".join(["- the page, + now", *difflib.unified_diff(old, new, lineterm="", n=1)][:60])
    missing = _pieces(expected)[len(_places(old, new)) - 1]
    return "\n".join(["the output lacks these lines, in their order:", *missing, "it is:", *actual[:60]])


def updated(expected, actual):
    """The output of a page, made new. It leaves out what the page leaves out now: each piece is where the same lines
    with other numbers are; else the first and the last piece keep their lengths. None where a piece between them is
    nowhere: a person has to choose its lines."""
    pieces = _pieces(expected)
    if len(pieces) == 1:
        return list(actual)
    numbers = [r"[\d.,]+ *"]
    places = _places(_masked_all(expected, numbers), _masked_all(actual, numbers))
    if None in places:
        if len(pieces) > 2:
            return None
        places = [0, len(actual) - len(pieces[1])]
        if places[1] < len(pieces[0]):
            return list(actual)
    out = []
    for place, piece in zip(places, pieces):
        out += [ANY, *actual[place:place + len(piece)]]
    return out[1:]
