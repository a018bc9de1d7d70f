namespace RedisLatency.Server.Tests.Compatibility;

/// <summary>
/// What both servers are asked, in order, on one connection. Words are parted by blanks; <c>""</c> is the empty word.
/// </summary>
internal static class CommandLines
{
    public static IReadOnlyList<string> All { get; } =
    [
        "PING", "PING hello", "PING a b", "ping", "ECHO x", "ECHO", "ECHO a b", "SELECT 0", "SELECT 16",
        "SELECT -1", "SELECT x", "NOSUCH", "NOSUCH a b c", "GET", "GET a b", "SET a",
        "CLIENT", "CLIENT NOSUCH", "CLIENT SETNAME", "CLIENT SETNAME me",
        "ACL WHOAMI", "ACL WHOAMI x", "HELLO 4", "HELLO x", "HELLO 2 NOSUCH",
        "SET a 1", "GET a", "SET a 1 EX", "SET a 1 EX 0", "SET a 1 EX -1", "SET a 1 EX x", "SET a 1 EX 10 PX 10",
        "SET a 1 foo", "SET a 1 PX 100000", "GET a", "SET a 1 PXAT 99999999999000", "EXISTS a", "SET a 1 PXAT 1",
        "EXISTS a", "GET a", "SET a 1 EX 9223372036854775807",
        "SETEX a 100 v", "GET a", "SETEX a 0 v", "SETEX a x v", "SET d w", "GETDEL nosuch1", "GETEX d",
        "GETEX d EX 100", "GETEX d FOO", "GETEX d EX", "GETEX nosuch EX 5", "GETDEL d", "GETDEL d", "APPEND d xyz",
        "APPEND new abc", "GET new",
        "SETRANGE new 5 zz", "GET new", "SETRANGE new -1 x", "SETRANGE new x x", "SETRANGE nosuch 3 \"\"",
        "SETRANGE new 3 \"\"", "SETRANGE new 536870912 x", "GETRANGE new 0 -1", "GETRANGE new 1 3",
        "GETRANGE new -2 -1", "GETRANGE new 5 1", "GETRANGE new -100 100", "GETRANGE new -1 -5", "GETRANGE nosuch 0 1",
        "GETRANGE new a b", "INCR n", "INCR n", "GET n", "INCR new", "SET n 007", "INCR n", "SET n +5", "INCR n",
        "SET n \"\"", "INCR n", "SET n -0", "INCR n", "SET n -2", "INCR n", "SET n 9223372036854775807", "INCR n",
        "MSET k1 a k2 b", "MGET k1 k2 nosuch", "MSET k1", "MSET k1 a k2", "MGET", "EXISTS k1 k1 nosuch", "EXISTS",
        "DEL k1 k1 k2", "UNLINK n nosuch", "DEL", "TYPE new", "TYPE nosuch",
        "PEXPIREAT nosuch 5", "PEXPIREAT new 99999999999000 XX", "PEXPIREAT new 99999999999000",
        "PEXPIREAT new 99999999999000 XX", "EXISTS new", "PEXPIREAT new x", "PEXPIREAT new 1", "EXISTS new",
        "DEL a d", "DBSIZE", "SET one 1", "DBSIZE", "SCAN 0", "SCAN x", "SCAN 0 COUNT 0",
        "SCAN 0 COUNT", "SCAN 0 COUNT x", "SCAN 0 FOO 1", "SCAN 0 COUNT 100", "CONFIG GET save",
        "CONFIG GET appendonly", "CONFIG GET nosuch", "CONFIG GET", "CONFIG", "CONFIG NOSUCH",
        "CLUSTER NODES", "PUBLISH ch hi", "PUBLISH", "PUBSUB NUMSUB", "PUBSUB NUMSUB a b", "PUBSUB NOSUCH", "PUBSUB",
        "UNSUBSCRIBE", "UNSUBSCRIBE a", "SUBSCRIBE", "SUBSCRIBE a", "SUBSCRIBE a b", "PING", "PING x",
        "PING a b", "GET a", "PUBLISH a x", "CLIENT ID x", "SET x 1", "ECHO x", "UNSUBSCRIBE a", "UNSUBSCRIBE",
        "GET x", "SUBSCRIBE again", "QUIT",
    ];
}
