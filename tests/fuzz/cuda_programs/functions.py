"""Random functions that kernels call, and the structs that they pass."""
from dataclasses import dataclass, replace

from cuda_programs.cooperation import Cooperation
from cuda_programs.cpp import (BOOL, I16, I32, INTS, REALS, U32, U64, VECTORS, Array, Context, Int, Place, elements)

BUDGET = 60  # estimated work of a function


@dataclass
class Struct:
    name: str
    fields: list  # (name, type or vector, bits or length or None)

    def definition(self):
        lines = []
        for name, kind, extra in self.fields:
            text = kind if isinstance(kind, str) else kind.name
            more = "" if extra is None else f"[{extra[1]}]" if extra[0] == "array" else f" : {extra[1]}"
            lines.append(f"    {text} {name}{more};")
        return "\n".join([f"struct {self.name} {{", *lines, "};"])

    def places(self, prefix):
        found = []
        for name, kind, extra in self.fields:
            if isinstance(kind, str):
                found += [Place(f"{prefix}.{name}.{e}", VECTORS[kind]) for e in elements(kind)]
            elif extra is None or extra[0] == "bits":
                found.append(Place(f"{prefix}.{name}", kind, addressable=extra is None))
        return found

    def arrays(self, prefix):
        return [Array(f"{prefix}.{name}", kind, extra[1]) for name, kind, extra in self.fields
                if extra and extra[0] == "array"]


def random_struct(rng, name):
    fields = []
    for i in range(rng.randint(1, 5)):
        kind = rng.random()
        if kind < 0.2:
            fields.append((f"v{i}", rng.choice(list(VECTORS)), None))
        elif kind < 0.4:
            fields.append((f"a{i}", rng.choice(INTS), ("array", rng.randint(1, 5))))
        elif kind < 0.6 and not any(extra and extra[0] == "bits" for _, _, extra in fields):
            # Together they fill their type: clang 14 has no code for the return of a struct with 24 bits of them.
            type = rng.choice([U32, I32, U64, I16])
            first = rng.randint(1, type.bits - 1)
            fields += [(f"b{i}", type, ("bits", first)), (f"c{i}", type, ("bits", type.bits - first))]
        else:
            fields.append((f"f{i}", rng.choice(INTS + REALS), None))
    return Struct(name, [*fields, ("last", U32, None)])


@dataclass
class Function:
    """A function without side effects, but for atomic operations."""
    name: str
    result: object
    parameters: list
    cost: int
    text: str
    first: str = ""  # what its first parameter is, before `parameters`: the depth of its calls of itself
    size: int = 0    # of a table of functions, which `name` is

    def call(self, caller, arguments):
        first = [f"{caller.integer(U32, 1)} % {RECURSIONS + 1}u"] if self.first == "depth" else []
        index = f"[{caller.integer(U32, 1)} % {self.size}u]" if self.size else ""
        return f"{self.name}{index}({', '.join(first + arguments)})"

    def call_together(self, caller, context, arguments):
        """A call by all threads of the context's mask, of one function and with one depth."""
        first = [f"{caller.uniform_value(context)} % {RECURSIONS + 1}u"] if self.first == "depth" else []
        index = f"[{caller.uniform_value(context)} % {self.size}u]" if self.size else ""
        return f"{self.name}{index}({', '.join([context.mask, *first, *arguments])})"


RECURSIONS = 3


def qualifiers(rng):
    return "__device__ " + rng.choice(["__noinline__ ", "__noinline__ ", "__forceinline__ ", ""])


def parameters(g, number):
    """Parameters of a function that is made: their types, declarations; they become places."""
    types = [g.rng.choice(REALS) if g.rng.random() < 0.2 else g.any_int() for _ in range(number)]
    names = [g.name("a") for _ in types]
    g.scope.places += [Place(name, type) for name, type in zip(names, types)]
    return types, [f"{type.name} {name}" for name, type in zip(names, types)]


class Maker(Cooperation):
    """Makes one function. Its text is in `lines`."""

    def __init__(self, rng, program):
        super().__init__(rng, program, BUDGET)
        self.result = None
        self.scope.arrays += program.tables
        self.scope.places.append(Place("0x5Au", U32, writable=False))  # there is always a number to compute with

    def returned(self):
        return f"return {self.value(self.result, 2)}"

    def text(self):
        return "\n".join(self.lines)

    def plain(self, name, result=None, types=None):
        """A function of numbers."""
        self.result = result or self.any_int()
        kinds, declared = parameters(self, self.rng.randint(1, 6)) if types is None else self.given(types)
        with self.braces(f"{qualifiers(self.rng)}{self.result.name} {name}({', '.join(declared)})"):
            self.body(Context(returns=True), 4)
            self.line(self.returned() + ";")
        return Function(name, self.result, kinds, self.spent, self.text())

    def given(self, types):
        names = [self.name("a") for _ in types]
        self.scope.places += [Place(name, type) for name, type in zip(names, types)]
        return types, [f"{type.name} {name}" for name, type in zip(names, types)]

    def recursive(self, name):
        """A function that calls itself, once or twice."""
        self.result = self.any_int()
        types, declared = parameters(self, self.rng.randint(1, 3))
        with self.braces(f"__device__ __noinline__ {self.result.name} {name}({', '.join(['u32 depth', *declared])})"):
            self.scope.places.append(Place("depth", U32, writable=False))
            self.line(f"if (depth == 0) {self.returned()};")
            self.body(Context(returns=True), 2)
            for _ in range(self.rng.randint(1, 2)):
                arguments = ", ".join(self.value(type, 1) for type in types)
                condition, inner = self.condition(), self.name("inner")
                self.line(f"{self.result.name} {inner} = ({self.result.name})7;")
                self.line(f"if ({condition}) {inner} = {name}(depth - 1, {arguments});")
                self.scope.places.append(Place(inner, self.result))
            self.line(self.returned() + ";")
        return Function(name, self.result, types, self.spent * 8, self.text(), first="depth")

    def by_pointers(self, name):
        """A function that calls itself and hands on pointers to its variables, or to those that it got."""
        self.result = self.rng.choice([U32, U64])
        types, declared = parameters(self, self.rng.randint(1, 2))
        type, inner = self.result.name, f"{name}_inner"
        with self.braces(f"__device__ __noinline__ {type} {inner}({', '.join([f'{type}* got', 'u32 depth', *declared])})"):
            self.scope.places.append(Place("depth", U32, writable=False))
            self.line(f"{type} own[3] = {{1, 2, 3}};")
            self.scope.places += [Place(f"{array}[{i}]", self.result) for array in ("own", "got") for i in range(3)]
            self.line(f"if (depth == 0) {self.returned()};")
            self.body(Context(returns=True), 2)
            for _ in range(self.rng.randint(1, 2)):
                arguments = ", ".join(self.value(type, 1) for type in types)
                place = f"{self.rng.choice(['own', 'got'])}[{self.rng.randint(0, 2)}]"
                with self.braces(f"if ({self.condition()})"):
                    self.line(f"const {type} made = "
                              f"{inner}({self.rng.choice(['own', 'own', 'got'])}, depth - 1, {arguments});")
                    self.line(f"{place} += made;")
            self.line(self.returned() + ";")
        names = [each.split()[-1] for each in declared]
        with self.braces(f"__device__ {type} {name}({', '.join(['u32 depth', *declared])})"):
            self.line(f"{type} own[3] = {{4, 5, 6}};")
            self.line(f"const {type} made = {inner}(own, depth, {', '.join(names)});")
            self.line("return made ^ own[0] ^ own[1] * 3 ^ own[2] * 5;")
        return Function(name, self.result, types, self.spent * 8, self.text(), first="depth")

    def of_warp(self, name, result=None, types=None):
        """A function that threads of a warp call together; its first parameter says which."""
        return self.together(name, result, types, ["u32 mask"], lambda declared: None)

    def recursive_of_warp(self, name):
        """The same, and it calls itself."""
        def descend(types):
            inner, arguments = self.name("inner"), ", ".join(self.value(type, 1) for type in types)
            self.line(f"{self.result.name} {inner} = ({self.result.name})7;")
            self.line(f"if (depth != 0) {inner} = {name}(mask, depth - 1, {arguments});")
            self.scope.places.append(Place(inner, self.result))
        made = self.together(name, None, None, ["u32 mask", "u32 depth"], descend)
        return replace(made, first="depth", cost=made.cost * (RECURSIONS + 1))

    def together(self, name, result, types, first, descend):
        self.result = result or self.rng.choice([U32, U64, I32])
        types, declared = parameters(self, self.rng.randint(1, 3)) if types is None else self.given(types)
        with self.braces(f"__device__ __noinline__ {self.result.name} {name}({', '.join(first + declared)})"):
            self.line("const u32 lane = this_lane();")
            self.scope.places.append(Place("lane", U32, writable=False))
            self.body(Context(mask="mask"), 4)
            descend(types)
            self.body(Context(mask="mask"), 2)
            self.line(self.returned() + ";")
        return Function(name, self.result, types, self.spent, self.text())

    def changer(self, name):
        """A function that changes a struct or what it gets by reference."""
        struct = self.rng.choice([None, *self.program.structs])
        types, declared = parameters(self, 2)
        if struct:
            self.add_struct(struct, "record")
            head = f"{struct.name} {name}({', '.join([f'{struct.name} record', *declared])})"
        else:
            head = f"void {name}({', '.join(d.replace(' a', '& a') for d in declared)})"
        with self.braces(qualifiers(self.rng) + head):
            self.body(Context(), 4)
            if struct:
                self.line("return record;")
        return Changer(name, struct, types, self.spent, self.text())

    def virtual(self, name):
        """Two classes with a virtual function, and a function that calls that of one of them."""
        base, derived = f"{name}_base", f"{name}_derived"
        for number, head in enumerate([f"struct {base}", f"struct {derived} : {base}"]):
            with self.braces(head, ";"):
                if number == 0:
                    self.line("u32 field;")
                    self.line(f"__device__ {base}(u32 x) : field(x) {{}}")
                else:
                    self.line(f"__device__ {derived}(u32 x) : {base}(x ^ 5) {{}}")
                ending = " override" if number else ""
                with self.braces(f"__device__ {'' if number else 'virtual '}u32 compute(u32 x) const{ending}"):
                    self.scope.places += [Place("field", U32, writable=False), Place("x", U32)]
                    self.body(Context(), 2)
                    self.line(f"return {self.integer(U32)};")
        with self.braces(f"__device__ __noinline__ u32 {name}(u32 x, u32 y, bool which)"):
            self.line(f"{base} first(x);")
            self.line(f"{derived} second(y);")
            self.line(f"const {base}* chosen = which ? &first : &second;")
            self.line("return chosen->compute(x + y) + second.compute(y);")
        return Function(name, U32, [U32, U32, BOOL], self.spent, self.text())


@dataclass
class Changer:
    name: str
    struct: object
    types: list
    cost: int
    text: str

    def call(self, caller):
        """A statement of the caller that calls it, if the caller has fitting variables."""
        if self.struct:
            records = [name for struct, name in caller.scope.records if struct == self.struct]
            if records:
                name = caller.rng.choice(records)
                arguments = ", ".join(caller.value(type, 1) for type in self.types)
                caller.line(f"{name} = {self.name}({caller.rng.choice(records)}, {arguments});")
            return
        places = []
        for type in self.types:
            free = [p for p in caller.scope.places if p.type == type and p.writable and p.addressable]
            free = [p for p in free if p not in places]
            if not free:
                return
            places.append(caller.rng.choice(free))
        caller.line(f"{self.name}({', '.join(p.text for p in places)});")


def pointed(rng, program, name):
    """A table of functions of one signature, which is called with an index."""
    return table_of(rng, program, name, "plain", "")


def pointed_of_warp(rng, program, name):
    return table_of(rng, program, name, "of_warp", "u32, ")


def table_of(rng, program, name, kind, first):
    types, result = [rng.choice([U32, I32, U64]) for _ in range(rng.randint(1, 3))], rng.choice([U32, U64])
    members = [getattr(Maker(rng, program), kind)(f"{name}_{i}", result, types) for i in range(rng.randint(2, 5))]
    signature = f"{first}{', '.join(type.name for type in types)}"
    space = rng.choice(["__device__", "__constant__"])
    table = [f"typedef {result.name} (*{name}_type)({signature});",
             f"{space} {name}_type {name}[{len(members)}] = {{{', '.join(f.name for f in members)}}};"]
    text = "\n".join([*(f.text for f in members), *table])
    return Function(name, result, types, max(f.cost for f in members) + 2, text, size=len(members))


def make(kind, rng, program, name):
    """Makes a function, or a table of them."""
    tables = {"pointed": pointed, "pointed_of_warp": pointed_of_warp}
    return tables[kind](rng, program, name) if kind in tables else getattr(Maker(rng, program), kind)(name)
