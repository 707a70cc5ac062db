"""setp, set and slct, by the definition of PTX."""
from reference import ieee
from reference.form import Form, joined, number, parts, simple
from reference.operands import FLOATS, PAIRS, SIZES

BITS, SIGNED = ["b16", "b32", "b64"], ["s16", "s32", "s64"]
UNSIGNED = ["u16", "u32", "u64"]
ORDERED = ["eq", "ne", "lt", "le", "gt", "ge"]
RELATIONS = {"eq": (0,), "ne": (-1, 1), "lt": (-1,), "le": (-1, 0), "gt": (1,), "ge": (0, 1)}
NAMES = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}  # of unsigned integers
COMBINE = {"and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b}


def relations(kind):
    if kind in BITS:
        return ["eq", "ne"]
    if kind in SIGNED:
        return ORDERED
    return ORDERED + (list(NAMES) if kind in UNSIGNED else [r + "u" for r in ORDERED] + ["num", "nan"])


def holds(relation, kind, a, b, flush=False):
    """Whether the relation holds between two patterns of a type."""
    if kind not in FLOATS:
        a, b = number(kind, a), number(kind, b)
        order = (a > b) - (a < b)
        return int(order in RELATIONS[NAMES.get(relation, relation)])
    form = FLOATS[kind]
    if flush:
        a, b = form.flush(a), form.flush(b)
    order = ieee.compare(form, a, b)
    if relation in ("num", "nan"):
        return int((order is None) == (relation == "nan"))
    if order is None:
        return int(relation.endswith("u"))
    return int(order in RELATIONS[relation.removesuffix("u")])


def comparison(rng, kinds, may_flush=True):
    """(type, words of the opcode, function): the function gives one truth for each number of a register."""
    kind = rng.choice(kinds)
    each = PAIRS.get(kind, kind)
    relation = rng.choice(relations(each))
    flush = may_flush and each in ("f16", "f32") and rng.random() < 0.3
    combine = rng.choice(list(COMBINE)) if rng.random() < 0.4 else None
    count, size = (2, SIZES[each]) if kind in PAIRS else (1, SIZES[kind])

    def truths(a, b):
        return [holds(relation, each, x, y, flush) for x, y in zip(parts(a, size, count), parts(b, size, count))]
    return kind, [relation] + [combine] * bool(combine) + ["ftz"] * flush, truths, COMBINE.get(combine)


TYPES = BITS + SIGNED + UNSIGNED + ["f16", "bf16", "f32", "f64", "f32", "f64"]


def setp(rng):
    kind, words, truths, combine = comparison(rng, TYPES + ["f16x2", "bf16x2"])
    two = rng.random() < 0.4 and kind not in ("f16", "bf16") or kind in PAIRS
    pair = kind in PAIRS

    def compute(a, b, c=None):
        found = truths(a, b)
        if not pair:
            found.append(1 - found[0])
        if combine:
            found = [combine(t, c) for t in found]
        return tuple(found) if two else found[0]
    sources = [kind, kind] + ["pred"] * bool(combine)
    names = [f"{{{i + 1 + two}}}" for i in range(len(sources))]
    drop = rng.choice(["{0}|_", "_|{1}"]) if two and rng.random() < 0.1 else None
    if drop:
        return dropped(drop, [*words, kind], sources, compute)
    return Form(f"setp.{'.'.join([*words, kind])} {'{0}|{1}' if two else '{0}'}, {', '.join(names)}",
                ("pred",) * (1 + two), tuple(sources), compute, constants=kind not in (*PAIRS, "f16", "bf16"))


def dropped(results, words, sources, compute):
    """setp with one of its two results."""
    names = ", ".join(f"{{{i + 1}}}" for i in range(len(sources)))
    return Form(f"setp.{'.'.join(words)} {results.replace('1', '0')}, {names}", ("pred",), tuple(sources),
                lambda *values: compute(*values)[results.startswith("_")], constants=False)


def set_(rng):
    if rng.random() < 0.3:
        source = rng.choice(["f16x2", "bf16x2"])
        result = rng.choice(["u32", "s32", source])
    else:
        source = rng.choice(TYPES)
        result = rng.choice(["u32", "s32", "f16", "bf16"] + (["u16", "s16"] if source in ("f16", "bf16") else ["f32"]))
    if source == "bf16" and result == "f16":
        result = "bf16"
    kind, words, truths, combine = comparison(rng, [source], result != "bf16")
    each = PAIRS.get(result, result)
    size = 16 if source in PAIRS else SIZES[result]
    true = FLOATS[each].one if each in FLOATS else (1 << size) - 1

    def compute(a, b, c=None):
        found = truths(a, b)
        if combine:
            found = [combine(t, c) for t in found]
        return joined([true if t else 0 for t in found], size)
    sources = [kind, kind] + ["pred"] * bool(combine)
    return simple(f"set.{'.'.join([*words, result, kind])}", result, sources, compute,
                  constants=kind not in (*PAIRS, "f16", "bf16"))


def slct(rng):
    kind, chooser = rng.choice(BITS + SIGNED + UNSIGNED + ["f32", "f64"]), rng.choice(["s32", "f32"])
    flush = chooser == "f32" and rng.random() < 0.4
    return simple(f"slct{'.ftz' if flush else ''}.{kind}.{chooser}", kind, [kind, kind, chooser],
                  lambda a, b, c: a if holds("ge", chooser, c, 0, flush) else b)


FORMS = [(4, setp), (3, set_), (1, slct)]
