"""Random expressions of integers, without undefined behaviour."""
from cuda_programs.cpp import BOOL, I16, I32, I64, I8, INTS, REALS, U16, U32, U64, U8, WIDE_INTS, Int, Text

INTRINSICS = [  # name, types of the operands
    ("__popc", [U32]), ("__popcll", [U64]), ("__clz", [I32]), ("__clzll", [I64]), ("__ffs", [I32]), ("__ffsll", [I64]),
    ("__brev", [U32]), ("__brevll", [U64]), ("__mulhi", [I32, I32]), ("__umulhi", [U32, U32]), ("__mul64hi", [I64] * 2),
    ("__umul64hi", [U64, U64]), ("__byte_perm", [U32, U32, U32]), ("__funnelshift_l", [U32, U32, U32]),
    ("__funnelshift_r", [U32, U32, U32]), ("__funnelshift_lc", [U32, U32, U32]), ("__funnelshift_rc", [U32, U32, U32]),
    ("__sad", [I32, I32, U32]), ("__usad", [U32, U32, U32]), ("__hadd", [I32, I32]), ("__rhadd", [I32, I32]),
    ("__uhadd", [U32, U32]), ("__urhadd", [U32, U32]), ("__umul24", [U32, U32]), ("__vadd4", [U32, U32]),
    ("__vsub2", [U32, U32]), ("__vminu4", [U32, U32]), ("__vmaxs2", [U32, U32]), ("__vabsdiffu4", [U32, U32]),
    ("__vcmpgts2", [U32, U32]), ("__vaddss4", [U32, U32]),
]
EDGES = [0, 1, 2, 3, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x7FFFFFFFFFFFFFFF,
         0x8000000000000000, 0xFFFFFFFFFFFFFFFF]


class Expressions(Text):
    """Each method gives an expression as text. Those that take a type give one of exactly this type."""

    def __init__(self, rng, program):
        super().__init__()
        self.rng, self.program = rng, program
        self.spent = 0     # estimated work of a thread
        self.weight = 1    # how often the code runs that is being made

    def any_int(self):
        wide = WIDE_INTS if self.program.wide and self.rng.random() < 0.1 else INTS
        return self.rng.choice(wide)

    def value(self, type, depth=2):
        return self.integer(type, depth) if isinstance(type, Int) else self.real(type, depth)

    def integer(self, type, depth=2):
        if depth <= 0 or self.rng.random() < 0.1:
            return self.leaf(type)
        self.spent += self.weight
        make = self.rng.choices(
            [self.arithmetic, self.bitwise, self.shift, self.division, self.comparison, self.choice, self.intrinsic,
             self.natural, self.wide_product, self.rotation, self.converted, self.call, self.of_real, self.unary],
            [5, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 1.5, 1, 1])[0]
        return f"({type.name})({make(type, depth - 1)})"

    def literal(self, type):
        number = self.rng.choice([self.rng.choice(EDGES), self.rng.randint(0, 40), self.rng.getrandbits(64)])
        number >>= max(0, 64 - type.bits) if number >> type.bits else 0
        return f"({type.name}){number}ull"

    def leaf(self, type):
        kind = self.rng.random()
        if kind < 0.15:
            return self.literal(type)
        arrays = [a for a in self.scope.arrays if isinstance(a.type, Int)]
        if kind < 0.35 and arrays:
            return f"({type.name}){self.element(self.rng.choice(arrays))}"
        places = [p for p in self.scope.places if isinstance(p.type, Int)]
        exact = [p for p in places if p.type == type]
        chosen = self.rng.choice(exact if exact and self.rng.random() < 0.5 else places)
        return chosen.text if chosen.type == type and chosen.addressable else f"({type.name}){chosen.text}"

    def element(self, array):
        places = [p.text for p in self.scope.places if isinstance(p.type, Int) and p.type != BOOL]
        index = f"(u32){self.rng.choice(places)}"
        if self.rng.random() < 0.3:
            index += f" + {self.rng.randint(1, 9)}u"
        return f"{array.text}[({index}) % {array.size}u]"

    def condition(self, depth=2):
        kind = self.rng.random()
        if kind < 0.5:
            return self.comparison(None, depth - 1)
        if kind < 0.65:
            return f"({self.integer(U32, depth - 1)} & {self.rng.choice([1, 3, 5, 8])}u) != 0"
        if kind < 0.8 and depth > 0:
            return f"({self.condition(depth - 1)}) {self.rng.choice(['&&', '||'])} ({self.condition(depth - 1)})"
        return self.integer(BOOL, depth)

    def near(self, type):
        """A type for an operand: mostly the type of the result."""
        return type if self.rng.random() < 0.7 else self.any_int()

    def arithmetic(self, type, depth):
        work = type.work
        first, second = self.integer(self.near(type), depth), self.integer(self.near(type), depth)
        return f"({work.name})({first}) {self.rng.choice('++-**')} ({work.name})({second})"

    def bitwise(self, type, depth):
        return f"{self.integer(self.near(type), depth)} {self.rng.choice('&|^')} {self.integer(self.near(type), depth)}"

    def unary(self, type, depth):
        operand, work = self.integer(type, depth), type.work.name
        return self.rng.choice([f"~({work})({operand})", f"0 - ({work})({operand})", f"!({operand})"])

    def shift(self, type, depth):
        count = self.rng.choice([f"({self.integer(U32, depth)} & {max(type.bits, 8) - 1}u)",
                                 str(self.rng.randrange(max(type.bits, 8)))])
        if self.rng.random() < 0.5:
            return f"({type.work.name})({self.integer(type, depth)}) << {count}"
        return f"({self.integer(type, depth)}) >> {count}"

    def rotation(self, type, depth):
        """What compilers make a funnel shift of; each part is written once, so it is a call."""
        word = self.rng.choice([U32, U64])
        count = self.rng.choice([str(self.rng.randrange(word.bits)), self.integer(U32, depth)])
        return f"rotated(({word.name})({self.integer(word, depth)}), {count})"

    def division(self, type, depth):
        if type.bits < 8:
            type = U8
        operator = self.rng.choice("/%")
        if self.rng.random() < 0.4:
            most = (1 << type.bits - 1) - 1
            divisor = str(self.rng.choice([2, 3, 5, 7, 8, 10, 16, 25, 60, 100, 127, min(most, 641), min(most, 1000)]))
        elif type.bits == 128:  # clang's code for devices has no division of 128 bits
            type, divisor = U64, f"({self.integer(U64, depth)} | 1)"
        else:
            divisor = f"(({self.integer(type, depth)} & {hex((1 << type.bits - 1) - 1)}) | 2)"
        if type.bits == 128:
            type = I64
        if type.signed and self.rng.random() < 0.3:
            divisor = f"-({type.name}){divisor}"
        return f"({self.integer(type, depth)}) {operator} ({type.name})({divisor})"

    def comparison(self, _, depth):
        if self.rng.random() < 0.15:
            kind = self.rng.choice(REALS)
            return f"({self.real(kind, depth)}) {self.rng.choice(['<', '<=', '>', '>=', '==', '!='])} " \
                   f"({self.real(kind, depth)})"
        type = self.any_int()
        relation = self.rng.choice(["<", "<=", ">", ">=", "==", "!="])
        return f"({self.integer(type, depth)}) {relation} ({self.integer(self.near(type), depth)})"

    def choice(self, type, depth):
        first, second = self.integer(type, depth), self.integer(type, depth)
        if self.rng.random() < 0.3:
            return f"{self.rng.choice(['lower', 'higher'])}<{type.name}>({first}, {second})"
        return f"({self.condition(depth)}) ? ({first}) : ({second})"

    def intrinsic(self, type, depth):
        name, operands = self.rng.choice(INTRINSICS)
        return f"{name}({', '.join(self.integer(operand, depth) for operand in operands)})"

    def natural(self, type, depth):
        """Signed arithmetic in int and long long that does not overflow, as people write it."""
        kind = self.rng.choice([I8, I16, U8])
        first, second = self.integer(kind, depth), self.integer(kind, depth)
        offset = self.rng.randint(-100, 100)
        return self.rng.choice([
            f"{first} * {second} + ({offset})", f"{first} - {second}", f"({first} + {offset}) * 4 - {second}",
            f"{first} * (i64){self.integer(I32, depth)} + {second}", f"-{first} + ({second} * 8 & 127)"])

    def wide_product(self, type, depth):
        narrow, wide = self.rng.choice([(I32, I64), (U32, U64), (I16, I32), (U16, U32)])
        product = f"({wide.name}){self.integer(narrow, depth)} * {self.integer(narrow, depth)}"
        return f"(u64)({product}) + {self.integer(U64, depth)}" if self.rng.random() < 0.4 else product

    def converted(self, type, depth):
        return self.integer(self.any_int(), depth)

    def call(self, type, depth):
        callees = self.program.callable_within(self)
        if not callees:
            return self.arithmetic(type, depth)
        callee = self.rng.choice(callees)
        self.spent += self.weight * callee.cost
        arguments = [self.value(kind, min(depth, 1)) for kind in callee.parameters]
        return callee.call(self, arguments)

    def of_real(self, type, depth):
        """An integer that is made of a floating-point number."""
        kind = self.rng.choice(REALS)
        if self.program.exact:
            text, _, scale = self.exact(kind, depth)
            return f"(i64)({text} * {2 ** scale}{kind.suffix and '.0f'})"
        return self.rng.choice([self.bits, self.rounded_to_int])(kind, depth)
