"""Native code: heddle ptx --native prints it without a launch; launches with core.code = native."""
import itertools
import re
import unittest

from case import Case

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 a, .param .u32 n)\n{\n" \
       ".reg .pred %p<4>;\n.reg .b32 %r<9>;\n.reg .b64 %d<9>;\n"
BASE = "ld.param.u64 %d1, [a];\nld.param.u32 %r1, [n];\n"


class Native(Case):
    def native(self, body, arch="sm_80", *options):
        return self.assert_succeeds("ptx", "--native", "--arch", arch, *options, self.write("k.ptx", HEAD + BASE + body + "}\n"))

    def test_parameters_are_operands_and_addresses_have_displacements(self):
        text = self.native("add.s32 %r2, %r1, 5;\nadd.s64 %d2, %d1, 8;\nst.global.u32 [%d2+4], %r2;\nret;\n")
        self.assertIn("c[0x0][0x168]", text)  # behind the eight bytes of a, which begin at 0x160
        self.assertRegex(text, r"STG\.32 \[UR\d+\.64\+0xc\]")
        self.assertNotIn("IADD3.X", text)

    def test_parameters_of_hopper_begin_at_0x210(self):
        self.assertIn("c[0x0][0x218]", self.native("st.global.u32 [%d1], %r1;\nret;\n", "sm_90"))

    def test_the_machine_says_which_chip(self):
        file = self.write("k.ptx", HEAD + BASE + "st.global.u32 [%d1], %r1;\nret;\n}\n")
        self.assertIn("c[0x0][0x218]", self.assert_succeeds("ptx", "--native", "-m", "h100", file))
        self.assertNotIn("UR", self.assert_succeeds("ptx", "--native", "-m", "v100", file))  # no uniform path
        self.assertIn("c[0x0][0x168]", self.assert_succeeds("ptx", "--native", "-m", "h100", "--arch", "sm_80", file))

    def test_an_index_is_one_wide_multiply_add(self):
        text = self.native("mov.u32 %r2, %tid.x;\nmul.wide.s32 %d2, %r2, 4;\nadd.s64 %d3, %d1, %d2;\n"
                           "st.global.u32 [%d3], %r1;\nret;\n")
        self.assertEqual(text.count("IMAD.WIDE"), 1)
        self.assertNotIn("IADD3", text)

    def test_a_fixed_latency_is_in_the_stall_count(self):
        # Two dependent sums: four cycles between them (arXiv 1804.06826).
        text = self.native("shr.u32 %r2, %r1, 3;\nnot.b32 %r3, %r2;\nst.global.u32 [%d1], %r3;\nret;\n", "sm_70")
        self.assertRegex(text, r"S0[1-4]  SHF")
        self.assertEqual(text.count("EXIT"), 1)

    def test_a_load_has_a_counter_and_its_reader_waits(self):
        text = self.native("ld.global.u32 %r2, [%d1];\nadd.s32 %r3, %r2, %r1;\nst.global.u32 [%d1], %r3;\nret;\n")
        counter = re.search(r":W(\d):\S+  LDG", text)[1]
        self.assertRegex(text, rf"B[-\d]*{counter}[-\d]*:\S+  IADD3")

    def test_lanes_that_part_meet_at_a_barrier(self):
        body = "mov.u32 %r2, %tid.x;\nsetp.lt.u32 %p1, %r2, %r1;\n@%p1 bra L;\nbar.sync 0;\nL:\nst.global.u32 [%d1], %r2;\nret;\n"
        text = self.native(body)
        self.assertLess(text.index("BSSY B0"), text.index("BSYNC B0"))

    def test_a_short_branch_becomes_a_guard(self):
        body = "mov.u32 %r2, %tid.x;\nsetp.lt.u32 %p1, %r2, %r1;\n@%p1 bra L;\nst.global.u32 [%d1], %r2;\nL:\n"
        text = self.native(body + "st.global.u32 [%d1+4], %r2;\nret;\n")
        self.assertNotIn("BRA", text)
        self.assertRegex(text, r"@!P0 STG")
        self.assertRegex(self.native(body + "ret;\n"), r"@P0 EXIT")

    def test_spills_keep_within_the_limit(self):
        body = "".join(f"ld.global.u32 %q{i}, [%d1+{4 * i}];\n" for i in range(40))
        body += "bar.sync 0;\n" + "".join(f"st.global.u32 [%d1+{4 * i}], %q{39 - i};\n" for i in range(40)) + "ret;\n"
        text = self.native(".reg .b32 %q<40>;\n" + body, "sm_80", "--registers", "24")
        self.assertLessEqual(int(re.search(r"(\d+) registers", text)[1]), 24)
        self.assertIn("STL", text)
        self.assertIn("LDL", text)

    # 140 values are alive, in an order that can be another one. With 144 registers there are three warps on each sub-core,
    # with 128 four: a second block of eight warps, but none of ten.
    def test_registers_that_cost_a_block_are_given_up(self):
        loads = "".join(f"ld.shared.u32 %v{i}, [s+{4 * (i * 7 % 140)}];\n" for i in range(140))
        stores = "".join(f"st.global.u32 [%d1+{4 * i}], %v{i};\n" for i in range(140))
        for threads, lowest, highest in ((256, 1, 128), (320, 129, 255)):
            head = HEAD.replace(")\n{", f")\n.maxntid {threads}\n{{")
            text = head + BASE + ".reg .b32 %v<140>;\n.shared .b32 s[140];\n" + loads + stores + "ret;\n}\n"
            listing = self.assert_succeeds("ptx", "--native", "--arch", "sm_80", self.write(f"{threads}.ptx", text))
            registers = int(re.search(r", (\d+) registers", listing)[1])
            self.assertTrue(lowest <= registers <= highest, f"{registers} registers in blocks of {threads} threads")
            self.assertNotIn("spilled", listing)

    def test_a_call_is_replaced_and_a_recursive_one_has_a_stack(self):
        text = HEAD.replace(".visible .entry", ".func f() { ret; }\n.visible .entry") + "call f;\nret;\n}\n"
        self.assert_succeeds("ptx", "--native", self.write("call.ptx", text))
        recursive = text.replace("{ ret; }", "{ call f; ret; }")
        listing = self.assert_succeeds("ptx", "--native", self.write("call.ptx", recursive))
        self.assertIn("STL.32", listing)
        run = self.heddle("ptx", self.write("call.ptx", recursive), "--grid", "1", "--block", "1", "--arg", "buf:8", "--arg", "u32:1", "-m", "v100")
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("calls nest deeper than the thread's stack of", run.stderr)

    def launch(self, body, *options):
        file = self.write("k.ptx", HEAD + BASE + body + "ret;\n}\n")
        return self.heddle("ptx", file, "--grid", "1", "--block", "32", "--arg", "buf:8", "--arg", "u32:1", "--dump", "0", *options)

    def test_native_code_runs_with_and_without_timing(self):
        store = "st.global.u32 [%d1], 7;\n"
        for options in (["--functional", "-s", "core.code=native"], ["-m", "v100"], ["-m", "v100", "-s", "core.dependences=scoreboard"]):
            run = self.launch(store, *options)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn("dump 0: 0700000000000000", run.stdout)
        run = self.launch(store, "--functional", "-s", "core.code=native", "-s", "device.compute_capability=61")
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("device.compute_capability = 61: there is no native code for sm_61, only for sm_70", run.stderr)
        run = self.heddle("run", "-m", "h100", "-s", "device.compute_capability=100", "--", "true")  # before anything runs
        self.assertEqual(run.returncode, 2)
        self.assertIn("there is no native code for sm_100", run.stderr)

    # Regions one in the other: there are 16 convergence barriers. Thread t adds 0 + ... + (t - 1) twice, at most 0 + ... + 19.
    def test_more_regions_than_convergence_barriers(self):
        regions = range(20)
        body = "mov.u32 %r8, %tid.x;\n" + "".join(f"setp.eq.u32 %q, %r8, {i};\n@%q bra M{i};\nred.global.add.u32 [%d1], {i};\n" for i in regions)
        body += "".join(f"red.global.add.u32 [%d1], {i};\nM{i}:\n" for i in reversed(regions))
        text = HEAD + BASE + ".reg .pred %q;\n" + body + "ret;\n}\n"
        for machine in ("v100", "h100"):
            run = self.heddle("ptx", self.write("regions.ptx", text), "--grid", "1", "--block", "32", "--arg", "buf:8", "--arg", "u32:1", "-m", machine,
                              "--dump", "0")
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn("dump 0: " + (sum(t * (t - 1) for t in regions) + 12 * 380).to_bytes(8, "little").hex(), run.stdout)

    # 40 calls of f and 40 of g, which calls f twice: with all of them replaced over 60,000 operations. f returns early for odd
    # numbers, so threads come back at two times; the two sides call at different places.
    def test_a_large_kernel_calls_functions(self):
        steps = 250
        word = 0xFFFFFFFF

        def f(x):
            if x & 1:
                return x * 3 & word
            for _ in range(steps):
                x = x * 1664525 + 1013904223 & word
                x ^= x >> 7
            return x

        def g(x):
            return f(x) ^ f(x + 1 & word)

        rounds = 40
        expected = []
        for thread in range(32):
            x, kept = thread * 2654435761 & word, thread + 5
            for i in range(rounds):
                x = (x * 31 + (f(x + i & word) if x & 4 else g(x + i & word)) + kept) & word
            expected.append(x)
        body = "mov.u32 %x, %in;\nand.b32 %y, %x, 1;\nsetp.ne.u32 %q, %y, 0;\n@!%q bra LONG;\nmul.lo.u32 %out, %x, 3;\nret;\nLONG:\n"
        body += "mad.lo.u32 %x, %x, 1664525, 1013904223;\nshr.u32 %y, %x, 7;\nxor.b32 %x, %x, %y;\n" * steps
        declare = "{ .reg .u32 %x, %y; .reg .pred %q;\n"
        functions = (f".func (.reg .u32 %out) f (.reg .u32 %in) {declare}{body}mov.u32 %out, %x;\nret; }}\n"
                     f".func (.reg .u32 %out) g (.reg .u32 %in) {declare}call (%x), f, (%in);\nadd.u32 %y, %in, 1;\n"
                     "call (%y), f, (%y);\nxor.b32 %out, %x, %y;\nret; }\n")
        kernel = "".join(f"add.u32 %y, %x, {i};\nand.b32 %z, %x, 4;\nsetp.ne.u32 %q, %z, 0;\n@%q bra F{i};\ncall (%y), g, (%y);\nbra M{i};\n"
                         f"F{i}: call (%y), f, (%y);\nM{i}: mad.lo.u32 %x, %x, 31, %y;\nadd.u32 %x, %x, %kept;\n" for i in range(rounds))
        header, entry = HEAD[:HEAD.index(".visible")], HEAD[HEAD.index(".visible"):]
        text = (header + functions + entry + BASE + ".reg .u32 %x, %y, %z, %t, %kept;\n.reg .u64 %at;\n.reg .pred %q;\nmov.u32 %t, %tid.x;\n"
                "add.u32 %kept, %t, 5;\nmul.lo.u32 %x, %t, 2654435761;\n" + kernel +
                "mul.wide.u32 %at, %t, 4;\nadd.u64 %at, %at, %d1;\nst.global.u32 [%at], %x;\nret;\n}\n")
        file = self.write("calls.ptx", text)
        listing = self.assert_succeeds("ptx", "--native", "--arch", "sm_80", file)
        self.assertEqual(listing.count("CALL.REL.NOINC"), 2 * rounds + 2)
        self.assertEqual(listing.count("// function "), 2)
        self.assertLess(int(re.search(r": (\d+) instructions", listing)[1]), 4000)
        words = "".join(x.to_bytes(4, "little").hex() for x in expected)
        for options in (["-m", "v100"], ["-m", "h100"], ["-m", "a100", "--functional"], ["--functional", "-s", "core.code=native"],
                        ["-m", "v100", "-s", "core.formation=pdom"], ["-m", "h100", "-s", "its.next=earliest"]):
            run = self.heddle("ptx", file, "--grid", "1", "--block", "32", "--arg", "buf:128", "--arg", "u32:1", "--dump", "0", *options)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn("dump 0: " + words, run.stdout)

    # Of a function that calls itself, 600 calls from outside: in their place it would be 600 times 500 operations.
    def test_a_function_that_calls_itself_is_there_once_in_a_large_kernel(self):
        function = (".func (.reg .u32 %out) f (.reg .u32 %in) { .reg .u32 %x; .reg .pred %q;\nmov.u32 %x, %in;\nsetp.eq.u32 %q, %x, 0;\n"
                    "mov.u32 %out, 1;\n@%q ret;\n" + "mad.lo.u32 %x, %x, %x, 7;\n" * 500 +
                    "sub.u32 %out, %in, 1;\ncall (%out), f, (%out);\nadd.u32 %out, %out, 1;\nxor.b32 %out, %out, %x;\nxor.b32 %out, %out, %x;\nret; }\n")
        header, entry = HEAD[:HEAD.index(".visible")], HEAD[HEAD.index(".visible"):]
        text = (header + function + entry + BASE + "mov.u32 %r1, 9;\n" + "call (%r1), f, (%r1);\nand.b32 %r1, %r1, 15;\n" * 600 +
                "st.global.u32 [%d1], %r1;\nret;\n}\n")
        file = self.write("circles.ptx", text)
        listing = self.assert_succeeds("ptx", "--native", "--arch", "sm_70", file)
        self.assertEqual(listing.count("CALL.REL.NOINC"), 600)
        self.assertLess(int(re.search(r": (\d+) instructions", listing)[1]), 20000)
        run = self.heddle("ptx", file, "--grid", "1", "--block", "32", "--arg", "buf:4", "--arg", "u32:1", "--dump", "0", "-m", "v100")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("dump 0: " + ((9 + 600) % 16).to_bytes(4, "little").hex(), run.stdout)

    # The operands of a product are 24 registers. Of a block of 1024 threads each has 16.
    def test_what_has_no_native_code_names_the_way_to_run_it(self):
        def registers(name, first):
            return "{" + ", ".join(f"%{name}{first + i}" for i in range(8)) + "}"
        text = (HEAD + BASE + ".reg .f32 %f<16>;\n.reg .b32 %x<16>;\n"
                f"wmma.load.c.sync.aligned.m16n16k16.row.f32 {registers('f', 0)}, [%d1];\n"
                f"wmma.load.a.sync.aligned.m16n16k16.row.f16 {registers('x', 0)}, [%d1];\n"
                f"wmma.load.b.sync.aligned.m16n16k16.col.f16 {registers('x', 8)}, [%d1];\n"
                "wmma.mma.sync.aligned.m16n16k16.row.col.f32.f32 "
                f"{registers('f', 8)}, {registers('x', 0)}, {registers('x', 8)}, {registers('f', 0)};\n"
                f"wmma.store.d.sync.aligned.m16n16k16.row.f32 [%d1], {registers('f', 8)};\nret;\n}}\n")
        run = self.heddle("ptx", self.write("wide.ptx", text), "--grid", "1", "--block", "1024", "--arg", "buf:1024", "--arg", "u32:1",
                          "-m", "v100", "-s", "core.registers=16384")
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("function 'k' does not fit 16 registers", run.stderr)
        self.assertIn("-s core.code=ptx -s core.formation=pdom -s core.dependences=scoreboard", run.stderr)

    # Each of 32 threads of a warp takes the lock and counts.
    def test_a_spin_lock_between_threads_of_a_warp_ends(self):
        attempt = "atom.global.cas.b32 %r2, [%d1], 0, 1;\nsetp.ne.u32 %p1, %r2, 0;\n"
        count = ("ld.volatile.global.u32 %r3, [%d1+4];\nadd.u32 %r3, %r3, 1;\nst.volatile.global.u32 [%d1+4], %r3;\n"
                 "membar.gl;\natom.global.exch.b32 %r4, [%d1], 0;\n")
        lock = f"L: {attempt}@%p1 bra L;\n{count}"
        peeled = f"{attempt}@!%p1 bra M;\nL: nanosleep.u32 20;\n{attempt}@%p1 bra L;\nM: {count}"
        for code, options in itertools.product((lock, peeled), (
                ["-m", "v100"], ["--functional", "-s", "core.code=native"], ["-m", "v100", "-s", "its.first=taken"],
                ["-m", "h100", "-s", "its.next=earliest"])):
            run = self.launch(code, *options)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn("dump 0: 0000000020000000", run.stdout)
        run = self.launch(lock, "-m", "v100", "-s", "core.formation=pdom")
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("A lock must not be spun on by threads of the warp that holds it", run.stderr)

    # Thread 5 lets the others of its warp go, which part and meet in each round of their loop.
    def test_threads_that_spin_and_part_wait_for_one_of_their_warp(self):
        code = ("mov.u32 %r1, %tid.x;\nsetp.eq.u32 %p1, %r1, 5;\n@%p1 bra GO;\nmov.u32 %r2, 0;\n"
                "L: xor.b32 %r3, %r1, %r2;\nand.b32 %r3, %r3, 1;\nsetp.ne.u32 %p2, %r3, 0;\n@%p2 bra M;\n"
                "atom.global.add.u32 %r4, [%d1+4], 1;\nmembar.gl;\n"
                "M: add.u32 %r2, %r2, 1;\nld.volatile.global.u32 %r5, [%d1];\nsetp.eq.u32 %p3, %r5, 0;\n@%p3 bra L;\nbra END;\n"
                "GO: membar.gl;\nmov.u32 %r5, 1;\nst.volatile.global.u32 [%d1], %r5;\nEND:\n")
        for options in (["-m", "v100"], ["-m", "h100", "--functional"], ["-m", "v100", "-s", "its.rounds=3"],
                        ["-m", "v100", "-s", "its.first=taken"], ["-m", "h100", "-s", "its.next=earliest"]):
            run = self.launch(code, "--max-instructions", "1000000", *options)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn("dump 0: 01000000", run.stdout)

    # Each thread waits for the one before it, and lets the next one go behind the place where the sides of its branch
    # meet; the loop is in the branch, or in a function that is called there.
    def test_threads_wait_for_what_others_do_behind_the_branch(self):
        wait = "L: ld.volatile.global.u32 %r3, [%d3];\nsetp.eq.u32 %p2, %r3, 0;\n@%p2 bra L;\n"
        function = (".func (.reg .u32 v) wait(.reg .u64 a)\n{\n.reg .pred p;\n"
                    "L: ld.volatile.global.u32 v, [a];\nsetp.eq.u32 p, v, 0;\n@p bra L;\nret;\n}\n")
        called = "call.uni (%r3), wait, (%d3);\n"
        head, entry = HEAD.split(".visible", 1)
        for text, inside in ((HEAD, wait), (head + function + ".visible" + entry, called)):
            code = ("mov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\nmul.wide.u32 %d2, %r1, 4;\nadd.s64 %d4, %d1, %d2;\n"
                    "sub.s64 %d3, %d4, 4;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra J;\n" + inside +
                    "add.u32 %r2, %r3, 0;\nJ: add.u32 %r4, %r2, 1;\nmembar.gl;\nst.volatile.global.u32 [%d4], %r4;\n")
            file = self.write("chain.ptx", text + BASE + code + "ret;\n}\n")
            for options in (["-m", "v100"], ["-m", "h100", "--functional"], ["-m", "v100", "-s", "its.first=taken"],
                            ["-m", "h100", "-s", "its.next=earliest"]):
                run = self.heddle("ptx", file, "-e", "k", "--grid", "1", "--block", "32", "--arg", "buf:128", "--arg", "u32:1",
                                  "--dump", "0", "--max-instructions", "1000000", *options)
                self.assertEqual(run.returncode, 0, run.stderr)
                self.assertRegex(run.stdout, "".join(f"{t:02x}000000 ?" for t in range(1, 5)))

    # Odd threads shuffle in a branch, even threads behind it.
    def test_threads_meet_at_both_ends_of_a_branch(self):
        code = ("mov.u32 %r1, %tid.x;\nand.b32 %r2, %r1, 1;\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 bra J;\n"
                "shfl.sync.bfly.b32 %r3, %r1, 1, 31, 0xffffffff;\nJ: @!%p1 bra E;\n"
                "shfl.sync.bfly.b32 %r3, %r1, 1, 31, 0xffffffff;\n"
                "E: setp.eq.u32 %p2, %r1, 4;\n@%p2 st.global.u32 [%d1], %r3;\nsetp.eq.u32 %p2, %r1, 9;\n@%p2 st.global.u32 [%d1+4], %r3;\n")
        for options in (["-m", "v100"], ["-m", "h100", "--functional"]):
            run = self.launch(code, *options)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn("dump 0: 0500000008000000", run.stdout)

    def test_what_native_code_needs_is_named(self):
        for option, message in (
                ("core.code=ptx", "core.formation = 'its' needs core.code = 'native'"),
                ("core.model=barrel", "core.dependences = 'control' needs core.model = 'scoreboard' and core.code = 'native'"),
                ("core.formation=tbc", "core.dependences = 'control' needs a formation whose warps keep their threads")):
            run = self.launch("", "-m", "v100", "-s", option)
            self.assertNotEqual(run.returncode, 0)
            self.assertIn(message, run.stderr)

    def test_an_unknown_chip_and_an_unknown_kernel(self):
        file = self.write("k.ptx", HEAD + "ret;\n}\n")
        run = self.heddle("ptx", "--native", "--arch", "sm_20", file)
        self.assertIn("--arch: there is no native code for sm_20, only for sm_70", run.stderr)
        run = self.heddle("ptx", "--native", "--entry", "x", file)
        self.assertIn("there is no kernel 'x'", run.stderr)

    # A launch of it is refused, too.
    def test_a_kernel_that_cannot_execute_is_refused(self):
        run = self.heddle("ptx", "--native", self.write("k.ptx", HEAD + BASE + "tex.2dms.v4.u32.s32 {%r2, %r2, %r2, %r2}, [%d1, {%r2, %r2, %r2, %r2}];\nret;\n}\n"))
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertIn("k.ptx:11:1: error: 'tex.2dms.v4.u32.s32' cannot be executed yet", run.stderr)


if __name__ == "__main__":
    unittest.main()
