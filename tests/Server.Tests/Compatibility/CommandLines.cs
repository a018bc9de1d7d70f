namespace RedisLatency.Server.Tests.Compatibility;

/// <summary>
/// What both servers are asked, in order, on one connection. Words are parted by blanks; <c>""</c> is the empty word.
/// </summary>
internal static class CommandLines
{
    public static IReadOnlyList<string> All { get; } =
    [
        "PING", "PING hello", "PING a b", "ping", "ECHO x", "ECHO", "ECHO a b", "SELECT 0", "SELECT 15", "SELECT 16",
        "SELECT -1", "SELECT x", "SELECT 99999999999", "SELECT 0", "NOSUCH", "NOSUCH a b c", "GET", "GET a b", "SET a",
        "CLIENT", "CLIENT NOSUCH", "CLIENT SETNAME", "CLIENT SETNAME me", "CLIENT GETNAME", "CLIENT SETNAME a\u0001b",
        "CLIENT SETNAME \"\"", "CLIENT GETNAME", "CLIENT REPLY maybe", "CLIENT NO-EVICT on", "CLIENT NO-EVICT maybe",
        "CLIENT KILL ID 0", "CLIENT KILL ID 99999", "CLIENT KILL 1.2.3.4:5", "CLIENT KILL NOSUCH x",
        "ACL WHOAMI", "ACL WHOAMI x", "AUTH x", "AUTH a b", "AUTH default anything", "AUTH a b c", "AUTH", "HELLO 4",
        "HELLO x", "HELLO 2 NOSUCH", "HELLO 2 AUTH a b", "HELLO 2 AUTH a", "HELLO 2 SETNAME a\u0001b",
        "SET a 1", "GET a", "SET a 2 NX", "GET a", "SET a 3 XX", "GET a", "SET b 1 XX", "GET b", "SET a 4 GET",
        "SET b 5 GET", "SET b 6 NX GET", "SET c 7 NX GET", "GET b", "GET c", "SET a 1 NX XX", "SET a 1 EX",
        "SET a 1 EX 0", "SET a 1 EX -1", "SET a 1 EX x", "SET a 1 EX 10 PX 10", "SET a 1 EX 10 KEEPTTL", "SET a 1 foo",
        "SET a 1 PX 100000", "TTL a", "SET a 2 KEEPTTL", "TTL a", "SET a 3", "TTL a", "PTTL a", "TTL nosuch",
        "PTTL nosuch", "SET a 1 EXAT 99999999999", "EXPIRETIME a", "PEXPIRETIME a", "SET a 1 PXAT 99999999999000",
        "EXPIRETIME a", "SET a 1 EXAT 1", "EXISTS a", "GET a", "SET a 1 EX 9223372036854775807", "EXPIRETIME nosuch",
        "SETEX a 100 v", "TTL a", "SETEX a 0 v", "SETEX a x v", "PSETEX a 100000 v", "TTL a", "PSETEX a -5 v",
        "SETNX a v", "SETNX d v", "GET d", "GETSET d w", "GET d", "GETSET nosuch1 x", "GETDEL nosuch1",
        "GETDEL nosuch1",
        "GETEX d", "GETEX d EX 100", "TTL d", "GETEX d PERSIST", "TTL d", "GETEX d FOO", "GETEX d EX",
        "GETEX nosuch EX 5",
        "GETEX d EX 100 PERSIST", "GETEX d NX", "APPEND d xyz", "APPEND new abc", "GET new", "STRLEN new",
        "STRLEN nosuch",
        "SETRANGE new 5 zz", "GET new", "SETRANGE new -1 x", "SETRANGE new x x", "SETRANGE nosuch 3 \"\"",
        "SETRANGE new 3 \"\"", "SETRANGE new 536870912 x", "GETRANGE new 0 -1", "GETRANGE new 1 3",
        "GETRANGE new -2 -1",
        "GETRANGE new 5 1", "GETRANGE new -100 100", "GETRANGE new -1 -5", "GETRANGE nosuch 0 1", "SUBSTR new 0 1",
        "GETRANGE new a b", "INCR n", "INCR n", "DECR n", "INCRBY n 10", "INCRBY n -20", "DECRBY n 5", "GET n",
        "INCRBY n x", "INCRBY n 9223372036854775807", "INCRBY n 9223372036854775807", "DECRBY n -9223372036854775808",
        "DECRBY n x", "INCR new", "SET f 10.50", "INCRBYFLOAT f 0.1", "INCRBYFLOAT f -5", "SET f 5.0e3",
        "INCRBYFLOAT f 2.0e2", "INCRBYFLOAT f x", "INCRBYFLOAT f nan", "INCRBYFLOAT f inf", "INCRBYFLOAT new 1",
        "INCRBYFLOAT fresh 3", "SET n 007", "INCR n", "SET n +5", "INCR n", "SET n \"\"", "INCR n", "SET n -0",
        "INCR n",
        "MSET k1 a k2 b", "MGET k1 k2 nosuch", "MSET k1", "MSET k1 a k2", "MGET", "MSETNX k1 z k9 z", "EXISTS k9",
        "MSETNX k8 a k9 b", "MSETNX k8", "MSETNX k8 a b", "MGET k8 k9", "EXISTS k1 k1 nosuch", "EXISTS", "DEL k1 k1 k2",
        "UNLINK k8 nosuch", "DEL", "TYPE k9", "TYPE nosuch", "RENAME nosuch x", "RENAME k9 k10", "GET k10",
        "RENAME k10 k10", "RENAMENX k10 d", "RENAMENX k10 k11", "RENAMENX nosuch x", "RENAMENX k11 k11",
        "EXPIRE k11 100",
        "TTL k11", "RENAME k11 k12", "TTL k12", "EXPIRE k12 50 NX", "EXPIRE k12 50 GT", "EXPIRE k12 50 LT", "TTL k12",
        "EXPIRE k12 200 XX", "EXPIRE k12 1 NX XX", "EXPIRE k12 1 GT LT", "EXPIRE k12 1 FOO", "EXPIRE k12 x",
        "EXPIRE k12 9223372036854775807", "EXPIRE nosuch 5", "PERSIST k12", "PERSIST k12", "EXPIRE k12 5 GT",
        "EXPIRE k12 5 XX", "EXPIRE k12 300 LT", "TTL k12", "PEXPIRE k12 1000000", "TTL k12",
        "PEXPIREAT k12 99999999999000",
        "PEXPIRETIME k12", "EXPIREAT k12 99999999999", "EXPIRETIME k12", "EXPIREAT k12 1", "EXISTS k12", "EXPIRE d -1",
        "EXISTS d", "FLUSHALL", "DBSIZE", "SET one 1", "DBSIZE", "KEYS *", "KEYS x*", "KEYS o[a-n]e", "KEYS o?e",
        "KEYS",
        "SCAN 0", "SCAN 0 MATCH x*", "SCAN 0 TYPE string", "SCAN 0 TYPE list", "SCAN x", "SCAN 0 COUNT 0",
        "SCAN 0 COUNT",
        "SCAN 0 COUNT x", "SCAN 0 FOO 1", "SCAN 0 COUNT 100", "SELECT 3", "DBSIZE", "SET three 3", "FLUSHDB", "DBSIZE",
        "SELECT 0", "DBSIZE", "FLUSHDB FOO", "FLUSHALL ASYNC", "FLUSHDB SYNC", "DBSIZE", "CONFIG GET save",
        "CONFIG GET appendonly", "CONFIG GET databases", "CONFIG GET maxmemory", "CONFIG GET nosuch", "CONFIG GET",
        "CONFIG GET client-output-buffer-limit", "CONFIG", "CONFIG NOSUCH", "CONFIG RESETSTAT", "CLUSTER NODES",
        "COMMAND COUNT x", "COMMAND NOSUCH", "COMMAND INFO nosuch", "TIME x", "PUBLISH ch hi", "PUBLISH",
        "SPUBLISH ch hi",
        "PUBSUB CHANNELS", "PUBSUB CHANNELS x*", "PUBSUB NUMSUB", "PUBSUB NUMSUB a b", "PUBSUB NUMPAT",
        "PUBSUB SHARDCHANNELS", "PUBSUB SHARDNUMSUB a", "PUBSUB NOSUCH", "PUBSUB", "PUBSUB NUMPAT x", "UNSUBSCRIBE",
        "UNSUBSCRIBE a", "PUNSUBSCRIBE", "SUNSUBSCRIBE", "SUBSCRIBE", "SUBSCRIBE a", "SUBSCRIBE a b", "PING", "PING x",
        "PING a b", "GET a", "PUBLISH a x", "CLIENT ID x", "PSUBSCRIBE a* b*", "SSUBSCRIBE s", "SPUBLISH s x",
        "SET x 1",
        "ECHO x", "UNSUBSCRIBE a", "UNSUBSCRIBE", "PUNSUBSCRIBE b*", "PUNSUBSCRIBE", "SUNSUBSCRIBE", "GET x",
        "SUBSCRIBE again", "RESET", "GET x", "CLIENT GETNAME", "QUIT",
    ];

    /// <summary>What is asked of a server with the password <c>secret</c>.</summary>
    public static IReadOnlyList<string> Unauthenticated { get; } =
    [
        "GET a", "PING", "NOSUCH", "GET", "HELLO", "HELLO 3", "AUTH wrong", "AUTH default wrong", "AUTH nosuch secret",
        "HELLO 3 AUTH default wrong", "CLIENT ID x", "RESET", "AUTH secret", "ACL WHOAMI", "SET a 1",
        "AUTH default secret",
        "AUTH wrong", "GET a", "RESET", "GET a", "QUIT",
    ];
}
