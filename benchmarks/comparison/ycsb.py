"""YCSB with its redis binding; Ycsb runs it in the form that sets and gets strings (redis.command_group=string)."""
import contextlib
import os
import re
import signal
import subprocess
import threading
import time
from pathlib import Path

from .processes import Failed, Missing, Run, call, group_processor_us

# Key 0, as YCSB hashes it.
FIRST_KEY = "user6284781860667377211"
MOST_RUNS = 5
PROGRESS = re.compile(r" (\d+) sec: (\d+) operations;")


def script(home):
    """What starts YCSB."""
    home = home or os.environ.get("YCSB_HOME")
    if not home:
        raise Missing("YCSB is not here: --ycsb FOLDER or YCSB_HOME names a built YCSB 0.17 or later")
    path = Path(home) / "bin" / "ycsb.sh"
    if not path.is_file():
        raise Missing(f"there is no {path}")
    return path


class Ycsb:
    def __init__(self, home, options):
        self._program = script(home)
        self._options = options

    def require_strings(self, server):
        """Loads a few keys, and looks at what they became: the binding as published knows hashes alone."""
        self._call(server, "load", "a", "uniform", {"recordcount": 10})
        found = server.ask("TYPE", FIRST_KEY)
        server.ask("FLUSHALL")
        if found != "+string":
            raise Missing(f"this YCSB's redis binding wrote {found[1:]}, not strings: it does not know "
                          "redis.command_group=string")

    def run(self, server, workload, distribution):
        """What a run costs after its warm-up: the start of the virtual machine and of its compiler do not count."""
        for _ in range(MOST_RUNS):
            if run := self._run(server, workload, distribution):
                return run
            print("YCSB's progress was read too late, by a busy machine: once more", flush=True)
        raise Failed("YCSB's progress was read too late, by a busy machine")

    def _run(self, server, workload, distribution):
        options = self._options
        command = self._command(server, "run", workload, distribution, {
            "recordcount": options.keys, "operationcount": 2_000_000_000,
            "maxexecutiontime": round(options.ycsb_warm_up + options.seconds + 1), "status.interval": 1})
        # Its script is not the one that works: the whole group is measured, and ended. A group, and not a session: the
        # kernel shares the processors out between sessions, and the product would have another share.
        process = subprocess.Popen(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True, preexec_fn=os.setpgrp)
        guard = threading.Timer(options.run_limit, end, [process])
        guard.start()
        try:
            marks, tail = [], []
            for line in process.stdout:
                if found := PROGRESS.search(line):
                    marks.append((int(found[1]), int(found[2]), group_processor_us(process.pid), time.monotonic()))
                else:
                    tail = [*tail[-60:], line]
            if process.wait() != 0:
                raise Failed(f"YCSB ended with {process.returncode}: {''.join(tail[-10:])}")
        finally:
            guard.cancel()
            end(process)
            process.wait()
        return between(marks, tail, options)

    def _call(self, server, *arguments):
        call(self._command(server, *arguments), self._options.run_limit)

    def _command(self, server, verb, workload, distribution, properties):
        workloads = self._program.parent.parent / "workloads"
        properties = {
            "redis.host": "127.0.0.1", "redis.port": server.port, "redis.command_group": "string", "fieldcount": 1,
            "fieldlength": self._options.value_size, "requestdistribution": distribution, **properties}
        return ["bash", self._program, verb, "redis", "-s", "-P", workloads / f"workload{workload}",
                *(word for name, value in properties.items() for word in ("-p", f"{name}={value}")),
                "-threads", str(self._options.ycsb_threads)]


def end(process):
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def between(marks, tail, options):
    """From the marks of a run's progress, a second apart, those after the warm-up; not the last, which comes when its
    threads are ending. None where they were not read when they were written."""
    errors = [line.strip() for line in tail if "Return=" in line and "Return=OK" not in line]
    if errors:
        raise Failed(f"YCSB: {'; '.join(errors)}")
    measured = [mark for mark in marks[:-1] if mark[0] >= options.ycsb_warm_up]
    if len(measured) < 2:
        raise Failed("YCSB ended before its warm-up did")
    (first, before, cpu_before, since), (last, after, cpu_after, until) = measured[0], measured[-1]
    if abs(until - since - (last - first)) > 0.2 * (last - first) or cpu_after <= cpu_before:
        return None
    return Run((cpu_after - cpu_before) / (after - before), (after - before) / (until - since))
