"""Random statements: assignments, branches, loops, switches, jumps, arrays, structs, pointers and atomic operations."""
from cuda_programs.cpp import BOOL, REALS, U32, VECTORS, Array, Int, Place, elements
from cuda_programs.reals import Reals

MOST_RUNS = 60   # of one statement in a thread
DEEPEST = 4      # nested statements


class Statements(Reals):
    """`budget` bounds the estimated work of a thread; beyond it only plain assignments are made."""

    def __init__(self, rng, program, budget):
        super().__init__(rng, program)
        self.budget = budget
        self.kernel = False

    def over(self):
        return self.spent > self.budget

    def statements(self, context, number):
        for _ in range(number):
            self.statement(context)

    def body(self, context, most=3):
        self.statements(context, self.rng.randint(1, most))

    def statement(self, context):
        self.weight = context.weight
        self.spent += 3 * self.weight
        kinds = [(self.assign, 6), (self.compound, 2), (self.store, 2), (self.pointer, 0.7)]
        if not self.over():
            kinds += [(self.declare, 2), (self.declare_array, 1), (self.declare_vector, 1), (self.declare_struct, 1),
                      (self.atomic, 1.5), (self.closure, 0.5), (self.change, 1)]
            kinds += self.structured(context)
        if context.mask and not self.over():
            kinds += self.of_warps(context)
        kinds, weights = zip(*kinds)
        self.rng.choices(kinds, weights)[0](context)
        self.weight = context.weight

    def structured(self, context):
        kinds = [(self.leave, 1)] if context.loop or context.returns else []
        if context.depth < DEEPEST:
            kinds += [(self.branch, 4), (self.loop, 3), (self.conditional_loop, 1.5), (self.switch, 1.5),
                      (self.jumps, 0.7), (self.jump_into_loop, 0.4), (self.jump_out, 0.6)]
        return kinds

    def of_warps(self, context):
        return []

    def times(self, context):
        return min(self.rng.randint(1, 7), max(1, MOST_RUNS // context.weight))

    # Variables.

    def made(self, type, depth=2):
        """A value that a variable of this type can be set to."""
        return self.integer(type, depth) if isinstance(type, Int) else self.stored(type, depth)

    def writable(self, condition=lambda place: True):
        places = [p for p in self.scope.places if p.writable and condition(p)]
        return self.rng.choice(places) if places else None

    def assign(self, _):
        place = self.writable()
        self.line(f"{place.text} = {self.made(place.type, self.rng.randint(1, 3))};")

    def compound(self, _):
        place = self.writable(lambda p: isinstance(p.type, Int) and p.type != BOOL and p.addressable)
        if place is None:
            return
        type, text = place.type, place.text
        wraps = not type.signed and type.bits >= 32
        forms = [f"{text} {self.rng.choice('&|^')}= {self.integer(type)};",
                 f"{text} >>= {self.rng.randrange(type.bits)};"]
        if wraps:
            forms += [f"{text} {self.rng.choice('+-*')}= {self.integer(type)};",
                      f"{text} <<= {self.rng.randrange(32)};"]
        if wraps or type.bits < 32:
            forms += [f"{self.rng.choice(['++', '--'])}{text};", f"{text} += {self.integer(type)};"]
        self.line(self.rng.choice(forms))

    def add_place(self, stem, type):
        """Declares a variable with a value."""
        value, name = self.made(type), self.name(stem)
        self.line(f"{type.name} {name} = {value};")
        self.scope.places.append(Place(name, type))

    def declare(self, _):
        self.add_place("v", self.rng.choice(REALS) if self.rng.random() < 0.2 else self.any_int())

    def declare_array(self, context):
        kind = self.rng.choice(REALS) if self.rng.random() < 0.15 else self.any_int()
        name, size, index = self.name("array"), self.rng.randint(2, 9), self.name("step")
        self.line(f"{kind.name} {name}[{size}];")
        with self.braces(f"for (u32 {index} = 0; {index} < {size}; ++{index})"):
            self.weight = context.weight * size
            self.scope.places.append(Place(index, U32, writable=False))
            self.line(f"{name}[{index}] = {self.made(kind, 1)};")
        self.scope.arrays.append(Array(name, kind, size))

    def store(self, context):
        arrays = [a for a in self.scope.arrays if a.writable]
        if not arrays:
            return self.assign(context)
        array = self.rng.choice(arrays)
        self.line(f"{self.element(array)} = {self.made(array.type)};")

    def declare_vector(self, _):
        vector = self.rng.choice(list(VECTORS))
        kind, name = VECTORS[vector], self.name("vector")
        loads = [a for a in self.program.vectors if self.kernel and a.type == vector]
        if loads and self.rng.random() < 0.7:
            self.line(f"{vector} {name} = {self.element(loads[0])};")
        else:
            parts = ", ".join(self.made(kind, 1) for _ in elements(vector))
            self.line(f"{vector} {name} = make_{vector}({parts});")
        self.scope.places += [Place(f"{name}.{e}", kind) for e in elements(vector)]

    def declare_struct(self, _):
        if not self.program.structs:
            return
        struct, name = self.rng.choice(self.program.structs), self.name("record")
        if self.rng.random() < 0.3:
            name = self.one_of_several(struct, name)
        else:
            self.line(f"{struct.name} {name}{{}};")
        for place in struct.places(name):
            if self.rng.random() < 0.5:
                self.line(f"{place.text} = {self.made(place.type, 1)};")
        self.add_struct(struct, name)

    def one_of_several(self, struct, name):
        """An array of structs, of which an index chooses one. The text of this one."""
        size, index = self.rng.randint(2, 4), self.name("index")
        self.line(f"const u32 {index} = {self.integer(U32)} % {size}u;")
        self.line(f"{struct.name} {name}[{size}]{{}};")
        return f"{name}[{index}]"

    def add_struct(self, struct, name):
        self.scope.places += struct.places(name)
        self.scope.arrays += struct.arrays(name)
        self.scope.records.append((struct, name))

    def pointer(self, context):
        """Access through a pointer to one of two variables, or into one of two arrays."""
        arrays = [a for a in self.scope.arrays if a.size >= 4]
        first = self.rng.choice(arrays) if arrays and self.rng.random() < 0.6 else None
        same = [a for a in arrays if first and a.type == first.type and a != first]
        name = self.name("p")
        if same:
            second = self.rng.choice(same)
            self.line(f"const {first.type.name}* {name} = ({self.condition(1)}) ? {first.text} : {second.text};")
            self.scope.arrays.append(Array(name, first.type, 4, writable=False))
            return
        place = self.writable(lambda p: p.addressable)
        if place is None:
            return self.assign(context)
        other = self.writable(lambda p: p.addressable and p.type == place.type)
        self.line(f"{place.type.name}* {name} = ({self.condition(1)}) ? &{place.text} : &{other.text};")
        self.line(f"*{name} = {self.made(place.type)};")

    def closure(self, _):
        name, argument, kind = self.name("closure"), self.name("x"), self.any_int()
        target = self.writable(lambda p: isinstance(p.type, Int))
        if target is None:
            return
        with self.braces(f"const auto {name} = [=](u32 {argument}) -> {kind.name}", ";"):
            self.scope.places.append(Place(argument, U32, writable=False))
            self.line(f"return {self.integer(kind, 3)};")
        first, second = self.integer(U32), self.integer(U32)
        self.line(f"{target.text} = ({target.type.name})({name}({first}) {self.rng.choice('^|&')} {name}({second}));")

    def change(self, context):
        """A call of a function that changes what it gets by reference, or gives a struct back."""
        callee = self.rng.choice(self.program.changers_within(self) or [None])
        if callee is None:
            return self.assign(context)
        self.spent += callee.cost * self.weight
        callee.call(self)

    # Memory that threads share, where the order of operations does not matter.

    def atomic(self, _):
        array, operation, kind = self.rng.choice(self.program.counters)
        if operation == "take_ticket":
            return self.take_ticket(array)
        index = f"{self.integer(U32, 1)} % {array.size}u"
        value = self.integer(kind, 2) if isinstance(kind, Int) else f"({kind.name})({self.integer(U32, 1)} & 255)"
        if operation == "atomicInc":
            value = "200u"  # one limit for all: the sum is then the number of operations, modulo 201
        self.line(f"{operation}(&{array.text}[{index}], {value});")

    def take_ticket(self, array):
        """Which thread gets which number depends on the order, but not which numbers are given."""
        ticket = self.name("ticket")
        self.line(f"const u32 {ticket} = atomicAdd(&tickets, 1u);")
        self.line(f"atomicAdd(&{array.text}[{ticket} % {array.size}u], {ticket} * 40503u);")

    # Branches and loops.

    def uniform_value(self, context):
        """A number that is the same in all threads that are here together."""
        known = self.scope.uniform + ([] if context.whole else self.scope.warp_uniform)
        return self.rng.choice(known + [f"{self.rng.randint(0, 9)}u"])

    def uniform_condition(self, context):
        value = self.uniform_value(context)
        return self.rng.choice([f"({value} & {self.rng.choice([1, 2, 3, 4])}u) != 0",
                                f"{value} % {self.rng.choice([2, 3, 5])}u == {self.rng.randint(0, 1)}u"])

    def branch(self, context):
        uniform = self.uniform_condition(context) if context.mask and self.rng.random() < 0.4 else None
        if uniform:
            self.either(uniform, context.inside(), context.inside())
        elif context.mask and self.scope.warp_uniform and self.rng.random() < 0.3:
            of_warp = f"{self.rng.choice(self.scope.warp_uniform)} % {self.rng.randint(2, 3)}u == 0"
            self.either(of_warp, context.inside(whole=False), context.inside(whole=False))
        elif context.mask and self.rng.random() < 0.5:
            self.branch_with_masks(context)
        else:
            self.either(self.condition(), context.parted(), context.parted())

    def either(self, condition, then, otherwise):
        with self.braces(f"if ({condition})"):
            self.body(then)
        if self.rng.random() < 0.5:
            with self.braces("else"):
                self.body(otherwise)

    def branch_with_masks(self, context):
        """On both sides the threads know who is with them."""
        chosen, mask, other = self.name("c"), self.name("m"), self.name("m")
        self.line(f"const bool {chosen} = {self.condition()};")
        self.line(f"const u32 {mask} = __ballot_sync({context.mask}, {chosen}), {other} = {context.mask} & ~{mask};")
        self.either(chosen, context.inside(mask=mask, whole=False), context.inside(mask=other, whole=False))

    def loop(self, context):
        times, index = self.times(context), self.name("step")
        uniform = context.mask is not None and self.rng.random() < 0.6
        if uniform:
            bound, inside = f"{self.uniform_value(context)} % {times + 1}u", context.inside(times, loop=False)
        else:
            bound, inside = f"{self.integer(U32)} % {times + 1}u", context.parted(times, loop=True)
        limit = self.name("n")
        self.line(f"const u32 {limit} = {bound if self.rng.random() < 0.7 else times};")
        head = self.rng.choice([f"u32 {index} = 0; {index} < {limit}; ++{index}",
                                f"u32 {index} = {limit}; {index} != 0; --{index}",
                                f"i32 {index} = (i32){limit} - 1; {index} >= 0; {index} -= {self.rng.randint(1, 2)}",
                                f"u8 {index} = 0; {index} != {limit}; {index}++"])
        unroll = self.rng.choice(["", "", "", "_Pragma(\"unroll\")", "_Pragma(\"unroll 1\")"])
        if unroll:
            self.line(unroll)
        with self.braces(f"for ({head})"):
            self.scope.places.append(Place(f"(u32){index}", U32, writable=False))
            self.body(inside)

    def conditional_loop(self, context):
        """while and do; each thread leaves it in its own time."""
        fuel, times = self.name("fuel"), self.times(context)
        self.line(f"i32 {fuel} = {times};")
        inside, condition = context.parted(times, loop=True), f"{fuel}-- > 0 && ({self.condition()})"
        if self.rng.random() < 0.5:
            with self.braces(f"while ({condition})"):
                self.body(inside)
        else:
            with self.braces("do", f" while ({condition});"):
                self.body(inside)

    def leave(self, context):
        words = ["break", "continue"] if context.loop else []
        if context.returns:
            words.append(self.returned())
        self.line(f"if ({self.condition()}) {self.rng.choice(words)};")

    def switch(self, context):
        uniform = context.mask and self.rng.random() < 0.4
        number, kind = self.rng.randint(2, 9), self.any_int()
        if uniform:
            selector = self.uniform_value(context)
        else:
            selector = self.integer(kind if kind.bits <= 64 and kind != BOOL else U32)
        stride = self.rng.choice([1, 1, 1, 3, 11])
        inside = context.inside() if uniform else context.parted()
        with self.braces(f"switch (({selector}) % {number * stride + 1})"):
            for case in self.rng.sample(range(number), number):
                self.line(f"case {case * stride}:")
                if self.rng.random() < 0.75:
                    with self.braces("", " break;" if self.rng.random() < 0.75 else ""):
                        self.body(inside, 2)
            self.line("default:")
            with self.braces(""):
                self.body(inside, 2)

    def jumps(self, context):
        """Labels with jumps between any two: loops with several entries too."""
        number, fuel = self.rng.randint(2, 4), self.name("fuel")
        labels, times = [self.name("label") for _ in range(number)], self.times(context)
        inside = context.parted(times + 1, loop=False)
        with self.braces(""):
            self.line(f"i32 {fuel} = {times};")
            self.line(f"if ({self.condition()}) goto {self.rng.choice(labels)};")
            for label in labels:
                self.line(f"{label}:")
                with self.braces(""):
                    self.body(inside, 2)
                self.line(f"if (({self.condition()}) && {fuel}-- > 0) goto {self.rng.choice(labels)};")

    def jump_into_loop(self, context):
        """A switch whose cases lie in a loop."""
        fuel, times = self.name("fuel"), self.times(context)
        inside = context.parted(times + 1, loop=False)
        with self.braces(""):
            self.line(f"i32 {fuel} = {times};")
            with self.braces(f"switch ({self.integer(U32)} & 3u)"):
                self.line("case 0:")
                with self.braces("do", f" while (({self.condition()}) && {fuel}-- > 0);"):
                    for case in (1, 2, 3):
                        with self.braces(""):
                            self.body(inside, 2)
                        self.line(f"case {case}:;")
                    with self.braces(""):
                        self.body(inside, 2)

    def jump_out(self, context):
        """Two loops that are left at once."""
        out, outer, inner, times = self.name("out"), self.name("step"), self.name("step"), self.times(context)
        inside = context.parted(times * 2, loop=True)
        with self.braces(f"for (u32 {outer} = 0; {outer} < {times}; ++{outer})"):
            with self.braces(f"for (u32 {inner} = 0; {inner} < 2; ++{inner})"):
                self.scope.places.append(Place(f"({outer} + {inner})", U32, writable=False))
                self.body(inside, 2)
                self.line(f"if ({self.condition()}) goto {out};")
                self.body(inside, 2)
        self.line(f"{out}:;")
