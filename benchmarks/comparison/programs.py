"""The product's load engine, and a program in C that does the same work over one thread."""
import json
import statistics
import tempfile

from .processes import BUILT, Failed, Run, call


class Product:
    """`redis-latency load run`, one process for each run. Processor time is that of its process while it measures: the
    start, the warm-up and the report do not count, as in C."""

    def __init__(self, path, server, options):
        self._path = path
        self._server = server
        self._options = options

    def run(self, **arguments):
        """The metrics of one run, by their names in run.json."""
        given = {"connections": self._options.connections, "value-size": self._options.value_size,
                 "records": self._options.keys, "mix": "set=1,get=1", "keys": "uniform", "key-form": "memtier",
                 "value": "constant", "warmup": "100ms", **arguments}
        with tempfile.TemporaryDirectory(prefix="compare-") as folder:
            text, _ = call([self._path, "load", "run", "--redis", f"redis://127.0.0.1:{self._server.port}",
                            *(word for name, value in given.items() for word in (f"--{name}", value)), "--overwrite",
                            "--format", "json", "--quiet", "--live", "none", "--out", folder], self._options.run_limit)
        metrics = json.loads(text)["metrics"]
        if metrics["errors"] > 0 or metrics["lost"] > 0:
            raise Failed(f"not every operation was completed: {metrics}")
        return metrics

    def measure(self, **arguments):
        return measured(self.run(**arguments))

    def fill(self, form, content="constant"):
        """Every key of a form exists once, so that no run reads what is not there."""
        self.run(**{"key-form": form, "value": content, "mix": "set=1", "keys": "sequential", "pipeline": 16,
                    "operations": self._options.keys, "warmup": "0s"})

    def rate(self, **arguments):
        """Operations per second: how many of them make a run of the seconds asked for."""
        return statistics.median(self.measure(duration="500ms", **arguments).rate for _ in range(3))


def measured(metrics):
    return Run(metrics["cpu-per-operation"] / 1000, metrics["throughput"])


def of_thread(metrics):
    """Of the one thread that sends and measures, in a closed loop."""
    return Run(metrics["busy"] * 1e6 / metrics["throughput"], metrics["throughput"])


def in_c(server, options, pipeline, operations):
    text, _ = call([BUILT / "engine", "127.0.0.1", server.port, options.connections, pipeline, operations,
                    operations // 5, options.keys, options.value_size], options.run_limit)
    values = dict(pair.split("=", 1) for pair in text.split())
    return Run(float(values["cpu_us"]), int(values["ops"]) / float(values["seconds"]))
