"""A random program of single instructions, and its check thread by thread.

Most results are stored at once, and all registers at the end.
"""
import random
import struct

from reference import approximations, bits, comparisons, conversions, floats, integers, memory, video, warps
from reference import operands as values
from reference.operands import SIZES
from reference.registers import TYPE_OF, alike, candidates, declarations, plain
from reference.state import State

HEADER = ".version 9.0\n.target sm_100a\n.address_size 64\n"
STEPS = 500  # about half of them load operands
GROUPS = [(4, integers), (4, bits), (6, floats), (3, comparisons), (3, video), (6, conversions), (2, approximations),
          (4, memory), (2, warps)]
BLOCKS = [(32, 2), (64, 1), (47, 2), (3, 12), (32, 1), (96, 1), (1, 7)]  # threads of a block, blocks
STARTS = f"""
    .reg .b32 %t<3>, %own_bit, %place0, %place1, %members, %everyone, %some, %at_shared;
    .reg .b64 %in, %out, %at_global, %at_local, %generic_shared, %generic_local, %wide<2>;
    .reg .b64 %counters; .reg .b128 %q, %q0, %q1; .reg .pred %branch, %guard;
    .local .align 16 .b8 own[{memory.SIZE}];
    mov.u32 %t0, %ctaid.x;
    mov.u32 %t1, %ntid.x;
    mov.u32 %t2, %tid.x;
    mad.lo.u32 %t0, %t0, %t1, %t2;
    add.cc.u32 %t0, %t0, 0; // the carry flag is 0: at the start it may be anything
    ld.param.u64 %in, [in];
    ld.param.u64 %out, [out];
    ld.param.u64 %at_global, [scratch];
    mad.wide.u32 %in, %t0, 8, %in;
    mad.wide.u32 %out, %t0, 8, %out;
    mad.wide.u32 %at_global, %t0, {memory.SIZE}, %at_global;
    ld.param.u64 %counters, [counters];
    mov.u32 %at_shared, pool;
    mad.lo.u32 %at_shared, %t2, {memory.SIZE}, %at_shared;
    cvt.u64.u32 %wide0, %at_shared;
    cvta.shared.u64 %generic_shared, %wide0;
    mov.u64 %at_local, own;
    cvta.local.u64 %generic_local, %at_local;
    mov.u32 %own_bit, %laneid;
    shl.b32 %own_bit, 1, %own_bit;
    vote.sync.ballot.b32 %everyone, 1, 0xffffffff;
    mov.u32 %members, %everyone;
"""


def pick(rng, weighted):
    return rng.choices([item for _, item in weighted], [weight for weight, _ in weighted])[0]


def literal(rng, kind, value):
    """A number as it may be written in the place of an operand."""
    kind = plain(kind)
    if kind in ("f32", "f64") and rng.random() < 0.3:
        number, = struct.unpack("<f" if kind == "f32" else "<d", value.to_bytes(SIZES[kind] // 8, "little"))
        if number - number == 0:
            return repr(number) if rng.random() < 0.7 else f"0d{struct.unpack('<Q', struct.pack('<d', number))[0]:016x}"
    if kind in ("f32", "f64"):
        return f"0{'f' if kind == 'f32' else 'd'}{value:0{SIZES[kind] // 4}X}"
    if kind[0] == "s" or rng.random() < 0.3:
        return str(value - (value >> SIZES[kind] - 1 << SIZES[kind]))
    return rng.choice([str(value), hex(value), f"({value} - 7 + 1) + 6"])


class Step:
    """Lines of the program, and what they do to the threads that execute them."""

    def __init__(self, lines, effect):
        self.lines, self.effect = lines, effect


class Program:
    """`threads` numbers the threads of the grid, `inputs` are the values that registers get, for each thread."""

    def __init__(self, seed):
        self.rng = rng = random.Random(seed)
        self.block, self.grid = rng.choice(BLOCKS)
        self.threads = range(self.block * self.grid)
        self.inputs, self.outputs, self.steps = [], 0, []
        self.branches = 0
        self.divergent = False
        self.constant, self.parameter = rng.randbytes(memory.SIZE), rng.randbytes(memory.SIZE)
        self.scalars = rng.randbytes(8 * len(memory.SCALARS))
        self.counters = rng.randbytes(8 * len(memory.SHARED_OPERATIONS))
        for name in [*memory.PLACES, *TYPE_OF]:
            self.load({name: [values.value(rng, TYPE_OF.get(name, "u32")) for _ in self.threads]})
        for space in ("global", "shared", "local"):
            self.fill(space)
        while len(self.steps) < STEPS:
            if rng.random() < 0.08:
                self.branch()
            else:
                self.instruction()
        self.finish()

    # What the program has in memory: slots of 8 bytes for each thread.

    def offset(self, slot):
        return 8 * slot * len(self.threads)

    def load(self, rows):
        """Registers get new values, one for each thread."""
        lines = []
        for name, row in rows.items():
            kind, at = TYPE_OF.get(name, "u32"), self.offset(len(self.inputs))
            self.inputs.append(row)
            if kind == "pred":
                lines += [f"ld.global.u32 %t0, [%in+{at}]", f"setp.ne.u32 {name}, %t0, 0"]
            else:
                lines.append(f"ld.global.b{SIZES[kind]} {name}, [%in+{at}]")

        def effect(state, active):
            for name, row in rows.items():
                for t in active:
                    state.registers[name][t] = row[t]
        self.steps.append(Step(lines, effect))

    def fill(self, space):
        """The bytes of each thread in a space, by way of a register."""
        for at in range(0, memory.SIZE, 8):
            row = [self.rng.getrandbits(64) for _ in self.threads]
            self.load({"%d0": row})
            address = memory.WRITABLE[space][1]

            def effect(state, active, at=at, row=row):
                for t in active:
                    memory.put(state.memory[space][t], at, 64, row[t])
            self.steps.append(Step([f"st.{space}.b64 [{address}+{at}], %d0"], effect))

    def stores(self, names):
        """Lines that store registers, and their slots."""
        lines, slots = [], []
        for name in names:
            at, kind = self.offset(self.outputs), TYPE_OF[name]
            slots.append(self.outputs)
            self.outputs += 1
            if kind == "pred":
                lines += [f"selp.u32 %t0, 1, 0, {name}", f"st.global.u32 [%out+{at}], %t0"]
            else:
                lines.append(f"st.global.b{SIZES[kind]} [%out+{at}], {name}")
        return lines, slots

    def finish(self):
        """Every register is stored at the end: not each result was."""
        names = list(TYPE_OF)
        lines, slots = self.stores(names)

        def effect(state, active):
            for name, slot in zip(names, slots):
                for t in active:
                    state.keep(t, name, slot, f"{name} at the end, last written by {state.writer.get(name)}")
        self.steps.append(Step(lines, effect))

    # The instructions.

    def branch(self):
        """A few instructions of some threads, at times a few of the others."""
        rng = self.rng
        few = rng.sample(self.threads, min(2, len(self.threads)))
        choose = rng.choice([lambda t: t in few, lambda t: t not in few, lambda _: rng.random() < 0.5])
        chosen = [int(choose(t)) for t in self.threads]
        at, label = self.offset(len(self.inputs)), f"L{self.branches}"
        self.branches += 1
        self.inputs.append(chosen)

        def enter(state, _):
            state.active = [t for t in self.threads if chosen[t]]

        def turn(state, _):
            state.active = [t for t in self.threads if not chosen[t]]

        def leave(state, _):
            state.active = list(self.threads)
        self.steps.append(Step([f"ld.global.u32 %t0, [%in+{at}]", "setp.ne.u32 %branch, %t0, 0",
                                "vote.sync.ballot.b32 %members, %branch, %everyone", "not.b32 %some, %members",
                                "and.b32 %some, %some, %everyone", f"@!%branch bra {label}else"], enter))
        self.divergent = True
        for _ in range(rng.randint(1, 6)):
            self.instruction()
        self.steps.append(Step([f"bra {label}end", f"{label}else:", "mov.b32 %members, %some"], turn))
        for _ in range(rng.choice([0, 0, rng.randint(1, 6)])):
            self.instruction()
        self.divergent = False
        self.steps.append(Step([f"{label}end:", "mov.b32 %members, %everyone"], leave))

    def form(self):
        while True:
            form = pick(self.rng, pick(self.rng, GROUPS).FORMS)(self.rng)
            if not form.full or not self.divergent and self.block % 32 == 0:
                return form

    def sources(self, form):
        """(texts, functions of state and thread, registers to load first)."""
        rng = self.rng
        texts, names, fresh = [], [], {}
        getters = [lambda state, t, name=name: state.registers[name][t] for name in form.fixed]
        constants = rng.choices([0.1, 0, 1], [75, 24, 1])[0]  # how likely a source is a number
        for i, kind in enumerate(form.sources):
            if form.constants and rng.random() < (constants if kind != "pred" else constants / 2):
                value = self.row(form)[i]
                texts.append(literal(rng, kind, value))
                getters.append(lambda state, t, value=value: value)
                continue
            name = self.register(form, kind, len(form.results) + i, vector=names)
            names.append(name)
            if name not in fresh and rng.random() < (0.9 if form.operands else 0.65):
                fresh[name] = i
            text, change = self.variation(form, kind, name)
            texts.append(text)
            mask = (1 << SIZES[plain(kind)]) - 1
            getters.append(lambda state, t, name=name, change=change, mask=mask:
                           change(state.registers[name][t]) & mask)
        return texts, getters, fresh

    def register(self, form, kind, place, taken=(), vector=()):
        """A register for an operand, behind others of its vector in a load or store. Elements of vectors do not go with
        video instructions, nor before a predicate."""
        whole = form.text[0] == "v" and "vote" not in form.text or f"{{{place}}}|" in form.text
        others = vector if form.relaxed else ()
        return self.rng.choice([name for name in candidates(kind, form.relaxed, form.width)
                                if name not in taken and not (whole and "." in name) and alike(name, others)])

    def variation(self, form, kind, name):
        """A register as an operand, at times negated or plus a number, and what that makes of its value."""
        rng = self.rng
        if kind == "pred" and rng.random() < 0.25:
            return f"!{name}", lambda value: value ^ 1
        size = SIZES[TYPE_OF[name]]
        may_add = form.constants and "." not in name and kind[0] in "us" and 8 < size == SIZES[plain(kind)]
        if may_add and rng.random() < 0.04:
            number = rng.choice([1, 16, 255, 0x7fff])
            return f"{name}+{number}", lambda value: value + number
        return name, lambda value: value

    def row(self, form):
        return form.operands(self.rng) if form.operands else values.row(self.rng, form.sources)

    def rows(self, form):
        """A row for each thread: mostly all differ, at times they are equal, or only some threads differ."""
        kind = self.rng.random()
        if kind < 0.9:
            return [self.row(form) for _ in self.threads]
        usual, other = self.row(form), self.row(form)
        strange = set(self.rng.sample(self.threads, min(3, len(self.threads)))) if kind < 0.95 else ()
        return [other if t in strange else usual for t in self.threads]

    def extended(self, kind, name, row):
        """Values of a type in a register, which may be wider: the rest is anything."""
        size, whole = SIZES[plain(kind)], SIZES[TYPE_OF[name]]
        if size == whole:
            return row
        return [value | self.rng.getrandbits(whole - size) << size for value in row]

    def results(self, form):
        chosen = []
        for i, kind in enumerate(form.results):
            chosen.append(self.register(form, kind, i, chosen, chosen))
        return chosen

    def instruction(self):
        rng, form = self.rng, self.form()
        texts, getters, fresh = self.sources(form)
        results = self.results(form)
        if fresh:
            rows = self.rows(form)
            self.load({name: self.extended(form.sources[i], name, [row[i] for row in rows])
                       for name, i in fresh.items()})
        text = form.text.format(*results, *texts)
        lines, guard = text.split("; "), None
        if not form.warp and rng.random() < 0.2:
            guard = (rng.choice(candidates("pred")), rng.random() < 0.5)
            lines = self.guarded(lines, *guard, form.address)
        stored, slots = self.stores(results)
        if form.exact and not form.full and rng.random() < 0.25:
            stored, slots = [], [None] * len(slots)
        execute = self.warp_effect if form.warp else self.thread_effect
        self.steps.append(Step(lines + stored, execute(form, getters, results, slots, guard, text)))

    def guarded(self, lines, predicate, negated, address):
        """Lines under a guard; of several, each reads a copy, for one of them may write the predicate."""
        first = []
        if len(lines) > 1 or self.rng.random() < 0.3:
            first, predicate = [f"mov.pred %guard, {predicate}"], "%guard"
        if address:  # of threads that make no access the address may be anything
            first.append(f"mov.{address[0]} {address[1]}, 3")
        return first + [f"@{'!' * negated}{predicate} {line}" for line in lines]

    def thread_effect(self, form, getters, results, slots, guard, text):
        def effect(state, active):
            for t in active:
                arguments = [get(state, t) for get in getters]
                if guard and state.registers[guard[0]][t] == guard[1]:
                    for name, slot in zip(results, slots):
                        state.keep(t, name, slot, text)
                    continue
                if form.carry:
                    found = form.function(state.flag[t], *arguments)
                    found, state.flag[t] = found[:-1], found[-1]
                elif form.space:
                    found = form.function(state.memory[form.space][t], *arguments)
                else:
                    found = form.function(*arguments)
                found = found if isinstance(found, tuple) else (found,)
                for kind, name, slot, value in zip(form.results, results, slots, found):
                    state.set(t, kind, name, slot, value, text, arguments)
        return effect

    def warp_effect(self, form, getters, results, slots, _, text):
        def effect(state, active):
            groups = {}
            for t in active:
                groups.setdefault((t // self.block, t % self.block // 32), []).append(t)
            for group in groups.values():
                lanes = {t % self.block % 32: tuple(get(state, t) for get in getters) for t in group}
                found = form.function(lanes)
                for t in group:
                    lane = t % self.block % 32
                    for kind, name, slot, value in zip(form.results, results, slots, found[lane]):
                        state.set(t, kind, name, slot, value, text, lanes[lane])
        return effect

    # The text, the files and the check.

    def ptx(self):
        scalars = "".join(f".param .{kind} {name}, " for name, kind in memory.SCALARS)
        constant = ", ".join(str(b) for b in self.constant)
        lines = [line if line.endswith(":") else f"    {line};" for step in self.steps for line in step.lines]
        return (f"{HEADER}.const .align 16 .b8 constants[{memory.SIZE}] = {{{constant}}};\n"
                f".shared .align 16 .b8 pool[{memory.SIZE * self.block}];\n"
                f".visible .entry main(.param .u64 in, .param .u64 out, .param .u64 scratch, .param .u64 counters,\n"
                f"    {scalars}.param .align 16 .b8 parameters[{memory.SIZE}])\n{{\n{declarations()}{STARTS}"
                + "\n".join(lines) + "\n    ret;\n}\n")

    def arguments(self):
        """The parameters behind those of the buffers, as the command has them."""
        found = []
        for i, (_, kind) in enumerate(memory.SCALARS):
            found.append(f"bytes:{self.scalars[8 * i:8 * i + SIZES[kind] // 8].hex()}")
        return found + [f"bytes:{self.parameter.hex()}"]

    def input_bytes(self):
        return b"".join(struct.pack(f"<{len(row)}Q", *row) for row in self.inputs)

    def output_size(self):
        return max(self.offset(self.outputs), 8)

    def scratch_size(self):
        return memory.SIZE * len(self.threads)

    def check(self, output, scratch, counters):
        """What the stored results, the bytes of the threads and the counters hold that is not right, as texts."""
        state = State(self, struct.unpack(f"<{len(output) // 8}Q", output))
        for step in self.steps:
            step.effect(state, state.active)
        for t in self.threads:
            own = scratch[memory.SIZE * t:memory.SIZE * (t + 1)]
            expected = state.memory["global"][t]
            if own != expected:
                state.wrong.append(f"thread {t}: global memory is {own.hex()}, expected {expected.hex()}")
                break
        expected = bytes(state.memory["counters"][0])
        if counters != expected:
            state.wrong.append(f"the counters are {counters.hex()}, expected {expected.hex()}")
        return state.wrong
