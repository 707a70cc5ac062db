"""Instructions for the acceptance test: every row of forms.py with its modifiers and types, and then operands of
every kind in the places of each operand. The same lines in every run."""
import itertools
import random
import re

import calls
import matrix_forms
import texture_operands
from forms import LITERAL, REGISTERS, ROWS, ROWS_OF_100, TWICE, TYPES

# Of one row: product of its slots, thinned to this many.
MOST_FORMS = 320
# Of one opcode: forms whose operands are varied.
MOST_VARIED = 3
# Operands of other kinds than the grammar asks for, put in the place of each operand of a form.
OTHERS = ["%p4", "%h5", "%r5", "%rd5", "%f5", "%fd5", "%q5", "%u1", "%s1", "7", "-7", "0x1ffffffff", "1.5", "0f3F800000",
          "%tid.x", "%clock64", "gv", "sv+4", "[%rd1]", "{%r1, %r2}", "-%r5", "!%p4", "%r5+1", "%rd5+(1+2)*4",
          "1+2*3", "~5", "3 > 2 ? 10 : 20", "WARP_SZ", "(.s64)5", "%v4.x", "%v4", "L", "nowhere"]
# Elements of other kinds in a list of registers.
OTHER_ELEMENTS = ["%p4", "%h5", "%r5", "%rd5", "%f5", "%fd5", "7", "-7", "1.5", "0f3F800000", "0x1ffffffff", "_",
                  "sv", "sv+4", "%r5+1", "nowhere", "!%p4"]
PRELUDE = """.version 9.0
.target TARGET
.address_size 64
.global .align 16 .b32 gv[16];
.const .align 16 .b32 cv[16];
.shared .align 16 .b32 sv[16];
.global .texref tx;
.global .surfref sx;
""" + calls.DECLARATIONS + """.visible .entry k(.param .align 16 .b8 pv[64])
{
.reg .pred %p<8>; .reg .b16 %h<8>; .reg .b8 %b<8>; .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .b128 %q<8>; .reg .f32 %f<8>;
.reg .f64 %fd<8>; .reg .u32 %u<2>; .reg .s32 %s<2>; .reg .v4 .f32 %v4;
.local .align 16 .b32 lv[16];
""" + calls.LOCALS
HEAD_LINES = PRELUDE.count("\n")
EPILOGUE = "L:\nret;\n}\n"


def words_of(form):
    return [w for part in form for w in part.split(".") if w]


def space_of(words):
    for w in words:
        for space in ("global", "shared", "local", "const", "param"):
            if w == space or w.startswith(space + "::"):
                return space
    return ""


def address(words):
    return {"shared": "[sv+16]", "local": "[lv]", "const": "[cv]", "param": "[pv]"}.get(space_of(words), "[%rd1]")


def operands_of(letters, words):
    """The operands of the grammar, in registers of their own numbers."""
    if letters.startswith("%"):
        return texture_operands.operands_of(letters[1:], words)
    types = [w for w in words if w in REGISTERS] or ["u32"]
    first, second = REGISTERS[types[0]], REGISTERS[types[1 if len(types) > 1 else 0]]
    registers = {"D": first, "A": first, "E": first, "F": second, "W": TWICE.get(first, first),
                 "w": TWICE.get(first, first)}
    count = 8 if "v8" in words else 4 if "v4" in words else 2 if "v2" in words else 1
    out = []
    for n, letter in enumerate(letters, 1):
        if letter in registers:
            out.append(f"%{registers[letter]}{n}")
        elif letter == "V":
            several = ", ".join(f"%{first}{i % 8}" for i in range(1, count + 1))
            out.append(f"{{{several}}}" if count > 1 else several)
        elif letter == "m":
            out.append(address(words))
        else:
            out.append(LITERAL[letter])
    return out


def forms_of(slots, chance):
    """Modifiers of a row: the product of its slots, or a choice of it with all that leave out most modifiers."""
    forms = list(itertools.product(*slots))
    if len(forms) <= MOST_FORMS:
        return forms
    empty = [f for f in forms if sum(1 for word, slot in zip(f, slots) if word and "" in slot) <= 1]
    if len(empty) > 3 * MOST_FORMS:
        empty = chance.sample(empty, 3 * MOST_FORMS)
    rest = chance.sample(forms, MOST_FORMS)
    return list(dict.fromkeys(empty + rest))


def text(opcode, words, operands):
    name = ".".join([opcode] + words)
    return f"{name} {', '.join(operands)};" if operands else f"{name};"


def plain_lines(rows):
    """(line, opcode, words, operands) of every form with the operands of the grammar."""
    chance = random.Random(1)
    for opcode, slots, letters in rows:
        for form in forms_of(slots, chance):
            words = words_of(form)
            yield text(opcode, words, operands_of(letters, words)), opcode, words, operands_of(letters, words)
    yield from matrix_forms.forms()


def other_lists(elements):
    """Lists with another first or last element, one too few or too many."""
    yield f"{{{', '.join(elements[1:])}}}"
    yield f"{{{', '.join(elements + elements[-1:])}}}"
    for other in OTHER_ELEMENTS:
        yield f"{{{', '.join([other] + elements[1:])}}}"
        yield f"{{{', '.join(elements[:-1] + [other])}}}"


def varied(opcode, words, operands):
    """The same instruction with other operands, too few, too many, and its modifiers in another order."""
    yield text(opcode, words, operands[:-1])
    yield text(opcode, words, operands + ["%r6"])
    for i in range(len(operands)):
        for other in OTHERS:
            yield text(opcode, words, operands[:i] + [other] + operands[i + 1:])
        if re.fullmatch(r"\{[^{}]*\}", operands[i]):
            for changed in other_lists(operands[i][1:-1].split(", ")):
                yield text(opcode, words, operands[:i] + [changed] + operands[i + 1:])
        if re.fullmatch(r"%(h|r|rd)\d", operands[i]):
            yield text(opcode, words, operands[:i] + [operands[i] + "+16"] + operands[i + 1:])
    if len(words) > 1:
        yield text(opcode, words[::-1], operands)
        yield text(opcode, words + [words[0]], operands)
    yield text(opcode, words + ["foo"], operands)
    if len(operands) > 1:
        yield text(opcode, words, [f"{operands[0]}|{operands[1]}"] + operands[2:])
        yield text(opcode, words, [f"{operands[0]}|%p5"] + operands[1:])
    yield "@!%p7 " + text(opcode, words, operands)


def chosen(forms):
    """Of the accepted forms of an opcode, those whose operands are varied: for each combination of types the one with
    the fewest modifiers, and of these a choice."""
    by_types = {}
    for form in forms:
        types = tuple(w for w in form[2] if w in TYPES)
        kept = by_types.get(types)
        if kept is None or len(form[2]) < len(kept[2]):
            by_types[types] = form
    found = list(by_types.values())
    return found if len(found) <= MOST_VARIED else random.Random(2).sample(found, MOST_VARIED)


# Constant expressions, sums and addresses, in one instruction each.
VALUES = ["1+2", "1-2", "2*3", "7/2", "-7/2", "7%4", "-7%4", "1/0", "1%0", "1<<4", "1<<64", "-8>>1", "8>>1", "1&3", "1|2",
          "1^3", "1&&0", "1||0", "!3", "!0", "~1", "-1", "+1", "--1", "- -1", "1<2", "1<=2", "1>2", "1>=2", "1==2", "1!=2",
          "1?2:3", "1 ? 2 : 3 ? 4 : 5", "(1+2)*3", "((1))", "(.s64)5", "(.u64)-5", "(.u32)5", "(.s64)(1+2)", "1U", "0x10",
          "0X10", "010", "08", "0b101", "0b2", "0x", "1e3", "1.5", "1.5+2", "1.5+2.5", "1.0<2.0", "0f3F800000+1",
          "0x1ffffffffffffffff", "18446744073709551615", "18446744073709551616", "9223372036854775808", "1+", "+", "(1",
          "1)", "1 2", "1 + + 2", "1 = 2", "a", "1+%r2", "(%r2+1)", "%r2+1.5", "%r2+", "%r2+(1<<3)", "%r2+1+2", "%r2+1*2",
          "%r2-1", "%r2*2", "%r2+-1", "%r2+WARP_SZ", "WARP_SZ", "WARP_SZ*2", "%r2 + 1 ? 2 : 3", "%r2+%r3", "%r2+sv",
          "sv+%r2", "sv+4+4", "sv-4", "sv+-4", "sv*2", "-sv", "%h2+1", "%rd2+1", "%f2+1", "%p2+1", "%tid.x+1", "%r2.x",
          "%v4.x", "%v4.q", "{%r2}", "sv[1]", "[sv]", "1:2", "'a'", "\"a\"", "@1"]
ADDRESSES = ["%rd1", "%rd1+4", "%rd1+-4", "%rd1-4", "%rd1+(1+1)*2", "%rd1+1*4", "%rd1+4+4", "%rd1*4", "4+%rd1", "%r1",
             "%r1+4", "%h1", "%f1", "%p1", "%q1", "sv", "sv+4", "sv+-4", "sv-4", "sv+1<<2", "sv+WARP_SZ", "gv", "lv", "cv",
             "pv", "4", "0", "4+4", "1.5", "%rd1+1.5", "%rd1+", "", "%rd1 4", "sv+%r1", "[sv]", "sv[1]", "%tid.x", "nowhere",
             "%v4.x", "%v4", "-4", "!4", "0x100000000", "%rd1+0x100000000", "sv, 4", "_"]
# Parts of registers that the SIMD video instructions choose.
CHOICES = [".h0", ".h1", ".h10", ".h01", ".h11", ".h32", ".h20", ".h4", ".b0", ".b3", ".b10", ".b01", ".b33", ".b210", ".b321",
           ".b3210", ".b0123", ".b7654", ".b1357", ".b8", ".b43210", ".x", ".foo"]
# Names that stand alone.
ALONE = ["bra L+4;", "bra -L;", "bra !L;", "bra L.x;", "bra.uni L+0x10;", "mov.b32 %r1, {%h1+1, %h2};",
         "mov.b32 {%h1+1, %h2}, %r1;", "st.v2.u32 [%rd1], {%r1+1, %r2};", "ld.v2.u32 {%r1+1, %r2}, [%rd1];",
         "suld.b.1d.b32.trap %r1, [%rd1, {%r1+4}];", "tex.1d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [%rd1, {%r1+1}];",
         "ld.u32 %r1, [%rd1]+4;", "ld.u32 %r1, -[%rd1];", "@%p1+1 bra L;", "@-%p1 bra L;", "@%v4.x bra L;", "@1 bra L;"]
# Modifiers in another order than the grammar's: most may stand behind the type, parts of the opcode's name may not.
BEHIND_THE_TYPE = [
    "max.s32.relu %r1, %r2, %r3;", "min.s16x2.relu %r1, %r2, %r3;", "ex2.approx.f32.ftz %f1, %f2;",
    "rcp.rn.f32.ftz %f1, %f2;", "add.f32.rz.sat %f1, %f2, %f3;", "add.u32.cc %r1, %r2, %r3;",
    "fma.rn.f16x2.relu %r1, %r2, %r3, %r4;", "setp.u32.lt %p1, %r1, %r2;", "cvt.u32.f32.rzi %r1, %f2;",
    "cvt.f16.f32.rn %h1, %f2;", "ld.u32.global %r1, [%rd1];", "ld.global.u32.v2 {%r1, %r2}, [%rd1];",
    "st.global.u32.wb [%rd1], %r1;", "atom.add.u32.global %r1, [%rd1], %r2;", "prmt.f4e.b32 %r1, %r2, %r3, %r4;",
    "shfl.sync.b32.up %r1, %r2, %r3, %r4, %r5;", "vote.pred.sync.any %p1, %p2, %r1;", "cvta.to.u64.global %rd1, %rd2;",
    "mul.u32.lo %r1, %r2, %r3;", "mad.u32.hi %r1, %r2, %r3, %r4;", "mul.u32.wide %rd1, %r2, %r3;",
    "shf.b32.l.wrap %r1, %r2, %r3, %r4;", "div.f32.full %f1, %f2, %f3;"]
EXPRESSIONS = (ALONE + BEHIND_THE_TYPE + [f"{opcode} {head}{value};" for opcode, head in (
    ("mov.u32", "%r1, "), ("mov.u64", "%rd1, "), ("add.s32", "%r1, %r2, "), ("st.u32", "[%rd1], "), ("mov.b32", "%r1, "),
    ("setp.lt.u32", "%p1, %r3, "), ("shl.b32", "%r1, %r3, "), ("mov.f32", "%f1, "), ("mov.f64", "%fd1, "))
                for value in VALUES] +
               [text(opcode, [], [r + choice if i == n else r for i, r in enumerate(("%r1", "%r2", "%r3", "%r4"))])
                for opcode in ("vadd2.u32.u32.u32", "vadd4.u32.u32.u32", "vset4.u32.u32.lt")
                for choice in CHOICES for n in range(4)] +
               [f"ld{space}.u32 %r1, [{address}];" for space in ("", ".global", ".shared", ".local", ".const", ".param")
                for address in ADDRESSES] +
               [f"{opcode} [{address}]{rest};" for opcode, rest in (
                   ("st.u32", ", %r1"), ("st.shared.u32", ", %r1"), ("red.add.u32", ", %r1"), ("prefetch.global.L1", ""))
                for address in ADDRESSES] + list(calls.calls()))


def opcode_names():
    """The opcodes that the rows write."""
    return {row[0].split(".")[0] for row in ROWS + ROWS_OF_100} | {"call", "brx", "wmma", "mma", "wgmma"}


def names_in_table(table):
    """The opcodes of PTX in the text of opcodes.def."""
    names = re.findall(r'^HEDDLE_OPCODE\(\w+,\s*"([^"]+)"', table, re.MULTILINE)
    return [name for name in names if "(" not in name and "." not in name]
