"""Random expressions of floating-point numbers.

Programs are of two kinds. In exact ones every result has so few bits that no operation rounds, so a compiler may fuse
or reorder operations. The others are compiled without contraction, and each operation rounds as IEEE 754 says.
"""
from cuda_programs.cpp import F32, F64, I32, I64, REALS, U32, U64, Real
from cuda_programs.expressions import Expressions

PLACE_BITS = 10  # of a variable of an exact program, which holds an integer
ROUNDINGS = ["rn", "rz", "ru", "rd"]


class Reals(Expressions):

    def real(self, type, depth):
        return self.exact(type, depth)[0] if self.program.exact else self.rounded(type, depth)

    def stored(self, type, depth=2):
        """What a variable can be set to: in exact programs an integer of a few bits."""
        if not self.program.exact:
            return self.rounded(type, depth)
        text, _, scale = self.exact(type, depth)
        return f"({type.name})((i64)({text} * {2 ** scale}{type.suffix and '.0f'}) & {(1 << PLACE_BITS) - 1})"

    def places(self, type):
        return [p.text for p in self.scope.places if p.type == type] + \
               [self.element(a) for a in self.scope.arrays if a.type == type]

    # Exact numbers: (text, bits, scale) of n / 2**scale with n less than 2**bits.

    def exact(self, type, depth):
        if depth > 0:
            self.spent += self.weight
            kind = self.rng.choice(["+", "-", "*", "fma", "abs", "min", "choice", "convert", "divide", "whole"])
            found = self.exact_operation(type, kind, depth - 1)
            if found[1] <= type.digits:
                return found
        return self.exact_leaf(type)

    def exact_leaf(self, type):
        places = self.places(type)
        kind = self.rng.random()
        if kind < 0.5 and places:
            return self.rng.choice(places), PLACE_BITS, 0
        if kind < 0.7:
            return f"{self.rng.randint(1, 15) / 4}{type.suffix}", 4, 2
        return f"({type.name})({self.integer(I32, 1)} & 127)", 7, 0

    def exact_operation(self, type, kind, depth):
        f = type.suffix
        first, bits, scale = self.exact(type, depth)
        if kind == "abs":
            return f"fabs{f}({first})", bits, scale
        if kind == "whole":
            return f"{self.rng.choice(['floor', 'ceil', 'trunc', 'rint'])}{f}({first})", bits, 0
        if kind == "divide":
            return f"(({first}) * 3{f and '.0f'}) / 3{f and '.0f'}", bits + 2, scale
        if kind == "convert":
            other = F64 if type == F32 else F32
            text, bits, scale = self.exact(other, depth)
            return f"({type.name})({text})", bits, scale
        second, other_bits, other_scale = self.exact(type, depth)
        common = max(scale, other_scale)
        aligned = max(bits + common - scale, other_bits + common - other_scale)
        if kind == "choice":
            return f"(({self.condition(1)}) ? ({first}) : ({second}))", aligned, common
        if kind == "min":
            return f"{self.rng.choice(['fmin', 'fmax'])}{f}({first}, {second})", aligned, common
        if kind in "+-":
            return f"(({first}) {kind} ({second}))", aligned + 1, common
        product = bits + other_bits, scale + other_scale
        if kind == "*":
            return f"(({first}) * ({second}))", *product
        third, third_bits, third_scale = self.exact_leaf(type)
        common = max(product[1], third_scale)
        bits = max(product[0] + common - product[1], third_bits + common - third_scale) + 1
        text = self.rng.choice([f"fma{f}({first}, {second}, {third})", f"(({first}) * ({second}) + ({third}))"])
        return text, bits, common

    # Numbers that round.

    def rounded(self, type, depth):
        if depth <= 0:
            return self.rounded_leaf(type)
        self.spent += self.weight
        depth -= 1
        kind = self.rng.random()
        first, second = self.rounded(type, depth), self.rounded(type, depth)
        if kind < 0.45:
            return f"(({first}) {self.rng.choice('+-**/')} ({second}))"
        if kind < 0.55:
            return f"fma{type.suffix}({first}, {second}, {self.rounded(type, depth)})"
        if kind < 0.65:
            return f"{self.rng.choice(['smaller', 'larger'])}({first}, {second})"
        if kind < 0.75:
            return f"(({self.condition(1)}) ? ({first}) : ({second}))"
        if kind < 0.85:
            return self.directed(type, first, second)
        name = self.rng.choice(["sqrt", "fabs", "floor", "ceil", "trunc", "rint", "-"])
        if name == "ceil":
            return f"rounded_up({first})"
        return f"(-({first}))" if name == "-" else f"{name}{type.suffix}({first})"

    def directed(self, type, first, second):
        """An operation that names how it rounds."""
        mode, letter = self.rng.choice(ROUNDINGS), "f" if type == F32 else "d"
        kind = self.rng.choice(["add", "mul", "div", "sqrt", "convert"])
        if kind == "sqrt":
            return f"__{letter}sqrt_{mode}({first})"
        if kind == "convert":
            if type == F64:
                return f"__ll2double_{mode}({self.integer(I64, 1)})"
            return self.rng.choice([f"__int2float_{mode}({self.integer(I32, 1)})",
                                    f"__ll2float_{mode}({self.integer(I64, 1)})",
                                    f"__double2float_{mode}({self.rounded_leaf(F64)})"])
        return f"__{letter}{kind}_{mode}({first}, {second})"

    def rounded_leaf(self, type):
        places, kind = self.places(type), self.rng.random()
        if kind < 0.5 and places:
            return self.rng.choice(places)
        if kind < 0.6:
            return self.rng.choice(["0.1", "1.5", "3.0", "1e-3", "12345.678", "1e20", "2.5e-39", "0.0"]) + type.suffix
        if kind < 0.7:
            word = (f"__uint_as_float({self.integer(U32, 1)})" if type == F32 else
                    f"__longlong_as_double({self.integer(I64, 1)})")
            return word
        if kind < 0.8:
            return f"({type.name})({self.rng.choice(self.places(F64 if type == F32 else F32) or ['1.0'])})"
        return f"({type.name})({self.integer(self.rng.choice([I32, U32, I64, U64]), 1)})"

    def bits(self, type, depth):
        return f"bits_of({self.rounded(type, depth)})"

    def rounded_to_int(self, type, depth):
        mode = self.rng.choice(ROUNDINGS)
        names = ["float2int", "float2uint", "float2ll"] if type == F32 else ["double2int", "double2ull"]
        return f"__{self.rng.choice(names)}_{mode}(number_of({self.rounded(type, depth)}))"
