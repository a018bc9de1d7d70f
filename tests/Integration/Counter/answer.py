"""A consumer written by somebody else: answers plain counts that come on ping by sending them back on pong."""
import socket
import sys

port, wrong = int(sys.argv[1]), sys.argv[2].encode() if len(sys.argv) > 2 else None
listening, sending = (socket.create_connection(("127.0.0.1", port)) for _ in range(2))
messages, replies = listening.makefile("rb"), sending.makefile("rb")


def read(stream):
    kind, rest = (line := stream.readline())[:1], line[1:-2]
    if kind == b"*":
        return [read(stream) for _ in range(int(rest))]
    return stream.read(int(rest) + 2)[:-2] if kind == b"$" else rest


listening.sendall(b"*2\r\n$9\r\nSUBSCRIBE\r\n$4\r\nping\r\n")
read(messages)
print("ready", flush=True)
while True:
    count = read(messages)[2]
    answer = b"%d" % (int(count) + 1) if count == wrong else count
    sending.sendall(b"*3\r\n$7\r\nPUBLISH\r\n$4\r\npong\r\n$%d\r\n%s\r\n" % (len(answer), answer))
    read(replies)
