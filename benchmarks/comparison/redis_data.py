"""What servers hold, and what is asked of them, over connections that stay."""
import random
import socket
import time

from .processes import Failed


class Connection:
    """Requests to one server, pipelined where they are many."""

    def __init__(self, port):
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._replies = self._socket.makefile("rb")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._replies.close()
        self._socket.close()

    def ask(self, *words):
        self.send(*words)
        return self.reply()

    def send(self, *words):
        self._socket.sendall(request(*words))

    def ask_all(self, requests):
        """Sends the requests, some thousands at a time, and reads their replies."""
        for first in range(0, len(requests), 5000):
            part = requests[first:first + 5000]
            self._socket.sendall(b"".join(part))
            for _ in part:
                self.reply()

    def reply(self):
        line = self._replies.readline().rstrip(b"\r\n")
        kind, rest = line[:1], line[1:]
        if kind == b"$":
            return None if rest == b"-1" else self._replies.read(int(rest) + 2)[:-2]
        if kind in b"*>%":
            return [self.reply() for _ in range(int(rest) * (2 if kind == b"%" else 1))]
        if kind == b"-":
            raise OSError(rest.decode())
        return int(rest) if kind == b":" else rest

    def info(self, name):
        """A number of INFO; 0 where it is missing."""
        for line in self.ask("INFO", "all").split(b"\r\n"):
            field, _, value = line.partition(b":")
            if field.decode() == name:
                return float(value)
        return 0.0


def request(*words):
    parts = [word if isinstance(word, bytes) else str(word).encode() for word in words]
    return b"*%d\r\n" % len(parts) + b"".join(b"$%d\r\n%s\r\n" % (len(part), part) for part in parts)


def keys(count, size, first=0):
    """Requests that fill a server: of five keys four strings, one a hash of ten fields."""
    values = random.Random(count)
    for number in range(first, first + count):
        if number % 5 != 0:
            yield request("SET", f"key:{number:012}", values.randbytes(size))
            continue
        fields = [part for field in range(10) for part in (f"field{field}", values.randbytes(size // 10))]
        yield request("HSET", f"key:{number:012}", *fields)


def slot(key):
    """The slot of a key without braces: CRC-16 of XMODEM, modulo 16384."""
    value = 0
    for byte in key.encode():
        value ^= byte << 8
        for _ in range(8):
            value = (value << 1) ^ 0x1021 if value & 0x8000 else value << 1
    return (value & 0xFFFF) % 16384


def join(servers):
    """Makes them a cluster; the first has the first slots, and so on."""
    opened = [Connection(server.port) for server in servers]
    try:
        for number, connection in enumerate(opened):
            count = len(opened)
            first, last = -(-number * 16384 // count), -(-(number + 1) * 16384 // count) - 1
            connection.ask("CLUSTER", "ADDSLOTSRANGE", first, last)
            connection.ask("CLUSTER", "MEET", "127.0.0.1", servers[0].port)
        deadline = time.monotonic() + 60
        for connection in opened:
            while b"cluster_state:ok" not in connection.ask("CLUSTER", "INFO") or \
                    len(connection.ask("CLUSTER", "NODES").splitlines()) < len(servers):
                if time.monotonic() > deadline:
                    raise Failed("the servers do not become a cluster")
                time.sleep(0.05)
    finally:
        for connection in opened:
            connection.__exit__()
