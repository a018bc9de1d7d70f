using RedisLatency.Fixtures;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Server;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Lanes;
using RedisLatency.Workloads.Tests.Lanes;

namespace RedisLatency.Workloads.Tests.Engine;

public sealed class LossTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(20_000)]
    public void ClosedConnections_ComeBack_AndEveryOperationIsAccountedFor(double rate)
    {
        using var server = InProcessServer.Start();
        using var engine = new RawEngine(EngineTest.Plan(server.Endpoint, EngineTest.Mix("incr"), keys: 1) with
        {
            Pipeline = 8,
            Rate = rate > 0 ? RateStep.Constant(rate) : [],
        });
        engine.Connect();
        engine.Start(MonotonicClock.NowNs());
        for (var turn = 1; turn <= 3; turn++)
        {
            server.Faults.CloseConnections();
            var reconnected = 4 * turn;
            WaitUntil(engine, () => engine.Totals().Progress.Load.Reconnected >= reconnected);
            var before = engine.Totals().Completed;
            WaitUntil(engine, () => engine.Totals().Completed > before);
        }

        engine.RequestStop();
        engine.Join();

        var totals = engine.Totals();
        totals.ShouldBeBalanced();
        engine.Failure.ShouldBeNull();
        totals.Progress.Load.ConnectionsLost.ShouldBe(12);
        using var connection = RedisConnection.Open(RedisEndpoint.Parse(server.Endpoint), Patience.Connection);
        var executed = long.Parse(
            connection.Execute("GET", "k0").Text, System.Globalization.CultureInfo.InvariantCulture);
        // The server may or may not have executed what was in flight; nothing is counted twice or not at all.
        executed.ShouldBeInRange(totals.Completed, totals.Completed + totals.Operations[0].Counts.Lost);
    }

    [Theory]
    [InlineData("set", "get")]
    [InlineData("evalsha")]
    public async Task ServerKilledAndRestarted_UnderLoad_IsFoundAgain(params string[] operations)
    {
        await using var server = await RedisServerProcess.Start();
        using var engine = new RawEngine(
            EngineTest.Plan(server.Uri, EngineTest.Mix(operations)) with { Threads = 2 });
        engine.Connect();
        engine.Start(MonotonicClock.NowNs());
        WaitUntil(engine, () => engine.Totals().Completed > 100);

        await server.Kill();
        WaitUntil(engine, () => engine.Totals().Progress.Load.ConnectionsLost >= 8);
        await server.Restart();
        WaitUntil(engine, () => engine.Totals().Progress.Load.Reconnected >= 8);
        var before = engine.Totals().Completed;
        WaitUntil(engine, () => engine.Totals().Completed > before + 100);
        engine.RequestStop();
        engine.Join();

        engine.Failure.ShouldBeNull();
        var totals = engine.Totals();
        totals.ShouldBeBalanced();
        totals.Operations.Sum(operation => operation.Counts.Errors)
            .ShouldBe(0, "a new server must be told its scripts again");
    }

    [Fact]
    public void ServerThatClosesWhateverItAccepts_IsNotAskedInHaste()
    {
        using var server = FakeServer.Start((client, _) => FakeServer.Await(client));
        var totals = EngineTest.Run(EngineTest.Plan(server.Uri, EngineTest.Mix("get")) with
        {
            Connection = Patience.Connection with { Protocol = RespPreference.Resp2, ClientName = string.Empty },
            ConnectionsPerThread = 1,
            Duration = TimeSpan.FromSeconds(1),
        });

        totals.ShouldBeBalanced();
        // Without a pause there would be thousands; with all of them there are about six.
        totals.Progress.Load.ConnectionsLost.ShouldBeInRange(2, 40);
    }

    [Fact]
    public void ServerThatStaysAway_IsGivenUpAsLost()
    {
        using var server = InProcessServer.Start();
        using var engine = new RawEngine(PlanToGiveUp(server));

        RunUntilGivenUp(engine, server);

        engine.StopReason.ShouldNotBeNull();
        engine.Totals().ShouldBeBalanced();
    }

    [Theory]
    [InlineData(nameof(RawEngine))]
    [InlineData(nameof(ClientEngine))]
    public void ServerThatIsGivenUp_IsAskedForNoLessThanWasPlanned(string lane)
    {
        using var server = InProcessServer.Start();
        using var engine = EngineTest.Create(lane, PlanToGiveUp(server) with
        {
            Rate = RateStep.Constant(1_000),
            Duration = TimeSpan.FromSeconds(600),
        });

        RunUntilGivenUp(engine, server);

        var totals = engine.Totals();
        totals.ShouldBeBalanced();
        totals.Due.ShouldBe(600_000);
        engine.Progress().Load.Unsent.ShouldBe(totals.Unsent);
    }

    [Fact]
    public void ServerThatSaysMoreThanAsked_AtAReconnect_EndsTheLoadAndNotTheProcess()
    {
        using var server = FakeServer.Start((client, number) =>
        {
            if (number < 4)
                FakeServer.AnswerOnce(client, "+OK\r\n", "$-1\r\n");
            else
                FakeServer.Answer(client, "+OK\r\n+OK\r\n");
        });
        using var engine = new RawEngine(EngineTest.Plan(server.Uri + "/1", EngineTest.Mix("get")) with
        {
            Connection = Patience.Connection with { Protocol = RespPreference.Resp2, ClientName = string.Empty },
        });
        engine.Connect();
        engine.Start(MonotonicClock.NowNs());
        engine.Join();

        engine.Failure.ShouldBeOfType<RedisProtocolException>().Message.ShouldContain("a reply that nobody asked for");
        engine.Totals().ShouldBeBalanced();
    }

    [Fact]
    public void ReplyThatNeverComes_TimesOut_AndCostsOnlyItsConnection()
    {
        using var server = InProcessServer.Start();
        server.Faults.DropReply(20, "get");
        var totals = EngineTest.Run(EngineTest.Plan(server.Endpoint, EngineTest.Mix("get")) with
        {
            Operations = 500,
            CommandTimeout = TimeSpan.FromSeconds(0.3),
            DrainLimit = EngineTest.Limit,
        });

        totals.ShouldBeBalanced();
        totals.Operations[0].Counts.TimedOut.ShouldBe(1);
        totals.Completed.ShouldBe(499);
        totals.Progress.Load.ConnectionsLost.ShouldBe(1);
    }

    /// <summary>
    /// Sent again for longer than the limit, and the last time answered after less than it: the connection is healthy.
    /// </summary>
    [Fact]
    public void TimeLimit_OfAnOperationThatIsSentAgain_RunsFromItsLatestSend()
    {
        const int Errors = 13;
        var limit = TimeSpan.FromSeconds(1);
        long first = 0, answered = 0;
        using var server = FakeServer.Start((client, _) =>
        {
            var buffer = new byte[1024];
            for (var request = 0; client.Receive(buffer) > 0; request++)
            {
                first = request == 0 ? MonotonicClock.NowNs() : first;
                // Long enough for the worker to look at its limit several times.
                if (request == Errors)
                    Pacer.WaitUntil(MonotonicClock.NowNs() + 400_000_000);
                answered = MonotonicClock.NowNs();
                FakeServer.Say(client, request < Errors ? "-LOADING wait\r\n" : "+OK\r\n");
            }
        });

        var totals = EngineTest.Run(EngineTest.Plan(server.Uri, EngineTest.Mix("set")) with
        {
            Connection = Patience.Connection with { Protocol = RespPreference.Resp2, ClientName = string.Empty },
            ConnectionsPerThread = 1,
            Operations = 1,
            OnError = ErrorPolicy.Retry,
            MaximumRetries = Errors,
            CommandTimeout = limit,
            DrainLimit = EngineTest.Limit,
        });

        (answered - first).ShouldBeGreaterThan((long)limit.TotalNanoseconds, "else nothing is tested");
        (totals.Completed, totals.Progress.Load.ConnectionsLost, totals.Operations[0].Counts.TimedOut)
            .ShouldBe((1, 0, 0));
    }

    [Theory]
    [InlineData(nameof(RawEngine))]
    [InlineData(nameof(ClientEngine))]
    public async Task ScriptThatTheServerHasForgotten_IsTaughtToItAgain(string lane)
    {
        await using var server = await RedisServerProcess.Start();
        using var engine = EngineTest.Create(
            lane, EngineTest.Plan(server.Uri, EngineTest.Mix("evalsha")) with { OnError = ErrorPolicy.Stop });
        engine.Connect();
        engine.Start(MonotonicClock.NowNs());
        using var control = RedisConnection.Open(RedisEndpoint.Parse(server.Uri), Patience.Connection);
        for (var turn = 0; turn < 3; turn++)
        {
            var before = engine.Totals();
            LaneTest.WaitUntil(engine, totals => totals.Completed > before.Completed + 20);
            control.Execute("SCRIPT", "FLUSH");
            LaneTest.WaitUntil(
                engine, totals => totals.Operations[0].Counts.Retried > before.Operations[0].Counts.Retried);
        }

        var last = engine.Totals().Completed;
        LaneTest.WaitUntil(engine, totals => totals.Completed > last + 20);
        engine.RequestStop();
        engine.Join();

        engine.Failure.ShouldBeNull();
        engine.StopReason.ShouldBeNull();
        var evalsha = engine.Totals().Operations[0];
        evalsha.Counts.Errors.ShouldBe(0);
        evalsha.ErrorReplies.ShouldBe(new Dictionary<string, long> { ["NOSCRIPT"] = evalsha.Counts.Retried });
        evalsha.Counts.Retried.ShouldBeInRange(
            3, 3 * 4, "one for each operation that was in flight when the script was gone");
    }

    [Fact]
    public void ReplyStillMissingAtTheEnd_TimesOut()
    {
        using var server = InProcessServer.Start();
        server.Faults.DropReply(500, "get");
        var totals = EngineTest.Run(EngineTest.Plan(server.Endpoint, EngineTest.Mix("get")) with
        {
            Operations = 500,
            DrainLimit = TimeSpan.FromSeconds(0.1),
        });

        totals.ShouldBeBalanced();
        (totals.Completed, totals.Operations[0].Counts.TimedOut).ShouldBe((499, 1));
    }

    [Fact]
    public void WhatIsNoReply_BreaksTheConnection_AndIsTold()
    {
        using var server = InProcessServer.Start();
        server.Faults.CorruptReply(20, "get");
        var totals = EngineTest.Run(EngineTest.Plan(server.Endpoint, EngineTest.Mix("get")) with { Operations = 500 });

        totals.ShouldBeBalanced();
        totals.Operations[0].Counts.Lost.ShouldBe(1);
        totals.LastBreak.ShouldNotBeNull().ShouldContain("no RESP type");
        totals.Progress.Load.Contradictions.ShouldBe(1);
    }

    private static EnginePlan PlanToGiveUp(InProcessServer server) =>
        EngineTest.Plan(server.Endpoint, EngineTest.Mix("get")) with { ReconnectLimit = TimeSpan.FromSeconds(0.2) };

    private static void RunUntilGivenUp(LoadEngine engine, InProcessServer server)
    {
        engine.Connect();
        engine.Start(MonotonicClock.NowNs());
        WaitUntil(engine, () => engine.Totals().Completed > 10);
        server.Dispose();
        engine.Join();
        engine.Failure.ShouldBeAssignableTo<RedisException>();
    }

    private static void WaitUntil(LoadEngine engine, Func<bool> isSo)
    {
        var deadline = MonotonicClock.NowNs() + (long)EngineTest.Limit.TotalNanoseconds;
        while (!isSo())
        {
            engine.Failure.ShouldBeNull();
            MonotonicClock.NowNs().ShouldBeLessThan(deadline);
            Pacer.WaitUntil(MonotonicClock.NowNs() + 2_000_000);
        }
    }
}
