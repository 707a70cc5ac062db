"""Random statements in which threads exchange values: operations of a warp, shared memory and barriers."""
from cuda_programs.cpp import F32, F64, I32, I64, U32, U64, Context, Int, Place
from cuda_programs.statements import Statements

SHUFFLED = [I32, U32, I64, U64, F32, F64]
SHUFFLES = ["shuffle", "shuffle_part", "shuffle_up", "shuffle_down", "shuffle_xor"]


class Cooperation(Statements):
    """Makes kernels and functions that a warp calls together; both have a variable `lane`."""

    def of_warps(self, context):
        kinds = [(self.shuffle, 5), (self.vote, 3), (self.match, 3), (self.warp_call, 3), (self.from_both_sides, 2)]
        if self.program.reduces:
            kinds.append((self.reduce, 2))
        if self.kernel:
            kinds.append((self.warp_exchange, 2))
        if self.kernel and context.whole:
            kinds += [(self.exchange, 4), (self.block_vote, 2), (self.counted, 2), (self.tree, 1)]
        return kinds

    def give(self, type, value):
        """Puts the value into a variable that there is, or into a new one."""
        place = self.writable(lambda p: p.type == type)
        if place and self.rng.random() < 0.6:
            self.line(f"{place.text} = {value};")
        else:
            name = self.name("v")
            self.line(f"{type.name} {name} = {value};")
            self.scope.places.append(Place(name, type))

    def shuffled(self, context, kind, name):
        width = self.rng.choice([32, 32, 16, 8, 4, 2])
        source = self.rng.choice([self.integer(U32), f"{self.rng.randrange(32)}u",
                                  f"lane + {self.rng.randint(1, 31)}u"])
        return f"{name}({context.mask}, lane, {self.made(kind)}, (u32)({source}), {width})"

    def shuffle(self, context):
        kind, name = self.rng.choice(SHUFFLED), self.rng.choice(SHUFFLES)
        self.give(kind, self.shuffled(context, kind, name))

    def from_both_sides(self, context):
        """One operation, which the threads of a branch execute on both of its sides, or of two branches in a row."""
        kind, name = self.rng.choice(SHUFFLED), self.rng.choice(SHUFFLES)
        operation = self.rng.choice([lambda: self.shuffled(context, kind, name),
                                     lambda: f"__ballot_sync({context.mask}, {self.condition()})",
                                     lambda: f"__match_any_sync({context.mask}, (u64)({self.integer(U64)} & 3))"])
        value, chosen = self.name("v"), self.name("c")
        self.line(f"const bool {chosen} = {self.condition()};")
        self.line(f"{kind.name} {value};")
        with self.braces(f"if ({chosen})"):
            self.line(f"{value} = ({kind.name}){operation()};")
        apart = self.rng.random() < 0.5
        if apart:
            self.give(U32, self.integer(U32))
        with self.braces(f"if (!{chosen})" if apart else "else"):
            self.line(f"{value} = ({kind.name}){operation()};")
        self.scope.places.append(Place(value, kind))

    def vote(self, context):
        name = self.rng.choice(["__ballot_sync", "__any_sync", "__all_sync"])
        value = self.name("w")
        # Clang 14 converts the negative of a single bit without its sign: (float)(0 - any) is 1.0 where it is -1.
        more = "" if name == "__ballot_sync" else " + 1u"
        self.line(f"const u32 {value} = {name}({context.mask}, {self.condition()}){more};")
        self.scope.places.append(Place(value, U32, writable=False))
        if context.whole:
            self.scope.warp_uniform.append(value)

    def match(self, context):
        """Threads with equal values; each such group may go on to compute together."""
        kind, group = self.rng.choice([I32, U32, U64, I64]), self.name("g")
        value = f"({kind.name})({self.integer(kind)} & {self.rng.choice([1, 3, 12])})"
        if self.rng.random() < 0.3:
            return self.give(U32, f"(u32)match_all({context.mask}, {value})")
        self.line(f"const u32 {group} = __match_any_sync({context.mask}, {value});")
        self.scope.places.append(Place(group, U32, writable=False))
        if self.rng.random() < 0.5:
            self.statement_of_group(Context(context.weight, context.depth + 1, mask=group))

    def statement_of_group(self, context):
        kinds = [self.shuffle, self.vote] + ([self.reduce] if self.program.reduces else [])
        self.rng.choice(kinds)(context)

    def reduce(self, context):
        name, kind = self.rng.choice([("add", U32), ("min", U32), ("max", U32), ("and", U32), ("or", U32), ("xor", U32),
                                      ("min", I32), ("max", I32)])
        self.give(kind, f"__reduce_{name}_sync({context.mask}, {self.integer(kind)})")

    def warp_call(self, context):
        callees = self.program.warp_functions_within(self)
        if callees:
            callee = self.rng.choice(callees)
            self.spent += callee.cost * self.weight
            arguments = [self.value(kind, 1) for kind in callee.parameters]
            self.give(callee.result, callee.call_together(self, context, arguments))

    def warp_exchange(self, context):
        """Through shared memory, within a warp."""
        array = self.rng.choice(self.shared)
        mine, theirs = f"{array.text}[tid]", f"{array.text}[tid - lane + lane_of({context.mask}, {self.integer(U32)})]"
        self.line(f"__syncwarp({context.mask});")
        self.line(f"{mine} = {self.made(array.type)};")
        self.line(f"__syncwarp({context.mask});")
        self.give(array.type, theirs)
        self.line(f"__syncwarp({context.mask});")

    def exchange(self, _):
        """Through shared memory, within the block."""
        array = self.rng.choice(self.shared)
        self.line("__syncthreads();")
        self.line(f"{array.text}[tid] = {self.made(array.type)};")
        self.line("__syncthreads();")
        self.give(array.type, f"{array.text}[({self.integer(U32)}) % THREADS]")
        self.line("__syncthreads();")

    def counted(self, _):
        """Counters in shared memory are read when no thread changes them."""
        self.line("__syncthreads();")
        self.give(U32, f"counts[{self.integer(U32)} % COUNTS]")
        self.line("__syncthreads();")

    def block_vote(self, _):
        name, value = self.rng.choice(["count", "or", "and"]), self.name("w")
        self.line(f"const u32 {value} = __syncthreads_{name}({self.condition()});")
        self.scope.places.append(Place(value, U32, writable=False))
        self.scope.uniform.append(value)

    def tree(self, _):
        """A sum over the block in a logarithm of steps."""
        array = self.rng.choice([a for a in self.shared if isinstance(a.type, Int)])
        step, work = self.name("s"), array.type.work.name
        self.line("__syncthreads();")
        self.line(f"{array.text}[tid] = {self.made(array.type)};")
        with self.braces(f"for (u32 {step} = 1; {step} < THREADS; {step} *= 2)"):
            self.line("__syncthreads();")
            with self.braces(f"if (tid % (2 * {step}) == 0 && tid + {step} < THREADS)"):
                self.line(f"{array.text}[tid] = ({array.type.name})(({work}){array.text}[tid] + "
                          f"({work}){array.text}[tid + {step}]);")
        self.line("__syncthreads();")
        self.give(array.type, f"{array.text}[0]")
        self.line("__syncthreads();")
        self.spent += 30 * self.weight

    def atomic(self, context):
        if not self.kernel or self.rng.random() < 0.7:
            return super().atomic(context)
        self.line(f"atomicAdd(&counts[{self.integer(U32, 1)} % COUNTS], {self.integer(U32)});")
