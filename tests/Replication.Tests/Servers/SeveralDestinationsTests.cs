using System.Text.Json.Nodes;
using RedisLatency.Fixtures;
using RedisLatency.Replication.Tests.Probe;
using RedisLatency.Replication.Tests.Truth;
using RedisLatency.Server.Links;

namespace RedisLatency.Replication.Tests.Servers;

/// <summary>A real primary with two real replicas, which one run reads at once.</summary>
public class SeveralDestinationsTests
{
    private const int Keys = 300;

    [Fact]
    public async Task Run_ThroughTwoLinks_FindsWhatEachOfThemDid()
    {
        await using var near = await ReplicatedPair.Start(LinkProfile.Symmetric(TimeSpan.FromMilliseconds(20)));
        await using var far = await near.Further(LinkProfile.Symmetric(TimeSpan.FromMilliseconds(120)));
        await using var atNear = await StreamTruth.Start(near);
        await using var atFar = await StreamTruth.Start(far);
        await using var process = DelayProcess.Start(
            near.Primary.Uri, [near.Replica.Uri, far.Replica.Uri], "--source-region", "home",
            "--destination-region", "near", "--destination-region", "far", "--keys", $"{Keys}", "--rate", "200",
            "--warmup", "0", "--deadline", "20s", "--each-key", "--wait-interval", "0", "--threshold", "missing==0",
            "--threshold", "delay{destination=far}.max>100ms", "--threshold", "delay.min<70ms");

        var (code, record) = await process.End().End(process);

        code.ShouldBeOneOf(4, 99);
        record.ShouldAccountForAllKeys();
        record.Count("asked").ShouldBe(2 * Keys);
        record.Count("read").ShouldBe(2 * Keys);
        record.Series("delay")["count"]!.GetValue<long>().ShouldBe(2 * Keys);
        record["metrics"]!["sent"]!.GetValue<long>().ShouldBe(2 * Keys);
        var destinations = record.Destinations();
        destinations.Select(one => one["delay"]!["destinationRegion"]!.GetValue<string>()).ShouldBe(["near", "far"]);
        destinations.Select(one => one.CountOf("read")).ShouldBe([Keys, Keys]);
        var keys = await Task.WhenAll(
            atNear.Take(StreamTruth.LastKey(Keys - 1)), atFar.Take(StreamTruth.LastKey(Keys - 1)));
        var lines = KeyLine.Read(process.Folder).ToLookup(line => line.Destination);
        atNear.ShouldBeIn(destinations[0], [.. lines["b"]], keys[0], process.ToString());
        atFar.ShouldBeIn(destinations[1], [.. lines["c"]], keys[1], process.ToString());

        // One of all that are read, one of the one that is named, and one of each for the others.
        var thresholds = record["thresholds"]!.AsArray();
        thresholds.Select(one => one!["expression"]!.GetValue<string>()).ShouldBe(
        [
            "near: missing==0", "far: missing==0", "delay{destination=far}.max>100ms", "near: delay.min<70ms",
            "far: delay.min<70ms",
        ]);
        // Where polls were far apart the last one cannot be decided; met it is never.
        thresholds.Select(one => one!["held"]?.GetValue<bool>() == true).ShouldBe([true, true, true, true, false]);
        var log = File.ReadAllText(
            Directory.GetFiles(process.Folder, "latency.hlog", SearchOption.AllDirectories).ShouldHaveSingleItem());
        log.ShouldContain("Tag=delay,");
        log.ShouldContain("Tag=b.delay-lower,");
        log.ShouldContain("Tag=c.delay-intended-upper,");
    }

    [Fact]
    public async Task Run_WhoseOneReplicaStopsForTwoSeconds_DoesNotDisturbTheOther()
    {
        await using var steady = await ReplicatedPair.Start();
        await using var stopped = await steady.Further();
        await using var process = DelayProcess.Start(
            steady.Primary.Uri, [steady.Replica.Uri, stopped.Replica.Uri], "--keys", "600", "--rate", "150",
            "--warmup", "0", "--deadline", "20s", "--command-timeout", "60s");
        await WaitForKeys(stopped.Replica, 50);

        stopped.Replica.Pause();
        await Task.Delay(TimeSpan.FromSeconds(2), TestContext.Current.CancellationToken);
        stopped.Replica.Resume();
        var (code, record) = await process.End().End(process);

        record.ShouldBeValidUnlessLate(code, process);
        record.ShouldAccountForAllKeys();
        var destinations = record.Destinations();
        destinations.Select(one => one.CountOf("read")).ShouldBe([600, 600]);
        // Half of the 300 keys that were due meanwhile waited for more than a second; nobody waited at the other.
        Percentile(destinations[1].SeriesOf("delay-upper"), 90).ShouldBeGreaterThan(1_000_000_000);
        Percentile(destinations[0].SeriesOf("delay-upper"), 90).ShouldBeLessThan(1_000_000_000);
        var stalls = record["events"]!.AsArray()
            .Where(one => one!["kind"]!.GetValue<string>() == "stalled").Select(one => one!["text"]!.GetValue<string>());
        stalls.ShouldContain(text => text.StartsWith($"destination 127.0.0.1:{stopped.Replica.Port}: ", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Run_WhoseOneDestinationIsLostForGood_MeasuresTheOtherToItsEnd()
    {
        await using var kept = await ReplicatedPair.Start();
        await using var lost = await kept.Further();
        await using var process = DelayProcess.Start(
            kept.Primary.Uri, [lost.Replica.Uri, kept.Replica.Uri], "--keys", "600", "--rate", "300", "--warmup", "0",
            "--deadline", "20s", "--reconnect-timeout", "200ms");
        await WaitForKeys(lost.Replica, 50);

        await lost.Replica.Kill();
        var (code, record) = await process.End().End(process);

        code.ShouldBe(5, process.ToString());
        record["partial"]!.GetValue<bool>().ShouldBeTrue();
        record.ShouldAccountForAllKeys();
        var destinations = record.Destinations();
        destinations[0].CountOf("unread").ShouldBeGreaterThan(0);
        destinations[1].CountOf("asked").ShouldBe(600);
        destinations[1].CountOf("read").ShouldBe(600);
        record.EventKinds().ShouldContain("lost");
    }

    [Fact]
    public async Task Table_OfSuchARun_HasARowForEachDestination()
    {
        await using var one = await ReplicatedPair.Start();
        await using var other = await one.Further();
        await using var process = ServiceProcess.Start(
            "Replication", "delay", "--source", one.Primary.Uri, "--destination", one.Replica.Uri,
            "--destination", other.Replica.Uri, "--source-region", "beijing", "--destination-region", "shanghai",
            "--destination-region", "shenzhen", "--keys", "1100", "--rate", "1k", "--warmup", "0", "--deadline", "20s",
            "--live", "none", "--out", "kept");
        (await process.End()).ShouldBeOneOf([0, 4], process.ToString());
        var text = process.Output.ToString();
        text.ShouldContain("asked 2,200 = read 2,200");
        text.ShouldContain("DESTINATIONS");
        text.ShouldContain($"b: shanghai, 127.0.0.1:{one.Replica.Port}: read by polling");
        text.Split('\n').Where(line => !line.StartsWith("RESULT", StringComparison.Ordinal))
            .ShouldAllBe(line => line.Length <= 80);

        await using var matrix = ServiceProcess.Start(
            "Replication", "matrix", Path.Combine(process.Folder, "kept"), "--format", "json");
        (await matrix.End()).ShouldBe(0, matrix.ToString());

        var record = JsonNode.Parse(File.ReadAllText(
            Directory.GetFiles(process.Folder, "run.json", SearchOption.AllDirectories).ShouldHaveSingleItem()))!;
        var pairs = JsonNode.Parse(matrix.Output.ToString())!["pairs"]!.AsArray();
        pairs.Select(pair => $"{pair!["source"]}-{pair["destination"]} {pair["read"]}")
            .ShouldBe(["beijing-shanghai 1100", "beijing-shenzhen 1100"]);
        foreach (var (pair, summary) in pairs.Zip(record.Destinations()))
        {
            var least = summary.SeriesOf("delay-lower");
            pair!["least"]!["average"]!.GetValue<double>().ShouldBe(least["mean"]!.GetValue<double>(), 1);
            pair["most"]!["p95"]!.GetValue<double>().ShouldBe(Percentile(summary.SeriesOf("delay-upper"), 95));
        }
    }

    private static double Percentile(JsonNode series, double percentile) => series["percentiles"]!.AsArray()
        .Single(row => row!["percentile"]!.GetValue<double>() == percentile)!["value"]!.GetValue<double>();

    private static Task WaitForKeys(RedisServerProcess server, int count) => Eventually.Is(
        "keys arrive",
        () => int.Parse(
            ReplicatedPair.Execute(server, "DBSIZE"), System.Globalization.CultureInfo.InvariantCulture) > count);
}
