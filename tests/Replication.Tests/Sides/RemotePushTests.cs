using System.Globalization;
using System.Text.Json.Nodes;
using RedisLatency.Fixtures;
using RedisLatency.Replication.Tests.Probe;
using RedisLatency.Server.Links;

namespace RedisLatency.Replication.Tests.Sides;

/// <summary>A reader to which keys are pushed whose writer is elsewhere.</summary>
public class RemotePushTests
{
    private static readonly TimeSpan LinkDelay = TimeSpan.FromMilliseconds(20);

    [Theory]
    [InlineData("auto", "push (client tracking)")]
    [InlineData("2", "push (keyspace notifications)")]
    public async Task Read_ByPushes_FindsTheDelayOfEveryKeyWithinItsError(string protocol, string name)
    {
        await using var pair = await ReplicatedPair.Start(LinkProfile.Symmetric(LinkDelay));
        ReplicatedPair.Execute(pair.Replica, "CONFIG", "SET", "notify-keyspace-events", "K$");
        await using var reader = RemoteProcess.Read(
            pair.Replica.Uri, "--control", pair.Primary.Uri, "--deadline", "20s", "--reading", "push",
            "--protocol", protocol, "--no-claims", "--region", "there");
        await using var writer = RemoteProcess.Write(
            pair.Primary.Uri, "--keys", "200", "--rate", "400", "--writers", "2", "--region", "here");

        var (code, record) = await reader.End().End(reader);
        (await writer.End()).ShouldBeOneOf([0, 4], writer.ToString());

        code.ShouldBe(0, reader.ToString());
        record.ShouldAccountForAllKeys();
        record.Count("read").ShouldBe(200);
        record.Keys()["reading"]!.GetValue<string>().ShouldBe(name);
        record.Series("delay-lower")["min"]!.GetValue<double>()
            .ShouldBeGreaterThan((LinkDelay.TotalNanoseconds * 0.99) - record.Count("errorNs"));
        record.Mean("delay-lower").ShouldBe(record.Mean("delay-upper"), "each is one instant");
        record.Mean("delay-intended").ShouldBeGreaterThanOrEqualTo(record.Mean("delay"));

        await using var matrix = ServiceProcess.Start(
            "Replication", "matrix", Path.Combine(reader.Folder, "results"), "--format", "json");
        (await matrix.End()).ShouldBe(0, matrix.ToString());
        var row = JsonNode.Parse(matrix.Output.ToString())!["pairs"]!.AsArray().ShouldHaveSingleItem()!;
        row["source"]!.GetValue<string>().ShouldBe("here");
        row["destination"]!.GetValue<string>().ShouldBe("there");
        row["measured"]!["average"]!.GetValue<double>().ShouldBe(record.Mean("delay"), 1);
    }

    [Fact]
    public async Task Read_WhosePushesAreCutOff_FindsEveryKeyAllTheSame()
    {
        await using var pair = await ReplicatedPair.Start();
        await using var reader = RemoteProcess.Read(
            pair.Replica.Uri, "--control", pair.Primary.Uri, "--deadline", "20s", "--reading", "push");
        await using var writer = RemoteProcess.Write(
            pair.Primary.Uri, "--duration", "10m", "--rate", "100", "--expiry", "5m");
        await WaitForKeys(pair, 50);

        ReplicatedPair.Execute(pair.Replica, "CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
        await reader.Errors.WaitFor("destination: connected to " + pair.Replica.Uri["redis://".Length..] + " after");
        await WaitForKeys(pair, 100);
        await writer.EndBy("INT");
        var (code, record) = await reader.End().End(reader);

        code.ShouldBe(0, reader.ToString());
        record.ShouldAccountForAllKeys();
        record.Count("read").ShouldBe(record.Count("asked"));
        record.EventKinds().ShouldContain("disconnected");
    }

    private static Task WaitForKeys(ReplicatedPair pair, int count) => Eventually.Is("keys arrive", () => int.Parse(
        ReplicatedPair.Execute(pair.Replica, "DBSIZE"), CultureInfo.InvariantCulture) > count);
}
