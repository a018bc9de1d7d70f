using RedisLatency.Fixtures;
using RedisLatency.Integration.Results;

namespace RedisLatency.Integration.Workloads;

/// <summary>Services of Sentinels and replicas, as users give them.</summary>
public class RoutingTests
{
    [Fact]
    public async Task Service_IsReadFromItsReplica_AndAFailoverIsTold()
    {
        await using var service = await SentinelProcesses.Start(new());
        var (first, second) = ($"127.0.0.1:{service.Servers[0].Port}", $"127.0.0.1:{service.Servers[1].Port}");
        await using var run = ServiceProcess.Start(
            "Workloads", "run", "--redis", service.Uri(), "--read-from", "replica", "--records", "100",
            "--connections", "5", "--duration", "10m", "--warmup", "0s", "--on-error", "retry", "--live", "plain");
        await Eventually.Is("the primary is written to", () => IsWrittenTo(service, 0));

        await service.Failover(service.Sentinels[0]);
        await Eventually.Is("its successor is written to", () => IsWrittenTo(service, 1));
        (await run.EndBy("INT")).ShouldBeOneOf([4, 130]);

        var record = SavedRun.Of(run).Record;
        var engine = record.Summaries.ShouldHaveSingleItem().Workload!.Engine!;
        engine.ReadFrom.ShouldBe("replica");
        var change = engine.PrimaryChanges.ShouldHaveSingleItem();
        (change.From, change.To).ShouldBe((first, second));
        engine.Servers.Single(server => server.Address == first).Writes.ShouldBeGreaterThan(0);
        engine.Servers.Single(server => server.Address == second).Reads.ShouldBeGreaterThan(0);
        engine.Servers.Single(server => server.Address == second).Writes.ShouldBeGreaterThan(0);
        record.Verdict.Reasons.ShouldContain(reason =>
            reason.StartsWith($"run: {second} became a primary in place of {first} ", StringComparison.Ordinal));
        run.Output.Lines.ShouldContain(line => line.StartsWith("  servers", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(1, 0, "ok    primaries: 1, replicas: 1; reads would go to replicas")]
    [InlineData(0, 3, "has no replica to read from")]
    public async Task Check_LooksForTheReplicas(int replicas, int exitCode, string told)
    {
        await using var service = await SentinelProcesses.Start(new() { Replicas = replicas, Sentinels = 1 });
        await using var check = ServiceProcess.Start(
            "Workloads", "check", "--redis", service.Uri(), "--read-from", "replica");

        (await check.End()).ShouldBe(exitCode, check.ToString());

        check.Output.Lines.ShouldContain(line => line.Contains(told, StringComparison.Ordinal));
    }

    [Fact]
    public async Task PrimaryWithoutReplicas_IsRefused_WhereReplicasAreToBeRead()
    {
        await using var server = await RedisServerProcess.Start();
        await using var run = ServiceProcess.Start(
            "Workloads", "run", "--redis", server.Uri, "--read-from", "replica", "--operations", "10");

        (await run.End()).ShouldBe(3, run.ToString());

        run.Errors.Lines.ShouldContain(line => line.Contains(
            $"127.0.0.1:{server.Port} has no replica to read from", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("has no replicas", "--read-from", "any")]
    [InlineData("no cluster", "--redis", "redis+sentinel://a/s", "--cluster", "on")]
    public async Task WhatCannotBeMeant_IsWrongUsage(string reason, params string[] arguments)
    {
        await using var run = ServiceProcess.Start("Workloads", ["run", .. arguments]);

        (await run.End()).ShouldBe(2, run.ToString());

        run.Errors.Lines.ShouldContain(line => line.Contains(reason, StringComparison.Ordinal));
    }

    [Fact]
    public async Task MoreConnectionsThanOpenFilesAreAllowed_AreRefused_ByTheLimitsName()
    {
        await using var server = await RedisServerProcess.Start();
        await using var run = ServiceProcess.StartShell(
            $"ulimit -n 400; exec \"$PROGRAM\" load run --redis {server.Uri} --connections 1000 --operations 10");

        (await run.End()).ShouldBe(3, run.ToString());

        run.Errors.Lines.ShouldContain(line => line.Contains(
            "1,000 connections need more open files than this process may have (400,", StringComparison.Ordinal));
    }

    // Its own list of clients says who sends what: what it writes as a replica comes from its primary.
    private static bool IsWrittenTo(SentinelProcesses service, int server)
    {
        using var connection = service.OpenServer(service.Servers[server]);
        return connection.Execute("CLIENT", "LIST").Text.Split('\n').Any(client =>
            client.Contains(" name=redislatency-workload ", StringComparison.Ordinal)
            && client.Contains(" cmd=set ", StringComparison.Ordinal));
    }
}
