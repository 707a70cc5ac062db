"""The grammar of PTX, as far as the acceptance test writes it: opcodes, their modifiers, types and operands.

A row is (opcode, slots, operands). A slot is a list of modifiers without their dots, "" where the slot may be empty;
TYPES stands for every type. The letters of the operands:
  D E A  a register of the first type, as destination and as source
  F      a register of the second type
  W w    a register of twice the width of the first type
  V      one, two or four registers of the first type, as .v2 and .v4 say
  m      an address in memory, of the space among the modifiers
  others see the table LITERAL
"""
TYPES = ["b8", "u8", "s8", "b16", "u16", "s16", "b32", "u32", "s32", "b64", "u64", "s64", "b128", "f16", "bf16",
         "f16x2", "bf16x2", "tf32", "f32", "f64", "pred", "u16x2", "s16x2"]
ROUND = ["", "rn", "rz", "rm", "rp"]
ROUND_INT = ["rni", "rzi", "rmi", "rpi"]
FTZ, SAT, CC, APPROX, NAN = ["", "ftz"], ["", "sat"], ["", "cc"], ["", "approx"], ["", "NaN"]
XOR_ABS = ["", "xorsign.abs", "abs"]
WORDS, SECOND = ["u32", "s32"], ["", "add", "min", "max", "and"]
HALF = ["", "lo", "hi", "wide"]
RELU, SATFINITE = ["", "relu"], ["", "satfinite"]
COMPARE = ["eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu", "ltu", "leu", "gtu", "geu", "num",
           "nan"]
COMBINE = ["", "and", "or", "xor"]
SPACE = ["", "global", "shared", "shared::cta", "shared::cluster", "local", "const", "param", "param::entry"]
SEMANTICS = ["", "volatile", "weak", "relaxed", "acquire", "release", "acq_rel", "sc", "mmio"]
SCOPE = ["", "cta", "cluster", "gpu", "sys"]
LOAD_CACHE = ["", "ca", "cg", "cs", "lu", "cv", "nc"]
STORE_CACHE = ["", "wb", "cg", "cs", "wt"]
EVICT = ["", "L1::evict_normal", "L1::evict_unchanged", "L1::evict_first", "L1::evict_last", "L1::no_allocate"]
FETCH = ["", "L2::64B", "L2::128B", "L2::256B"]
ATOM = ["and", "or", "xor", "exch", "add", "inc", "dec", "min", "max"]
SHAPES = ["1d", "2d", "3d", "a1d", "a2d", "cube", "acube"]

ROWS = [
    ("add", [ROUND, FTZ, SAT, CC, TYPES], "DAA"),
    ("sub", [ROUND, FTZ, SAT, CC, TYPES], "DAA"),
    ("addc", [CC, TYPES], "DAA"),
    ("subc", [CC, TYPES], "DAA"),
    ("mul", [HALF, ROUND, FTZ, SAT, TYPES], "DAA"),
    ("mul", [["wide"], TYPES], "WAA"),
    ("mad", [HALF, ROUND, FTZ, SAT, CC, TYPES], "DAAA"),
    ("mad", [["wide"], TYPES], "WAAw"),
    ("madc", [HALF, CC, TYPES], "DAAA"),
    ("mul24", [HALF, TYPES], "DAA"),
    ("mad24", [HALF, SAT, TYPES], "DAAA"),
    ("fma", [ROUND, FTZ, SAT, RELU, TYPES], "DAAA"),
    ("div", [ROUND + ["approx", "full"], FTZ, TYPES], "DAA"),
    ("rem", [TYPES], "DAA"),
    ("neg", [FTZ, TYPES], "DA"),
    ("abs", [FTZ, TYPES], "DA"),
    ("min", [FTZ, NAN, XOR_ABS, RELU, TYPES], "DAA"),
    ("max", [FTZ, NAN, XOR_ABS, RELU, TYPES], "DAA"),
    ("sad", [TYPES], "DAAA"),
    ("copysign", [TYPES], "DAA"),
    ("testp", [["", "finite", "infinite", "number", "notanumber", "normal", "subnormal"], TYPES], "PA"),
    ("dp4a", [["u32", "s32", "b32"], ["u32", "s32", "u64"]], "DAuA"),
    ("dp2a", [["", "lo", "hi", "wide"], ["u32", "s32", "b32"], ["u32", "s32", "u64"]], "DAuA"),
    ("rcp", [ROUND + ["approx"], FTZ, TYPES], "DA"),
    ("sqrt", [ROUND + ["approx"], FTZ, TYPES], "DA"),
    ("rsqrt", [APPROX, FTZ, TYPES], "DA"),
    ("sin", [APPROX, FTZ, TYPES], "DA"),
    ("cos", [APPROX, FTZ, TYPES], "DA"),
    ("lg2", [APPROX, FTZ, TYPES], "DA"),
    ("ex2", [APPROX, FTZ, TYPES], "DA"),
    ("tanh", [APPROX, FTZ, TYPES], "DA"),
    ("and", [TYPES], "DAA"),
    ("or", [TYPES], "DAA"),
    ("xor", [TYPES], "DAA"),
    ("not", [TYPES], "DA"),
    ("cnot", [TYPES], "DA"),
    ("lop3", [TYPES], "DAAAi"),
    ("lop3", [["or", "and", "xor"], ["b32", "b64"]], "6AAAip"),
    ("shl", [TYPES], "DAu"),
    ("shr", [TYPES], "DAu"),
    ("shf", [["", "l", "r"], ["", "clamp", "wrap"], TYPES], "DAAu"),
    ("bfe", [TYPES], "DAuu"),
    ("bfi", [TYPES], "DAAuu"),
    ("bfind", [["", "shiftamt"], TYPES], "oA"),
    ("brev", [TYPES], "DA"),
    ("clz", [TYPES], "oA"),
    ("popc", [TYPES], "oA"),
    ("prmt", [TYPES, ["", "f4e", "b4e", "rc8", "ecl", "ecr", "rc16"]], "DAAu"),
    ("bmsk", [["", "clamp", "wrap"], TYPES], "DAA"),
    ("szext", [["", "clamp", "wrap"], TYPES], "DAu"),
    ("fns", [TYPES], "DAAA"),
    ("setp", [COMPARE, FTZ, TYPES], "PAA"),
    ("setp", [COMPARE[:3], COMBINE[1:], FTZ, TYPES], "PAAp"),
    ("setp", [COMPARE[:3], TYPES], "2AA"),
    ("set", [COMPARE, FTZ, ["u32", "s32", "f32", "f16", "bf16", "u16", "s16", "b32", "f16x2", "bf16x2"], TYPES], "DFF"),
    ("set", [["lt"], COMBINE[1:], ["u32", "f32"], TYPES], "DFFp"),
    ("selp", [TYPES], "DAAp"),
    ("slct", [FTZ, TYPES, ["s32", "f32", "u32", "b32", "f64"]], "DAAF"),
    ("mov", [TYPES], "DA"),
    ("mov", [["b128"]], "D7"),
    ("mov", [["b128"]], "7A"),
    ("mov", [["b128"]], "D5"),
    ("cvt", [ROUND + ROUND_INT + ["rna"], FTZ, SAT, TYPES, TYPES], "EF"),
    ("cvt", [["", "rn", "rz", "rm"], RELU, ["f16x2", "bf16x2", "f16", "bf16", "tf32"], ["f32", "f64", "f16"]], "DFF"),
    ("cvt", [ROUND + ["rna"], SATFINITE, RELU, ["f16", "bf16", "tf32"], ["f32", "f64"]], "EF"),
    ("cvt", [ROUND, SATFINITE, RELU, ["f16x2", "bf16x2"], ["f32", "f16"]], "DFF"),
    ("cvt", [ROUND, SATFINITE, RELU, ["e4m3x2", "e5m2x2"], ["f32"]], "hff"),
    ("cvt", [ROUND, SATFINITE, RELU, ["e4m3x2", "e5m2x2"], ["f16x2", "bf16x2"]], "hu"),
    ("cvt", [ROUND, SATFINITE, RELU, ["f16x2", "bf16x2"], ["e4m3x2", "e5m2x2"]], "uh"),
    ("cvt.pack", [["sat"], ["u16", "s16", "u8", "s8", "u4", "s4", "u2", "s2"], ["s32", "u32"]], "uuu"),
    ("cvt.pack", [["sat"], ["u8", "s8", "u4", "s4", "u2", "s2"], ["s32"], ["b32"]], "uuuu"),
    ("cvta", [["", "to"], SPACE, ["u32", "u64", "b32", "b64", "s64"]], "DA"),
    ("isspacep", [SPACE], "Pl"),
    ("ld", [SPACE, ["", "v2", "v4"], TYPES], "Vm"),
    ("ld", [SEMANTICS, SCOPE, SPACE[:3], ["u32", "f64", "b128"]], "Dm"),
    ("ld", [SPACE[:6], LOAD_CACHE, EVICT, FETCH, ["u32", "s64"]], "Dm"),
    ("ldu", [SPACE, ["", "v2", "v4"], TYPES], "Vm"),
    ("st", [SPACE, ["", "v2", "v4"], TYPES], "mV"),
    ("st", [SEMANTICS, SCOPE, SPACE[:3], ["u32", "f64", "b128"]], "mA"),
    ("st", [SPACE[:6], STORE_CACHE, EVICT[:3], ["u32", "s64"]], "mA"),
    ("atom", [SPACE[:6], ATOM, TYPES], "DmA"),
    ("atom", [SPACE[:6], ["cas"], TYPES], "DmAA"),
    ("atom", [SPACE[:4], ["exch", "cas", "add"], ["b128"]], "DmA"),
    ("atom", [SEMANTICS, SCOPE, ["global"], ["add", "min"], ["u32", "f32", "s64"]], "DmA"),
    ("atom", [["global", ""], ["add", "min"], ["noftz"], ["f16", "bf16", "f16x2", "bf16x2", "f32"]], "DmA"),
    ("red", [SPACE[:6], ATOM, TYPES], "mA"),
    ("red", [SEMANTICS, SCOPE, ["global"], ["add", "min"], ["u32", "f32", "s64"]], "mA"),
    ("red", [["global", ""], ["add", "min"], ["noftz"], ["f16", "bf16", "f16x2", "bf16x2", "f32"]], "mA"),
    ("prefetch", [SPACE, ["", "L1", "L2", "L2::evict_last", "L2::evict_normal"]], "m"),
    ("prefetchu", [["", "L1", "L2"]], "m"),
    ("membar", [["", "cta", "gl", "sys", "gpu"]], ""),
    ("fence", [["", "sc", "acq_rel", "acquire", "release", "relaxed"], SCOPE], ""),
    ("tex", [SHAPES, ["v4", "v2", ""], ["f32", "u32", "s32", "f16x2"], ["f32", "s32", "u32"]], "4t"),
    ("tex", [["base", "level", "grad"], SHAPES[:2], ["v4"], ["f32"], ["f32"]], "4t"),
    ("tld4", [["r", "g", "b", "a"], ["1d", "2d", "cube"], ["v4", ""], ["f32", "u32", "s32"], ["f32", "s32"]], "4t"),
    ("suld", [["", "b"], SHAPES[:5], ["", "v2", "v4"], ["b8", "b16", "b32", "b64", "u32"], ["trap", "clamp", "zero", ""]],
     "Vs"),
    ("sust", [["", "b", "p"], SHAPES[:5], ["", "v2", "v4"], ["b8", "b16", "b32", "b64", "u32"],
              ["trap", "clamp", "zero", ""]], "sV"),
    ("cp.async", [["", "ca", "cg"], ["", "shared", "shared::cta"], ["", "global"], ["", "L2::128B"]], "c"),
    ("cp.async.commit_group", [], ""),
    ("cp.async.wait_group", [], "i"),
    ("cp.async.wait_all", [], ""),
    ("cp.async.mbarrier.arrive", [["", "noinc"], ["", "shared", "shared::cta"], ["b64", "b32"]], "b"),
    ("mbarrier.init", [SPACE[:4], ["b64", "b32"]], "bu"),
    ("mbarrier.inval", [SPACE[:4], ["b64", "b32"]], "b"),
    ("mbarrier.arrive", [["", "release", "relaxed"], ["", "cta", "cluster"], SPACE[:4], ["b64"]], "lb"),
    ("mbarrier.arrive", [SPACE[:4], ["b64"]], "lbu"),
    ("mbarrier.arrive.noComplete", [SPACE[:4], ["b64"]], "lbu"),
    ("mbarrier.arrive_drop", [SPACE[:4], ["b64"]], "lb"),
    ("mbarrier.arrive.expect_tx", [SPACE[:4], ["b64"]], "lbu"),
    ("mbarrier.expect_tx", [["", "relaxed"], ["", "cta"], SPACE[:4], ["b64"]], "bu"),
    ("mbarrier.complete_tx", [["", "relaxed"], ["", "cta"], SPACE[:4], ["b64"]], "bu"),
    ("mbarrier.test_wait", [["", "acquire", "relaxed"], ["", "cta", "cluster"], SPACE[:4], ["b64"]], "Pbl"),
    ("mbarrier.test_wait.parity", [["", "acquire"], ["", "cta"], SPACE[:4], ["b64"]], "Pbu"),
    ("mbarrier.try_wait", [["", "acquire"], ["", "cta", "cluster"], SPACE[:4], ["b64"]], "Pbl"),
    ("mbarrier.try_wait.parity", [["", "acquire"], ["", "cta"], SPACE[:4], ["b64"]], "Pbu"),
    ("mbarrier.pending_count", [["b64", "b32"]], "ol"),
    ("bra", [["", "uni"]], "L"),
    ("ret", [["", "uni"]], ""),
    ("exit", [["", "uni"]], ""),
    ("trap", [[""]], ""),
    ("brkpt", [[""]], ""),
    ("pmevent", [["", "mask"]], "i"),
    ("nanosleep", [TYPES], "A"),
    ("bar", [["", "sync", "arrive"], ["", "aligned"]], "i"),
    ("bar", [["", "sync", "arrive"], ["", "cta"]], "ij"),
    ("bar.warp.sync", [], "u"),
    ("bar.red", [["", "popc", "and", "or"], TYPES], "oip"),
    ("bar.red", [["", "popc", "and", "or"], ["pred"]], "Pip"),
    ("barrier", [["", "sync", "arrive"], ["", "aligned"]], "i"),
    ("barrier", [["", "cta"], ["", "sync", "arrive"], ["", "aligned"]], "uj"),
    ("barrier.red", [["", "popc", "and", "or"], ["", "aligned"], TYPES], "oip"),
    ("barrier.cluster", [["arrive", "wait"], ["", "release", "acquire", "relaxed"], ["", "aligned"]], ""),
    ("shfl", [["", "sync"], ["", "up", "down", "bfly", "idx"], TYPES], "DAuuM"),
    ("shfl", [["", "sync"], ["", "up", "down", "bfly", "idx"], TYPES], "DAuu"),
    ("vote", [["", "sync"], ["", "all", "any", "uni"], ["pred", "b32"]], "PpM"),
    ("vote", [["", "sync"], ["ballot"], ["b32", "pred", "u32"]], "opM"),
    ("vote", [["", "all", "any", "uni"], ["pred"]], "Pp"),
    ("match", [["", "any", "all"], ["sync", ""], TYPES], "oAM"),
    ("redux", [["", "sync"], ["", "add", "min", "max", "and", "or", "xor"], ["", "abs"], NAN, TYPES], "DAM"),
    ("elect", [["", "sync"]], "eM"),
    ("activemask", [TYPES], "o"),
    ("ldmatrix", [["", "sync"], ["", "aligned"], ["m8n8"], ["x1"], ["", "trans"], ["", "shared", "shared::cta"],
                  ["b16", "b8"]], "1m"),
    ("ldmatrix", [["sync"], ["aligned"], ["m8n8"], ["x2"], ["", "trans"], ["", "shared"], ["b16"]], "3m"),
    ("ldmatrix", [["sync"], ["aligned"], ["m8n8"], ["x4"], ["", "trans"], ["", "shared"], ["b16"]], "5m"),
    ("stmatrix", [["sync"], ["aligned"], ["m8n8"], ["x1"], ["", "trans"], ["", "shared"], ["b16"]], "m1"),
    ("movmatrix", [["", "sync"], ["", "aligned"], ["m8n8"], ["", "trans"], ["b16", "b32"]], "ou"),
    ("vshl", [WORDS, WORDS, WORDS, SAT, ["", "clamp", "wrap"]], "ouu"),
    ("vshr", [WORDS, WORDS, WORDS, SAT, ["", "clamp", "wrap"], SECOND], "ouuu"),
    ("vmad", [WORDS, WORDS, WORDS, ["", "po"], SAT, ["", "shr7", "shr15"]], "ouuu"),
    ("vset", [WORDS, WORDS, ["lt", "eq", "ltu", "add"], SECOND], "ouuu"),
    ("vset", [WORDS, WORDS, ["ge"], SAT], "ouu"),
] + [
    (name, [WORDS, WORDS, WORDS, SAT], "ouu") for name in ("vadd", "vsub", "vabsdiff", "vmin", "vmax")
] + [
    (name, [WORDS, WORDS, WORDS + ["b32"], SAT, SECOND], "ouuu") for name in ("vadd", "vabsdiff", "vmax")
] + [
    (name + width, [["u32", "s32"], ["u32", "s32"], ["u32", "s32"], SAT, ["", "add"]], "ouuu")
    for name in ("vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax") for width in "24"
] + [
    ("vset" + width, [["u32", "s32"], ["u32", "s32"], ["lt", "ge"], ["", "add"]], "ouuu") for width in "24"
] + [
    ("createpolicy.fractional", [["L2::evict_last", "L2::evict_first"], ["b64", "b32"]], "l"),
    ("discard", [["", "global"], ["L2"]], "x"),
    ("applypriority", [["", "global"], ["L2::evict_normal"]], "x"),
    ("mapa", [["", "shared::cluster"], ["u32", "u64"]], "DAu"),
    ("getctarank", [["", "shared::cluster"], ["u32", "u64"]], "oA"),
    ("griddepcontrol", [["launch_dependents", "wait"]], ""),
    ("setmaxnreg", [["inc", "dec"], ["sync"], ["aligned"], ["u32"]], "R"),
    ("istypep", [["texref", "samplerref", "surfref"]], "Pl"),
    ("stacksave", [["u32", "u64"]], "D"),
    ("stackrestore", [["u32", "u64"]], "A"),
    ("alloca", [["u32", "u64"]], "DA"),
]

# Forms of sm_100a.
SMALL = ["e4m3x2", "e5m2x2", "e2m3x2", "e3m2x2", "ue8m0x2"]
FOURS = ["e4m3x4", "e5m2x4", "e2m3x4", "e3m2x4"]
ROWS_OF_100 = [
    ("add", [ROUND, FTZ, SAT, ["f32x2"]], "DAA"),
    ("sub", [ROUND, FTZ, SAT, ["f32x2"]], "DAA"),
    ("mul", [ROUND, FTZ, SAT, ["f32x2"]], "DAA"),
    ("fma", [ROUND, FTZ, SAT, RELU, ["f32x2"]], "DAAA"),
    ("add", [ROUND, FTZ, SAT, ["f32", "f64"], ["f16", "bf16", "f32"]], "DFA"),
    ("sub", [ROUND, FTZ, SAT, ["f32", "f64"], ["f16", "bf16", "f32"]], "DFA"),
    ("mul", [ROUND, ["f32"], ["f16", "bf16"]], "DFA"),
    ("fma", [ROUND, FTZ, SAT, RELU, ["f32", "f64"], ["f16", "bf16", "f32"]], "DFFA"),
    ("min", [FTZ, NAN, XOR_ABS, ["f32", "f16", "f64", "u32"]], "DAAA"),
    ("max", [FTZ, NAN, XOR_ABS, ["f32", "f16", "f64", "u32"]], "DAAA"),
    ("cvt", [ROUND, SATFINITE, RELU, SMALL, ["f32"]], "hff"),
    ("cvt", [ROUND, SATFINITE, RELU, ["e2m1x2"], ["f32"]], "gff"),
    ("cvt", [ROUND, SATFINITE, RELU, SMALL, ["f16x2", "bf16x2"]], "hu"),
    ("cvt", [ROUND, SATFINITE, RELU, ["e2m1x2"], ["f16x2", "bf16x2"]], "gu"),
    ("cvt", [ROUND, SATFINITE, RELU, ["f16x2", "bf16x2"], SMALL], "uh"),
    ("cvt", [ROUND, RELU, ["f16x2", "bf16x2"], ["e2m1x2"]], "ug"),
    ("cvt", [["rs", "rn"], SATFINITE, RELU, ["f16x2", "bf16x2", "f16"], ["f32"]], "offu"),
    ("cvt", [["rs", "rn"], SATFINITE, RELU, FOURS, ["f32", "f16x2"]], "o4u"),
    ("cvt", [["rs", "rn"], SATFINITE, RELU, ["e2m1x4"], ["f32"]], "h4u"),
    ("cvt", [ROUND + ["rna"], SATFINITE, RELU, ["tf32"], ["f32"]], "EF"),
    ("ld", [SPACE[:6], ["v8"], ["b8", "b16", "u16", "b32", "f32", "b64"]], "Vm"),
    ("st", [SPACE[:6], ["v8"], ["b8", "b16", "u16", "b32", "f32", "b64"]], "mV"),
    ("ld", [SPACE[:6], ["v4"], ["b64", "f64", "u64", "b128"]], "Vm"),
    ("st", [SPACE[:6], ["v4"], ["b64", "f64", "u64", "b128"]], "mV"),
]

# Operands that do not depend on the modifiers.
LITERAL = {
    "i": "3", "j": "64", "M": "0xffffffff", "L": "L", "l": "%rd2", "f": "%f2", "h": "%h2", "o": "%r1", "u": "%r2",
    "P": "%p1", "p": "%p2", "2": "%p1|%p3", "e": "%r1|%p1", "4": "{%f1, %f2, %f3, %f4}", "1": "{%r1}",
    "3": "{%r1, %r2}", "5": "{%r1, %r2, %r3, %r4}", "R": "64", "b": "[%rd1]", "x": "[%rd1], 128",
    "c": "[%rd1], [%rd2], 16", "t": "[%rd1, {%f1, %f2}]", "s": "[%rd1, {%r1, %r2}]",
    "6": "%r1|%p1", "7": "{%rd1, %rd2}", "g": "%b2",
}
REGISTERS = {"b8": "h", "u8": "h", "s8": "h", "b16": "h", "u16": "h", "s16": "h", "f16": "h", "bf16": "h", "b32": "r",
             "u32": "r", "s32": "r", "f16x2": "r", "bf16x2": "r", "tf32": "r", "b64": "rd", "u64": "rd", "s64": "rd",
             "b128": "q", "u16x2": "r", "s16x2": "r", "f32x2": "rd", "f32": "f", "f64": "fd", "pred": "p"}
TWICE = {"h": "r", "r": "rd", "rd": "q", "f": "fd"}
