"""A program whose arguments say what it does with the device, and when."""
import json
import os
import signal
import subprocess
import time

from case import RUNTIME
from run_test import Programs

# Executes its arguments one after the other: launches kernels, waits, prints.
STEPS = r"""
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
typedef struct { unsigned x, y, z; } dim3;
int cudaMalloc(void**, size_t);
int cudaLibraryLoadData(void**, const void*, void*, void**, unsigned, void*, void**, unsigned);
int cudaLibraryGetKernel(void**, void*, const char*);
int cudaLaunchKernel(const void*, dim3, dim3, void**, size_t, void*);
static const char ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry once() { ret; }\n.visible .entry spin() { again: bra again; }\n";
static void launch(const char* name) {
    void *library = 0, *kernel = 0;
    dim3 one = {1, 1, 1};
    if (cudaLibraryLoadData(&library, ptx, 0, 0, 0, 0, 0, 0) || cudaLibraryGetKernel(&kernel, library, name)) exit(9);
    if (cudaLaunchKernel(kernel, one, one, 0, 0, 0)) exit(8);
}
static void own_end(int number) { (void)number; close(creat("handled", 0644)); _exit(5); }
int main(int argc, char** argv) {
    void* p = 0;
    for (int i = 1; i < argc; ++i) {
        const char* step = argv[i];
        if (!strcmp(step, "use")) { if (cudaMalloc(&p, 64)) exit(7); }
        else if (!strcmp(step, "ready")) { puts("ready"); fflush(stdout); }
        else if (!strcmp(step, "wait")) sleep(60);
        else if (!strcmp(step, "handle")) { signal(SIGTERM, own_end); signal(SIGINT, own_end); }
        else if (!strcmp(step, "fork")) { if (fork() == 0) { puts("ready"); fflush(stdout); for (;;) pause(); } }
        else if (!strcmp(step, "child")) { if (fork() != 0) { wait(0); break; } }
        else if (!strcmp(step, "skip")) _exit(0);
        else if (!strcmp(step, "mark")) fclose(fopen("ran", "w"));
        else launch(step);
    }
    return 0;
}
"""


def with_limit(which, *words):
    """The call in a shell with a limit, such as -f 8."""
    return ["bash", "-c", f'ulimit {which}; "$@"', "bash", *map(str, words)]


class Steps(Programs):
    def setUp(self):
        super().setUp()
        source = self.write("steps.c", STEPS)
        self.steps = self.compile("steps", source, "-L", RUNTIME.parent, f"-l:{RUNTIME.name}")
        self.temporary = self.folder / "tmp"
        self.temporary.mkdir()

    def script(self, text, shell="/bin/sh", name="script"):
        return self.write(name, f"#!{shell}\n{text}\n", executable=True)

    def result(self, name="r.json"):
        return json.loads((self.folder / name).read_text())

    def call(self, words, **environment):
        return subprocess.run([*map(str, words)], capture_output=True, text=True, cwd=self.folder, timeout=120,
                              env={**os.environ, **environment})

    def start(self, *words):
        """A process in a group of its own whose program has printed "ready"."""
        process = subprocess.Popen([*map(str, words)], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   start_new_session=True, env={**os.environ, "TMPDIR": str(self.temporary)})
        self.addCleanup(self.end_group, process)
        self.assertEqual(process.stdout.readline(), "ready\n")
        time.sleep(0.2)
        return process

    @staticmethod
    def end_group(process):
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.communicate()

    def ended(self, process):
        process.communicate(timeout=20)
        return process.returncode
