using System.Text.Json.Nodes;
using RedisLatency.Fixtures;
using RedisLatency.Peers.Rendezvous;
using RedisLatency.Replication.Rendezvous;
using RedisLatency.Replication.Tests.Probe;
using RedisLatency.Replication.Tests.Truth;
using RedisLatency.Server.Links;

namespace RedisLatency.Replication.Tests.Rendezvous;

/// <summary>A writer and a reader in two processes, whose clocks are compared by probes.</summary>
public class TwoProcessTests
{
    private const int Keys = 400;
    private const double Second = 1e9;

    [Theory]
    [InlineData(0, "--no-claims")]
    [InlineData(1, "--no-claims")]
    [InlineData(0, null)]
    [InlineData(1, null)]
    public async Task Read_WhateverTheClocksDifferBy_FindsTheDelayWithinItsError(int ahead, string? claims)
    {
        if (ahead != 0)
            ServerRequirement.RequireTimeNamespaces();
        await using var pair = await ReplicatedPair.Start(LinkProfile.Symmetric(TimeSpan.FromMilliseconds(40)));
        await using var truth = await StreamTruth.Start(pair);
        string[] arguments =
            ["--control", pair.Primary.Uri, "--deadline", "20s", .. claims is null ? Array.Empty<string>() : [claims]];
        await using var reader = ahead == 0
            ? RemoteProcess.Read(pair.Replica.Uri, arguments)
            : RemoteProcess.ReadAhead(ahead, pair.Replica.Uri, arguments);
        await using var writer = RemoteProcess.Write(pair.Primary.Uri, "--keys", $"{Keys}", "--rate", "200");

        var (code, record) = await reader.End().End(reader);
        var (writerCode, written) = await writer.End().End(writer);

        written.ShouldBeValidUnlessLate(writerCode, writer);
        code.ShouldBe(0, reader.ToString());
        record.ShouldAccountForAllKeys();
        record.Count("read").ShouldBe(Keys);
        var keys = await truth.Take("\\\"end\\\":{");
        keys.Count.ShouldBe(Keys);
        var mean = keys.Values.Average(key => key.AppliedNs - key.SentNs);
        var error = record.Keys()["errorNs"]!.GetValue<long>() + truth.ErrorNs;
        mean.ShouldBeInRange(record.Mean("delay-lower") - error, record.Mean("delay-upper") + error, reader.ToString());
        error.ShouldBeLessThan((long)(Second / 4), "a quarter of what the clocks differ by");
        record.Mean("delay").ShouldBeGreaterThan(40e6 - error);
        // What needs no clock: the acknowledgement has come back over the line too.
        written.Mean("wait").ShouldBeGreaterThan(80e6);
        record.Count("lag-samples").ShouldBeGreaterThan(0);
        record.Count("lag-bytes-max").ShouldBeGreaterThan(0);
    }

    [Fact]
    public async Task Read_OfAWriterWhoseClockIsSynthetic_IsNeverValid()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var reader = RemoteProcess.Read(pair.Replica.Uri, "--control", pair.Primary.Uri);
        await using var writer = ServiceProcess.Start(
            "Replication",
            new Dictionary<string, string> { ["REDISLATENCY_CLOCK"] = "offset=5ms" },
            "delay", "write", "--source", pair.Primary.Uri, "--keys", "100", "--peer-timeout", "100s");

        var (code, record) = await reader.End().End(reader);

        (await writer.End()).ShouldBe(4, writer.ToString());
        code.ShouldBe(4, reader.ToString());
        record["verdict"]!["reasons"]![0]!.GetValue<string>().ShouldStartWith("clock: synthetic.");
    }

    [Fact]
    public async Task Read_ByProbesOverUdp_NeedsNoServerThatBothReach()
    {
        await using var pair = await ReplicatedPair.Start(LinkProfile.Symmetric(TimeSpan.FromMilliseconds(20)));
        await using var reader = RemoteProcess.Read(pair.Replica.Uri, "--no-claims");
        await using var writer = RemoteProcess.Write(
            pair.Primary.Uri, "--probe", "udp://127.0.0.1:0", "--keys", "100", "--rate", "500");

        var (code, record) = await reader.End().End(reader);
        var (writerCode, written) = await writer.End().End(writer);

        written.ShouldBeValidUnlessLate(writerCode, writer);
        code.ShouldBe(0, reader.ToString());
        record.Count("read").ShouldBe(100);
        record.Keys()["clocks"]!.GetValue<string>().ShouldContain("probes by udp://127.0.0.1:");
        var direct = record.Keys()["direct"]!;
        direct["samples"]!.GetValue<long>().ShouldBeGreaterThan(0);
        // The mean of the histogram is off by up to half of its thousandth.
        direct["meanShareNs"]!.GetValue<double>().ShouldBe(
            record.Mean("delay") - direct["meanNs"]!.GetValue<double>(), record.Mean("delay") * 0.0005);
    }

    [Fact]
    public async Task Read_WhereAWriterThatWasKilledHadAnnouncedItself_WaitsForAnother()
    {
        await using var pair = await ReplicatedPair.Start();
        await Announce(pair, Announced().Write());
        await using var reader = RemoteProcess.Read(pair.Replica.Uri);
        await reader.Errors.WaitFor("for a writer of run default");
        await using var writer = RemoteProcess.Write(
            pair.Primary.Uri, "--probe", "udp://127.0.0.1:0", "--keys", "50", "--rate", "500");

        var (code, record) = await reader.End().End(reader);

        code.ShouldBe(0, reader.ToString());
        record.Count("read").ShouldBe(50);
    }

    [Fact]
    public async Task Read_OfAWriterWhoseAnnouncementIsOfAnotherVersion_IsRefusedAndNamesIt()
    {
        await using var pair = await ReplicatedPair.Start();
        var other = Announced().Write().Replace("{\"version\":9,", "{\"version\":99,", StringComparison.Ordinal);
        await Announce(pair, other);
        await using var reader = ServiceProcess.Start(
            "Replication", "delay", "read", "--destination", pair.Replica.Uri, "--peer-timeout", "300ms");

        (await reader.End()).ShouldBe(3, reader.ToString());

        reader.Errors.ToString().ShouldContain(
            "The writer of run default is of version 0.0.9, and what it announces cannot be read by this process");
    }

    [Fact]
    public async Task Read_OfAWriterThatIsInterrupted_AccountsForWhatItWrote()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var reader = RemoteProcess.Read(pair.Replica.Uri, "--control", pair.Primary.Uri);
        await using var writer = RemoteProcess.Write(pair.Primary.Uri, "--duration", "10m", "--rate", "100");
        await Eventually.Is("keys arrive", () => int.Parse(
            ReplicatedPair.Execute(pair.Replica, "DBSIZE"), System.Globalization.CultureInfo.InvariantCulture) > 50);

        (await writer.EndBy("INT")).ShouldBe(130, writer.ToString());
        var (code, record) = await reader.End().End(reader);

        code.ShouldBe(0, reader.ToString());
        record.ShouldAccountForAllKeys();
        record.Count("read").ShouldBe(record.Count("asked"));
        var written = JsonNode.Parse(writer.Output.ToString())!;
        record.Count("asked").ShouldBe(written.Count("asked"));
    }

    [Fact]
    public async Task Read_OfKeysThatExpireBeforeTheirDeadline_IsRefused()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var reader = RemoteProcess.Read(pair.Replica.Uri, "--control", pair.Primary.Uri);
        await using var writer = RemoteProcess.Write(pair.Primary.Uri, "--expiry", "1s");

        (await reader.End()).ShouldBe(3, reader.ToString());

        reader.Errors.ToString().ShouldContain("give delay write a longer --expiry, or a shorter --deadline here");
    }

    [Fact]
    public async Task Read_OfTwoWritersOfOneRun_IsRefused()
    {
        await using var pair = await ReplicatedPair.Start();
        // Neither begins, as nobody asks them there.
        await using var one = RemoteProcess.Write(pair.Primary.Uri, "--control", pair.Replica.Uri);
        await using var other = RemoteProcess.Write(pair.Primary.Uri, "--control", pair.Replica.Uri);
        await using var reader = RemoteProcess.Read(pair.Replica.Uri, "--control", pair.Primary.Uri);

        (await reader.End()).ShouldBe(3, reader.ToString());

        reader.Errors.ToString().ShouldContain(
            "Two writers announce themselves as run default", customMessage: $"{reader}\n{one}\n{other}");
    }

    [Fact]
    public async Task Write_WhoseReaderIsKilled_SaysSo()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var reader = RemoteProcess.Read(pair.Replica.Uri, "--control", pair.Primary.Uri);
        await using var writer = RemoteProcess.Write(pair.Primary.Uri, "--duration", "6s", "--rate", "100");
        await Eventually.Is("keys arrive", () => int.Parse(
            ReplicatedPair.Execute(pair.Replica, "DBSIZE"), System.Globalization.CultureInfo.InvariantCulture) > 10);

        reader.Signal("KILL");
        var (_, written) = await writer.End().End(writer);

        written["verdict"]!["reasons"]!.AsArray().Select(reason => reason!.GetValue<string>())
            .ShouldContain(reason => reason.StartsWith("No reader had asked for this clock's time for", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Write_WithoutAReader_IsRefused()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var writer = ServiceProcess.Start(
            "Replication", "delay", "write", "--source", pair.Primary.Uri, "--peer-timeout", "300ms", "--run", "alone");

        (await writer.End()).ShouldBe(3, writer.ToString());

        writer.Errors.ToString().ShouldContain("No reader of run alone asked for this clock's time within 300");
    }

    [Fact]
    public async Task Read_WithoutAWriter_IsRefused()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var reader = ServiceProcess.Start(
            "Replication", "delay", "read", "--destination", pair.Replica.Uri, "--peer-timeout", "300ms");

        (await reader.End()).ShouldBe(3, reader.ToString());

        reader.Errors.ToString().ShouldContain("No writer of run default announced itself");
        reader.Errors.ToString().ShouldContain($"is a replica of 127.0.0.1:{pair.Primary.Port}");
    }

    [Fact]
    public async Task Read_WithNoWayToAskTheWritersClock_IsRefused()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var reader = RemoteProcess.Read(pair.Replica.Uri);
        await using var writer = RemoteProcess.Write(pair.Primary.Uri);

        (await reader.End()).ShouldBe(3, reader.ToString());

        reader.Errors.ToString().ShouldContain("Give --control");
        (await writer.EndBy("INT")).ShouldBe(130, writer.ToString());
    }

    [Fact]
    public async Task Write_ToAReplica_IsRefused()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var writer = RemoteProcess.Write(pair.Replica.Uri);

        (await writer.End()).ShouldBe(3, writer.ToString());

        writer.Errors.ToString().ShouldContain("is a replica of");
    }

    [Theory]
    [InlineData("write", "--source")]
    [InlineData("read", "--destination")]
    public async Task Side_WithoutItsEnd_IsWrongUsage(string side, string named)
    {
        await using var process = ServiceProcess.Start("Replication", "delay", side);

        (await process.End()).ShouldBe(2, process.ToString());

        process.Errors.ToString().ShouldContain(named);
    }

    // As one that was killed leaves it behind.
    private static WriterAnnouncement Announced() => new()
    {
        Writer = new Announcement("default", "writer", "gone", string.Empty, "0.0.9").WithClock(
            new ProbeOffer(Convert.ToBase64String(new byte[32]))),
        Session = 7,
        Keys = 100,
        ExpiryNs = 60_000_000_000,
        IntervalNs = 1e6,
        StartNs = 1,
        Source = "gone:6379",
        Shards = [new AnnouncedShard("redislatency:delay", null, "gone:6379")],
        Writers = 1,
    };

    private static async Task Announce(ReplicatedPair pair, string text)
    {
        ReplicatedPair.Execute(pair.Primary, "SET", "redislatency:delay:default:announced", text);
        await Eventually.Is("it is replicated", () => ReplicatedPair.Execute(pair.Replica, "DBSIZE") == "1");
    }
}
