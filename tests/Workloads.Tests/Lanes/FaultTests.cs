using RedisLatency.Fixtures;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Lanes;
using RedisLatency.Workloads.Tests.Engine;

namespace RedisLatency.Workloads.Tests.Lanes;

public sealed class FaultTests
{
    private const string Value = "$1\r\nv\r\n";

    [Fact]
    public async Task Errors_AreCountedByTheirFirstWord_InTheServersWords()
    {
        await using var server = await LaneTest.StartServer();
        LaneTest.Ask(server, "RPUSH", "k0", "a");
        LaneTest.Ask(server, "CONFIG", "SET", "maxmemory", "1");
        var mix = new OperationMix(
        [
            new("set", BuiltInCommand.Named("set")),
            new("get", BuiltInCommand.Named("get")),
            new("strange", CommandTemplate.Parse("NOSUCH __key__")),
            new("multi", BuiltInCommand.Named("multi")),
        ], isCyclic: true);

        var totals = LaneTest.Run(EngineTest.Plan(server.Uri, mix, keys: 1) with { Operations = 400 });

        totals.ShouldBeBalanced();
        totals.Operations.Select(one => string.Join(", ", one.ErrorReplies))
            .ShouldBe(["[OOM, 100]", "[WRONGTYPE, 100]", "[ERR, 100]", "[EXECABORT, 100]"]);
        totals.Operations.Sum(one => one.Counts.Errors).ShouldBe(400);
        totals.Operations[0].ErrorExamples["OOM"].ShouldBe("OOM command not allowed when used memory > 'maxmemory'.");
    }

    /// <summary>SET that is another server's SETNX: an integer, which the client reads as a yes or a no.</summary>
    [Fact]
    public async Task WriteThatIsAnsweredWithANo_IsAnErrorOfItsOwn()
    {
        await using var server = await RedisServerProcess.Start(
            "redis-server", "--rename-command", "SET", "OTHER", "--rename-command", "SETNX", "SET");

        var totals = LaneTest.Run(EngineTest.Plan(server.Uri, EngineTest.Mix("set"), keys: 1) with { Operations = 10 });

        totals.ShouldBeBalanced();
        (totals.Completed, totals.Operations[0].Counts.Errors).ShouldBe((1, 9));
        totals.Operations[0].ErrorReplies.Keys.ShouldBe(["(wrong-kind:client)"]);
    }

    /// <summary>MGET that is another server's SMEMBERS: of a key that is not there an array of nothing.</summary>
    [Fact]
    public async Task ReadThatIsAnsweredWithAnotherNumberOfValues_IsAnErrorOfItsOwn()
    {
        await using var server = await RedisServerProcess.Start(
            "redis-server", "--rename-command", "MGET", "OTHER", "--rename-command", "SMEMBERS", "MGET");
        LaneTest.Ask(server, "SADD", "k0", "a");

        var totals = LaneTest.Run(
            EngineTest.Plan(server.Uri, EngineTest.Mix("mget:1"), keys: 2) with { Operations = 10 });

        var mget = totals.Operations[0];
        (mget.Counts.Completed, mget.Counts.Hits, mget.Counts.Misses, mget.Counts.Errors).ShouldBe((5, 5, 0, 5));
        mget.ErrorReplies.Keys.ShouldBe(["(wrong-kind:client)"]);
    }

    /// <summary>
    /// The client gives a reply that nobody asked for to the next operation, and sees it in the end. Where its writer
    /// sees the connection closed before its reader has said why, it never says it.
    /// </summary>
    [Theory]
    [InlineData("$1\r\nv\r\n$1\r\nv\r\n")]
    [InlineData("?what\r\n")]
    [InlineData("$-7\r\n")]
    public async Task ReplyToNothing_IsAContradiction_OrALostConnection(string altered)
    {
        await using var server = await LaneTest.StartServer();
        LaneTest.Ask(server, "SET", "k0", "v");
        var contradictions = 0L;

        for (var run = 0; run < 20 && contradictions == 0; run++)
        {
            var number = 0;
            using var relay = AlteredReplies.Of(
                server, "GET",
                text => text.EndsWith(Value, StringComparison.Ordinal) && Interlocked.Increment(ref number) == 1
                    ? text[..^Value.Length] + altered
                    : text);
            var totals = LaneTest.Run(EngineTest.Plan(relay.Uri, EngineTest.Mix("get"), keys: 1) with
            {
                Connection = Patience.Followed,
                Operations = 2_000,
            });

            totals.ShouldBeBalanced();
            var load = totals.Progress.Load;
            (load.Contradictions + load.ConnectionsLost).ShouldBeGreaterThan(0);
            contradictions += load.Contradictions;
        }

        contradictions.ShouldBe(1);
    }

    [Theory]
    [InlineData("set", "$1\r\nv\r\n")]
    [InlineData("get", "*1\r\n:1\r\n")]
    public async Task ReplyOfAWrongKind_AsFarAsTheClientTells_IsAnErrorOfItsOwn(string operation, string altered)
    {
        await using var server = await LaneTest.StartServer();
        LaneTest.Ask(server, "SET", "k0", "v");
        using var relay = AlteredReplies.Of(
            server, operation.ToUpperInvariant(),
            text => text.Replace(operation == "get" ? Value : "+OK\r\n", altered, StringComparison.Ordinal));

        var totals = LaneTest.Run(EngineTest.Plan(relay.Uri, EngineTest.Mix(operation), keys: 1) with
        {
            Operations = 100,
        });

        totals.ShouldBeBalanced();
        totals.Operations[0].ErrorReplies.Keys.ShouldBe(["(wrong-kind:client)"]);
    }

    [Fact]
    public async Task ConnectionsThatAreLost_AreNoContradiction()
    {
        await using var server = await LaneTest.StartServer();
        using var engine = new ClientEngine(EngineTest.Plan(server.Uri, EngineTest.Mix("get"), keys: 1));
        engine.Connect();
        engine.Start(MonotonicClock.NowNs());
        LaneTest.WaitUntil(engine, totals => totals.Completed > 100);

        LaneTest.Ask(server, "CLIENT", "KILL", "TYPE", "normal");
        LaneTest.WaitUntil(engine, totals => totals.Progress.Load.ConnectionsLost > 0);
        engine.RequestStop();
        engine.Join();

        engine.Totals().Progress.Load.Contradictions.ShouldBe(0);
    }

    [Fact]
    public async Task Transaction_WithACommandThatFails_IsOneError()
    {
        await using var server = await LaneTest.StartServer();
        LaneTest.Ask(server, "RPUSH", "k0", "a");
        var mix = new OperationMix(
            [new("multi", CommandTemplate.Parse("MULTI ; GET __key__ ; STRLEN __key__ ; INCR n ; EXEC"))]);

        var totals = LaneTest.Run(EngineTest.Plan(server.Uri, mix, keys: 2) with { Operations = 10 });

        totals.Operations[0].ErrorReplies.ShouldBe(new Dictionary<string, long> { ["WRONGTYPE"] = 5 });
        (totals.Completed, totals.Operations[0].Counts.Errors).ShouldBe((5, 5));
        LaneTest.Ask(server, "GET", "n").ShouldBe("10");
    }

    [Fact]
    public async Task Stop_EndsTheRunAtTheFirstError_AndSaysWhich()
    {
        await using var server = await LaneTest.StartServer();
        LaneTest.Ask(server, "RPUSH", "k0", "a");
        using var engine = new ClientEngine(EngineTest.Plan(server.Uri, EngineTest.Mix("get"), keys: 1) with
        {
            Threads = 2,
            OnError = ErrorPolicy.Stop,
        });

        EngineTest.RunToItsEnd(engine).ShouldBeBalanced();

        engine.StopReason.ShouldNotBeNull().ShouldStartWith("get: WRONGTYPE Operation against a key");
        engine.Totals().Operations[0].Counts.Completed.ShouldBe(0);
    }

    [Theory]
    [InlineData("set")]
    [InlineData("rmw")]
    public async Task Retry_SendsAgain_UntilTheErrorHasPassed(string operation)
    {
        await using var server = await LaneTest.StartServer();
        LaneTest.Ask(server, "SET", "k0", "another's");
        LaneTest.Ask(server, "CONFIG", "SET", "maxmemory", "1");
        using var engine = new ClientEngine(EngineTest.Plan(server.Uri, EngineTest.Mix(operation)) with
        {
            Operations = 100,
            Verify = true,
            OnError = ErrorPolicy.Retry,
            MaximumRetries = 100_000,
            DrainLimit = EngineTest.Limit,
        });
        engine.Connect();
        engine.Start(MonotonicClock.NowNs());
        LaneTest.WaitUntil(engine, totals => totals.Operations[0].Counts.Retried > 8);

        LaneTest.Ask(server, "CONFIG", "SET", "maxmemory", "0");
        engine.Join();

        var set = engine.Totals().Operations[0];
        (set.Counts.Sent, set.Counts.Completed, set.Counts.Errors).ShouldBe((100, 100, 0));
        set.ErrorReplies["OOM"].ShouldBe(set.Counts.Retried);
        (set.Counts.Hits + set.Counts.Misses).ShouldBe(operation == "rmw" ? 100 : 0, "what was read is counted once");
        set.Counts.Mismatched.ShouldBe(operation == "rmw" ? 1 : 0, "what was wrong is counted once");
    }

    [Fact]
    public async Task Retry_GivesUpInTheEnd_AndNeverRepeatsWhatCannotPass()
    {
        await using var server = await LaneTest.StartServer();
        LaneTest.Ask(server, "RPUSH", "k0", "a");
        LaneTest.Ask(server, "CONFIG", "SET", "maxmemory", "1");
        var mix = new OperationMix(
            [new("set", BuiltInCommand.Named("set")), new("get", BuiltInCommand.Named("get"))], isCyclic: true);

        var totals = LaneTest.Run(EngineTest.Plan(server.Uri, mix, keys: 1) with
        {
            Operations = 20,
            OnError = ErrorPolicy.Retry,
            MaximumRetries = 2,
            DrainLimit = EngineTest.Limit,
        });

        totals.Operations.Select(one => (one.Counts.Sent, one.Counts.Errors, one.Counts.Retried))
            .ShouldBe([(10, 10, 20), (10, 10, 0)]);
        totals.ShouldBeBalanced();
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1_000)]
    public async Task ServerKilledAndRestarted_UnderLoad_IsFoundAgain(double rate)
    {
        await using var server = await LaneTest.StartServer();
        var plan = EngineTest.Plan(server.Uri, EngineTest.Mix("set", "get"));
        using var engine = new ClientEngine(plan with
        {
            Threads = 2,
            Rate = rate > 0 ? RateStep.Constant(rate) : [],

            // More than a busy machine leaves unanswered before the server dies.
            Pipeline = rate > 0 ? 2_500 : 1,
            Connection = Patience.Followed,
        });
        engine.Connect();
        engine.Start(MonotonicClock.NowNs());
        LaneTest.WaitUntil(engine, totals => totals.Completed > 100);

        await server.Kill();
        LaneTest.WaitUntil(engine, totals => totals.Progress.Load.ConnectionsLost >= 2);
        var away = engine.Totals();
        if (rate > 0)
            LaneTest.WaitUntil(engine, totals => SentOf(totals) > SentOf(away) + 100);
        engine.Totals().Completed.ShouldBe(away.Completed);
        await server.Restart();
        LaneTest.WaitUntil(engine, totals => totals.Progress.Load.Reconnected >= 2);
        LaneTest.WaitUntil(engine, totals => totals.Completed > away.Completed + 200);
        engine.RequestStop();
        engine.Join();

        // What was under way when the connection broke may be lost; what came later waited in the client's backlog.
        engine.Failure.ShouldBeNull();
        var totals = engine.Totals();
        totals.ShouldBeBalanced();
        totals.Operations.Sum(one => one.Counts.Errors + one.Counts.TimedOut).ShouldBe(0);
        totals.Operations.Sum(one => one.Counts.Lost).ShouldBeLessThanOrEqualTo(SentOf(away) - away.Completed);
    }

    /// <summary>The client calls it a failed connection, and a reply that does not come a timeout.</summary>
    [Fact]
    public async Task OperationThatWaitsInTheBacklogForTooLong_IsATimeout()
    {
        await using var server = await LaneTest.StartServer();
        var plan = EngineTest.Plan(server.Uri, EngineTest.Mix("get"));
        using var engine = new ClientEngine(plan with
        {
            Connection = plan.Connection with { CommandTimeout = TimeSpan.FromSeconds(2) },
        });
        engine.Connect();
        engine.Start(MonotonicClock.NowNs());
        LaneTest.WaitUntil(engine, totals => totals.Completed > 100);

        await server.Kill();
        LaneTest.WaitUntil(engine, totals => totals.Operations[0].Counts.TimedOut >= 4);
        engine.RequestStop();
        engine.Join();

        var get = engine.Totals().Operations[0];
        (get.Counts.Errors, get.Counts.InFlight).ShouldBe((0, 0));
        get.Counts.Lost.ShouldBeLessThanOrEqualTo(4, "one of each caller was under way when the connection broke");
    }

    [Fact]
    public async Task ServerThatStaysAway_IsGivenUpAsLost()
    {
        await using var server = await LaneTest.StartServer();
        using var engine = new ClientEngine(EngineTest.Plan(server.Uri, EngineTest.Mix("get")) with
        {
            ReconnectLimit = TimeSpan.FromSeconds(0.2),
        });
        engine.Connect();
        engine.Start(MonotonicClock.NowNs());
        LaneTest.WaitUntil(engine, totals => totals.Completed > 10);

        await server.Kill();
        engine.Join();

        engine.Failure.ShouldBeOfType<RedisConnectionLostException>();
        engine.StopReason.ShouldNotBeNull();
        engine.Totals().ShouldBeBalanced();
    }

    [Fact]
    public async Task RepliesThatComeTooLate_AreTimeouts_AndCountedOnce()
    {
        await using var server = await LaneTest.StartServer();
        using var engine = new ClientEngine(EngineTest.Plan(server.Uri, EngineTest.Mix("incr"), keys: 1) with
        {
            CommandTimeout = TimeSpan.FromSeconds(0.2),
        });
        engine.Connect();
        engine.Start(MonotonicClock.NowNs());
        LaneTest.WaitUntil(engine, totals => totals.Completed > 10);

        server.Pause();
        LaneTest.WaitUntil(engine, totals => totals.Operations[0].Counts.TimedOut >= 4);
        server.Resume();
        var before = engine.Totals().Completed;
        LaneTest.WaitUntil(engine, totals => totals.Completed > before + 10);
        engine.RequestStop();
        engine.Join();

        var totals = engine.Totals();
        totals.ShouldBeBalanced();
        var executed = long.Parse(
            LaneTest.Ask(server, "GET", "k0"), System.Globalization.CultureInfo.InvariantCulture);
        executed.ShouldBeInRange(
            totals.Completed, totals.Completed + totals.Operations[0].Counts.TimedOut
                + totals.Operations[0].Counts.Lost);
    }

    [Fact]
    public async Task ReplyStillMissingAtTheEnd_TimesOut()
    {
        await using var server = await LaneTest.StartServer();
        using var engine = new ClientEngine(EngineTest.Plan(server.Uri, EngineTest.Mix("get")) with
        {
            DrainLimit = TimeSpan.FromSeconds(0.2),
        });
        engine.Connect();
        engine.Start(MonotonicClock.NowNs());
        LaneTest.WaitUntil(engine, totals => totals.Completed > 10);

        server.Pause();
        engine.RequestStop();
        engine.Join();
        server.Resume();

        engine.Totals().ShouldBeBalanced();
    }

    [Fact]
    public void ServerThatIsNotThere_IsSaidInTheUsersWords()
    {
        using var engine = new ClientEngine(EngineTest.Plan(
            $"redis://127.0.0.1:{RedisLatency.Fixtures.FreePort.Next()}", EngineTest.Mix("get")));

        Should.Throw<RedisConnectException>(engine.Connect).Reason.ShouldBe(ConnectFailure.Refused);
    }

    [Fact]
    public async Task UserWithAWrongPassword_IsRefusedBeforeAnythingIsSent()
    {
        await using var server = await LaneTest.StartServer();
        LaneTest.Ask(server, "ACL", "SETUSER", "loader", "on", ">secret", "~*", "+@all");
        string As(string login) => server.Uri.Replace("redis://", $"redis://{login}@", StringComparison.Ordinal);

        using var stranger = new ClientEngine(EngineTest.Plan(As("loader:wrong"), EngineTest.Mix("get")));
        Should.Throw<RedisConnectException>(stranger.Connect).Reason.ShouldBe(ConnectFailure.AuthenticationFailed);
        LaneTest.Run(EngineTest.Plan(As("loader:secret"), EngineTest.Mix("get")) with { Operations = 10 })
            .Completed.ShouldBe(10);
    }

    private static long SentOf(EngineTotals totals) => totals.Operations.Sum(one => one.Counts.Sent);
}
