using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Options;

namespace RedisLatency.Workloads.Tests.Engine;

/// <summary>Operations on lists, sets, hashes, sorted sets and streams: what the server counts of them.</summary>
[Collection(nameof(ProcessesCollection))]
public sealed class TypedOperationTests : PhaseTest
{
    private const int Operations = 60;

    /// <summary>redis-benchmark's tests in their order, each a phase of its own.</summary>
    [Fact]
    public void EveryTestOfRedisBenchmark_IsWhatTheServerCounts()
    {
        (string Operation, string Command, string Key)[] tests =
        [
            ("ping-inline", "ping", "unused"), ("set", "set", "key"), ("get", "get", "key"),
            ("incr", "incr", "counter"),
            ("lpush", "lpush", "mylist"), ("rpush", "rpush", "mylist"), ("lpop", "lpop", "mylist"),
            ("rpop", "rpop", "mylist"), ("sadd", "sadd", "myset"), ("hset", "hset", "myhash"),
            ("spop", "spop", "myset"), ("zadd", "zadd", "myzset"), ("zpopmin", "zpopmin", "myzset"),
            ("lrange:600", "lrange", "mylist"), ("mset:10", "mset", "keys"), ("xadd", "xadd", "mystream"),
        ];
        foreach (var (operation, command, key) in tests)
        {
            var before = CallsOf(command);
            var totals = Run(new PhaseOptions
            {
                Mix = [new(operation, 1)],
                KeyForm = $"literal:{key}",
                Records = 50,
                Operations = Operations,
                Pipeline = 3,
            });

            totals.Operations[0].Counts.Completed.ShouldBe(Operations, operation);
            (CallsOf(command) - before).ShouldBe(Operations, operation);
        }

        Ask("XLEN", "mystream").ShouldBe("60");
        Ask("HEXISTS", "myhash", "element:000000000050").ShouldBe("0", "records are numbered from 0");
        long.Parse(Ask("HLEN", "myhash"), System.Globalization.CultureInfo.InvariantCulture).ShouldBeInRange(2, 50);
    }

    [Fact]
    public void Numbers_ThatAreLiteral_AreSentAsTheyStand()
    {
        foreach (var operation in (string[])["set", "sadd", "zadd"])
        {
            Run(new PhaseOptions
            {
                Mix = [new(operation, 1)],
                KeyForm = $"literal:{operation}:__rand_int__",
                LiteralNumbers = true,
                Operations = Operations,
            });
        }

        Ask("DBSIZE").ShouldBe("3");
        Ask("EXISTS", "set:__rand_int__").ShouldBe("1");
        Ask("SISMEMBER", "sadd:__rand_int__", "element:__rand_int__").ShouldBe("1");
        Ask("ZSCORE", "zadd:__rand_int__", "element:__rand_int__").ShouldBe("0");
    }

    [Fact]
    public void Bytes_OfRequestsAndReplies_AreCountedForEachOperation()
    {
        var totals = Run(new PhaseOptions
        {
            Mix = [new("set", 1), new("get", 1)],
            MixOrder = MixOrder.Cyclic,
            KeyForm = "literal:key",
            ValueSize = "5",
            Operations = 2 * Operations,
        });

        totals.Operations[0].Counts.BytesSent.ShouldBe(
            Operations * "*3\r\n$3\r\nSET\r\n$3\r\nkey\r\n$5\r\nxxxxx\r\n".Length);
        totals.Operations[0].Counts.BytesReceived.ShouldBe(Operations * "+OK\r\n".Length);
        totals.Operations[1].Counts.BytesSent.ShouldBe(Operations * "*2\r\n$3\r\nGET\r\n$3\r\nkey\r\n".Length);
        totals.Operations[1].Counts.BytesReceived.ShouldBeGreaterThan(0);
    }

    [Fact]
    public void Expiry_InARange_IsDrawnForEachWrite()
    {
        Run(new PhaseOptions
        {
            Mix = [new("set", 1)],
            Keys = "sequential",
            KeyForm = "memtier",
            Records = 40,
            Operations = 40,
            Expiry = new(TimeSpan.FromSeconds(1_000), TimeSpan.FromSeconds(9_000)),
        });

        var lives = Enumerable.Range(0, 40).Select(number => long.Parse(
            Ask("TTL", $"memtier-{number}"), System.Globalization.CultureInfo.InvariantCulture)).ToList();
        lives.ShouldAllBe(seconds => seconds > 500 && seconds <= 9_000);
        lives.Distinct().Count().ShouldBeGreaterThan(20);
    }

    [Fact]
    public void Command_WithARange_SendsNumbersOfIt()
    {
        Run(new PhaseOptions
        {
            Commands = [new WeightedCommand("SADD drawn __range:7..9__", 1)],
            Operations = 200,
        });

        Ask("SCARD", "drawn").ShouldBe("3");
        Ask("SISMEMBER", "drawn", "7").ShouldBe("1");
        Ask("SISMEMBER", "drawn", "9").ShouldBe("1");
        CommandText.TryRead("GET __range:9..7__", out _, out var problem).ShouldBeFalse();
        problem.ShouldNotBeNull().ShouldContain("is no placeholder");
    }

    [Fact]
    public void Replay_SendsWhatMonitorPrinted_ByteForByte()
    {
        var file = Path.GetTempFileName();
        try
        {
            File.WriteAllText(file, """
                OK
                1700000000.100000 [0 127.0.0.1:50000] "SELECT" "3"
                1700000000.200000 [0 127.0.0.1:50000] "set" "a b\x00\xff\"\\" "v\r\n"
                1700000000.300000 [0 unix:/s.sock] "rpush" "list" "1" "2"
                1700000000.300000 [0 lua] "incr" "number"
                1700000000.400000 [0 127.0.0.1:50000] "get" "missing"
                1700000000.500000 [0 127.0.0.1:50000] "broken

                """);

            var totals = Run(new PhaseOptions { Replay = file, Operations = 30, Threads = 2, Pipeline = 2 });

            totals.Operations.Select(one => (one.Name, one.Counts.Completed, one.Counts.Misses)).ShouldBe(
                [("set", 10, 0), ("rpush", 10, 0), ("get", 10, 10)]);
            (CallsOf("set"), CallsOf("rpush"), CallsOf("get"), CallsOf("select")).ShouldBe((10, 10, 10, 0));
            CallsOf("incr").ShouldBe(0);
            Ask("LLEN", "list").ShouldBe("20");
            Ask("EVAL", """return redis.call('GET', 'a b\0\255"\\')""", "0").ShouldBe("v\r\n");
        }
        finally
        {
            File.Delete(file);
        }
    }
}
