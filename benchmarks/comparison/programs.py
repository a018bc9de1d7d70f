"""The product's engine, and the programs that do the same work over one thread."""
import contextlib
import os
import re
import shutil
import statistics
import subprocess
import threading
from pathlib import Path

from .processes import Failed, Missing, Run, call, ended, program, publish

ROOT = Path(__file__).resolve().parent.parent.parent
HERE = ROOT / "benchmarks" / "workloads"
BUILT = ROOT / "artifacts" / "workloads-compare"
MOST_WARM_UPS = 30


def build_c():
    compiler = os.environ.get("CC") or next((name for name in ("cc", "gcc", "clang") if shutil.which(name)), None)
    if compiler is None:
        raise Missing("there is no C compiler (cc, gcc or clang on the PATH, or CC)")
    BUILT.mkdir(parents=True, exist_ok=True)
    subprocess.run([compiler, "-O2", "-Wall", "-Wextra", "-o", BUILT / "engine", HERE / "engine.c"], check=True,
                   timeout=120)


def build_product():
    publish(HERE / "Engine", BUILT / "EngineRun")
    return built_product()


def built_product():
    return BUILT / "EngineRun" / "RedisLatency.EngineRun"


class Product:
    """The engine itself, in one process for all runs: what its code costs to compile is not what it costs to run."""

    def __init__(self, path, server, options):
        self._path = path
        self._server = server
        self._options = options

    def __enter__(self):
        self._process = subprocess.Popen([self._path], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                         stderr=subprocess.PIPE, text=True)
        return self

    def __exit__(self, *_):
        ended(self._process)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            with contextlib.suppress(OSError):
                pipe.close()

    def run(self, **arguments):
        given = {"redis": f"redis://127.0.0.1:{self._server.port}", "connections": self._options.connections,
                 "size": self._options.value_size, "keys": self._options.keys, "loop": self._options.loop, **arguments}
        guard = threading.Timer(self._options.run_limit, self._process.kill)
        guard.start()
        try:
            self._process.stdin.write(" ".join(f"{name}={value}" for name, value in given.items()) + "\n")
            self._process.stdin.flush()
            answer = self._process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        finally:
            guard.cancel()
        if not answer:
            self._process.kill()
            raise Failed(f"EngineRun ended: {self._process.stderr.read()[-2000:]}")
        return dict(pair.split("=", 1) for pair in answer.split())

    def measure(self, **arguments):
        return measured(self.run(**arguments))

    def fill(self, form, content="constant"):
        """Every key of a form exists once, so that no run reads what is not there."""
        self.run(form=form, content=content, mix="set=1", distribution="sequential", pipeline=16,
                 operations=self._options.keys, warmup=0)

    def rate(self, **arguments):
        """Operations per second, once the code is compiled: how many of them make a run of the seconds asked for. The
        compiler comes several times, later each time, and takes a third of the processor then."""
        rates, quiet = [], 0
        while quiet < 3 and len(rates) < MOST_WARM_UPS:
            values = self.run(seconds=0.5, **arguments)
            quiet = quiet + 1 if float(values["compiling_share"]) < 0.005 else 0
            rates.append(measured(values).rate)
        return statistics.median(rates[-3:])


def measured(values):
    return Run(float(values["cpu_us"]), int(values["ops"]) / float(values["seconds"]))


def in_c(server, options, pipeline, operations):
    text, _ = call([BUILT / "engine", "127.0.0.1", server.port, options.connections, pipeline, operations,
                    operations // 5, options.keys, options.value_size], options.run_limit)
    return measured(dict(pair.split("=", 1) for pair in text.split()))


def in_redis_benchmark(server, options, pipeline, operations):
    """SET and GET one after the other, as it has no mix; its start is in its processor time, and is small."""
    half = operations // 2
    text, used = call([program("redis-benchmark"), "-p", server.port, "-t", "set,get", "-n", half, "-r", options.keys,
                       "-c", options.connections, "-P", pipeline, "-d", options.value_size, "-q"], options.run_limit)
    rates = [float(rate) for rate in re.findall(r"([\d.]+) requests per second", text)]
    if len(rates) != 2:
        raise Failed(f"redis-benchmark: two rates were expected: {text[-400:]}")
    return Run(used / (2 * half), 2 / sum(1 / rate for rate in rates))


def in_memtier(path, server, options, pipeline, operations):
    """With a seed for every connection: by default all draw the same keys, and the server works from its cache."""
    each = max(operations // options.connections, 1)
    text, used = call([path, "-s", "127.0.0.1", "-p", server.port, "-t", 1, "-c", options.connections, "-n", each,
                       "--ratio", "1:1", "-d", options.value_size, "--key-minimum", 1, "--key-maximum", options.keys,
                       "--key-pattern", "R:R", "--distinct-client-seed", "--pipeline", pipeline, "--hide-histogram"],
                      options.run_limit)
    rate = re.search(r"^Totals\s+([\d.]+)", text, re.MULTILINE)
    if rate is None:
        raise Failed(f"memtier_benchmark: no totals: {text[-400:]}")
    return Run(used / (each * options.connections), float(rate[1]))
