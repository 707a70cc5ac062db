"""The video instructions, scalar and on halves and bytes, by the definition of PTX."""
from reference.comparisons import ORDERED, holds
from reference.form import Form, clamp, cut, joined, number, parts, signed

WORDS = ["u32", "s32"]
PARTS = {"": (0, 32), **{f".b{i}": (8 * i, 8) for i in range(4)}, **{f".h{i}": (16 * i, 16) for i in range(2)}}
OPERATIONS = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "absdiff": lambda a, b: abs(a - b),
    "min": min,
    "max": max,
    "avrg": lambda a, b: a + b + (a + b >= 0) >> 1,
}


def part(kind, name, value):
    """A word, half or byte of an operand, extended by its type."""
    start, size = PARTS[name]
    field = value >> start & (1 << size) - 1
    return signed(field, size) if kind == "s32" else field


def some_part(rng):
    return rng.choice(["", rng.choice(list(PARTS))])


def to_size(kind, size, value):
    """Clamped to the numbers of `size` bits of a type."""
    low, high = (-1 << size - 1, (1 << size - 1) - 1) if kind == "s32" else (0, (1 << size) - 1)
    return min(max(value, low), high)


def finished(kind, where, second, value, c):
    """What follows the operation: a second one with c, or a merge with it."""
    start, size = PARTS[where]
    if size < 32:
        mask = (1 << size) - 1 << start
        return c & ~mask | value << start & mask
    if second == "add":
        return cut("u32", value + c)
    if second:
        value = number(kind, cut("u32", value))
        return cut("u32", {"min": min, "max": max}[second](value, number(kind, c)))
    return cut("u32", value)


def scalar(rng, opcode, types, function):
    """vop.types.words d, a, b {, c}: function gives the exact result for the extended parts of a and b."""
    result = types[0]
    where, first, other = some_part(rng), some_part(rng), some_part(rng)
    second = rng.choice(["", "add", "min", "max"]) if not where else ""
    kinds = types[-2:]

    def compute(a, b, c=0):
        return finished(result, where, second, function(part(kinds[0], first, a), part(kinds[1], other, b), where), c)
    third = bool(where or second)
    text = f"{opcode}{'.' if second else ''}{second} {{0}}{where}, {{1}}{first}, {{2}}{other}" + ", {3}" * third
    return Form(text, ("u32",), ("u32",) * (2 + third), compute, constants=not first and not other)


def arithmetic(rng):
    name = rng.choice(["add", "sub", "absdiff", "min", "max"])
    types, saturate = rng.choices(WORDS, k=3), rng.random() < 0.5

    def function(a, b, where):
        value = OPERATIONS[name](a, b)
        return to_size(types[0], PARTS[where][1], value) if saturate else value
    return scalar(rng, f"v{name}.{'.'.join(types)}{'.sat' * saturate}", types, function)


def shift(rng):
    name, mode = rng.choice(["vshl", "vshr"]), rng.choice(["clamp", "wrap"])
    types, saturate = [*rng.choices(WORDS, k=2), "u32"], rng.random() < 0.5

    def function(a, b, where):
        amount = min(b, 32) if mode == "clamp" else b & 31
        value = a << amount if name == "vshl" else a >> amount
        return to_size(types[0], PARTS[where][1], value) if saturate else value
    form = scalar(rng, f"{name}.{'.'.join(types)}{'.sat' * saturate}.{mode}", types, function)
    form.sources = (form.sources[0], "u32~", *form.sources[2:])
    return form


def comparison(rng):
    types, relation = rng.choices(WORDS, k=2), rng.choice(ORDERED)

    def function(a, b, _):
        return holds(relation, "s64", a & (1 << 64) - 1, b & (1 << 64) - 1)
    return scalar(rng, f"vset.{'.'.join(types)}.{relation}", ["u32", *types], function)


def multiply_add(rng):
    """The sum is signed if one of its sources is, or if one is negated."""
    kinds = rng.choices(WORDS, k=2)
    plus, scale, saturate = rng.random() < 0.3, rng.choice([0, 7, 15]), rng.random() < 0.5
    minus = ["", "", ""]
    if not plus:
        minus = rng.choice([["", "", ""], ["-", "", ""], ["", "-", ""], ["-", "-", ""], ["", "", "-"]])
    negated, lessened = minus[0] != minus[1], bool(minus[2])
    is_signed = "s32" in kinds or negated or lessened
    if kinds == ["u32", "u32"] and lessened:
        lessened, minus[2] = False, ""  # PTX leaves open whether c is signed
        is_signed = False
    result = "s32" if is_signed else "u32"
    names = [some_part(rng) for _ in range(2)]

    def compute(a, b, c):
        total = part(kinds[0], names[0], a) * part(kinds[1], names[1], b)
        addend = signed(c, 32) if is_signed else c
        total = (-total if negated else total) + (-addend if lessened else addend) + plus
        total >>= scale
        return cut("u32", clamp(result, total) if saturate else total)
    words = [result, *kinds] + ["po"] * plus + ["sat"] * saturate + [f"shr{scale}"] * bool(scale)
    text = f"vmad.{'.'.join(words)} {{0}}, {minus[0]}{{1}}{names[0]}, {minus[1]}{{2}}{names[1]}, {minus[2]}{{3}}"
    return Form(text, ("u32",), ("u32",) * 3, compute, constants=False)


def selector(rng, lanes, ways):
    """Which lanes of {b, a} an operand has, the lowest first, and how it is written; "" for the usual ones."""
    letter = "h" if lanes == 2 else "b"
    if rng.random() < 0.4:
        return None, ""
    chosen = [rng.randrange(ways) for _ in range(lanes)]
    return chosen, f".{letter}{''.join(str(i) for i in reversed(chosen))}"


def vector(rng):
    """vop2 and vop4: an operation of halves or bytes; the chosen ones go to the result or are added to c."""
    lanes = rng.choice([2, 4])
    size = 32 // lanes
    name = rng.choice([*OPERATIONS, "set"])
    types, accumulate = rng.choices(WORDS, k=3), rng.random() < 0.4
    saturate = not accumulate and name != "set" and rng.random() < 0.5
    relation = rng.choice(ORDERED)
    first, first_text = selector(rng, lanes, 2 * lanes)
    other, other_text = selector(rng, lanes, 2 * lanes)
    first = first or list(range(lanes))
    other = other or list(range(lanes, 2 * lanes))
    mask, mask_text = list(range(lanes)), ""
    if rng.random() < 0.5:
        mask = sorted(rng.sample(range(lanes), rng.randint(1, lanes)))
        mask_text = f".{'h' if lanes == 2 else 'b'}{''.join(str(i) for i in reversed(mask))}"

    def extended(kind, field):
        return signed(field, size) if kind == "s32" else field

    def compute(a, b, c):
        fields, result = parts(b << 32 | a, size, 2 * lanes), parts(c, size, lanes)
        values = {}
        for i in mask:
            x, y = extended(types[1], fields[first[i]]), extended(types[2], fields[other[i]])
            value = OPERATIONS[name](x, y) if name != "set" else holds(relation, "s64", x % 2**64, y % 2**64)
            values[i] = to_size(types[0], size, value) if saturate else value
        if accumulate:
            return cut("u32", c + sum(values.values()))
        for i, value in values.items():
            result[i] = value & (1 << size) - 1
        return joined(result, size)
    words = types[1:] + [relation] if name == "set" else types
    opcode = ".".join([f"v{name}{lanes}", *words] + ["sat"] * saturate + ["add"] * accumulate)
    text = f"{opcode} {{0}}{mask_text}, {{1}}{first_text}, {{2}}{other_text}, {{3}}"
    return Form(text, ("u32",), ("u32",) * 3, compute, constants=False)


FORMS = [(2, arithmetic), (1, shift), (1, comparison), (2, multiply_add), (3, vector)]
