/*
 * A closed loop of SET and GET over many connections, in C over epoll, and nothing else: what the load engine's
 * processor time per operation is compared with. `compare` beside this file runs both.
 *
 *   engine HOST PORT CONNECTIONS PIPELINE OPERATIONS WARMUP KEYS VALUE_BYTES
 *
 * One thread, edge-triggered, one receive and one send per connection that is ready. Keys are `memtier-` and a number
 * below KEYS, values are all 'x'. As the engine does, it records the latency of every request in a histogram with three
 * significant digits. Prints one line of key=value.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MAX_PIPELINE = 1024, EVENTS = 256, RECEIVE = 64 << 10, SUB_BUCKETS = 2048, BUCKETS = 34 };

struct connection {
    int socket;
    int in_flight;
    int oldest;
    uint64_t sent[MAX_PIPELINE];
    char *beginning;          /* Of a reply whose rest has not come. */
    size_t beginning_length;
};

static struct connection *connections;
static int connection_count, pipeline;
static long remaining, completed, keys;
static size_t value_length;
static uint64_t histogram[(BUCKETS + 1) * SUB_BUCKETS / 2];
static uint64_t state = 0x9E3779B97F4A7C15ull;
static char *value, *out;
static char in[2 * RECEIVE];

static void die(const char *what)
{
    fprintf(stderr, "engine: %s: %s\n", what, strerror(errno));
    exit(1);
}

static uint64_t now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000ull + (uint64_t)time.tv_nsec;
}

static double processor_us(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6
        + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static uint64_t next_random(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void record(uint64_t ns)
{
    int bucket = 64 - 11 - __builtin_clzll(ns | (SUB_BUCKETS - 1));
    histogram[((size_t)bucket << 10) + (ns >> bucket)]++;
}

static size_t write_key(char *to, long key)
{
    char digits[24];
    int count = 0;
    do
        digits[count++] = (char)('0' + key % 10);
    while ((key /= 10) > 0);
    int length = 8 + count;
    size_t position = 0;
    to[position++] = '$';
    if (length >= 10)
        to[position++] = (char)('0' + length / 10);
    to[position++] = (char)('0' + length % 10);
    memcpy(to + position, "\r\nmemtier-", 10);
    position += 10;
    while (count > 0)
        to[position++] = digits[--count];
    memcpy(to + position, "\r\n", 2);
    return position + 2;
}

static size_t write_request(char *to)
{
    static char header[32];
    static int header_length;
    if (header_length == 0)
        header_length = snprintf(header, sizeof header, "$%zu\r\n", value_length);
    long key = (long)(((unsigned __int128)next_random() * (unsigned __int128)keys) >> 64);
    if (next_random() & 1) {
        memcpy(to, "*2\r\n$3\r\nGET\r\n", 13);
        return 13 + write_key(to + 13, key);
    }
    memcpy(to, "*3\r\n$3\r\nSET\r\n", 13);
    size_t position = 13 + write_key(to + 13, key);
    memcpy(to + position, header, (size_t)header_length);
    position += (size_t)header_length;
    memcpy(to + position, value, value_length);
    position += value_length;
    memcpy(to + position, "\r\n", 2);
    return position + 2;
}

static void refill(struct connection *connection)
{
    size_t length = 0;
    int first = connection->in_flight;
    while (connection->in_flight < pipeline && remaining > 0) {
        length += write_request(out + length);
        connection->in_flight++;
        remaining--;
    }
    if (length == 0)
        return;
    uint64_t now = now_ns();
    for (int index = first; index < connection->in_flight; index++)
        connection->sent[(connection->oldest + index) % MAX_PIPELINE] = now;
    for (size_t sent = 0; sent < length;) {
        ssize_t count = send(connection->socket, out + sent, length - sent, MSG_NOSIGNAL);
        if (count < 0 && errno != EAGAIN && errno != EINTR)
            die("send");
        sent += count > 0 ? (size_t)count : 0;
    }
}

/* The length of a whole reply, or 0. */
static size_t reply_length(const char *bytes, size_t length)
{
    const char *end = memchr(bytes, '\n', length);
    if (end == NULL)
        return 0;
    size_t line = (size_t)(end - bytes) + 1;
    if (bytes[0] == '-') {
        fprintf(stderr, "engine: %.*s", (int)line, bytes);
        exit(1);
    }
    if (bytes[0] != '$' || bytes[1] == '-')
        return line;
    size_t content = 0;
    for (const char *digit = bytes + 1; *digit != '\r'; digit++)
        content = content * 10 + (size_t)(*digit - '0');
    return line + content + 2 <= length ? line + content + 2 : 0;
}

/* Whether the buffer was full: then there may be more, and no edge will say so. */
static int receive(struct connection *connection)
{
    memcpy(in, connection->beginning, connection->beginning_length);
    ssize_t count = recv(connection->socket, in + connection->beginning_length, RECEIVE, 0);
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return 0;
    if (count <= 0)
        die("recv");
    uint64_t now = now_ns();
    size_t length = connection->beginning_length + (size_t)count, used = 0, one;
    while (used < length && (one = reply_length(in + used, length - used)) > 0) {
        record(now - connection->sent[connection->oldest]);
        connection->oldest = (connection->oldest + 1) % MAX_PIPELINE;
        connection->in_flight--;
        completed++;
        used += one;
    }
    connection->beginning_length = length - used;
    memcpy(connection->beginning, in + used, length - used);
    refill(connection);
    return count == RECEIVE;
}

static void run(int epoll, long operations)
{
    struct epoll_event events[EVENTS];
    completed = 0;
    remaining = operations;
    for (int index = 0; index < connection_count; index++)
        refill(&connections[index]);
    while (completed < operations) {
        int count = epoll_wait(epoll, events, EVENTS, -1);
        for (int index = 0; index < count; index++)
            while (receive(&connections[events[index].data.u32]))
                ;
    }
}

static void open_connections(int epoll, const char *host, int port)
{
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
    if (inet_pton(AF_INET, host, &address.sin_addr) != 1)
        die(host);
    connections = calloc((size_t)connection_count, sizeof *connections);
    for (int index = 0; index < connection_count; index++) {
        struct connection *connection = &connections[index];
        connection->socket = socket(AF_INET, SOCK_STREAM, 0);
        connection->beginning = malloc(RECEIVE);
        int on = 1;
        if (connect(connection->socket, (struct sockaddr *)&address, sizeof address) < 0)
            die("connect");
        setsockopt(connection->socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        fcntl(connection->socket, F_SETFL, O_NONBLOCK);
        struct epoll_event event = { .events = EPOLLIN | EPOLLRDHUP | EPOLLET, .data.u32 = (uint32_t)index };
        if (epoll_ctl(epoll, EPOLL_CTL_ADD, connection->socket, &event) < 0)
            die("epoll_ctl");
    }
}

static double percentile_us(double share)
{
    uint64_t total = 0, before = 0;
    size_t length = sizeof histogram / sizeof *histogram, index = 0;
    for (; index < length; index++)
        total += histogram[index];
    for (index = 0; index < length; index++)
        if ((before += histogram[index]) >= (uint64_t)(share * (double)total))
            break;
    size_t bucket = index >> 10 > 1 ? (index >> 10) - 1 : 0;
    return (double)((index - (bucket << 10)) << bucket) / 1e3;
}

int main(int count, char **arguments)
{
    if (count != 9) {
        fputs("engine HOST PORT CONNECTIONS PIPELINE OPERATIONS WARMUP KEYS VALUE_BYTES\n", stderr);
        return 2;
    }
    connection_count = atoi(arguments[3]);
    pipeline = atoi(arguments[4]);
    keys = atol(arguments[7]);
    value_length = (size_t)atol(arguments[8]);
    if (connection_count < 1 || pipeline < 1 || pipeline > MAX_PIPELINE || keys < 1 || value_length > RECEIVE / 2) {
        fputs("engine: out of range\n", stderr);
        return 2;
    }
    value = malloc(value_length);
    memset(value, 'x', value_length);
    out = malloc((size_t)pipeline * (value_length + 128));
    int epoll = epoll_create1(0);
    open_connections(epoll, arguments[1], atoi(arguments[2]));
    run(epoll, atol(arguments[6]));
    memset(histogram, 0, sizeof histogram);
    double processor = processor_us();
    uint64_t start = now_ns();
    run(epoll, atol(arguments[5]));
    processor = processor_us() - processor;
    printf("loop=epoll ops=%ld seconds=%.3f cpu_us=%.4f p50_us=%.1f p99_us=%.1f\n", completed,
        (double)(now_ns() - start) / 1e9, processor / (double)completed, percentile_us(0.5), percentile_us(0.99));
    return 0;
}
