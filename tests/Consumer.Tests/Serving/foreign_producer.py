"""A producer that knows nothing of RedisLatency: counts to N on one channel, expects each count back on another."""
import socket
import sys

port, ping, pong, count = int(sys.argv[1]), sys.argv[2].encode(), sys.argv[3].encode(), int(sys.argv[4])
publisher, subscriber = (socket.create_connection(("127.0.0.1", port)) for _ in range(2))
replies, messages = publisher.makefile("rb"), subscriber.makefile("rb")


def send(connection, *words):
    connection.sendall(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(w), w) for w in words))


def message():
    fields = []
    for _ in range(int(messages.readline()[1:])):
        line = messages.readline()
        fields.append(messages.read(int(line[1:]) + 2)[:-2] if line.startswith(b"$") else line[1:-2])
    return fields[2]


send(subscriber, b"SUBSCRIBE", pong)
message()
for number in range(count):
    send(publisher, b"PUBLISH", ping, b"%d" % number)
    replies.readline()
    answer = message()
    if answer != b"%d" % number:
        sys.exit(f"sent {number}, received {answer!r}")
print(f"{count} counts came back")
