"""A Slurm cluster of two nodes on this computer, for tests: munged, slurmctld and two slurmd on the loopback network."""
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import time

PATH = os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin"
DAEMONS = ["munged", "slurmctld", "slurmd"]


def missing():
    """The reason why there can be no cluster; empty: there can be one."""
    lacking = [name for name in [*DAEMONS, "sbatch", "squeue", "scontrol"] if not shutil.which(name, path=PATH)]
    return f"no {', '.join(lacking)} (Debian: slurm-wlm, munge)" if lacking else ""


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Cluster:
    """Runs while it is entered. `environment` is that of Slurm's commands."""

    def __init__(self, folder, cpus=1):
        self.folder = pathlib.Path(folder)
        self.cpus = cpus
        self.processes = []
        self.environment = {**os.environ, "PATH": PATH, "SLURM_CONF": str(self.folder / "slurm.conf")}

    def __enter__(self):
        for name in ["state", "log"]:
            (self.folder / name).mkdir()
        self.folder.chmod(0o755)  # munged wants a socket that everybody reaches
        host, user = socket.gethostname().split(".")[0], pwd.getpwuid(os.getuid()).pw_name
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        nodes = "\n".join(f"NodeName=n{i} NodeHostname={host} NodeAddr=127.0.0.1 Port={free_port()} CPUs={self.cpus} "
                          f"RealMemory=4000" for i in (1, 2))
        (self.folder / "slurm.conf").write_text(f"""ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={free_port()}
AuthType=auth/munge
AuthInfo=socket={self.folder}/munge.socket,cred_expire=5
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={self.folder}/state
SlurmdSpoolDir={self.folder}/spool-%n
SlurmctldPidFile={self.folder}/slurmctld.pid
SlurmdPidFile={self.folder}/slurmd-%n.pid
SlurmctldLogFile={self.folder}/log/slurmctld
SlurmdLogFile={self.folder}/log/slurmd-%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SchedulerType=sched/backfill
SchedulerParameters=sched_min_interval=100000,batch_sched_delay=0,sched_interval=2,bf_interval=1,default_queue_depth=1000
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
ReturnToService=2
KillWait=3
SlurmdTimeout=10
{nodes}
PartitionName=main Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
""")
        try:
            self.start("munged", "--foreground", "--force", f"--key-file={key}", f"--socket={self.folder}/munge.socket",
                       f"--pid-file={self.folder}/munged.pid", f"--log-file={self.folder}/log/munged",
                       f"--seed-file={self.folder}/munge.seed")
            self.wait(lambda: (self.folder / "munge.socket").exists(), "munged")
            self.start("slurmctld", "-D")
            for node in ("n1", "n2"):
                self.start("slurmd", "-D", "-N", node)
            self.wait(lambda: self.ask("sinfo", "-h", "-t", "idle", "-o", "%D").strip() == "2", "two idle nodes")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.send_signal(signal.SIGTERM)
        for process in reversed(self.processes):
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def start(self, name, *words):
        with open(self.folder / "log" / f"{name}-{len(self.processes)}.txt", "w") as log:
            self.processes.append(subprocess.Popen([shutil.which(name, path=PATH), *words], env=self.environment,
                                                   stdout=log, stderr=log, stdin=subprocess.DEVNULL))

    def wait(self, done, what, seconds=30):
        deadline = time.monotonic() + seconds
        while not done():
            if time.monotonic() > deadline:
                logs = "".join(path.read_text(errors="replace")[-2000:] for path in (self.folder / "log").iterdir())
                raise RuntimeError(f"the cluster has no {what}:\n{logs}")
            time.sleep(0.05)

    def ask(self, *words):
        """What a command prints; empty when it fails."""
        return subprocess.run(words, env=self.environment, capture_output=True, text=True).stdout

    def running_tasks(self):
        """(job ID of the task, node) of those that run."""
        return [tuple(line.split()) for line in self.ask("squeue", "-h", "-r", "-t", "R", "-o", "%A %N").splitlines()]
