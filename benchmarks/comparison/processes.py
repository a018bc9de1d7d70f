"""Programs that are run, what they print and the processor time they take."""
import contextlib
import os
import resource
import shutil
import socket
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BUILT = ROOT / "artifacts" / "benchmarks"


class Missing(Exception):
    """Something that a comparison needs is not here."""


class Failed(Exception):
    """A run ended without a result."""


@dataclass
class Run:
    """Processor time in microseconds per operation, operations per second."""

    cpu: float
    rate: float


def program(name):
    found = shutil.which(name)
    if found is None:
        raise Missing(f"{name} is not on the PATH")
    return found


def call(command, limit, **more):
    """The output of a program, and the processor time of its whole life in microseconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              timeout=limit, **more)
    except subprocess.TimeoutExpired:
        raise Failed(f"{command[0]} took longer than {limit:g} s") from None
    if done.returncode != 0:
        raise Failed(f"{' '.join(map(str, command))} ended with {done.returncode}: {done.stdout}{done.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.stdout, used * 1e6


def native_program():
    """redis-latency as it is deployed: published natively, again where a source is newer than it."""
    built = BUILT / "redis-latency"
    sources = [*ROOT.glob("Directory.*"), *(path for path in (ROOT / "src").rglob("*") if path.is_file())]
    if not built.exists() or max(path.stat().st_mtime for path in sources) > built.stat().st_mtime:
        print("publishing the native program, which takes a minute or two", flush=True)
        # The intermediate files are those with which tests/native and deploy/archives go on.
        subprocess.run([program("dotnet"), "publish", ROOT / "src" / "Tool", "-c", "Release", "--use-current-runtime",
                        "-o", BUILT, "--artifacts-path", ROOT / "artifacts" / "native" / "build", "-v", "quiet",
                        "--nologo"], check=True, timeout=1800)
        built.touch()
    return built


def managed_program():
    """The same as `dotnet run -c Release` starts it: compiled just in time."""
    subprocess.run([program("dotnet"), "build", ROOT / "src" / "Tool", "-c", "Release", "-v", "quiet", "--nologo"],
                   check=True, timeout=900, stdout=subprocess.DEVNULL)
    return ROOT / "artifacts" / "bin" / "Tool" / "release" / "redis-latency"


def compiled(source):
    """A program of one file in C."""
    compiler = os.environ.get("CC") or next((name for name in ("cc", "gcc", "clang") if shutil.which(name)), None)
    if compiler is None:
        raise Missing("there is no C compiler (cc, gcc or clang on the PATH, or CC)")
    BUILT.mkdir(parents=True, exist_ok=True)
    target = BUILT / source.stem
    subprocess.run([compiler, "-O2", "-Wall", "-Wextra", "-o", target, source], check=True, timeout=120)
    return target


def ended(process):
    """Ends a process that may have ended by itself, and waits for it."""
    if process.poll() is None:
        process.terminate()
    try:
        process.wait(30)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def group_processor_us(group):
    """Processor time so far of all processes of a group, in microseconds."""
    ticks = 0
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        with contextlib.suppress(OSError):
            with open(f"/proc/{name}/stat", encoding="ascii", errors="replace") as file:
                # The second field is the program's name, in parentheses, and may contain anything.
                fields = file.read().rpartition(")")[2].split()
            if int(fields[2]) == group:
                # Of itself, and of children that have ended.
                ticks += sum(map(int, fields[11:15]))
    return ticks * 1e6 / os.sysconf("SC_CLK_TCK")


def most_memory(process):
    """The most memory so far of a process that runs, in MB; None where it has ended. What wait4 says is no less than
    the memory of the process that started it."""
    with contextlib.suppress(OSError, StopIteration):
        with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) * 1024 / 1e6
    return None


class Server:
    """A redis-server of our own on a free loopback port, without persistence."""

    def __init__(self, command, *options):
        self._command = program(command)
        self._options = options

    def __enter__(self):
        self.port = 65_536
        # A cluster's bus has the port plus 10,000.
        while self.port > 55_000:
            with socket.create_server(("127.0.0.1", 0)) as probe:
                self.port = probe.getsockname()[1]
        self._folder = tempfile.TemporaryDirectory(prefix="compare-")
        self._process = subprocess.Popen(
            [self._command, "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no",
             "--dir", self._folder.name, *self._options], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 30
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.__exit__()
                raise Failed(f"{self._command} did not start on port {self.port}")
            time.sleep(0.02)
        return self

    def __exit__(self, *_):
        ended(self._process)
        self._folder.cleanup()

    def ask(self, *words):
        """The first line of the reply to a command."""
        request = f"*{len(words)}\r\n" + "".join(f"${len(word)}\r\n{word}\r\n" for word in words)
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as connection:
            connection.sendall(request.encode())
            return connection.makefile("rb").readline().decode().rstrip()

    def _answers(self):
        try:
            return self.ask("PING") == "+PONG"
        except OSError:
            return False
