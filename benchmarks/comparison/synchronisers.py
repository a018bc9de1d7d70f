"""The product's synchroniser and RedisShake, one process for each run."""
import os
import subprocess
import tempfile
import time
from pathlib import Path

from .processes import Failed, ended, group_processor_us, most_memory, program


class Synchroniser:
    """A process that carries data over: started on entering, ended on leaving. `peak` is the most memory in MB that was
    seen while something was awaited, `processor` its processor time in microseconds."""

    def __enter__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="compare-")
        self._log = open(Path(self._folder.name) / "output", "w+", encoding="utf-8", errors="replace")
        self._started = time.monotonic()
        self._process = subprocess.Popen(list(map(str, self.command(Path(self._folder.name)))), cwd=self._folder.name,
                                         stdin=subprocess.DEVNULL, stdout=self._log, stderr=subprocess.STDOUT,
                                         start_new_session=True)
        self._usage = None
        self.peak = 0
        return self

    def __exit__(self, *_):
        if self._usage is None:
            ended(self._process)
        self._log.close()
        self._folder.cleanup()

    @property
    def processor(self):
        """Microseconds so far."""
        if self._usage is not None:
            return (self._usage.ru_utime + self._usage.ru_stime) * 1e6
        return group_processor_us(self._process.pid)

    @property
    def written(self):
        """Bytes that it had the kernel write to disks."""
        with open(f"/proc/{self._process.pid}/io", encoding="ascii") as counts:
            return next(int(line.split()[1]) for line in counts if line.startswith("write_bytes"))

    def await_end(self, limit):
        deadline = self._started + limit
        while True:
            self.peak = most_memory(self._process) or self.peak
            pid, status, usage = os.wait4(self._process.pid, os.WNOHANG)
            if pid != 0:
                break
            if time.monotonic() > deadline:
                raise Failed(f"it took longer than {limit:g} s: {self.output()}")
            time.sleep(0.005)
        self._usage, self._process.returncode = usage, os.waitstatus_to_exitcode(status)
        if self._process.returncode != 0:
            raise Failed(f"it ended with {self._process.returncode}: {self.output()}")
        return time.monotonic() - self._started

    def await_true(self, condition, limit, may_end=False):
        """`may_end`: whether it may end by itself, without a failure, before others are as far."""
        deadline = time.monotonic() + limit
        while not condition():
            self.peak = most_memory(self._process) or self.peak
            # Not collected, so that what it used can still be read.
            gone = os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if gone is not None and (gone.si_status != 0 or not may_end):
                raise Failed(f"it ended too early, with {gone.si_status}: {self.output()}")
            if time.monotonic() > deadline:
                raise Failed(f"the target lacks something after {limit:g} s: {self.output()}")
            time.sleep(0.002)

    def output(self):
        self._log.flush()
        return Path(self._log.name).read_text(encoding="utf-8", errors="replace")[-2000:]


class Product(Synchroniser):
    """Ours. The ends are ports of this machine, of a cluster those of any node."""

    def __init__(self, path, mode, source, target, cluster=False, **choices):
        scheme = "redis+cluster" if cluster else "redis"
        self._command = [path, "scan" if mode.startswith("scan") else "sync",
                         "--source", f"{scheme}://127.0.0.1:{source}", "--destination", f"{scheme}://127.0.0.1:{target}",
                         "--on-existing", "rewrite", "--live", "none", *choices.get("options", ())]
        self._command += {"full": ["--no-stream"], "stream": [], "scan": ["--count", "10"],
                          "scan+ksn": ["--count", "10", "--follow"]}[mode]

    def command(self, folder):
        return [*self._command, "--out", folder / "results", "--spool", folder] if "sync" in self._command else [
            *self._command, "--out", folder / "results"]


class RedisShake(Synchroniser):
    """The original, by its file of settings."""

    def __init__(self, path, mode, source, target, cluster=False, **_):
        self._path = program(str(path))
        ends = f"cluster = {str(cluster).lower()}\naddress = \"127.0.0.1:%d\"\n"
        reader = {"full": "[sync_reader]\nsync_aof = false\n", "stream": "[sync_reader]\n",
                  "scan": "[scan_reader]\nscan = true\nksn = false\ncount = 10\n",
                  "scan+ksn": "[scan_reader]\nscan = true\nksn = true\ncount = 10\n"}[mode]
        self._settings = (reader + ends % source + "[redis_writer]\n" + ends % target + '[advanced]\ndir = "data"\n'
                          'rdb_restore_command_behavior = "rewrite"\n')

    def command(self, folder):
        (folder / "shake.toml").write_text(self._settings, encoding="utf-8")
        return [self._path, folder / "shake.toml"]
