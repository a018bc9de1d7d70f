"""A producer written by somebody else: sends counts on ping, one after the other, and checks each answer on pong."""
import socket
import sys

port, iterations = int(sys.argv[1]), int(sys.argv[2])
listening, sending = (socket.create_connection(("127.0.0.1", port)) for _ in range(2))
messages, replies = listening.makefile("rb"), sending.makefile("rb")


def read(stream):
    kind, rest = (line := stream.readline())[:1], line[1:-2]
    if kind == b"*":
        return [read(stream) for _ in range(int(rest))]
    return stream.read(int(rest) + 2)[:-2] if kind == b"$" else rest


listening.sendall(b"*2\r\n$9\r\nSUBSCRIBE\r\n$4\r\npong\r\n")
read(messages)
for i in range(iterations):
    count = b"%d" % i
    sending.sendall(b"*3\r\n$7\r\nPUBLISH\r\n$4\r\nping\r\n$%d\r\n%s\r\n" % (len(count), count))
    read(replies)
    if (received := read(messages)[2]) != count:
        sys.exit(f"sent {i}, received {received.decode()}")
print(f"{iterations} answered", flush=True)
