# The original's two sides, as its documentation describes them: original.py PORT KEYNUMBER FIRST set|get
import socket, sys, time

port, count, first, side = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
lines = socket.create_connection(("127.0.0.1", port)).makefile("rwb")

def command(*words):
    lines.write(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(w), w) for w in words))
    lines.flush()
    reply = lines.readline()
    if not reply.startswith(b"$") or reply == b"$-1\r\n":
        return None
    return lines.read(int(reply[1:]) + 2)[:-2]

delays = []
for key in range(first, first + count):
    if side == "set":
        command(b"SET", b"%d" % key, b"%d" % (time.time() * 1000))
        time.sleep(0.002)
    else:
        while (value := command(b"GET", b"%d" % key)) is None:
            time.sleep(0.001)
        delays.append(time.time() * 1000 - int(value))
if side == "get":
    print("read %d, average %.2f" % (len(delays), sum(delays) / len(delays)))
