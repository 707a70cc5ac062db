"""Keeps the branches of a program: edits LLVM IR as the front end makes it, before any optimisation.

A compiler for GPUs turns short conditional code into selects and predicates, which hides the divergence that a study of
branches looks for. Here each way of a conditional branch gets an inline assembly statement that is a comment. It makes no
instruction, but the optimiser must not execute it when the way is not taken, so the branch stays. A select (of ?: with
simple operands) becomes a branch of the same kind. All blocks must have names (clang's -fno-discard-value-names).
"""
import re

DEFINE = re.compile(r"^define .*\{\s*$")
LABEL = re.compile(r'^(?P<name>[-\w$.]+|"[^"]+"):')
BRANCH = re.compile(r'^\s+br i1 (?P<condition>.*?), label %(?P<yes>[-\w$.]+|"[^"]+"), label %(?P<no>[-\w$.]+|"[^"]+")')
SWITCH = re.compile(r"^\s+switch ")
TARGET = re.compile(r'label %([-\w$.]+|"[^"]+")')
SELECT = re.compile(r"^\s+(?P<result>%[-\w$.]+) = select (?:(?:nnan|ninf|nsz|arcp|contract|afn|reassoc|fast) )*i1 (?P<rest>.*)$")
PHI = re.compile(r"^\s+%[-\w$.]+ = phi ")
INCOMING = re.compile(r'(,\s*%)([-\w$.]+|"[^"]+")(\s*\])')


def outside(text, wanted):
    """The places of a character outside of brackets and quotes."""
    depth, quoted = 0, False
    for at, c in enumerate(text):
        if c == '"':
            quoted = not quoted
        elif not quoted:
            depth += (c in "([{<") - (c in ")]}>")
            if c == wanted and depth == 0:
                yield at


def operands(text):
    """The parts of an operand list, which commas part; metadata left out."""
    ends = [*outside(text, ","), len(text)]
    parts = [text[begin:end].strip() for begin, end in zip([0, *(end + 1 for end in ends)], ends)]
    return [part for part in parts if not part.startswith("!")]


def value_of(operand):
    """The type and the value of an operand: "i32 %a", "{ i32, float } zeroinitializer", "void (i32)* @f"."""
    for at in outside(operand, " "):
        if not operand[at + 1:].startswith(("addrspace(", "(")):
            return operand[:at], operand[at + 1:]
    raise ValueError(f"not an operand: {operand}")


def without_selects(body, number):
    """The lines of a function with its selects as branches. `number`: an iterator of numbers for new labels."""
    out, last_label, renamed = [], None, {}
    for line in body:
        label = LABEL.match(line)
        if label:
            last_label = label["name"]
        select = SELECT.match(line)
        parts = operands(select["rest"]) if select else []
        if len(parts) != 3:
            out.append(line)
            continue
        (kind, yes), (_, no) = value_of(parts[1]), value_of(parts[2])
        n = next(number)
        out += [f"  br i1 {parts[0]}, label %keep.yes{n}, label %keep.no{n}", "",
                f"keep.yes{n}:", f"  br label %keep.end{n}", "", f"keep.no{n}:", f"  br label %keep.end{n}", "",
                f"keep.end{n}:", f"  {select['result']} = phi {kind} [ {yes}, %keep.yes{n} ], [ {no}, %keep.no{n} ]"]
        renamed[last_label] = f"keep.end{n}"

    def incoming(match):
        return match[1] + renamed.get(match[2], match[2]) + match[3]

    keep_own = re.compile(r"keep\.(yes|no)\d+")
    return [INCOMING.sub(incoming, line) if PHI.match(line) and not keep_own.search(line) else line for line in out]


def marked(body, number):
    """The lines of a function with a mark in each block that a conditional branch or a switch leads to. All marks differ:
    the optimiser would put what both ways begin with before the branch."""
    targets, in_switch = set(), False
    for line in body:
        branch = BRANCH.match(line)
        if branch:
            targets |= {branch["yes"], branch["no"]}
        in_switch = in_switch or bool(SWITCH.match(line))
        if in_switch:
            targets |= set(TARGET.findall(line))
            in_switch = "]" not in line
    out, waits = [], False
    for line in body:
        if waits and line.strip() and not PHI.match(line):
            out.append(f'  call void asm sideeffect "// way {next(number)}", ""()')
            waits = False
        label = LABEL.match(line)
        out.append(line)
        if label and label["name"] in targets:
            waits = True
    return out


def keep_branches(ir):
    """The text of a module with its branches kept."""
    out, body = [], None
    number = iter(range(1 << 62))
    for line in ir.splitlines():
        if body is None:
            out.append(line)
            if DEFINE.match(line):
                body = []
        elif line == "}":
            out += marked(without_selects(body, number), number) + [line]
            body = None
        else:
            body.append(line)
    return "\n".join(out) + "\n"
