"""What the tests of the command line share: running heddle, and small programs to run on it.

The program under test is $HEDDLE: HEDDLE=build/release/bin/heddle python3 -m unittest discover -s tests/cli -p '*_test.py'
"""
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time
import unittest

HEDDLE = pathlib.Path(os.environ["HEDDLE"]).resolve()
SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
RUNTIME = HEDDLE.parent.parent / "lib" / "libcudart.so.13"

COPY_PTX = """.version 7.0
.target sm_70
.address_size 64
.visible .entry copy(.param .u64 to, .param .u64 from, .param .u32 n)
{
  .reg .b64 %d<6>; .reg .b32 %r<6>; .reg .pred %p;
  ld.param.u64 %d1, [to];
  ld.param.u64 %d2, [from];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %tid.x;
  setp.ge.u32 %p, %r2, %r1;
  @%p bra done;
  mul.wide.u32 %d3, %r2, 4;
  add.u64 %d4, %d1, %d3;
  add.u64 %d5, %d2, %d3;
  ld.global.u32 %r3, [%d5];
  st.global.u32 [%d4], %r3;
done:
  ret;
}
"""

# A loop that never ends.
SPIN_PTX = """.version 7.0
.target sm_70
.address_size 64
.visible .entry spin()
{
again:
  bra again;
}
"""


def children_of(pid):
    """The processes that a process has started."""
    out = []
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = stat.read_text().rpartition(")")[2].split()[1]
        except OSError:  # it has ended
            continue
        if int(parent) == pid:
            out.append(int(stat.parent.name))
    return out


class Case(unittest.TestCase):
    longest = 120  # seconds of a call, after which it hangs

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="heddle-cli-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def write(self, name, text, executable=False):
        path = self.folder / name
        path.write_text(text)
        if executable:
            path.chmod(0o755)
        return str(path)

    def heddle(self, *words, **options):
        return subprocess.run([str(HEDDLE), *map(str, words)], capture_output=True, text=True, cwd=self.folder,
                              timeout=self.longest, **options)

    def assert_children_end_with(self, process, count):
        """Kills a process that has started, or is about to start, so many children: they end too."""
        deadline = time.monotonic() + 20
        while len(children := children_of(process.pid)) < count:
            self.assertLess(time.monotonic(), deadline, f"{len(children)} of {count} children")
            time.sleep(0.01)
        descriptors = [os.pidfd_open(child) for child in children]
        process.kill()
        for descriptor in descriptors:
            ended = select.select([descriptor], [], [], 20)[0]
            os.close(descriptor)
            self.assertNotEqual(ended, [], "a child still runs")
        process.communicate(timeout=20)

    def assert_succeeds(self, *words):
        result = self.heddle(*words)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stdout

    def summary(self, *words):
        """What a call that succeeds says on standard error."""
        result = self.heddle(*words)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stderr

    def assert_refused(self, status, *words):
        """The call fails with this status and one message, which is returned."""
        result = self.heddle(*words)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        self.assertNotEqual(result.stderr, "")
        self.assertNotIn("terminate called", result.stderr)
        return result.stderr

