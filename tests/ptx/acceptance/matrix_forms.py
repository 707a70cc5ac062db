"""The forms of mma, mma.sp and wgmma: combinations of shapes and types, also the wrong ones, with as many registers as the
matrices have."""
import itertools

BITS = {"f64": 64, "f32": 32, "s32": 32, "tf32": 32, "f16": 16, "bf16": 16, "s8": 8, "u8": 8, "e4m3": 8, "e5m2": 8,
        "e2m1": 4, "s4": 4, "u4": 4, "b1": 1}
FACTORS = [("f16", "f16"), ("bf16", "bf16"), ("tf32", "tf32"), ("f64", "f64"), ("s8", "u8"), ("u8", "u8"), ("s4", "u4"),
           ("b1", "b1"), ("e4m3", "e5m2"), ("e5m2", "e5m2"), ("f16", "bf16"), ("s8", "s4"), ("e4m3", "f16")]
SUMS = [("f16", "f16"), ("f32", "f32"), ("s32", "s32"), ("f64", "f64"), ("f32", "f16"), ("f16", "f32")]
DENSE = [(8, 8, 4), (8, 8, 16), (8, 8, 32), (8, 8, 128), (16, 8, 4), (16, 8, 8), (16, 8, 16), (16, 8, 32), (16, 8, 64),
         (16, 8, 128), (16, 8, 256), (16, 16, 16)]
WIDTHS = [8, 16, 24, 32, 40, 48, 56, 64, 128, 248, 256, 264]


def vector(kind, count, first=0):
    """Registers of a fragment; the test declares eight of each kind."""
    letter = {"f32": "f", "f64": "fd"}.get(kind, "r")
    return "{" + ", ".join(f"%{letter}{(first + i) % 8}" for i in range(max(count, 1))) + "}"


def count(rows, columns, kind, matrices=1):
    bits = BITS[kind]
    return matrices * rows * columns * bits // (32 * max(32, bits))


def line(opcode, words, operands):
    return f"{'.'.join([opcode] + words)} {', '.join(operands)};", opcode, words, operands


def dense():
    for (m, n, k), (a, b), (d, c) in itertools.product(DENSE, FACTORS, SUMS):
        four = 4 if (m, n, k) == (8, 8, 4) and a == "f16" else 1
        operands = [vector(d, count(m, n, d, four)), vector(a, count(m, k, a, four), 1), vector(b, count(k, n, b, four), 2),
                    vector(c, count(m, n, c, four), 3)]
        words = ["sync", "aligned", f"m{m}n{n}k{k}", "row", "col", d, a, b, c]
        more = ["xor", "popc"] if a == "b1" else []
        yield line("mma", words + more, operands)
        if d in ("s32", "f32") and k in (16, 32):
            yield line("mma", words + ["satfinite"], operands)
            yield line("mma", words[:3] + ["col", "col"] + words[5:], operands)


def sparse():
    for k, (a, b), (d, c) in itertools.product((8, 16, 32, 64, 128), FACTORS, SUMS):
        operands = [vector(d, count(16, 8, d)), vector(a, count(16, k // 2, a), 1), vector(b, count(k, 8, b), 2),
                    vector(c, count(16, 8, c), 3), "%r1", "0"]
        words = ["sync", "aligned", f"m16n8k{k}", "row", "col", d, a, b, c]
        for modifier in ("sp", "sp::ordered_metadata"):
            yield line("mma", [modifier] + words, operands)
        for selector in "1234":
            yield line("mma", ["sp::ordered_metadata"] + words, operands[:-1] + [selector])


def warpgroup():
    for n, k, (a, b), d in itertools.product(WIDTHS, (8, 16, 32, 64, 256), FACTORS, ("f16", "f32", "s32")):
        if n not in (8, 40) and k not in (16, 32):
            continue
        floats = a not in ("s8", "u8", "b1", "s4")
        options = (["1", "-1"] if floats else []) + (["0", "1"] if BITS[a] == 16 else [])
        result = vector(d, 64 * n * BITS[d] // 4096)
        more = ["and", "popc"] if a == "b1" else []
        words = ["sync", "aligned", f"m64n{n}k{k}", d, a, b] + more
        yield line("wgmma.mma_async", words, [result, "%rd1", "%rd2", "%p1"] + options)
        registers = options[:2] + options[3:]
        yield line("wgmma.mma_async", words, [result, vector(a, 4), "%rd2", "%p1"] + registers)
        yield line("wgmma.mma_async", words, [result, "%rd1", "%rd2", "%p1"])
        if n in (8, 64):
            yield line("wgmma.mma_async", words + ["satfinite"], [result, "%rd1", "%rd2", "%p1"] + options)
            for selector in "012":
                yield line("wgmma.mma_async", ["sp"] + words,
                           [result, "%rd1", "%rd2", "%r1", selector, "%p1"] + options)


def others():
    for words in itertools.product((["fence"], ["commit_group"], ["wait_group"]), (["sync"], []), (["aligned"], [])):
        for operands in ([], ["0"], ["7"], ["-1"], ["%r1"]):
            yield line("wgmma", sum(words, []), operands)
    for opcode, words in (("mma", ["sync", "aligned", "m16n8k32", "row", "col", "kind::f8f6f4", "f32", "e4m3", "e2m1", "f32"]),
                          ("mma", ["sync", "aligned", "m16n8k64", "row", "col", "kind::mxf4", "block_scale", "f32", "e2m1",
                                   "e2m1", "f32", "ue8m0"])):
        yield line(opcode, words, [vector("f32", 4), vector("b1", 4), vector("b1", 2), vector("f32", 4)])


def forms():
    """(line, opcode, words, operands) of each form."""
    for form in itertools.chain(dense(), sparse(), warpgroup(), others()):
        yield form
