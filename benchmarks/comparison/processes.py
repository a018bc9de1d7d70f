"""Programs that are run, what they print and the processor time they take."""
import contextlib
import os
import platform
import resource
import shutil
import socket
import subprocess
import tempfile
import time
from dataclasses import dataclass


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


def call(command, limit, environment=None):
    """The output of a program, and the processor time of its whole life in microseconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              timeout=limit, env=environment)
    except subprocess.TimeoutExpired:
        raise Failed(f"{command[0]} took longer than {limit:g} s") from None
    if done.returncode != 0:
        raise Failed(f"{' '.join(map(str, command))} ended with {done.returncode}: {done.stdout}{done.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.stdout, used * 1e6


def publish(project, folder):
    """A project of this product as it is deployed: compiled ahead where that is known."""
    runtime = {"x86_64": "linux-x64", "aarch64": "linux-arm64"}.get(platform.machine())
    command = [program("dotnet"), "publish", project, "-c", "Release", "-o", folder, "-v", "quiet", "--nologo",
               "--self-contained", "false"]
    subprocess.run(command + (["-r", runtime] if runtime else []), check=True, timeout=900)


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
