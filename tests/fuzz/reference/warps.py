"""Exchanges and votes among the lanes of a PTX warp. `lanes` are dictionaries: lane to sources, lane to results."""
from functools import reduce

from reference.form import Form, cut, number, simple

MASK = "%members"  # the register with the lanes that come together


def shuffle(rng):
    """For warps of 32 lanes that are all there."""
    mode, two = rng.choice(["up", "down", "bfly", "idx"]), rng.random() < 0.5

    def one(lanes, lane):
        _, b, c = lanes[lane]
        b, segment, limit = b & 31, c >> 8 & 31, c & 31
        last, first = lane & segment | limit & ~segment, lane & segment
        source = {"up": lane - b, "down": lane + b, "bfly": lane ^ b, "idx": first | b & ~segment}[mode]
        inside = source >= last if mode == "up" else source <= last
        value = lanes[source if inside else lane][0]
        return (value, int(inside)) if two else (value,)

    def operands(rng):
        segment = rng.choice([0, 0, 16, 24, 28, 30, 31, rng.randrange(32)])
        limit = rng.choice([0, 31, 31, rng.randrange(32)])
        noise = rng.choice([0, 0, rng.getrandbits(32) & ~0x1f1f])
        return [rng.getrandbits(32), rng.choice([rng.randrange(32), rng.getrandbits(32)]), segment << 8 | limit | noise]
    result = "{0}|{1}, {2}, {3}, {4}" if two else "{0}, {1}, {2}, {3}"
    return Form(f"shfl.sync.{mode}.b32 {result}, {MASK}", ("b32", "pred") if two else ("b32",), ("b32", "b32", "b32"),
                lambda lanes: {lane: one(lanes, lane) for lane in lanes}, warp=True, operands=operands, full=True)


def vote(rng):
    mode = rng.choice(["ballot", "any", "all", "uni"])

    def compute(lanes):
        truths = {lane: values[0] for lane, values in lanes.items()}
        result = {"ballot": sum(t << lane for lane, t in truths.items()), "any": int(any(truths.values())),
                  "all": int(all(truths.values())), "uni": int(len(set(truths.values())) == 1)}[mode]
        return {lane: (result,) for lane in lanes}
    kind = "b32" if mode == "ballot" else "pred"
    return Form(f"vote.sync.{mode}.{kind} {{0}}, {{1}}, {MASK}", (kind,), ("pred",), compute, warp=True)


def few(kind):
    """Operands that are equal in many lanes."""
    return lambda rng: [rng.choice([0, 1, 2, 1 << int(kind[1:]) - 1])]


def match(rng):
    mode, kind = rng.choice(["any", "all"]), rng.choice(["b32", "b64"])

    def compute(lanes):
        everyone = sum(1 << lane for lane in lanes)
        if mode == "any":
            return {lane: (sum(1 << other for other in lanes if lanes[other] == lanes[lane]),) for lane in lanes}
        same = len(set(lanes.values())) == 1
        return {lane: (everyone if same else 0, int(same)) for lane in lanes}
    operands = few(kind) if mode == "any" or rng.random() < 0.5 else lambda _: [7]
    if mode == "any":
        return Form(f"match.any.sync.{kind} {{0}}, {{1}}, {MASK}", ("u32",), (kind,), compute, warp=True,
                    operands=operands)
    return Form(f"match.all.sync.{kind} {{0}}|{{1}}, {{2}}, {MASK}", ("u32", "pred"), (kind,), compute, warp=True,
                operands=operands)


def redux(rng):
    name, function = rng.choice([("add", lambda a, b: a + b), ("min", min), ("max", max), ("and", lambda a, b: a & b),
                                 ("or", lambda a, b: a | b), ("xor", lambda a, b: a ^ b)])
    kind = rng.choice(["u32", "s32"]) if name in ("add", "min", "max") else "b32"
    register = kind.replace("b", "u")

    def compute(lanes):
        total = cut(kind, reduce(function, (number(kind, values[0]) for values in lanes.values())))
        return {lane: (total,) for lane in lanes}
    form = simple(f"redux.sync.{name}.{kind}", register, [register], compute, warp=True)
    form.text += f", {MASK}"
    return form


def elect(_):
    return Form(f"elect.sync {{0}}|{{1}}, {MASK}", ("u32", "pred"), (),
                lambda lanes: {lane: (min(lanes), int(lane == min(lanes))) for lane in lanes}, warp=True)


SPECIAL = {
    "laneid": lambda lane: lane,
    "lanemask_eq": lambda lane: 1 << lane,
    "lanemask_lt": lambda lane: (1 << lane) - 1,
    "lanemask_le": lambda lane: (2 << lane) - 1,
    "lanemask_gt": lambda lane: 0xffffffff & -(2 << lane),
    "lanemask_ge": lambda lane: 0xffffffff & -(1 << lane),
}


def special(rng):
    name = rng.choice(list(SPECIAL))
    return Form(f"mov.u32 {{0}}, %{name}", ("u32",), (),
                lambda lanes: {lane: (SPECIAL[name](lane),) for lane in lanes}, warp=True)


def active(_):
    """The lanes in the same issue: each is among those of its own branch, and a lane is among its own."""
    return Form(f"activemask.b32 {{0}}; and.b32 {{0}}, {{0}}, %own_bit", ("b32",), (),
                lambda lanes: {lane: (1 << lane,) for lane in lanes}, warp=True)


FORMS = [(3, shuffle), (2, vote), (2, match), (2, redux), (1, elect), (1, special), (1, active)]
