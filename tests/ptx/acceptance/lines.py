"""Instructions for the acceptance test: every row of forms.py with its modifiers and types, and then operands of
every kind in the places of each operand. The same lines in every run."""
import itertools
import random

from forms import LITERAL, REGISTERS, ROWS, TWICE, TYPES

# Of one row: product of its slots, thinned to this many.
MOST_FORMS = 320
# Operands of other kinds than the grammar asks for, put in the place of each operand of a form.
OTHERS = ["%p4", "%h5", "%r5", "%rd5", "%f5", "%fd5", "%q5", "%u1", "%s1", "7", "-7", "0x1ffffffff", "1.5", "0f3F800000",
          "%tid.x", "%clock64", "gv", "sv+4", "_", "[%rd1]", "{%r1, %r2}", "-%r5", "!%p4", "%r5+1", "%rd5+(1+2)*4",
          "1+2*3", "~5", "3 > 2 ? 10 : 20", "WARP_SZ", "(.s64)5", "%v4.x", "%v4", "L", "nowhere"]
PRELUDE = """.version 9.0
.target sm_90a
.address_size 64
.global .align 16 .b32 gv[16];
.const .align 16 .b32 cv[16];
.shared .align 16 .b32 sv[16];
.visible .entry k(.param .align 16 .b8 pv[64])
{
.reg .pred %p<8>; .reg .b16 %h<8>; .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .b128 %q<8>; .reg .f32 %f<8>;
.reg .f64 %fd<8>; .reg .u32 %u<2>; .reg .s32 %s<2>; .reg .v4 .f32 %v4;
.local .align 16 .b32 lv[16];
"""
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
    """The operands of the grammar; None where the form has no register of the width."""
    types = [w for w in words if w in REGISTERS]
    first = REGISTERS.get(types[0] if types else "u32")
    second = REGISTERS.get(types[1] if len(types) > 1 else types[0] if types else "u32")
    count = 4 if "v4" in words else 2 if "v2" in words else 1
    out = []
    for n, letter in enumerate(letters, 1):
        reg = {"D": first, "A": first, "E": first, "F": second, "W": TWICE.get(first, first),
               "w": TWICE.get(first, first)}.get(letter)
        if letters in ("DFF", "DFFp") and letter == "F":
            reg = second
        if reg is not None:
            out.append(f"%{reg}{n}")
        elif letter == "V":
            regs = [f"%{first}{i}" for i in range(1, count + 1)]
            out.append("{" + ", ".join(regs) + "}" if count > 1 else regs[0])
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


def plain_lines():
    """(line, opcode, words, operands) of every form with the operands of the grammar."""
    chance = random.Random(1)
    for opcode, slots, letters in ROWS:
        for form in forms_of(slots, chance):
            words = words_of(form)
            yield text(opcode, words, operands_of(letters, words)), opcode, words, operands_of(letters, words)


def varied(opcode, words, operands):
    """The same instruction with other operands, too few, too many, and its modifiers in another order."""
    yield text(opcode, words, operands[:-1])
    yield text(opcode, words, operands + ["%r6"])
    for i in range(len(operands)):
        for other in OTHERS:
            yield text(opcode, words, operands[:i] + [other] + operands[i + 1:])
    if len(words) > 1:
        yield text(opcode, words[::-1], operands)
        yield text(opcode, words + [words[0]], operands)
    yield text(opcode, words + ["foo"], operands)
    yield "@!%p7 " + text(opcode, words, operands)


def chosen(forms):
    """Of the accepted forms of a row, those whose operands are varied: one for each type, the plainest."""
    by_types = {}
    for form in forms:
        types = tuple(w for w in form[2] if w in TYPES)
        kept = by_types.get(types)
        if kept is None or len(form[2]) < len(kept[2]):
            by_types[types] = form
    return list(by_types.values())
