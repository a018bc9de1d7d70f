"""The product's engine, and the programs that do the same work over one thread."""
import os
import platform
import re
import shutil
import subprocess
from pathlib import Path

from .processes import Failed, Missing, Run, call, program

HERE = Path(__file__).resolve().parent.parent
ROOT = HERE.parent.parent
BUILT = ROOT / "artifacts" / "workloads-compare"
WARM_UP_SECONDS = 2


def build_c():
    compiler = os.environ.get("CC") or next((name for name in ("cc", "gcc", "clang") if shutil.which(name)), None)
    if compiler is None:
        raise Missing("there is no C compiler (cc, gcc or clang on the PATH, or CC)")
    BUILT.mkdir(parents=True, exist_ok=True)
    subprocess.run([compiler, "-O2", "-Wall", "-Wextra", "-o", BUILT / "engine", HERE / "engine.c"], check=True,
                   timeout=120)


class Product:
    """The engine itself, in EngineRun; processor time is that of its process after two seconds of warm-up."""

    def __init__(self, options):
        self._options = options
        self._path = options.product or BUILT / "EngineRun" / "RedisLatency.EngineRun"
        if not (options.product or options.no_build):
            self._build()

    def run(self, server, **arguments):
        given = {"connections": self._options.connections, "size": self._options.value_size,
                 "keys": self._options.keys, "loop": self._options.loop, "warmup": WARM_UP_SECONDS, **arguments}
        text, _ = call([self._path, f"redis=redis://127.0.0.1:{server.port}",
                        *(f"{name}={value}" for name, value in given.items())], self._options.run_limit)
        return dict(pair.split("=", 1) for pair in text.split())

    def measure(self, server, **arguments):
        return measured(self.run(server, **arguments))

    def fill(self, server, form, content="constant"):
        """Every key of a form exists once, so that no run reads what is not there."""
        self.run(server, form=form, content=content, mix="set=1", distribution="sequential", pipeline=16,
                 operations=self._options.keys, warmup=0)

    def rate(self, server, **arguments):
        """Operations per second: how many of them make a run of the seconds asked for."""
        return float(measured(self.run(server, warmup=0.5, seconds=1, **arguments)).rate)

    def _build(self):
        runtime = {"x86_64": "linux-x64", "aarch64": "linux-arm64"}.get(platform.machine())
        command = [program("dotnet"), "publish", HERE / "Engine", "-c", "Release", "-o", BUILT / "EngineRun", "-v",
                   "quiet", "--nologo", "--self-contained", "false"]
        subprocess.run(command + (["-r", runtime] if runtime else []), check=True, timeout=900)


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
