/*
 * The closed-loop publish/subscribe ping-pong of RedisLatency's raw lane, in C over blocking sockets: what the
 * product's round trip is compared with. `compare` beside this file runs both.
 *
 *   pingpong consumer HOST PORT ITERATIONS WARMUP PAYLOAD_BYTES [--busy-poll]
 *   pingpong producer HOST PORT ITERATIONS WARMUP PAYLOAD_BYTES [--busy-poll]
 *
 * The consumer subscribes to one channel and sends back on another what comes; it ends by itself after WARMUP +
 * ITERATIONS messages. The producer sends the next message when the last one has returned, and prints one line of
 * key=value, in nanoseconds. Either may be started first. Payloads have 8 bytes at least: their number is in them.
 */
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define PING "pingpong:ping"
#define PONG "pingpong:pong"

enum { MAX_PAYLOAD = 1 << 20, HEADER_ROOM = 128, HELLO_INTERVAL_MS = 100, PRESENCE_LIMIT_S = 20 };

/* Sent until it comes back, which tells that the consumer has subscribed; never measured. */
static const uint64_t HELLO = UINT64_MAX;

struct peer {
    int publisher;         /* Apart from the subscriber's socket, as in the product's raw lane. */
    int subscriber;
    bool busy_poll;
    size_t payload_length;
    char *request;         /* PUBLISH channel payload, written once; only the payload's number changes. */
    size_t request_length;
    char *sent_payload;
    char *expected;        /* What precedes the payload in every message that comes. */
    size_t expected_length;
    char *message;
    size_t message_length;
    char *received_payload;
};

static void die(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("pingpong: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static int64_t to_ns(struct timeval time)
{
    return time.tv_sec * INT64_C(1000000000) + time.tv_usec * INT64_C(1000);
}

static int64_t cpu_ns(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return to_ns(usage.ru_utime) + to_ns(usage.ru_stime);
}

static int connect_to(const char *host, const char *port)
{
    struct addrinfo hints = { .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM };
    struct addrinfo *addresses;
    int error = getaddrinfo(host, port, &hints, &addresses);
    if (error != 0)
        die("%s:%s: %s", host, port, gai_strerror(error));

    int connected = -1;
    for (struct addrinfo *address = addresses; address != NULL && connected < 0; address = address->ai_next) {
        connected = socket(address->ai_family, address->ai_socktype, address->ai_protocol);
        if (connected >= 0 && connect(connected, address->ai_addr, address->ai_addrlen) != 0) {
            close(connected);
            connected = -1;
        }
    }
    freeaddrinfo(addresses);
    if (connected < 0)
        die("cannot connect to %s:%s: %s", host, port, strerror(errno));

    int on = 1;
    if (setsockopt(connected, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0)
        die("TCP_NODELAY: %s", strerror(errno));
    return connected;
}

static void send_all(int socket, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t sent = send(socket, bytes, length, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            die("send: %s", strerror(errno));
        bytes += sent;
        length -= (size_t)sent;
    }
}

/* Whether all of it came before the socket's receive time-out, if it has one; a torn message is read to its end. */
static bool receive_all(int socket, bool busy_poll, char *bytes, size_t length)
{
    size_t done = 0;
    while (done < length) {
        ssize_t received = recv(socket, bytes + done, length - done, busy_poll ? MSG_DONTWAIT : 0);
        if (received > 0)
            done += (size_t)received;
        else if (received == 0)
            die("the server has closed the connection");
        else if ((errno == EAGAIN || errno == EWOULDBLOCK) && !busy_poll && done == 0)
            return false;
        else if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
            die("recv: %s", strerror(errno));
    }
    return true;
}

/* Unread, the replies to PUBLISH would fill the socket; a reply that is not there yet is read the next time. */
static void drain_replies(const struct peer *peer)
{
    char replies[256];
    ssize_t received = recv(peer->publisher, replies, sizeof replies, MSG_DONTWAIT);
    if (received > 0 && replies[0] == '-')
        die("the server refuses: %.*s", (int)received, replies);
    if (received == 0)
        die("the server has closed the connection");
    if (received < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
        die("recv: %s", strerror(errno));
}

static void subscribe_to(const struct peer *peer, const char *channel)
{
    char request[HEADER_ROOM], expected[HEADER_ROOM], reply[HEADER_ROOM];
    int length = snprintf(request, sizeof request, "*2\r\n$9\r\nSUBSCRIBE\r\n$%zu\r\n%s\r\n", strlen(channel), channel);
    int reply_length = snprintf(expected, sizeof expected, "*3\r\n$9\r\nsubscribe\r\n$%zu\r\n%s\r\n:1\r\n",
                                strlen(channel), channel);
    send_all(peer->subscriber, request, (size_t)length);
    receive_all(peer->subscriber, false, reply, (size_t)reply_length);
    if (memcmp(reply, expected, (size_t)reply_length) != 0)
        die("unexpected answer to SUBSCRIBE: %.*s", reply_length, reply);
}

static char *allocate(size_t length)
{
    char *memory = calloc(1, length);
    if (memory == NULL)
        die("out of memory");
    return memory;
}

static void prepare(struct peer *peer, const char *publish_to, const char *receive_from)
{
    size_t capacity = peer->payload_length + HEADER_ROOM;
    peer->request = allocate(capacity);
    int header = snprintf(peer->request, HEADER_ROOM, "*3\r\n$7\r\nPUBLISH\r\n$%zu\r\n%s\r\n$%zu\r\n",
                          strlen(publish_to), publish_to, peer->payload_length);
    peer->sent_payload = peer->request + header;
    peer->request_length = (size_t)header + peer->payload_length + 2;
    memcpy(peer->sent_payload + peer->payload_length, "\r\n", 2);

    peer->expected = allocate(HEADER_ROOM);
    header = snprintf(peer->expected, HEADER_ROOM, "*3\r\n$7\r\nmessage\r\n$%zu\r\n%s\r\n$%zu\r\n",
                      strlen(receive_from), receive_from, peer->payload_length);
    peer->expected_length = (size_t)header;
    peer->message_length = peer->expected_length + peer->payload_length + 2;
    peer->message = allocate(capacity);
    peer->received_payload = peer->message + peer->expected_length;
    subscribe_to(peer, receive_from);
}

static bool receive_message(const struct peer *peer)
{
    if (!receive_all(peer->subscriber, peer->busy_poll, peer->message, peer->message_length))
        return false;
    if (memcmp(peer->message, peer->expected, peer->expected_length) != 0)
        die("unexpected message (have both sides the same PAYLOAD_BYTES?)");
    return true;
}

static uint64_t received_number(const struct peer *peer)
{
    uint64_t number;
    memcpy(&number, peer->received_payload, sizeof number);
    return number;
}

static void publish_number(const struct peer *peer, uint64_t number)
{
    memcpy(peer->sent_payload, &number, sizeof number);
    send_all(peer->publisher, peer->request, peer->request_length);
}

static void set_receive_timeout(int socket, int milliseconds)
{
    struct timeval timeout = { .tv_sec = milliseconds / 1000, .tv_usec = milliseconds % 1000 * 1000 };
    if (setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout) != 0)
        die("SO_RCVTIMEO: %s", strerror(errno));
}

static void wait_for_consumer(struct peer *peer)
{
    bool busy_poll = peer->busy_poll;
    peer->busy_poll = false;
    set_receive_timeout(peer->subscriber, HELLO_INTERVAL_MS);
    int64_t limit = now_ns() + PRESENCE_LIMIT_S * INT64_C(1000000000);
    bool is_present = false;
    while (!is_present) {
        if (now_ns() > limit)
            die("no consumer answers");
        publish_number(peer, HELLO);
        is_present = receive_message(peer);
        drain_replies(peer);
    }
    /* The measured receive has no time-out: arming one would cost what a plain blocking program does not pay. */
    set_receive_timeout(peer->subscriber, 0);
    peer->busy_poll = busy_poll;
}

static int64_t round_trip(const struct peer *peer, uint64_t number)
{
    drain_replies(peer);
    int64_t sent = now_ns();
    publish_number(peer, number);
    int64_t returned;
    do {
        receive_message(peer);
        returned = now_ns();
    } while (received_number(peer) == HELLO); /* A second hello's echo, where the first one took long. */
    if (received_number(peer) != number)
        die("sent %llu, received %llu", (unsigned long long)number, (unsigned long long)received_number(peer));
    return returned - sent;
}

static int ascending(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

/* The smallest value that at least this many of a thousand do not exceed. */
static long long at_permille(const int64_t *sorted, size_t count, size_t permille)
{
    size_t rank = (count * permille + 999) / 1000;
    return (long long)sorted[rank > 0 ? rank - 1 : 0];
}

static void produce(struct peer *peer, size_t iterations, size_t warmup)
{
    prepare(peer, PING, PONG);
    wait_for_consumer(peer);
    int64_t *round_trips = (int64_t *)(void *)allocate(iterations * sizeof *round_trips);
    /* Touched before the measurement: a page fault is no part of a round trip. */
    memset(round_trips, 0xff, iterations * sizeof *round_trips);

    for (size_t i = 0; i < warmup; i++)
        round_trip(peer, i);
    int64_t cpu = cpu_ns();
    for (size_t i = 0; i < iterations; i++)
        round_trips[i] = round_trip(peer, warmup + i);
    cpu = cpu_ns() - cpu;

    qsort(round_trips, iterations, sizeof *round_trips, ascending);
    printf("role=producer count=%zu min=%lld p50=%lld p90=%lld p99=%lld p99.9=%lld max=%lld cpu=%lld\n", iterations,
           (long long)round_trips[0], at_permille(round_trips, iterations, 500),
           at_permille(round_trips, iterations, 900), at_permille(round_trips, iterations, 990),
           at_permille(round_trips, iterations, 999), (long long)round_trips[iterations - 1], (long long)cpu);
    free(round_trips);
}

static void consume(struct peer *peer, size_t iterations, size_t warmup)
{
    prepare(peer, PONG, PING);
    int64_t cpu = cpu_ns();
    for (size_t done = 0; done < warmup + iterations;) {
        receive_message(peer);
        memcpy(peer->sent_payload, peer->received_payload, peer->payload_length);
        send_all(peer->publisher, peer->request, peer->request_length);
        drain_replies(peer);
        if (received_number(peer) == HELLO)
            continue;
        if (++done == warmup)
            cpu = cpu_ns();
    }
    printf("role=consumer count=%zu cpu=%lld\n", iterations, (long long)(cpu_ns() - cpu));
}

static size_t parse_count(const char *name, const char *text, size_t least, size_t most)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || *text == '-' || value < least || value > most)
        die("%s: %s is not a number from %zu to %zu", name, text, least, most);
    return (size_t)value;
}

int main(int argc, char **argv)
{
    bool busy_poll = argc == 8 && strcmp(argv[7], "--busy-poll") == 0;
    bool is_producer = argc > 1 && strcmp(argv[1], "producer") == 0;
    bool is_consumer = argc > 1 && strcmp(argv[1], "consumer") == 0;
    if ((argc != 7 && !busy_poll) || (!is_producer && !is_consumer)) {
        fputs("usage: pingpong producer|consumer HOST PORT ITERATIONS WARMUP PAYLOAD_BYTES [--busy-poll]\n", stderr);
        return 2;
    }

    size_t iterations = parse_count("ITERATIONS", argv[4], 1, 100000000);
    size_t warmup = parse_count("WARMUP", argv[5], 0, 100000000);
    struct peer peer = {
        .payload_length = parse_count("PAYLOAD_BYTES", argv[6], sizeof(uint64_t), MAX_PAYLOAD),
        .busy_poll = busy_poll,
        .publisher = connect_to(argv[2], argv[3]),
        .subscriber = connect_to(argv[2], argv[3]),
    };
    if (is_producer)
        produce(&peer, iterations, warmup);
    else
        consume(&peer, iterations, warmup);
    return fflush(stdout) == 0 ? 0 : 1;
}
