"""Operands of textures and surfaces, whose number depends on the geometry."""

# Coordinates in all (with those that are ignored), and whether the first is a layer.
COORDINATES = {"1d": (1, False), "2d": (2, False), "3d": (4, False), "a1d": (2, True), "a2d": (4, True),
               "cube": (4, False), "acube": (4, True)}
# Elements of offsets and gradients.
VECTOR = {"1d": 1, "2d": 2, "3d": 4, "a1d": 1, "a2d": 2, "cube": 4, "acube": 4}
DESTINATION = {"f32": "f", "f16": "h"}
TYPES = ("f32", "u32", "s32", "f16", "f16x2")
WIDE = ("u64", "s64", "b64")


def registers(letter, first, count):
    return [f"%{letter}{first + i}" for i in range(count)]


def braces(names):
    return "{" + ", ".join(names) + "}"


def operands_of(letters, words):
    """t: destination and texture in a register; x: the same, of a variable; s: a surface; o: offsets; d: a depth;
    l: a level; g: gradients; A: a register of the type."""
    geometry = next(w for w in words if w in COORDINATES)
    types = [w for w in words if w in TYPES]
    count, layered = COORDINATES[geometry]
    integers = len(types) < 2 or types[1] == "s32"
    where = registers("r" if integers else "f", 1, count)
    if layered:
        where[0] = "%r7"
    elements = VECTOR[geometry]
    out = []
    for letter in letters:
        if letter in "tx":
            kind = DESTINATION.get(types[0], "r")
            out.append(braces(registers(kind, 1, 2 if types[0] == "f16x2" else 4)))
        if letter in "txs":
            out.append(f"[{'tx' if letter == 'x' else '%rd1'}, {braces(where)}]")
        elif letter == "o":
            out.append(braces(registers("r", 3, elements)))
        elif letter == "d":
            out.append("%f7")
        elif letter == "l":
            out.append("%r6" if integers else "%f6")
        elif letter == "g":
            out.append(braces(registers("f", 2, elements)))
        elif letter == "A":
            out.append("%rd2" if any(w in WIDE for w in words) else "%f2" if "f32" in words else "%r2")
    return out
