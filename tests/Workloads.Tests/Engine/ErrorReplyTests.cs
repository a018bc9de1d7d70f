using RedisLatency.Fixtures;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Engine;

namespace RedisLatency.Workloads.Tests.Engine;

public sealed class ErrorReplyTests
{
    [Theory]
    [InlineData("OOM command not allowed when used memory > 'maxmemory'.", "OOM")]
    [InlineData("READONLY You can't write against a read only replica.", "READONLY")]
    [InlineData("LOADING Redis is loading the dataset in memory", "LOADING")]
    [InlineData("WRONGTYPE Operation against a key holding the wrong kind of value", "WRONGTYPE")]
    [InlineData("NOAUTH Authentication required.", "NOAUTH")]
    [InlineData("BUSY Redis is busy running a script.", "BUSY")]
    [InlineData("MOVED 3999 127.0.0.1:6381", "MOVED")]
    [InlineData("ERR max number of clients reached", "ERR")]
    [InlineData("", "(none)")]
    [InlineData(" no first word", "(none)")]
    public void Error_IsCountedByItsFirstWord_AndTheRunGoesOn(string error, string code)
    {
        using var server = FakeServer.Answering("+OK\r\n", $"-{error}\r\n", $"-{error}\r\n", "+OK\r\n");
        var latencies = new EngineLatencies(1);

        var totals = EngineTest.Run(Plan(server, 4), latencies);

        totals.ShouldBeBalanced();
        var set = totals.Operations[0];
        (set.Counts.Sent, set.Counts.Completed, set.Counts.Errors).ShouldBe((4, 2, 2));
        set.ErrorReplies.ShouldBe(new Dictionary<string, long> { [code] = 2 });
        set.ErrorExamples[code].ShouldBe(error);
        latencies.Service[0].TotalCount.ShouldBe(2);
        totals.Moved.ShouldBe(code == "MOVED" ? 2 : 0);
    }

    [Fact]
    public void ErrorsOfTwoOperations_WithOneFirstWord_AreQuotedEachAsItCame()
    {
        using var server = FakeServer.Answering("-ERR of get\r\n", "-ERR of set\r\n");

        var totals = EngineTest.Run(Plan(server, 2) with
        {
            Mix = new OperationMix(EngineTest.Mix("get", "set").Operations, isCyclic: true),
        });

        totals.Operations.Select(one => one.ErrorExamples["ERR"]).ShouldBe(["ERR of get", "ERR of set"]);
    }

    [Theory]
    [InlineData("get", "+OK\r\n", "simple-string", "$1\r\na\r\n")]
    [InlineData("get", ":1\r\n", "integer", "_\r\n")]
    [InlineData("get", "*1\r\n$1\r\na\r\n", "array", "$-1\r\n")]
    [InlineData("get", "#t\r\n", "other", "$-1\r\n")]
    [InlineData("getrange", "$-1\r\n", "null", "$0\r\n\r\n")]
    [InlineData("set", "_\r\n", "null", "+OK\r\n")]
    [InlineData("set", "$-1\r\n", "null", "+OK\r\n")]
    [InlineData("set", ":0\r\n", "integer", "+OK\r\n")]
    [InlineData("incr", "+OK\r\n", "simple-string", ":1\r\n")]
    [InlineData("mget:1", "$1\r\na\r\n", "bulk-string", "*1\r\n_\r\n")]
    [InlineData("mget:1", "*-1\r\n", "null", "*1\r\n$1\r\na\r\n")]
    [InlineData("mget:2", "*0\r\n", "length", "*2\r\n$-1\r\n$1\r\na\r\n", 2)]
    [InlineData("mget:2", "*1\r\n$-1\r\n", "length", "*2\r\n_\r\n_\r\n", 2)]
    [InlineData("mget:2", "*3\r\n$-1\r\n$-1\r\n$-1\r\n", "length", "*2\r\n$1\r\na\r\n$1\r\na\r\n", 2)]
    [InlineData("scan:1", "*2\r\n$-1\r\n$-1\r\n", "length", "*1\r\n$-1\r\n")]
    [InlineData("multi", "+OK\r\n+QUEUED\r\n*0\r\n", "length", "+OK\r\n+QUEUED\r\n*1\r\n+OK\r\n")]
    [InlineData("multi", "+OK\r\n+QUEUED\r\n*-1\r\n", "null", "+OK\r\n+QUEUED\r\n*1\r\n+OK\r\n")]
    [InlineData("multi", "+OK\r\n:1\r\n*1\r\n+OK\r\n", "integer", "+OK\r\n+QUEUED\r\n*1\r\n+OK\r\n")]
    public void ReplyOfAWrongKind_IsAnErrorOfItsOwn(string operation, string wrong, string kind, string right, int read = 1)
    {
        using var server = FakeServer.Answering(wrong, right);

        var totals = EngineTest.Run(EngineTest.Plan(server.Uri, EngineTest.Mix(operation)) with
        {
            Connection = Patience.Connection with { Protocol = RespPreference.Resp2, ClientName = string.Empty },
            ConnectionsPerThread = 1,
            Operations = 2,
        });

        totals.ShouldBeBalanced();
        var one = totals.Operations[0];
        (one.Counts.Sent, one.Counts.Completed, one.Counts.Errors).ShouldBe((2, 1, 1));
        (one.Counts.Hits + one.Counts.Misses).ShouldBe(BuiltInCommand.Named(operation).IsRead ? read : 0);
        one.ErrorReplies.ShouldBe(new Dictionary<string, long> { [$"(wrong-kind:{kind})"] = 1 });
    }

    [Fact]
    public void ReplyOfTheSecondCommand_IsJudgedByThat()
    {
        using var server = FakeServer.Answering("$1\r\na\r\n", "$1\r\na\r\n", "_\r\n", "+OK\r\n");

        var totals = EngineTest.Run(Plan(server, 2) with { Mix = EngineTest.Mix("rmw") });

        var one = totals.Operations[0];
        (one.Counts.Completed, one.Counts.Errors, one.Counts.Hits, one.Counts.Misses).ShouldBe((1, 1, 1, 1));
        one.ErrorReplies.Keys.ShouldBe(["(wrong-kind:bulk-string)"]);
    }

    [Fact]
    public void ReplyToACommandOfTheUsers_MayBeOfAnyKind()
    {
        using var server = FakeServer.Answering("+OK\r\n", ":1\r\n", "*-1\r\n");

        var totals = EngineTest.Run(Plan(server, 3) with
        {
            Mix = new OperationMix([new("own", CommandTemplate.Parse("GET __key__"))]),
        });

        (totals.Operations[0].Counts.Completed, totals.Operations[0].Counts.Errors).ShouldBe((3, 0));
    }

    [Theory]
    [InlineData(RespPreference.Resp2)]
    [InlineData(RespPreference.Resp3)]
    public async Task EveryOperationThatHasAName_IsAnsweredAsItMayBe(RespPreference protocol)
    {
        await using var server = await RedisServerProcess.Start();
        // Those of one type share a key. WAIT for a replica that is not there would take its second.
        string[][] typed =
        [
            ["lpush", "rpush", "lpop", "rpop", "lrange"], ["sadd", "spop"], ["hset"], ["zadd", "zpopmin"], ["xadd"],
        ];
        string[] strings = [.. BuiltInCommand.Names.Except([.. typed.SelectMany(one => one), "wait", "incr"]), "wait:0"];
        foreach (var (index, names) in typed.Prepend(strings).Index())
        {
            var mix = new OperationMix(
                [.. names.Select(name => new MixedOperation(name, BuiltInCommand.Named(name)))], isCyclic: true);

            var uri = FormattableString.Invariant($"{server.Uri}/{index}");
            var totals = EngineTest.Run(EngineTest.Plan(uri, mix, keys: 10) with
            {
                Connection = Patience.Connection with { Protocol = protocol },
                Operations = names.Length * 40,
            });

            totals.Operations.ShouldAllBe(one => one.Counts.Errors == 0 && one.Counts.Completed == 40);
        }
    }

    [Fact]
    public void Stop_EndsTheRunAtTheFirstError_AndSaysWhich()
    {
        using var server = FakeServer.Answering("+OK\r\n", "-OOM no memory\r\n", "+OK\r\n", "+OK\r\n");
        using var engine = new RawEngine(Plan(server, 1_000) with { OnError = ErrorPolicy.Stop });
        engine.Connect();
        engine.Start(0);
        engine.Join();

        engine.StopReason.ShouldBe("set: OOM no memory");
        engine.Failure.ShouldBeNull();
        engine.Totals().Operations[0].Counts.Errors.ShouldBe(1);
        engine.Totals().ShouldBeBalanced();
        engine.Totals().Sent.ShouldBeLessThanOrEqualTo(3);
    }

    [Fact]
    public void Retry_SendsTheSameOperationAgain_UntilItSucceeds()
    {
        var requests = new List<string>();
        using var server = FakeServer.Start((client, _) =>
        {
            foreach (var reply in (string[])["-LOADING wait\r\n", "-LOADING wait\r\n", "+OK\r\n", "+OK\r\n"])
            {
                var buffer = new byte[1024];
                var count = client.Receive(buffer);
                lock (requests)
                    requests.Add(System.Text.Encoding.UTF8.GetString(buffer, 0, count));
                FakeServer.Say(client, reply);
            }
        });

        var totals = EngineTest.Run(Plan(server, 2) with { OnError = ErrorPolicy.Retry });

        var set = totals.Operations[0];
        (set.Counts.Sent, set.Counts.Completed, set.Counts.Errors, set.Counts.Retried).ShouldBe((2, 2, 0, 2));
        set.ErrorReplies["LOADING"].ShouldBe(2);
        requests[1].ShouldBe(requests[0]);
        requests[2].ShouldBe(requests[0]);
        requests[3].ShouldNotBe(requests[0]);
    }

    [Fact]
    public void Retry_IsMadeForTheLastOperationToo()
    {
        using var server = FakeServer.Answering("-LOADING wait\r\n", "-LOADING wait\r\n", "+OK\r\n");

        var totals = EngineTest.Run(Plan(server, 1) with { OnError = ErrorPolicy.Retry });

        (totals.Completed, totals.Operations[0].Counts.Errors, totals.Operations[0].Counts.Retried).ShouldBe((1, 0, 2));
    }

    [Fact]
    public void Retry_GivesUpInTheEnd_AndNeverRepeatsWhatCannotPass()
    {
        using var server = FakeServer.Answering(
            "-WRONGTYPE no\r\n", "-BUSY 1\r\n", "-BUSY 2\r\n", "-BUSY 3\r\n", "+OK\r\n");

        var totals = EngineTest.Run(Plan(server, 3) with { OnError = ErrorPolicy.Retry, MaximumRetries = 2 });

        var set = totals.Operations[0];
        (set.Counts.Sent, set.Counts.Completed, set.Counts.Errors, set.Counts.Retried).ShouldBe((3, 1, 2, 2));
        totals.ShouldBeBalanced();
    }

    [Fact]
    public void Retry_OfAReadModifyWrite_CountsWhatItReadOnce()
    {
        using var server = FakeServer.Answering(
            "$8\r\nvvvvvvvv\r\n", "-OOM no\r\n", "-OOM no\r\n", "+OK\r\n",
            "-LOADING wait\r\n", "$-1\r\n", "+OK\r\n");

        var totals = EngineTest.Run(Plan(server, 2, "rmw") with { OnError = ErrorPolicy.Retry });

        var rmw = totals.Operations[0];
        (rmw.Counts.Completed, rmw.Counts.Retried, rmw.Counts.Hits, rmw.Counts.Misses).ShouldBe((2, 3, 1, 1));
    }

    [Fact]
    public void Retry_OfAReadModifyWrite_JudgesWhatItReadOnce()
    {
        using var server = FakeServer.Answering(
            "$8\r\nforeign!\r\n", "-OOM no\r\n", "-OOM no\r\n", "+OK\r\n", "$8\r\nvvvvvvvv\r\n", "+OK\r\n");

        var totals = EngineTest.Run(
            Plan(server, 2, "rmw") with { OnError = ErrorPolicy.Retry, Verify = true });

        var rmw = totals.Operations[0];
        (rmw.Counts.Completed, rmw.Counts.Retried, rmw.Counts.Mismatched).ShouldBe((2, 2, 1));
    }

    [Fact]
    public void Retries_AreCounted_HoweverManyAreAllowed()
    {
        // A million may be asked for; a count that wrapped would never come to its limit.
        var operation = new InFlightOperation { Retries = short.MaxValue };
        operation.Retries++;
        ((int)operation.Retries).ShouldBe(short.MaxValue + 1);
    }

    [Fact]
    public void Transaction_ThatFails_IsOneError()
    {
        using var server = FakeServer.Answering(
            "+OK\r\n-OOM a\r\n-EXECABORT b\r\n", "+OK\r\n+QUEUED\r\n*1\r\n-WRONGTYPE c\r\n",
            "+OK\r\n+QUEUED\r\n*1\r\n+OK\r\n");

        var totals = EngineTest.Run(Plan(server, 3, "multi"));

        var multi = totals.Operations[0];
        (multi.Counts.Sent, multi.Counts.Completed, multi.Counts.Errors).ShouldBe((3, 1, 2));
        multi.ErrorReplies.ShouldBe(new Dictionary<string, long> { ["OOM"] = 1, ["WRONGTYPE"] = 1 }, ignoreOrder: true);
    }

    [Fact]
    public async Task RealServer_OutOfMemory_AndOfTheWrongType()
    {
        await using var server = await RedisServerProcess.Start("redis-server", "--maxmemory", "1mb");
        using (var setUp = RedisConnection.Open(Redis.Endpoints.RedisEndpoint.Parse(server.Uri), Patience.Connection))
            setUp.Execute("CONFIG", "SET", "maxmemory", "0");
        using (var setUp = RedisConnection.Open(Redis.Endpoints.RedisEndpoint.Parse(server.Uri), Patience.Connection))
        {
            setUp.Execute("RPUSH", "k0", "a");
            setUp.Execute("CONFIG", "SET", "maxmemory", "1");
        }

        var totals = EngineTest.Run(EngineTest.Plan(server.Uri, EngineTest.Mix("set", "get"), keys: 1) with
        {
            Operations = 200,
        });

        totals.ShouldBeBalanced();
        totals.Operations[0].ErrorReplies.Keys.ShouldBe(["OOM"]);
        totals.Operations[1].ErrorReplies.Keys.ShouldBe(["WRONGTYPE"]);
        totals.Operations.Sum(one => one.Counts.Errors).ShouldBe(200);
    }

    [Fact]
    public async Task RealServer_ThatHasAllItsClients_RefusesToConnect()
    {
        await using var server = await RedisServerProcess.Start("redis-server", "--maxclients", "5");
        using var engine = new RawEngine(EngineTest.Plan(server.Uri, EngineTest.Mix("get")) with
        {
            ConnectionsPerThread = 20,
            Operations = 1,
        });

        var message = Should.Throw<RedisConnectException>(engine.Connect).Message;

        message.ShouldContain("maxclients");
        message.ShouldMatch(@"\(the server says: ERR max number of clients reached\); [1-5] of 20 connected$");
    }

    private static EnginePlan Plan(FakeServer server, long operations, string mix = "set") =>
        EngineTest.Plan(server.Uri, EngineTest.Mix(mix)) with
        {
            Connection = Patience.Connection with { Protocol = RespPreference.Resp2, ClientName = string.Empty },
            ConnectionsPerThread = 1,
            Operations = operations,
        };
}
