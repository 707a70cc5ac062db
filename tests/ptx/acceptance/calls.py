"""Calls for the acceptance test: functions of several signatures with operands of every kind, and too few or many."""

DECLARATIONS = """.func none() { ret; }
.func one(.param .b32 a) { ret; }
.func (.param .b32 r) both(.param .b32 a) { ret; }
.func (.param .f64 r) wide(.param .b64 a, .param .f32 b) { ret; }
.func (.param .align 8 .b8 r[16]) bytes(.param .align 8 .b8 a[16]) { ret; }
.func (.reg .b32 r) registers(.reg .b32 a, .reg .f32 b) { mov.b32 r, a; ret; }
"""
# In the body of the kernel that has the calls.
LOCALS = """.param .b32 pa; .param .b32 pb; .param .b64 pc; .param .f32 pf; .param .f64 pg; .param .align 8 .b8 pd[16];
.param .align 4 .b8 pe[16]; .param .align 8 .b8 ph[8]; .param .b16 pi;
p1: .callprototype _ (.param .b32 _);
p2: .callprototype (.param .b32 _) _ (.param .b32 _);
t1: .calltargets one;
t2: .calltargets both, wide;
"""
OPERANDS = ["pa", "pc", "pf", "pg", "pd", "pe", "ph", "pi", "%r1", "%rd1", "%f1", "%fd1", "%h1", "%p1", "7", "-7", "1.5",
            "0f3F800000", "0x1ffffffff", "1+2", "%r1+4", "sv", "sv+4", "gv", "lv", "[pa]", "{%r1, %r2}", "_", "%tid.x",
            "WARP_SZ", "nowhere", "L", "both", "pd+4", "!%p1", "-%r1"]
SOME = ["pb", "pc", "pg", "pd", "%r2", "%rd2", "%f2", "%fd2", "7", "_", "nowhere"]


def calls():
    yield from ["call none;", "call.uni none;", "call none, ();", "call (), none, ();", "call (), none;", "call none, (pa);",
                "call (pa), none;", "call (pa), none, ();", "call nowhere;", "call k;", "call %rd1;", "call sv;", "call L;",
                "call 7;", "call none, pa;", "call pa, both, pb;", "call.foo none;", "call.uni.uni none;", "call none+4;",
                "call one;", "call one, (pa, pa);", "call one, (pa), pa;", "call both, (pa);", "call (pa, pb), both, (pa);",
                "call (pa), both, (pa, pb);", "call (pa), wide, (pc);", "call ((pa)), both, (pa);", "call;", "@%p1 call none;"]
    for operand in OPERANDS:
        yield f"call one, ({operand});"
        yield f"call (pg), wide, ({operand}, pf);"
        yield f"call (pg), wide, (pc, {operand});"
        yield f"call (pd), bytes, ({operand});"
        yield f"call ({operand}), both, (pa);"
        yield f"call ({operand}), wide, (pc, pf);"
        yield f"call ({operand}), bytes, (pd);"
        yield f"call (%r1), registers, ({operand}, %f1);"
        yield f"call (%r1), registers, (%r2, {operand});"
        yield f"call ({operand}), registers, (%r2, %f1);"
        yield f"call %rd1, ({operand}), p1;"
        yield f"call (pa), {operand}, (pb), p2;"
    for prototype in ("p1", "p2", "t1", "t2", "L", "one", "nowhere", "7", "%rd1"):
        for results in ("", "(pa), ", "(%r1), "):
            for arguments in ("(pb), ", "(%r2), ", "(pc), ", "(), ", ""):
                yield f"call {results}%rd1, {arguments}{prototype};"
    for result in SOME:
        for argument in SOME:
            yield f"call ({result}), both, ({argument});"
