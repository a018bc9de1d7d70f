using RedisLatency.Fixtures;
using RedisLatency.Replication.Tests.Probe;
using RedisLatency.Replication.Tests.Truth;
using RedisLatency.Server.Links;

namespace RedisLatency.Replication.Tests.Rendezvous;

/// <summary>A real primary and its replica, and heartbeats that one process writes and others read.</summary>
public class TwoSidesTests
{
    private const string Age = "age<3s";

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public async Task Read_WhateverTheClocksDifferBy_FindsTheDelayWithinItsError(int ahead)
    {
        if (ahead != 0)
            ServerRequirement.RequireTimeNamespaces();
        await using var pair = await ReplicatedPair.Start(LinkProfile.Symmetric(TimeSpan.FromMilliseconds(40)));
        await using var truth = await StreamTruth.Start(pair);
        await using var writer = RemoteHeartbeat.WriteAhead(ahead, pair.Primary.Uri, "--interval", "20ms");
        await using var reader = RemoteHeartbeat.Read(pair.Replica.Uri, "--control", pair.Primary.Uri, "--no-claims");
        await reader.WaitForMetrics("heartbeats come", metrics => metrics.Beats("seen") > 100);

        writer.Signal("KILL");
        await reader.WaitForMetrics("none comes any more", metrics => metrics.Age() > 0.5);
        var (code, record) = await reader.EndBy("TERM").End(reader);

        code.ShouldBe(4, reader.ToString());
        record["verdict"]!["reasons"]![0]!.GetValue<string>().ShouldStartWith("The writer had answered nothing for ");
        record["summaries"]![0]!.ShouldAccountForAllHeartbeats();
        (record.Count("unread"), record.Count("unsent") > 0).ShouldBe((0, true), "those that nobody writes any more");
        record.Count("lag-samples").ShouldBeGreaterThan(0);
        ReplicatedPair.Execute(pair.Primary, "SET", "the-last", "x");
        var beats = await truth.Take("the-last");
        var skipped = record.Count("skipped");
        var first = beats.Keys.Max() + 1 - record.Count("read") - skipped;
        List<long> delays =
        [
            .. beats.Where(beat => beat.Key >= first).Select(
                beat => beat.Value.AppliedNs - beat.Value.SentNs + (ahead * 1_000_000_000L)),
        ];
        // Those that were skipped on a busy machine have a true delay, and none that was measured.
        var unmeasured = (double)skipped / delays.Count * (delays.Max() - delays.Min());
        var error = record.Keys()["errorNs"]!.GetValue<long>() + truth.ErrorNs + unmeasured;
        delays.Average().ShouldBeInRange(
            reader.LoggedMean("delay-lower") - error, reader.LoggedMean("delay-upper") + error, reader.ToString());
        record.Keys()["errorNs"]!.GetValue<long>().ShouldBeLessThan(250_000_000,
            "a quarter of what the clocks differ by");
        reader.LoggedMean("delay").ShouldBeGreaterThan(40e6 - error);
        record.Series("delay")["mean"].ShouldBeNull("what nobody writes any more has no delay");
    }

    [Fact]
    public async Task Read_OfAWriterThatIsGoneAndOfTheNextOne_ReportsAllOfIt()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var first = RemoteHeartbeat.Write(pair.Primary.Uri, "--interval", "25ms");
        await using var reader = RemoteHeartbeat.Read(
            pair.Replica.Uri, "--control", pair.Primary.Uri, "--threshold", Age, "--window", "1s");
        await reader.WaitForMetrics("heartbeats come", metrics => metrics.Beats("seen") > 10);

        first.Signal("STOP");
        await reader.Errors.WaitFor("the writer has answered no clock probe for 5.000 s");
        var raised = await reader.Metrics();
        var health = await reader.Readiness();
        first.Signal("KILL");
        await using var second = RemoteHeartbeat.Write(pair.Primary.Uri, "--interval", "25ms");
        await reader.Errors.WaitFor($"another writer of {Name(pair.Primary)} goes on");
        var seen = (await reader.Metrics()).Beats("seen");
        await reader.WaitForMetrics(
            "the next one is read", metrics => metrics.Beats("seen") > seen + 10 && !metrics.IsRaised(Age));
        await reader.Errors.WaitFor("the writer answers clock probes again");
        var (writerCode, written) = await second.EndBy("TERM").End(second);
        await reader.Errors.WaitFor($"the writer of {Name(pair.Primary)} has ended");
        var (code, record) = await reader.EndBy("TERM").End(reader);

        raised.IsRaised(Age).ShouldBeTrue();
        health.Status.ShouldBe(503);
        writerCode.ShouldBe(143, second.ToString());
        written.Count("asked").ShouldBe(written.Count("sent") + written.Count("unsent"));
        code.ShouldBe(4, "what nobody wrote has no delay: " + reader);
        record["thresholds"]![0]!["held"]!.GetValue<bool>().ShouldBeFalse();
        record["summaries"]![0]!.ShouldAccountForAllHeartbeats();
        record.Count("unsent").ShouldBeGreaterThan(5 * 40, "what was due of the first one, and nobody wrote");
        // One that was not seen before the next has a delay between two polls.
        record.Series("delay")["count"]!.GetValue<long>()
            .ShouldBe(record.Count("read") + record.Count("skipped"));
        foreach (var kind in (string[])["writer-silent", "writer-changed", "alert-cleared", "writer-answers", "writer-ended"])
            record.EventKinds().ShouldContain(kind);
        reader.Log("window").Sum(window => window["seen"]!.GetValue<long>()).ShouldBe(record.Count("read"));
    }

    [Fact]
    public async Task Read_BySeveral_EachHasTheDelaysOfItsOwnReplica()
    {
        await using var pair = await ReplicatedPair.Start(LinkProfile.Symmetric(TimeSpan.FromMilliseconds(60)));
        await using var near = await pair.Further();
        await using var writer = RemoteHeartbeat.Write(
            pair.Primary.Uri, "--interval", "25ms", "--probe", "udp://127.0.0.1:0", "--region", "here");
        string[] arguments = ["--no-claims", "--duration", "1s", "--window", "1s"];
        await using var one = RemoteHeartbeat.Read(pair.Replica.Uri, [.. arguments, "--region", "there"]);
        await using var other = RemoteHeartbeat.Read(near.Replica.Uri, arguments);

        var (code, record) = await one.End().End(one);
        var (otherCode, otherRecord) = await other.End().End(other);
        var writerMetrics = await writer.Metrics();
        var health = await writer.Readiness();
        (await writer.EndBy("INT")).ShouldBe(130, writer.ToString());

        // One heartbeat of forty that a busy machine keeps from leaving leaves the 99th percentile unknown.
        code.ShouldBeOneOf([0, 4], one.ToString());
        otherCode.ShouldBeOneOf([0, 4], other.ToString());
        one.LoggedMean("delay-upper").ShouldBeGreaterThan(60e6 - record.Keys()["errorNs"]!.GetValue<long>());
        other.LoggedMean("delay-lower").ShouldBeLessThan(60e6);
        record.Keys()["clocks"]!.GetValue<string>().ShouldContain("probes by udp://127.0.0.1:");
        record.Keys()["direct"]!["samples"]!.GetValue<long>().ShouldBeGreaterThan(0);
        record.Keys()["sourceRegion"]!.GetValue<string>().ShouldBe("here");
        record.Keys()["destinationRegion"]!.GetValue<string>().ShouldBe("there");
        writerMetrics.Beats("written").ShouldBeGreaterThan(20);
        health.ShouldBe((200, "ok\n"));
    }

    [Fact]
    public async Task Read_OfAnotherWriterThatWritesOtherwise_EndsAndSavesWhatThereIs()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var first = RemoteHeartbeat.Write(pair.Primary.Uri, "--interval", "25ms");
        await using var reader = RemoteHeartbeat.Read(pair.Replica.Uri, "--control", pair.Primary.Uri);
        await reader.WaitForMetrics("heartbeats come", metrics => metrics.Beats("seen") > 10);

        first.Signal("KILL");
        await using var second = RemoteHeartbeat.Write(pair.Primary.Uri, "--interval", "50ms");
        var (code, record) = await reader.End().End(reader);

        code.ShouldBe(5, reader.ToString());
        record["partial"]!.GetValue<bool>().ShouldBeTrue();
        record["partialReason"]!.GetValue<string>().ShouldContain("with another interval or other shards: start again");
        record.Count("read").ShouldBeGreaterThan(10);
        record["summaries"]![0]!.ShouldAccountForAllHeartbeats();
    }

    [Fact]
    public async Task Read_OfTwoWritersOfOneRun_EndsWithTheReason()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var one = RemoteHeartbeat.Write(pair.Primary.Uri, "--interval", "25ms");
        await using var reader = RemoteHeartbeat.Read(pair.Replica.Uri, "--control", pair.Primary.Uri);
        await reader.WaitForMetrics("heartbeats come", metrics => metrics.Beats("seen") > 5);

        await using var other = RemoteHeartbeat.Write(pair.Primary.Uri, "--interval", "25ms");

        (await reader.End()).ShouldBe(5, reader.ToString());
        reader.Errors.ToString().ShouldContain("Two writers announce themselves as run default");
    }

    [Fact]
    public async Task Read_OfAWriterThatItCannotAsk_IsRefused()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var writer = RemoteHeartbeat.Write(pair.Primary.Uri);
        await using var reader = RemoteHeartbeat.Read(pair.Replica.Uri);

        (await reader.End()).ShouldBe(3, reader.ToString());

        reader.Errors.ToString().ShouldContain("offers no UDP address to be asked for its time. Give --control");
    }

    [Fact]
    public async Task Read_WithoutAWriter_IsRefused()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var reader = RemoteHeartbeat.Read(
            pair.Replica.Uri, "--control", pair.Primary.Uri, "--peer-timeout", "100ms");

        (await reader.End()).ShouldBe(3, reader.ToString());

        reader.Errors.ToString().ShouldContain("Start delay write --continuous with --run default");
    }

    [Fact]
    public async Task Read_WithAPercentileThatNoWindowOfItsWriterCanTell_IsRefused()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var writer = RemoteHeartbeat.Write(pair.Primary.Uri, "--interval", "1s");
        await using var reader = RemoteHeartbeat.Read(
            pair.Replica.Uri, "--control", pair.Primary.Uri, "--threshold", "delay.p99<1s");

        (await reader.End()).ShouldBe(3, reader.ToString());

        reader.Errors.ToString().ShouldContain("delay.p99<1s takes 1,000 heartbeats a window, which has 60");
    }

    [Fact]
    public async Task Write_ToAReplica_IsRefused()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var writer = RemoteHeartbeat.Write(pair.Replica.Uri);

        (await writer.End()).ShouldBe(3, writer.ToString());

        writer.Errors.ToString().ShouldContain("is a replica of");
    }

    [Theory]
    [InlineData("write", "--source: a server to write to is needed", "there is no metric age")]
    [InlineData("read", "--destination: a server to read from is needed", "there is no metric refused")]
    public async Task Side_WithoutItsEndOrWithThresholdsOfTheOther_IsWrongUsage(string side, string end, string metric)
    {
        await using var process = ServiceProcess.Start(
            "Replication", "delay", side, "--continuous", "--threshold", "age<2s", "--threshold", "refused==0");

        (await process.End()).ShouldBe(2, process.ToString());

        process.Errors.ToString().ShouldContain(metric);
        await using var another = ServiceProcess.Start("Replication", "delay", side, "--continuous");
        (await another.End()).ShouldBe(2, another.ToString());
        another.Errors.ToString().ShouldContain(end);
    }

    private static string Name(RedisServerProcess server) => server.Uri["redis://".Length..];
}
